"""A batch from its inputs to its results, stage by stage; each stage is done only once.

    fingerprints -> pages (one per URL, and the pages of an index) -> groups of equal pages
                 -> words -> pairs -> verdicts -> results

    DIR/neardup-batch.json                   marks the folder as a batch
    DIR/work/STAGE/                          the files of a stage
    DIR/{kept,clusters,pairs,summary.json}   the results

A stage writes a folder, and then a mark with a digest of its inputs. If the mark matches this run,
the stage is done. Files of an interrupted stage are deleted, and the stage runs again. The index is
read in each run, because only its pages show whether it changed.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from dedup.assembly import make_header
from dedup.batch import results
from dedup.batch.fingerprints import (
    FINGERPRINTS,
    check_known,
    fingerprint_pieces,
    place_of,
    write_known,
)
from dedup.batch.job import INLINE, BatchError, Job
from dedup.batch.pairs import Rounds, gather, write_words
from dedup.batch.replay import is_common
from dedup.batch.results import cluster_verdicts, inline_verdicts
from dedup.batch.session import columns_of, mapped, read, write
from dedup.batch.sources import Piece, cut, list_files
from dedup.files import whole_file
from dedup.verdict import Relation

DONE = "_DONE"
MARKER = "neardup-batch.json"
MARK = '{"what": "a batch; summary.json beside this file says what came of it"}\n'
WORK = "work"  # The folder of the stages.
SUMMARY = "summary.json"
RESULTS = ("kept", "clusters", "pairs")
WRITTEN = (WORK, *RESULTS, SUMMARY)

KNOWN = "known.parquet"  # The pages of the earlier index, read in each run.


@dataclass(slots=True)
class Stages:
    """The stages of one output folder, in order; each depends on all before it."""

    root: Path
    seconds: dict[str, float] = field(default_factory=dict)
    reused: list[str] = field(default_factory=list)
    _digest: str = ""

    def run(
        self,
        name: str,
        made_from: Any,
        make: Callable[[Path], dict[str, Any] | None],
        beside: Iterable[Path] = (),
    ) -> dict[str, Any]:
        """Do a stage unless it is done.

        Args:
            name: the name of its folder.
            made_from: its inputs other than the earlier stages, as JSON.
            make: writes into the given folder; the facts that it returns are stored in the mark.
            beside: files that it writes elsewhere; if one is missing, the stage is done again.

        Returns:
            The facts that ``make`` returned, in this run or in the earlier one.
        """
        content = json.dumps([self._digest, name, made_from], sort_keys=True, default=str)
        self._digest = hashlib.sha256(content.encode()).hexdigest()
        folder = self.root / name
        mark = folder / DONE
        try:
            known = json.loads(mark.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            known = {}
        if known.get("digest") == self._digest and all(path.exists() for path in beside):
            self.reused.append(name)
            self.seconds[name] = known["seconds"]
            return dict(known["facts"])
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
        started = time.perf_counter()
        facts = make(folder) or {}
        self.seconds[name] = round(time.perf_counter() - started, 2)
        done = {"digest": self._digest, "seconds": self.seconds[name], "facts": facts}
        with whole_file(mark) as out:
            json.dump(done, out)
        return facts


def prepare(job: Job, *, resume: bool, fresh: bool) -> None:
    """Prepare the output folder, before the long run.

    Raises:
        BatchError: an input is missing; the folder cannot be used, overlaps with an input, or
            contains results and neither ``resume`` nor ``fresh`` is set; or the earlier index does
            not fit the settings.
        StoreError: the earlier index cannot be opened.
        OSError: the earlier index is a file and cannot be read.
    """
    list_files(job.inputs)
    check_known(job)
    folder = job.output
    _check_place(job)
    if (folder / MARKER).is_file():
        # Nothing is written if Spark did not start.
        written = (*(folder / WORK).glob("*"), *(folder / name for name in (*RESULTS, SUMMARY)))
        if any(path.exists() for path in written) and not resume and not fresh:
            raise BatchError(
                f"{folder} holds a batch: --resume goes on with it, --fresh begins anew"
            )
        if fresh:
            _delete_written(folder)
    elif folder.is_dir() and any(folder.iterdir()):
        raise BatchError(f"{folder} holds no {MARKER}, so no batch; name an empty folder")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARKER).write_text(MARK, encoding="utf-8")
    (folder / WORK).mkdir(exist_ok=True)


def _check_place(job: Job) -> None:
    """Check that inputs and output do not overlap."""
    folder = job.output
    if folder.exists() and not folder.is_dir():
        raise BatchError(f"{folder} is a file; the output must be a folder")
    place = place_of(job)
    for path in (*job.inputs, *((place,) if place else ())):
        if path.resolve().is_relative_to(folder.resolve()):
            raise BatchError(f"{path} is in the output folder {folder}; name another one")
        if folder.resolve().is_relative_to(path.resolve()):
            raise BatchError(
                f"the output folder {folder} is in {path}, which is read; name one outside of it"
            )


def _delete_written(folder: Path) -> None:
    """Delete the files of a batch; for a link, only the link."""
    for path in (folder / name for name in WRITTEN):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class Batch:
    """One run: the job, its Spark session, its inputs, and the folder of its stages."""

    job: Job
    spark: SparkSession
    pieces: list[Piece]
    work: Path

    def table(self, *names: str) -> DataFrame:
        """The rows that a stage has written."""
        return read(self.spark, self.work.joinpath(*names))

    def pairs(self) -> DataFrame:
        """All pairs that repeat each other."""
        rounds = sorted((self.work / "pairs").glob("round=*"))
        return read(self.spark, *rounds).where("accepted or back_accepted")

    def fingerprints(self, folder: Path) -> None:
        """Fingerprint every record."""
        job, count = self.job, len(self.pieces)
        function = partial(fingerprint_pieces, job.config, self.pieces, job.fields)
        tasks = self.spark.range(0, count, 1, count)
        write(mapped(tasks, function, FINGERPRINTS), folder / "rows")

    def check_dates(self) -> None:
        """Raise BatchError if the earliest page is to be kept, and no record has a date."""
        rows = self.table("fingerprints", "rows")
        if self.job.keep == "earliest" and rows.where("date = ''").count() == rows.count() > 0:
            names = ", ".join(self.job.fields.date)
            raise BatchError(f"no record has a date in {names}; name its field in --date-field")

    def groups(self, folder: Path) -> dict[str, Any]:
        """Take one page of each URL, and group pages with equal text and host.

        If equal pages are not dropped, each page is a separate group.
        """
        before = self.table(KNOWN)
        records = self.table("fingerprints", "rows").where("skipped = ''")
        told = ("url", "host", "tokens", "digest", "fingerprint", "date")
        first = F.min(F.struct("page", *told)).alias("first")
        fresh = records.groupBy("request").agg(first).select("request", "first.*")
        fresh = fresh.join(
            before.select("request", F.lit(True).alias("stays")), "request", "left"
        ).withColumn("stays", F.coalesce("stays", F.lit(False)))
        old = before.drop("silent").withColumns({"date": F.lit(""), "stays": F.lit(True)})
        write(fresh.unionByName(old), folder / "pages")
        pages = self.table("groups", "pages")
        alone = () if Relation.EQUAL in self.job.config.drop else ("page",)
        grouped = pages.groupBy("digest", "fingerprint", "host", *alone).agg(
            F.min("page").alias("rep"),
            F.max("page").alias("last"),
            F.count("*").cast("int").alias("size"),
            F.min_by("url", "page").alias("url"),
            F.min_by("tokens", "page").alias("tokens"),
            F.sort_array(F.collect_list("page")).alias("members"),
        )
        write(grouped, folder / "rows")
        known = before.count()
        return {"pages": pages.count() - known, "known": known}

    def words(self, folder: Path) -> None:
        """Read the words of the groups, and find words near each other."""
        write_words(self.table("groups", "rows"), self.job.config, folder)

    def find_pairs(self, folder: Path) -> dict[str, Any]:
        """Compare, and decide like a crawl."""
        groups = self.table("groups", "rows")
        collection, heavy = gather(groups, self.work / "words")
        collection = replace(
            collection,
            silent=self._numbers(self.table(KNOWN).where("silent")),
            known=self._numbers(self.table("groups", "pages").where("stays and page >= 0")),
        )
        rounds = Rounds(self.spark, self.job.config, groups, self.work / "words", folder, heavy)
        outcome = rounds.run(collection)
        write(inline_verdicts(outcome, self.spark), folder / "inline")
        kept = map(len, outcome.standing)
        common = sum(map(is_common, collection.caps, kept))
        return {"comparisons": rounds.compared, "rounds": rounds.count, "common_words": common}

    def verdicts(self, folder: Path) -> None:
        """Decide which pages survive."""
        if self.job.keep == INLINE:
            write(self.table("pairs", "inline"), folder / "rows")
            return
        rows = cluster_verdicts(
            self.table("groups", "pages"),
            self.table(KNOWN).where("silent").select("page"),
            self.table("groups", "rows"),
            self.pairs(),
            self.job.keep,
        )
        write(rows, folder / "rows")

    def results(self, folder: Path) -> dict[str, Any]:
        """Write the results for users; a summary exists only once all are written."""
        job = self.job
        (job.output / SUMMARY).unlink(missing_ok=True)
        pages, verdicts = self.table("groups", "pages"), self.table("verdicts", "rows")
        outcome = results.fates(self.table("fingerprints", "rows"), pages, verdicts).cache()
        counts = results.count_fates(outcome)
        counts["pairs"] = results.write_pairs(self.pairs(), pages, job.output / "pairs", job.format)
        clusters = job.output / "clusters"
        counts["clusters"] = results.write_clusters(verdicts, pages, clusters, job.format)
        results.write_kept(
            outcome,
            self.pieces,
            job.fields,
            job.config,
            job.output / "kept",
            folder / "kept",
            job.format,
        )
        outcome.unpersist()
        return counts

    def _numbers(self, rows: DataFrame) -> frozenset[int]:
        return frozenset(columns_of(rows.select("page"))[0])


def run_batch(job: Job, spark: SparkSession) -> dict[str, Any]:
    """Run a batch in an existing output folder; returns the content of ``summary.json``.

    Finished stages in the folder are reused. Each record read is kept, dropped or skipped.

    Raises BatchError if an input or the earlier index cannot be read, or if the earliest page is to
    be kept and no record has a date.
    """
    started = time.perf_counter()
    files = list_files(job.inputs)
    batch = Batch(job, spark, cut(files), job.output / WORK)
    stages = Stages(batch.work)
    header = make_header(job.config)
    identity = [
        (str(path.resolve()), path.stat().st_size, path.stat().st_mtime_ns) for path in files
    ]
    settings = (job.config.max_body, sorted(job.config.statuses))
    stages.run(
        "fingerprints",
        [identity, dict(header.fingerprint), asdict(job.fields), settings],
        batch.fingerprints,
    )
    batch.check_dates()
    scheme = repr(job.config.make_scheme())
    write_known(job, batch.work / KNOWN)
    told = [sorted(job.config.drop), job.config.max_new]
    with (batch.work / KNOWN).open("rb") as file:
        known = hashlib.file_digest(file, "sha256").hexdigest()
    rules = [dict(header.tables), scheme, told, known]
    grouped = stages.run("groups", rules, batch.groups)
    stages.run("words", None, batch.words)
    compared = stages.run("pairs", None, batch.find_pairs)
    stages.run("verdicts", job.keep, batch.verdicts)
    written = (job.output / name for name in RESULTS)
    counts = stages.run("results", job.format, batch.results, written)
    seconds = sum(stages.seconds.values())
    summary = {
        **counts,
        **grouped,
        **compared,
        "documents_a_second": round(counts["read"] / seconds, 1) if seconds else 0.0,
        "seconds": round(seconds, 2),
        "seconds_of_stages": stages.seconds,
        "seconds_in_this_run": round(time.perf_counter() - started, 2),
        "reused": stages.reused,
    }
    with whole_file(job.output / SUMMARY) as out:
        json.dump(summary, out, indent=1)
    return summary
