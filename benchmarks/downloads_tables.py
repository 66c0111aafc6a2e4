"""The figures of crawls, and the tables of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from typing import Any

from benchmarks.downloads_learning import measure_learning
from benchmarks.downloads_run import BREADTH_FIRST, DEFAULT, FINISHED, Found, Site
from benchmarks.report import Listing, Value

MARKS = (100, 500, 1_000, 2_000, 3_000)  # downloads
NEARLY_ALL = 0.95
UNKNOWN = "-"
Figure = Callable[[Site, str], float | None]


class Curve:
    """How many of some contents a crawl had found after each of its downloads."""

    def __init__(self, found: Found, among: frozenset[int]) -> None:
        self._goes_on = found.crawl.ended != FINISHED
        seen: set[int] = set()
        self._counts = [0]
        for content in found.contents:
            if content in among and content is not None:
                seen.add(content)
            self._counts.append(len(seen))

    @property
    def end(self) -> int:
        """How many it had found at its end."""
        return self._counts[-1]

    def after(self, downloads: int) -> int | None:
        """How many after some downloads.

        A crawl with nothing left to download stays as it was; None where it was ended before.
        """
        if downloads < len(self._counts):
            return self._counts[downloads]
        return None if self._goes_on else self.end

    def reaches(self, contents: int) -> int | None:
        """After how many downloads it had so many; None where it never had."""
        return next((place for place, n in enumerate(self._counts) if n >= contents), None)


def tables(sites: Sequence[Site]) -> list[Listing]:
    """What crawls downloaded and found when, the cost of learning, and means over all sites."""
    return [
        _whole(sites),
        _after(sites),
        *_as_many(sites),
        *_skipped(sites),
        _learning(sites),
        *_means(sites),
    ]


def whole_row(site: Site, order: str) -> tuple[Value, ...]:
    """All of one crawl: the row of the first table."""
    found = site.orders[order]
    pages = _pages(found)
    contents = Curve(found, site.contents).end
    best = _nearly_all(site)
    reached = to_nearly_all(site, order)
    return (
        site.name,
        order,
        f"{len(found.contents):,}",
        f"{pages:,}",
        f"{contents:,} of {len(site.contents):,}",
        f"{100 * (1 - contents / pages):.1f}" if pages else UNKNOWN,
        f"{UNKNOWN if reached is None else f'{reached:,}'} ({best:,})",
        f"{Curve(found, site.own).end:,} of {len(site.own):,}" if site.own else UNKNOWN,
        f"{octets(found) / 1e6:.1f}",
        f"{1_000 * found.crawl.cpu / pages:.1f}" if pages else UNKNOWN,
        found.crawl.ended,
    )


WHOLE = (
    "site",
    "order",
    "downloads",
    "pages",
    "contents",
    "repeats, % of pages",
    "95 % after (best possible)",
    "own found",
    "MB",
    "CPU ms a page",
    "ended",
)


def _whole(sites: Sequence[Site]) -> Listing:
    rows = [whole_row(site, order) for site in sites for order in site.orders]
    return Listing("what crawls downloaded", WHOLE, rows)


def _after(sites: Sequence[Site]) -> Listing:
    marks = _marks_reached(sites)
    rows = [
        (site.name, order, *(_contents_and_own(site, order, mark) for mark in marks))
        for site in sites
        for order in site.orders
    ]
    columns = ("site", "order", *(f"after {mark:,}" for mark in marks))
    return Listing("contents (own) found after so many downloads", columns, rows)


def _contents_and_own(site: Site, order: str, mark: int) -> str:
    contents = contents_after(mark)(site, order)
    if contents is None:
        return UNKNOWN
    own = f" ({own_after(mark)(site, order):,})" if site.own else ""
    return f"{contents:,}{own}"


def _as_many(sites: Sequence[Site]) -> Iterator[Listing]:
    """Downloads to as many contents as nearly all that the default order found."""
    sites = [site for site in sites if DEFAULT in site.orders]
    orders = list(dict.fromkeys(order for site in sites for order in site.orders))
    if len(orders) < 2:
        return
    rows = [
        (site.name, f"{_goal(site):,}", *(_downloads_and_fewer(site, order) for order in orders))
        for site in sites
    ]
    means = [_mean_fewer(sites, order) for order in orders]
    yield Listing(
        "downloads to as many contents as 95 % of the default order's (% fewer)",
        ("site", "contents", *orders),
        [*rows, ("mean", "", *means)],
    )


def _downloads_and_fewer(site: Site, order: str) -> str:
    share = fewer(site, order)
    return UNKNOWN if share is None else f"{to_goal(site, order):,} ({100 * share:.0f})"


def _mean_fewer(sites: Sequence[Site], order: str) -> str:
    shares = [share for site in sites if (share := fewer(site, order)) is not None]
    return f"({100 * fmean(shares):.1f}; {len(shares)} sites)" if shares else UNKNOWN


def fewer(site: Site, order: str) -> float | None:
    """The share of the default order's downloads that an order saves; None if it found less."""
    if order not in site.orders:
        return None
    reached, whole = to_goal(site, order), to_goal(site, DEFAULT)
    return 1 - reached / whole if reached and whole else None


def to_goal(site: Site, order: str) -> int | None:
    """Downloads to as many contents as 95 % of those that the default order found at all."""
    return Curve(site.orders[order], site.contents).reaches(_goal(site))


def _goal(site: Site) -> int:
    return math.ceil(NEARLY_ALL * Curve(site.orders[DEFAULT], site.contents).end)


SKIPPED = (
    "site",
    "order",
    "skipped (%)",
    "samples",
    "failures",
    "downloaded by others",
    "contents (own) lost",
)


def _skipped(sites: Sequence[Site]) -> Iterator[Listing]:
    """The requests that were skipped, their samples, and the contents that were lost by them."""
    rows = []
    for site in sites:
        for order, found in site.orders.items():
            if (skips := found.crawl.skips) is None:
                continue
            number, lost, own = len(skips.urls), len(found.lost), len(found.lost & site.own)
            share = number / (number + len(found.contents))
            rows.append(
                (
                    site.name,
                    order,
                    f"{number:,} ({100 * share:.0f})",
                    f"{skips.samples:,}",
                    f"{skips.failures:,}",
                    f"{len(found.skipped):,}",
                    f"{lost:,} ({own:,})" if found.skipped else UNKNOWN,
                )
            )
    if rows:
        yield Listing("requests that were skipped", SKIPPED, rows)


def _learning(sites: Sequence[Site]) -> Listing:
    rows = []
    for site in sites:
        for order, found in site.orders.items():
            cost = measure_learning(found.crawl.downloads)
            figures = f"{cost.cpu:.1f}", f"{cost.sketch:.1f}", f"{cost.octets:.0f}"
            rows.append((site.name, order, *figures))
    columns = ("site", "order", "CPU us", "sketch us", "bytes stored")
    return Listing("what it costs to learn from a download", columns, rows)


def _means(sites: Sequence[Site]) -> Iterator[Listing]:
    """The means of ratios, one column for each two orders."""
    orders = list(dict.fromkeys(order for site in sites for order in site.orders))
    bases = [base for base in (DEFAULT, BREADTH_FIRST) if base in orders]
    pairs = [(order, base) for base in bases for order in orders if order not in (base, DEFAULT)]
    marks = _marks_reached(sites)
    figures: list[tuple[str, Figure]] = [
        *((f"contents after {mark:,}", contents_after(mark)) for mark in marks),
        *((f"own after {mark:,}", own_after(mark)) for mark in marks),
        ("downloads to 95 %", to_nearly_all),
        ("CPU a page", cpu_a_page),
    ]
    rows = [
        (name, *(mean_ratio(sites, figure, order, base) for order, base in pairs))
        for name, figure in figures
    ]
    if pairs:
        columns = ("figure", *(f"{order} / {base}" for order, base in pairs))
        yield Listing("means of ratios (of so many sites)", columns, rows)


def mean_ratio(sites: Sequence[Site], figure: Figure, order: str, base: str) -> str:
    """The geometric mean of a figure's ratio over the sites where both orders have it.

    Whole numbers are counted from one, so that nothing found has a ratio, too.
    """
    logarithms = []
    for site in sites:
        if order in site.orders and base in site.orders:
            one, other = figure(site, order), figure(site, base)
            if one is not None and other is not None:
                more = int(isinstance(one, int))
                logarithms.append(math.log((one + more) / (other + more)))
    if not logarithms:
        return UNKNOWN
    return f"{math.exp(fmean(logarithms)):.2f} ({len(logarithms)})"


def contents_after(mark: int) -> Figure:
    """Contents that an order had found after some downloads; None where no order got so far."""
    return lambda site, order: _after_mark(site, order, mark, site.contents)


def own_after(mark: int) -> Figure:
    """The same of the site's own contents; None where they are not known."""
    return lambda site, order: _after_mark(site, order, mark, site.own) if site.own else None


def _marks_reached(sites: Sequence[Site]) -> list[int]:
    return [mark for mark in MARKS if any(mark <= _longest(site) for site in sites)]


def _longest(site: Site) -> int:
    return max(len(found.contents) for found in site.orders.values())


def _after_mark(site: Site, order: str, mark: int, among: frozenset[int]) -> int | None:
    if mark > _longest(site):
        return None
    return Curve(site.orders[order], among).after(mark)


def to_nearly_all(site: Site, order: str) -> int | None:
    """Downloads to 95 % of all contents that the site's crawls found together."""
    return Curve(site.orders[order], site.contents).reaches(_nearly_all(site))


def cpu_a_page(site: Site, order: str) -> float | None:
    """CPU seconds a page of the crawl's processes."""
    found = site.orders[order]
    pages = _pages(found)
    return found.crawl.cpu / pages if pages else None


def octets(found: Found) -> int:
    """Of all bodies together."""
    return sum(download.size for download in found.crawl.downloads)


def raw(site: Site) -> dict[str, Any]:
    """All that the tables are made of, and every download, for JSON."""
    return {
        "contents": len(site.contents),
        "own": sorted(site.own),
        "orders": {order: _raw_order(site, order) for order in site.orders},
    }


def _raw_order(site: Site, order: str) -> dict[str, Any]:
    found = site.orders[order]
    own = Curve(found, site.own)
    contents = Curve(found, site.contents)
    return {
        "downloads": len(found.contents),
        "pages": _pages(found),
        "contents": contents.end,
        "own": own.end,
        "downloads to 95 %": to_nearly_all(site, order),
        "contents after": {mark: contents.after(mark) for mark in MARKS},
        "own after": {mark: own.after(mark) for mark in MARKS},
        "bytes": octets(found),
        "cpu seconds": found.crawl.cpu,
        "wall seconds": found.crawl.wall,
        "ended": found.crawl.ended,
        "skipped": sorted(found.crawl.skips.urls) if found.crawl.skips else [],
        "lost": sorted(found.lost),
        "log": [
            {
                "url": download.url,
                "status": download.status,
                "bytes": download.size,
                "canonical": download.canonical,
                "content": content,
            }
            for download, content in zip(found.crawl.downloads, found.contents, strict=True)
        ],
    }


def _pages(found: Found) -> int:
    return sum(content is not None for content in found.contents)


def _nearly_all(site: Site) -> int:
    return math.ceil(NEARLY_ALL * len(site.contents))
