"""The charts of a report as SVG within the page, in the colours of the page.

matplotlib draws with a few marker colours. Each is then replaced by a variable of the page's style
sheet, so that one picture works in light and dark mode. Only Figure objects are used, so there is
no display and no global state, and the same figures give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from io import StringIO
from typing import TYPE_CHECKING, Any

from dedup.review.report_figures import BARS, Figures, Histogram, TimeLine

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
