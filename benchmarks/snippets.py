"""Extractors on pages of which a few passages are known.

DATA_DIR is a folder like ``tests`` of https://github.com/adbar/trafilatura: HTML files, in the
folder or in folders below it, and ``evaldata.json``. That has an entry for each URL: the name of
its file, the passages that belong to the main text (``with``), and those that do not
(``without``). White space does not count. Precision is the share of right passages among those
found, and recall the share of right passages that are found, as in the evaluation there.

Sites are split in halves by a hash of their registered domains, so that rules can be made with one
half and judged on the other.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console

from benchmarks.command import as_command, make_parser
from benchmarks.report import Listing, Report
from dedup.lab.main_text.readings import known_extractors, read
from dedup.page import decode_html
from dedup.page.paragraphs import fold
from dedup.scope import domain_of

LIST = "evaldata.json"
COLUMNS = ("pages", "extractor", "number", "precision", "recall", "F1", "ms a page")


class Page(NamedTuple):
    """A page, the half it is in, and passages that belong to its main text and that do not."""

    html: str
    half: int
    own: list[str]
    others: list[str]


class Counts(NamedTuple):
    """Passages of a page: found, missed, and found although they do not belong to its text."""

    half: int
    found: int
    missed: int
    wrong: int
    seconds: float


def make_arguments() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = make_parser("snippets", __doc__, needs_data=True)
    add_extractors(parser)
    return parser


def add_extractors(parser: ArgumentParser) -> None:
    """Add the option --extractor."""
    parser.add_argument(
        "--extractor",
        type=read_names,
        default=known_extractors(),
        help="names with commas between (default: all that can run here)",
    )


def read_names(names: str) -> list[str]:
    """The extractors of --extractor."""
    known, asked = known_extractors(), names.split(",")
    if unknown := [name for name in asked if name not in known]:
        raise ArgumentTypeError(f"{unknown[0]!r} is none of {', '.join(known)}")
    return asked


def run(options: Namespace, console: Console) -> Report:
    """Read all pages by each extractor."""
    with console.status("reading the files"):
        try:
            pages = list(read_pages(options.data))
        except (ValueError, KeyError) as error:
            sys.exit(f"benchmarks.snippets: {options.data / LIST} cannot be read: {error!r}")
    report, rows = Report("snippets"), []
    for extractor in options.extractor:
        with console.status(extractor):
            counts = [judge(page, extractor) for page in pages]
        for name, halves in (("all", (0, 1)), ("first half", (0,)), ("second half", (1,))):
            chosen = [count for count in counts if count.half in halves]
            rows.append((name, extractor, *sum_up(chosen)))
    report.figures = {"pages": len(pages)}
    report.listings = [Listing("passages", COLUMNS, sorted(rows, key=lambda row: row[0]))]
    return report


def read_pages(folder: Path) -> Iterable[Page]:
    """The pages of a folder.

    Raises:
        FileNotFoundError: there is no list, or a file in it is missing.
    """
    entries: dict[str, Any] = json.loads((folder / LIST).read_text(encoding="utf-8"))
    files = {path.name: path for path in folder.rglob("*") if path.is_file()}
    for url, entry in entries.items():
        path = files.get(entry["file"], folder / entry["file"])
        half = hashlib.md5(domain_of(url).encode(), usedforsecurity=False).digest()[0] % 2
        own, others = (list(map(fold, entry[key])) for key in ("with", "without"))
        yield Page(decode_html(path.read_bytes()), half, own, others)


def judge(page: Page, extractor: str) -> Counts:
    """Count the passages of a page in the text that an extractor finds."""
    start = time.process_time()
    text = read(page.html, extractor).text
    seconds = time.process_time() - start
    text = fold(text)
    found = sum(passage in text for passage in page.own)
    wrong = sum(passage in text for passage in page.others)
    return Counts(page.half, found, len(page.own) - found, wrong, seconds)


def sum_up(counts: Sequence[Counts]) -> tuple[float, ...]:
    """Number of pages, precision, recall, F1 and mean milliseconds."""
    found, missed, wrong = (sum(count[at] for count in counts) for at in (1, 2, 3))
    precision, recall = found / max(found + wrong, 1), found / max(found + missed, 1)
    f1 = 2 * found / max(2 * found + wrong + missed, 1)
    milliseconds = 1000 * sum(count.seconds for count in counts) / max(len(counts), 1)
    shares = (round(share, 4) for share in (precision, recall, f1))
    return (len(counts), *shares, round(milliseconds, 2))


main = as_command(make_arguments, run)

if __name__ == "__main__":
    sys.exit(main())
