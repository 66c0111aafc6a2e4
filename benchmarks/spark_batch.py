"""A stored collection on Apache Spark: documents a second, growth, and verdicts as inline.

The documents are real Chinese articles and copies of them, made by each edit and recipe of the
simulator in turn. Of each number of documents a batch is run from the first stage to the last. Its
fingerprints are then played through an index on LevelDB, one page after the other, as a crawl does:
a page's verdict is the same where both drop it for the same page, or both keep it.

Growth is the time of the largest number against that of the smallest, over the ratio of the two
numbers: 1 is linear.
"""

from __future__ import annotations

import json
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from benchmarks.command import as_command, make_parser, whole_numbers
from benchmarks.corpus import read_articles
from benchmarks.indexing import repeated
from benchmarks.report import Listing, Report, at_most
from benchmarks.simulated_reposts import STEPS
from dedup import Config, PageFingerprint, make_index
from dedup.assembly import opened_store
from dedup.batch.job import Job
from dedup.lab.simulator.simulate import Plan, simulate

DOCUMENTS = "50000,200000"
MOST_GROWTH = 1.3

Repeats = dict[str, str]  # URL -> the URL repeated


def make_arguments() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = make_parser("spark_batch", __doc__, needs_data=True)
    parser.add_argument(
        "--documents",
        type=whole_numbers,
        default=DOCUMENTS,
        metavar="N,N",
        help=f"numbers of documents ({DOCUMENTS})",
    )
    parser.add_argument("--master", default="local[2]", help="where Spark runs (local[2])")
    return parser


def run(options: Namespace, console: Console) -> Report:
    """Run a batch and an index over each number of documents."""
    report = Report("spark_batch")
    summaries = {}
    with tempfile.TemporaryDirectory() as name:
        for count in options.documents:
            folder = Path(name) / str(count)
            folder.mkdir()
            documents = _write(options.data, count, folder / "documents.jsonl", console)
            summary = _batch(folder, options.master)
            other = _differences(folder, console)
            report.bars.append(at_most(f"{documents}: verdicts unlike inline", other, 0))
            summaries[documents] = summary
    report.listings.append(_listing(summaries))
    smallest, largest = min(summaries), max(summaries)
    if largest > smallest:
        ratio = summaries[largest]["seconds"] / summaries[smallest]["seconds"]
        growth = ratio / (largest / smallest)
        report.bars.append(at_most(f"growth, {smallest} to {largest}", growth, MOST_GROWTH))
    return report


def _write(data: Path, count: int, path: Path, console: Console) -> int:
    """Write documents; returns how many."""
    articles = read_articles(data)
    documents = simulate(articles, Plan(STEPS, copies=count // len(articles)))
    written = 0
    with path.open("w", encoding="utf-8") as out:
        wanted = islice(documents, count)
        for document in track(wanted, f"{count} documents", count, console=console):
            row = {"url": document.url, "text": document.content}
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
            written += 1
    return written


def _batch(folder: Path, master: str) -> dict[str, Any]:
    from dedup.batch.run import run_batch  # noqa: PLC0415  (needs the extra ``spark``)
    from dedup.batch.session import open_session  # noqa: PLC0415

    job = Job(Config(), (folder / "documents.jsonl",), folder / "out", master=master)
    with open_session(job.master) as spark:
        return run_batch(job, spark)


def _differences(folder: Path, console: Console) -> int:
    """How many pages a batch and an index decide differently."""
    batch, inline = _dropped(folder / "out"), _inline(folder, console)
    return sum(batch.get(url) != inline.get(url) for url in batch.keys() | inline.keys())


def _dropped(output: Path) -> Repeats:
    from pyarrow.parquet import read_table  # noqa: PLC0415

    rows = read_table(output / "clusters").to_pylist()
    kept = {row["cluster"]: row["url"] for row in rows if row["kept"]}
    return {row["url"]: kept[row["cluster"]] for row in rows if not row["kept"]}


def _inline(folder: Path, console: Console) -> Repeats:
    """What an index drops of the fingerprints of a batch."""
    from pyarrow.parquet import read_table  # noqa: PLC0415

    config = Config(store="leveldb:store")
    rows = read_table(folder / "out" / "work" / "fingerprints" / "rows").sort_by("page")
    dropped = {}
    with opened_store(config, folder) as store:
        index = make_index(config, store)
        for row in track(rows.to_pylist(), "inline", console=console):
            short = bool(row["skipped"])
            page = PageFingerprint(row["tokens"], row["digest"], row["fingerprint"], short)
            claim = index.check(row["url"], row["request"], page)
            if (record := repeated(claim)) is not None:
                dropped[row["url"]] = record.url
            index.commit(claim)
    return dropped


def _listing(summaries: dict[int, dict[str, Any]]) -> Listing:
    told = ("kept", "dropped", "comparisons", "rounds", "seconds", "documents_a_second")
    stages = list(next(iter(summaries.values()))["seconds_of_stages"])
    rows = [
        (
            documents,
            *(summary[name] for name in told),
            *(summary["seconds_of_stages"][stage] for stage in stages),
        )
        for documents, summary in summaries.items()
    ]
    names = (name.replace("_", " ") for name in told)
    return Listing("batches", ("documents", *names, *(f"s {stage}" for stage in stages)), rows)


main = as_command(make_arguments, run)

if __name__ == "__main__":
    sys.exit(main())
