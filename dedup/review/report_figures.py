"""The figures of a report, summed up from the records of drop logs, and their charts as SVG.

The size of all results is limited: lists contain the largest few rows, histograms have a fixed
number of bars, and a time line has at most ``MOMENTS`` bars for any span.

matplotlib draws with a few marker colours. Each is then replaced by a variable of the page's style
sheet, so that one picture works in light and dark mode. Only Figure objects are used, so there is
no display and no global state, and the same figures give the same bytes.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from io import StringIO
from math import ceil
from typing import TYPE_CHECKING, Any

from dedup.review.clusters import find_clusters
from dedup.review.records import KEPT, Damage, Drop
from dedup.review.skips import Skip, SkippedPattern, group_skips, latest_skips
from dedup.scope import host_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LARGEST = 20  # Rows of a list.
MEMBERS = 20  # Shown pages of a cluster.
BARS = 50  # Bars of the similarity histogram, each 1 / BARS wide.
MOMENTS = 60
_STEPS = (1, 5, 15, 60, 300, 900, 3600, 3 * 3600, 12 * 3600, 86_400, 7 * 86_400, 30 * 86_400)

ACROSS, WITHIN, INK, LINES = "#010101", "#020202", "#030303", "#040404"
_VARIABLES = {ACROSS: "--across", WITHIN: "--within", INK: "--quiet", LINES: "--rule"}
_SIZE = (4.3, 2.7)  # Inches of 72 units; about the size on a phone.
_RULES: Mapping[Any, Any] = {
    "axes.edgecolor": LINES,
    "axes.labelcolor": INK,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.axisbelow": True,
    "grid.color": LINES,
    "grid.linewidth": 0.6,
    "font.size": 11,
    "svg.fonttype": "none",  # Text stays text, in the fonts of the page.
    "text.color": INK,
    "text.parse_math": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 11,
    "ytick.labelsize": 11,
    "xtick.major.pad": 6,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
}


@dataclass(frozen=True, slots=True)
class HostPair:
    """The number of pages of ``host`` that repeat pages of ``of``, and their mean similarity."""

    host: str
    of: str
    pages: int
    similarity: float


@dataclass(frozen=True, slots=True)
class Repeated:
    """A page, the numbers of pages and hosts that repeat it, and their lowest similarity.

    ``plain`` is its plain URL; empty if it is ``url``, under which the page was exported.
    """

    url: str
    plain: str
    pages: int
    hosts: int
    least: float


@dataclass(frozen=True, slots=True)
class Cluster:
    """Pages that repeat each other, directly or through other pages."""

    size: int
    hosts: int
    kept: tuple[str, ...]  # The first few pages that were not dropped.
    members: tuple[str, ...]  # The first few others.
    plain: str  # The plain URL of the first kept page, if that is another one.


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts of records in bars of equal width; the first bar starts at 0."""

    across_hosts: tuple[int, ...]
    within_a_host: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TimeLine:
    """Counts of records in bars of ``step`` seconds; the first bar starts at ``start``."""

    start: datetime
    step: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """All figures of a report."""

    logs: tuple[str, ...]
    records: int
    pages: int  # Distinct ones, like the originals.
    originals: int
    hosts: int
    within_a_host: int
    first: datetime | None
    last: datetime | None
    actions: dict[str, int]
    relations: dict[str, int]
    new_words: int
    spiders: dict[str, int]
    time_line: TimeLine | None
    similarity: Histogram
    distance: Histogram
    host_pairs: tuple[HostPair, ...]
    repeated: tuple[Repeated, ...]
    clusters: tuple[Cluster, ...]
    skipped: int  # Distinct URLs.
    skipped_bytes: int
    skips: tuple[SkippedPattern, ...]  # The patterns with most skipped URLs.
    damaged: int
    damage: tuple[Damage, ...]

    @property
    def only_kept(self) -> bool:
        """Whether all records are of pages that were exported, and thus no near-duplicates."""
        return self.actions.keys() == {KEPT}


def sum_up(
    logs: Iterable[str],
    drops: Sequence[Drop],
    damage: Sequence[Damage] = (),
    skips: Iterable[Skip] = (),
) -> Figures:
    """Sum up drop logs, given by their names, their records and the damaged lines of all logs.

    ``skips`` are the records of logs of skipped requests, the oldest first.
    """
    hosts = {drop.name: host_of(drop.url) for drop in drops}
    hosts |= {drop.original_name: host_of(drop.original) for drop in drops}
    # The latest plain URLs of the repeated pages that have another one, by their names.
    latest_names = {drop.original_name: drop.of_name for drop in drops}
    plain = {name: of_name for name, of_name in latest_names.items() if of_name != name}
    latest = latest_skips(skips)
    times = sorted(drop.time for drop in drops)
    return Figures(
        logs=tuple(logs),
        records=len(drops),
        pages=len({drop.name for drop in drops}),
        originals=len({drop.original_name for drop in drops}),
        hosts=len(set(hosts.values())),
        within_a_host=sum(drop.same_host for drop in drops),
        first=times[0] if times else None,
        last=times[-1] if times else None,
        actions=_counts(drop.action for drop in drops),
        relations=_counts(drop.relation for drop in drops),
        new_words=sum({drop.name: drop.new_words or 0 for drop in drops}.values()),
        spiders=_counts(drop.spider for drop in drops),
        time_line=make_time_line([time.timestamp() for time in times]),
        similarity=_histogram(
            # The last bar includes 1.
            (drop.same_host, min(int(drop.similarity * BARS + 1e-9), BARS - 1))
            for drop in drops
        ),
        distance=_histogram(
            (drop.same_host, drop.distance) for drop in drops if drop.distance is not None
        ),
        host_pairs=_host_pairs(drops, hosts),
        repeated=_most_repeated(drops, hosts, plain),
        clusters=_biggest_clusters(drops, hosts, plain),
        skipped=len(latest),
        skipped_bytes=sum(skip.size for skip in latest),
        skips=tuple(group_skips(latest)[:LARGEST]),
        damaged=len(damage),
        damage=tuple(damage[:LARGEST]),
    )


def make_time_line(times: Sequence[float]) -> TimeLine | None:
    """Count times (seconds since the epoch) in bars of a round length; None without times."""
    if not times:
        return None
    first, last = min(times), max(times)
    wanted = (last - first) / (MOMENTS - 1)
    step = next((step for step in _STEPS if step >= wanted), ceil(wanted))
    start = int(first // step)
    counts = Counter(int(time // step) - start for time in times)
    bars = tuple(counts[number] for number in range(max(counts) + 1))
    return TimeLine(datetime.fromtimestamp(start * step, UTC), step, bars)


def _biggest_clusters(
    drops: Sequence[Drop], hosts: dict[str, str], plain: dict[str, str]
) -> tuple[Cluster, ...]:
    dropped = {drop.name for drop in drops}
    found = find_clusters((drop.name, drop.original_name) for drop in drops)
    clusters = []
    for cluster in [one for one in found if one.dropped][:LARGEST]:
        names = (cluster.survivor, *cluster.dropped)
        kept = [name for name in names if name not in dropped][: MEMBERS // 2]
        members = [name for name in names if name in dropped][: MEMBERS - len(kept)]
        of_hosts = len({hosts[name] for name in names})
        of_kept = plain.get(kept[0], "") if kept else ""
        clusters.append(Cluster(len(names), of_hosts, tuple(kept), tuple(members), of_kept))
    return tuple(clusters)


def _host_pairs(drops: Sequence[Drop], hosts: dict[str, str]) -> tuple[HostPair, ...]:
    pairs: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for drop in drops:
        pairs[hosts[drop.name], hosts[drop.original_name]].append(drop.similarity)
    largest = sorted(pairs.items(), key=lambda pair: -len(pair[1]))[:LARGEST]
    return tuple(HostPair(*pair, len(alike), sum(alike) / len(alike)) for pair, alike in largest)


def _most_repeated(
    drops: Sequence[Drop], hosts: dict[str, str], plain: dict[str, str]
) -> tuple[Repeated, ...]:
    by_page: defaultdict[str, list[Drop]] = defaultdict(list)
    for drop in drops:
        by_page[drop.original_name].append(drop)
    rows = []
    for url, found in sorted(by_page.items(), key=lambda page: -len(page[1]))[:LARGEST]:
        of_hosts = len({hosts[drop.name] for drop in found})
        least = min(drop.similarity for drop in found)
        rows.append(Repeated(url, plain.get(url, ""), len(found), of_hosts, least))
    return tuple(rows)


def _histogram(values: Iterable[tuple[bool, int]]) -> Histogram:
    counts = Counter(values)
    bars = range(max((bar for _, bar in counts), default=-1) + 1)
    across, within = (tuple(counts[side, bar] for bar in bars) for side in (False, True))
    return Histogram(across, within)


def _counts(names: Iterable[str]) -> dict[str, int]:
    return dict(Counter(names).most_common(LARGEST))


def draw_pictures(figures: Figures) -> dict[str, str]:
    """Draw the charts for which there are figures, by name: time, similarity and distance.

    A time line of a single bar shows nothing, and is left out.

    Raises ImportError if matplotlib is not installed.
    """
    pictures = {}
    if figures.time_line is not None and len(figures.time_line.counts) > 1:
        pictures["time"] = _draw("time", partial(_time_line, figures.time_line))
    if figures.records:
        pictures["similarity"] = _draw("similarity", partial(_similarity, figures.similarity))
    if figures.distance.across_hosts:
        pictures["distance"] = _draw("distance", partial(_distance, figures.distance))
    return pictures


def _time_line(line: TimeLine, axes: Axes) -> None:
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter  # noqa: PLC0415

    start, step = line.start.timestamp() / 86_400, line.step / 86_400
    places = [start + (number + 0.5) * step for number in range(len(line.counts))]
    axes.bar(places, line.counts, 0.86 * step, color=INK)
    axes.xaxis_date("UTC")
    locator = AutoDateLocator(minticks=2, maxticks=5)  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]


def _similarity(bars: Histogram, axes: Axes) -> None:
    _stack(axes, bars, 1 / BARS, 0.5 / BARS)
    axes.set_xlim(0, 1)


def _distance(bars: Histogram, axes: Axes) -> None:
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415

    _stack(axes, bars, 1, 0)
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))


def _stack(axes: Axes, bars: Histogram, width: float, shift: float) -> None:
    places = [number * width + shift for number in range(len(bars.across_hosts))]
    axes.bar(places, bars.across_hosts, 0.86 * width, color=ACROSS)
    axes.bar(places, bars.within_a_host, 0.86 * width, bars.across_hosts, color=WITHIN)


def _draw(name: str, draw: Callable[[Axes], None]) -> str:
    from matplotlib import rc_context  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415

    with rc_context({**_RULES, "svg.hashsalt": name}):  # Ids unique to this picture.
        figure = Figure(figsize=_SIZE, layout="constrained")
        axes = figure.add_subplot()
        axes.grid(axis="y")
        draw(axes)
        axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
        axes.yaxis.set_major_formatter("{x:,.0f}")
        file = StringIO()
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(file, format="svg", transparent=True, metadata=nothing)
    svg = file.getvalue()
    svg = re.sub(r'<g id="[^"]*"', "<g", svg[svg.index("<svg") :])  # Not unique on a page.
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(colour, f"var({variable})")
    return svg
