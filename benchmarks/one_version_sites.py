"""Two sites whose pages all differ: none is dropped; served again elsewhere, all are found.

The PostgreSQL manual and the Python documentation are crawled with default settings, one host
each. A drop is wrong where the whole visible texts of the two pages have a 3-word-shingle Jaccard
under 0.5. Then the same sites are crawled under other host names with the same store: a page of
50 words or more counts as found where it was dropped, and not wrongly.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from rich.console import Console

from benchmarks.command import data_command
from benchmarks.corpus import WORDS, Pages, read_archive
from benchmarks.crawling import Crawl, crawl
from benchmarks.judging import Judged, judge, list_drops
from benchmarks.loopback import LoopbackProxy
from benchmarks.report import Bar, Listing, Report, at_most
from benchmarks.resemblance import ALIKE, Resemblance

MOST_WRONG = 2
LEAST_FOUND = 0.99
CLOSE = 0.9  # drops under this resemblance are listed for inspection


def run(data: Path, console: Console) -> Report:
    """Crawl twice and judge."""
    archive = read_archive(data / "one-version-sites.tar.xz")
    first = {_url(path, "first"): body for path, body in archive.items()}
    second = {_url(path, "second"): body for path, body in archive.items()}
    with (
        console.status(f"crawling {len(archive)} pages"),
        tempfile.TemporaryDirectory() as folder,
        LoopbackProxy(first | second) as proxy,
    ):
        one = crawl(_hosts(first), proxy.url, Path(folder), "first")
        console.print(f"first crawl done in {one.seconds:.0f} s")
        two = crawl(_hosts(second), proxy.url, Path(folder), "second")
    with console.status("comparing pages"):
        return _report(first, second, one, two)


def _report(first: Pages, second: Pages, one: Crawl, two: Crawl) -> Report:
    resemblance = Resemblance(first | second)
    judged = judge((drop for drop in one.drops if drop.url in first), resemblance)
    again = judge((drop for drop in two.drops if drop.url in second), resemblance)
    wrong = [case for case in judged if case.whole < ALIKE]
    wrong_again = [case for case in again if case.whole < ALIKE]
    long_enough = {url for url in second if resemblance.size(url) >= WORDS}
    found = long_enough & {case.drop.url for case in again if case.whole >= ALIKE}
    missed = sorted(long_enough - found)
    lost = [*one.lost(first), *two.lost(second)]
    report = Report("one_version_sites")
    report.figures = {
        "pages served": len(first),
        "seconds of the first crawl": round(one.seconds, 1),
        "pages dropped in it": len(judged),
        "- of those, J < 0.5 by whole text": len(wrong),
        "- of those, J < 0.5 by main text": sum(case.main < ALIKE for case in judged),
        "- of those, against another host": sum(_apart(case) for case in judged),
        "seconds of the second crawl": round(two.seconds, 1),
        f"pages of {WORDS} words or more": len(long_enough),
        "- found under the second host names": len(found),
        "shorter pages": len(second) - len(long_enough),
        "- dropped under the second host names": len(
            {case.drop.url for case in again} - long_enough
        ),
        "dropped in the second crawl with J < 0.5": len(wrong_again),
    }
    report.bars = [
        at_most("wrong drops", len(wrong), MOST_WRONG),
        Bar("share found again", len(found) / max(len(long_enough), 1), LEAST_FOUND),
        at_most("pages neither exported nor dropped", len(lost), 0),
    ]
    report.listings = [
        list_drops("wrong drops", wrong),
        list_drops(
            "other drops under J 0.9", (case for case in judged if ALIKE <= case.whole < CLOSE)
        ),
        list_drops("wrong drops under the second host names", wrong_again),
        Listing(
            "not found again",
            ("page", "tokens"),
            [(url, resemblance.size(url)) for url in missed],
        ),
    ]
    return report


def _url(path: str, turn: str) -> str:
    """``postgresql-doc-15/a.html`` becomes ``http://postgresql-doc-15.first.example/a.html``."""
    site, _, page = path.partition("/")
    return f"http://{site}.{turn}.example/{page}"


def _hosts(pages: Pages) -> list[str]:
    return sorted({urlsplit(url).netloc for url in pages})


def _apart(case: Judged) -> bool:
    return urlsplit(case.drop.url).netloc != urlsplit(case.drop.of).netloc


main = data_command("one_version_sites", __doc__, run)

if __name__ == "__main__":
    sys.exit(main())
