"""Three versions of one documentation on one host: the repeats found, and pages joined wrongly.

The pages of all versions go through an index in order, without a crawl. A pair of versions counts
as found as in ``benchmarks.install_guide``; a drop against another page is wrong where the whole
visible texts have a 3-word-shingle Jaccard under 0.5.
"""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import quote

from rich.console import Console
from rich.progress import track

from benchmarks.command import data_command
from benchmarks.corpus import Pair, read_archive, read_pairs
from benchmarks.crawling import Drop
from benchmarks.indexing import Engine
from benchmarks.judging import judge, list_drops, list_missed, missed_pairs
from benchmarks.report import Bar, Report, Value, at_most
from benchmarks.resemblance import ALIKE, Resemblance
from dedup import Claim, Verdict
from dedup.page import decode_html

HOST = "clang.example"
LEAST_RECALL = 0.99


def run(data: Path, console: Console) -> Report:
    """Index the pages and judge."""
    archive = read_archive(data / "clang-docs.tar.xz")
    pages = {f"http://{HOST}/{path}": body for path, body in archive.items()}
    pairs = [
        (_url(pair.versions[0], pair), _url(pair.versions[1], pair), pair)
        for pair in read_pairs(data / "clang-docs-pairs.tsv")
        if pair.eligible
    ]
    with Engine.open() as engine:
        claims = [
            engine.add_html(url, decode_html(body, "text/html"))
            for url, body in track(pages.items(), "pages", console=console)
        ]
        times = engine.times
    drops = {claim.record.url: drop for claim in claims if (drop := _drop(claim)) is not None}
    resemblance = Resemblance(pages)
    missed = missed_pairs(pairs, drops, _same_page)
    judged = judge(drops.values(), resemblance)
    others = [case for case in judged if not _same_page(case.drop.url, case.drop.of)]
    wrong = [case for case in others if case.whole < ALIKE]
    figures: dict[str, Value] = {
        "pages": len(pages),
        "dropped": len(drops),
        "eligible pairs": len(pairs),
        "pairs found": len(pairs) - len(missed),
        "dropped against a page of another name": len(others),
        "- of those, J < 0.5 by whole text": len(wrong),
        "drops with J < 0.5 by whole text, any name": sum(case.whole < ALIKE for case in judged),
    }
    figures |= times
    listings = [
        list_missed(missed, resemblance),
        list_drops("dropped against a page of another name", others),
    ]
    bars = [
        Bar("recall", 1 - len(missed) / max(len(pairs), 1), LEAST_RECALL),
        at_most("drops against different pages", len(wrong), 0),
    ]
    return Report("clang_docs", figures, bars, listings)


def _drop(claim: Claim) -> Drop | None:
    if claim.match is None or claim.verdict is not Verdict.DUPLICATE:
        return None
    record, similarity = claim.match.record, claim.match.comparison.similarity
    return Drop(claim.record.url, record.url, similarity, claim.record.tokens, record.tokens)


def _url(version: str, pair: Pair) -> str:
    return f"http://{HOST}/{version}/{quote(pair.page)}"


def _same_page(one: str, other: str) -> bool:
    """Whether two URLs differ in the version at most."""
    return _name(one) == _name(other)


def _name(url: str) -> str:
    return url.removeprefix(f"http://{HOST}/").partition("/")[2]


main = data_command("clang_docs", __doc__, run)

if __name__ == "__main__":
    sys.exit(main())
