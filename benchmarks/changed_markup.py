"""Main text of pages whose markup is changed, by each extractor.

DATA_DIR is a collection of pages with their main text, as for ``scrapy neardup extraction``: a
folder or an archive with a ``gold.json``. Each page is read as it is, and after each of CHANGES
(see changed_markup_made.py). F1 is that of *bag*, as there. *Wrong* is the number of pages of which
the extractor is sure, with an F1 under a half.

Rules may have been made from these pages. Of their changed markup came two: that frames around the
whole page are no footers, and that lists of teasers need a heading.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from statistics import fmean

from rich.console import Console

from benchmarks.changed_markup_made import CHANGES, change_page
from benchmarks.command import as_command, make_parser
from benchmarks.report import Listing, Report
from benchmarks.snippets import add_extractors
from dedup.lab.main_text.gold import GoldError, GoldPage, read_gold
from dedup.lab.main_text.readings import WRONG, read
from dedup.lab.main_text.scores import cut_tokens, score_bags

COLUMNS = ("change", "extractor", "F1", "wrong")


def make_arguments() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = make_parser("changed_markup", __doc__, needs_data=True)
    add_extractors(parser)
    return parser


def run(options: Namespace, console: Console) -> Report:
    """Read all pages after each change, by each extractor."""
    try:
        pages = [page for page in read_gold(options.data) if page.text]
    except GoldError as error:
        sys.exit(f"benchmarks.changed_markup: {error}")
    if not pages:
        sys.exit(f"benchmarks.changed_markup: no page of {options.data} has a main text")
    report, rows = Report("changed_markup"), []
    for change in CHANGES:
        with console.status(change):
            changed = list(change_pages(pages, change))
            rows += [(change, name, *judge(pages, changed, name)) for name in options.extractor]
    report.figures = {"pages": len(pages)}
    report.listings = [Listing("changes", COLUMNS, rows)]
    return report


def change_pages(pages: Sequence[GoldPage], change: str) -> Iterator[str]:
    """The HTML of each page after a change, with words of the page before it in its language."""
    last = {page.language: page.text or "" for page in pages}
    for page in pages:
        yield change_page(page.html, CHANGES[change], last[page.language])
        last[page.language] = page.text or ""


def judge(pages: Sequence[GoldPage], changed: Sequence[str], extractor: str) -> tuple[float, int]:
    """Mean F1 of an extractor, and how often it is sure and wrong."""
    scores, wrong = [], 0
    for page, html in zip(pages, changed, strict=True):
        main = read(html, extractor)
        score = score_bags(cut_tokens(page.text or ""), cut_tokens(main.text)).f1
        scores.append(score)
        wrong += main.sure and score < WRONG
    return round(fmean(scores), 4), wrong


main = as_command(make_arguments, run)

if __name__ == "__main__":
    sys.exit(main())
