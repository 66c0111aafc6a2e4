"""Precision-recall curves as a picture (SVG): the same bytes for the same figures.

matplotlib draws it through figure objects, without a display and without global state.
"""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from dedup.lab.evaluation.metrics import WHERE, Counts, count_pairs, make_curve
from dedup.lab.evaluation.run import Evaluated, Evaluation

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STYLES = ("-", "--", ":", "-.")
COLOURS = 10  # Of matplotlib's default cycle.


def draw_curves(evaluation: Evaluation) -> str:
    """Draw recall and precision of every scheme over all thresholds.

    There is one panel for pairs across hosts and one for pairs within a host, if any are labelled.
    A ring marks the verdicts of the scheme.

    Raises ImportError if matplotlib is not installed.
    """
    from matplotlib import rc_context  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    panels = [within for within in range(len(WHERE)) if evaluation.totals.labelled[within].any()]
    with rc_context({"svg.hashsalt": "neardup", "svg.fonttype": "none"}):
        figure = Figure(figsize=(3.5 + 5 * len(panels), 5.5), layout="constrained")
        for place, within in enumerate(panels, start=1):
            axes = figure.add_subplot(1, len(panels), place)
            axes.set(title=f"Pairs {WHERE[within]}", xlabel="recall", ylabel="precision")
            axes.set(xlim=(0, 1.02), ylim=(0, 1.02))
            axes.grid(alpha=0.3)
            for number, entry in enumerate(evaluation.schemes):
                _draw(axes, evaluation, entry, within, number)
        if panels:
            legend = figure.legend(
                *figure.axes[0].get_legend_handles_labels(),
                loc="outside right upper",
                fontsize="small",
                frameon=False,
            )
            for text in legend.get_texts():
                text.set_parse_math(False)  # A name may contain a dollar sign.
        else:
            figure.text(0.5, 0.5, "no labelled pairs", ha="center")
        file = StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def _draw(axes: Axes, evaluation: Evaluation, entry: Evaluated, within: int, number: int) -> None:
    curve = make_curve(evaluation.totals, entry.tally, within)
    points = list(filter(None, map(_point, curve.values())))
    colour = f"C{number % COLOURS}"
    axes.plot(
        [recall for recall, _ in points],
        [precision for _, precision in points],
        color=colour,
        linestyle=STYLES[number // COLOURS % len(STYLES)],
        marker="." if len(points) == 1 else "",
        label=entry.name,
    )
    verdict = _point(count_pairs(evaluation.totals, entry.tally, within))
    if verdict is not None:
        axes.plot(*verdict, color=colour, marker="o", fillstyle="none")


def _point(counts: Counts) -> tuple[float, float] | None:
    """Recall and precision; None unless both are defined."""
    if counts.recall is None or counts.precision is None:
        return None
    return counts.recall, counts.precision
