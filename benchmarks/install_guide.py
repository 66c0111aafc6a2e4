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

from rich.console import Console

from benchmarks.command import data_command
from benchmarks.corpus import WORDS, Pages, Pair, read_archive, read_pairs
from benchmarks.crawling import Crawl, crawl
from benchmarks.judging import Judged, judge_versions
from benchmarks.loopback import LoopbackProxy
from benchmarks.report import Report, at_most
from benchmarks.resemblance import Resemblance

HOST = "guide.example"
ROOT = f"http://{HOST}/"
LANGUAGES = ("en", "zh_CN")
SAME_PAGE = "- dropped against a different text of the same page"
OTHER_PAGE = "- dropped against a different text of another page"
TWICE = "- exported though an identical text was"


def run(data: Path, console: Console) -> Report:
    """Crawl and judge."""
    archive = read_archive(data / "install-guide.tar.xz")
    pages = {ROOT + path: body for path, body in archive.items()}
    pairs = [
        pair
        for language in LANGUAGES
        for pair in read_pairs(data / f"install-guide-pairs-{language}.tsv", f"{ROOT}{language}/")
    ]
    with (
        console.status(f"crawling {len(pages)} pages"),
        tempfile.TemporaryDirectory() as folder,
        LoopbackProxy(pages) as proxy,
    ):
        crawled = crawl([HOST], proxy.url, Path(folder), "guide")
    with console.status("comparing pages"):
        return _report(pages, pairs, crawled)


def _report(pages: Pages, pairs: Sequence[Pair], crawled: Crawl) -> Report:
    resemblance = Resemblance(pages)
    drops = {drop.url: drop for drop in crawled.drops if drop.url in pages}
    report = Report("install_guide")
    report.figures |= {
        "pages served": len(pages),
        "pages exported": len(crawled.exported & pages.keys()),
        "pages dropped": len(drops),
        "seconds of the crawl": round(crawled.seconds, 1),
    }
    judged = judge_versions(report, pairs, drops, resemblance, _page_of)
    stubs = _stubs(pages, crawled, judged, resemblance)
    report.figures |= stubs
    report.bars += [
        at_most("pages neither exported nor dropped", len(crawled.lost(pages)), 0),
        at_most("different stubs joined", stubs[SAME_PAGE] + stubs[OTHER_PAGE], 0),
        at_most("identical stubs exported", stubs[TWICE], 0),
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
        SAME_PAGE: sum(_page_of(drop.url) == _page_of(drop.of) for drop in joined),
        OTHER_PAGE: sum(_page_of(drop.url) != _page_of(drop.of) for drop in joined),
        "- exported": len(exported),
        TWICE: len(exported) - len({digest[url] for url in exported}),
    }


def _page_of(url: str) -> tuple[str, str]:
    """Language and file name of a page, whatever its architecture is."""
    language, _, page = url.removeprefix(ROOT).split("/", 2)
    return language, page


main = data_command("install_guide", __doc__, run)

if __name__ == "__main__":
    sys.exit(main())
