"""Three versions of one documentation on one host: the repeats found, and pages joined wrongly.

The pages of all versions go through an index in order, without a crawl. A pair of versions counts
as found as in ``benchmarks.install_guide``; a drop against another page is wrong where the whole
visible texts have a 3-word-shingle Jaccard under 0.5.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console
from rich.progress import track

from benchmarks.command import data_command
from benchmarks.corpus import read_archive, read_pairs
from benchmarks.crawling import Drop
from benchmarks.indexing import Engine, repeated
from benchmarks.judging import judge_versions
from benchmarks.report import Report
from benchmarks.resemblance import Resemblance
from dedup import Claim
from dedup.page import decode_html

ROOT = "http://clang.example/"


def run(data: Path, console: Console) -> Report:
    """Index the pages and judge."""
    archive = read_archive(data / "clang-docs.tar.xz")
    pages = {ROOT + path: body for path, body in archive.items()}
    pairs = list(read_pairs(data / "clang-docs-pairs.tsv", ROOT))
    with Engine.open() as engine:
        claims = [
            engine.add(url, html=decode_html(body, "text/html"))
            for url, body in track(pages.items(), "pages", console=console)
        ]
        times = engine.times
    drops = {claim.record.url: drop for claim in claims if (drop := _drop(claim)) is not None}
    report = Report("clang_docs", {"pages": len(pages), "dropped": len(drops)})
    judge_versions(report, pairs, drops, Resemblance(pages), _page_of)
    report.figures |= times
    return report


def _drop(claim: Claim) -> Drop | None:
    record = repeated(claim)
    if claim.match is None or record is None:
        return None
    similarity = claim.match.comparison.similarity
    return Drop(claim.record.url, record.url, similarity, claim.record.tokens, record.tokens)


def _page_of(url: str) -> str:
    """The path of a page without its version."""
    return url.removeprefix(ROOT).partition("/")[2]


main = data_command("clang_docs", __doc__, run)

if __name__ == "__main__":
    sys.exit(main())
