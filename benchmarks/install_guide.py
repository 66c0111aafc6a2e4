"""One manual in eight versions on one host: the repeats are found, and nothing else is dropped.

The Debian installation guide for 4 architectures in 2 languages is crawled with default settings.
Its pages repeat each other from one architecture to the next, closely or not at all.

Of up to four versions of a page one survives, so a pair of versions (a, b) counts as found where
at least one of the two was dropped against a page of the same name: the same file name and
language, of any architecture. Pairs are eligible from 0.8 on (exact 5-gram Jaccard of the main
text) where both sides have 50 words, or 50 Chinese characters, or more.

A wrong drop is one against a page of another name (or language) whose whole visible text has a
3-word-shingle Jaccard under 0.5. Stubs are pages whose main text has fewer than 50 words.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import quote

from rich.console import Console

from benchmarks.command import data_command
from benchmarks.corpus import WORDS, Pages, Pair, read_archive, read_pairs
from benchmarks.crawling import Crawl, crawl
from benchmarks.judging import Judged, judge, list_drops, list_missed, missed_pairs
from benchmarks.loopback import LoopbackProxy
from benchmarks.report import Bar, Report, at_most
from benchmarks.resemblance import ALIKE, Resemblance

HOST = "guide.example"
LANGUAGES = ("en", "zh_CN")
LEAST_RECALL = 0.99
SAME_PAGE = "- dropped against a different text of the same page"
OTHER_PAGE = "- dropped against a different text of another page"
TWICE = "- exported though an identical text was"


def run(data: Path, console: Console) -> Report:
    """Crawl and judge."""
    pages = {
        f"http://{HOST}/{path}": body
        for path, body in read_archive(data / "install-guide.tar.xz").items()
    }
    pairs = [
        (_url(language, pair.versions[0], pair), _url(language, pair.versions[1], pair), pair)
        for language in LANGUAGES
        for pair in read_pairs(data / f"install-guide-pairs-{language}.tsv")
        if pair.eligible
    ]
    with (
        console.status(f"crawling {len(pages)} pages"),
        tempfile.TemporaryDirectory() as folder,
        LoopbackProxy(pages) as proxy,
    ):
        crawled = crawl([HOST], proxy.url, Path(folder), "guide")
    with console.status("comparing pages"):
        return _report(pages, pairs, crawled)


def _report(pages: Pages, pairs: Sequence[tuple[str, str, Pair]], crawled: Crawl) -> Report:
    resemblance = Resemblance(pages)
    drops = {drop.url: drop for drop in crawled.drops if drop.url in pages}
    missed = missed_pairs(pairs, drops, _same_page)
    recall = 1 - len(missed) / len(pairs) if pairs else 0.0
    judged = judge(drops.values(), resemblance)
    others = [case for case in judged if not _same_page(case.drop.url, case.drop.of)]
    wrong = [case for case in others if case.whole < ALIKE]
    lost = crawled.lost(pages)
    report = Report("install_guide")
    report.figures |= {
        "pages served": len(pages),
        "pages exported": len(crawled.exported & pages.keys()),
        "pages dropped": len(drops),
        "seconds of the crawl": round(crawled.seconds, 1),
        "eligible pairs": len(pairs),
        "pairs found": len(pairs) - len(missed),
        "pairs missed of which both pages were exported": sum(
            not {a, b} & drops.keys() for a, b, _ in missed
        ),
        "dropped against a page of another name": len(others),
        "- of those, J < 0.5 by whole text": len(wrong),
        "- of those, J < 0.5 by main text": sum(case.main < ALIKE for case in others),
        "drops with J < 0.5 by whole text, any name": sum(case.whole < ALIKE for case in judged),
    }
    stubs = _stubs(pages, crawled, judged, resemblance)
    report.figures |= stubs
    report.bars = [
        Bar("share of eligible pairs found", recall, LEAST_RECALL),
        at_most("drops against different pages", len(wrong), 0),
        at_most("pages neither exported nor dropped", len(lost), 0),
        at_most("different stubs joined", stubs[SAME_PAGE] + stubs[OTHER_PAGE], 0),
        at_most("identical stubs exported", stubs[TWICE], 0),
    ]
    report.listings = [
        list_missed(missed, resemblance),
        list_drops("dropped against a page of another name", others),
    ]
    return report


def _stubs(
    pages: Iterable[str], crawled: Crawl, judged: Iterable[Judged], resemblance: Resemblance
) -> dict[str, int]:
    """What became of the stubs."""
    stubs = {url for url in pages if resemblance.size(url) < WORDS}
    dropped = [case.drop for case in judged if case.drop.url in stubs]
    digest = {url: resemblance.document(url).digest for url in pages}
    exported = stubs & crawled.exported
    joined = [drop for drop in dropped if digest[drop.url] != digest[drop.of]]
    return {
        f"stubs (under {WORDS} words)": len(stubs),
        "- dropped against an identical text": len(dropped) - len(joined),
        SAME_PAGE: sum(_same_page(drop.url, drop.of) for drop in joined),
        OTHER_PAGE: sum(not _same_page(drop.url, drop.of) for drop in joined),
        "- exported": len(exported),
        TWICE: len(exported) - len({digest[url] for url in exported}),
    }


def _url(language: str, architecture: str, pair: Pair) -> str:
    return f"http://{HOST}/{language}/{architecture}/{quote(pair.page)}"


def _same_page(one: str, other: str) -> bool:
    """Whether two URLs differ in the architecture at most."""
    return _name(one) == _name(other)


def _name(url: str) -> tuple[str, str]:
    language, _, page = url.removeprefix(f"http://{HOST}/").split("/", 2)
    return language, page


main = data_command("install_guide", __doc__, run)

if __name__ == "__main__":
    sys.exit(main())
