"""An evaluation as tables, and as a folder: table.md, results.json, report.html and curves.svg.

The page needs jinja2, and the picture matplotlib: the extra ``report``. matplotlib draws without a
display and without global state, so the same figures give the same bytes.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from importlib.resources import files
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len

from dedup.files import check_target, whole_file
from dedup.lab.evaluation.metrics import (
    STEPS,
    WHERE,
    Advice,
    Counts,
    advise,
    costs_of,
    count_kind,
    count_pairs,
    make_curve,
    mean,
)
from dedup.lab.evaluation.run import Evaluated, Evaluation, kinds_of
from dedup.lab.evaluation.truth import ALIKE, BANDS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NOTHING = "-"
_MEASURES = ("recall", "precision", "strict", "F1", "no label", "false")
# The columns of ``costs_of``, in its order, and their decimal places.
_COSTS = ("candidates", "fingerprint µs", "index µs", "bytes", "words")
_PLACES = (2, 0, 0, 0, 1)

STYLES = ("-", "--", ":", "-.")
COLOURS = 10  # Of matplotlib's default cycle.

TITLE = "Near-duplicate schemes compared"
FILES = ("table.md", "results.json", "report.html", "curves.svg")
COUNTED = (
    *("labelled", "reported", "found", "missed", "unlabelled", "false"),
    *("recall", "precision", "strict_precision", "f1"),
)


@dataclass(frozen=True, slots=True)
class Listing:
    """A table: a title, a note about its columns, and cells as text."""

    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def listings(evaluation: Evaluation, precision: float) -> list[Listing]:
    """All tables of an evaluation, the main one first, with advice to reach ``precision``."""
    tables = [_schemes(evaluation)]
    for within in range(len(WHERE)):
        tables += [_pairs(evaluation, within), *_by_band(evaluation, within)]
    if kinds_of(evaluation):
        tables += [
            _by_kind(evaluation, "Recall by kind of page", lambda counts: _ratio(counts.recall)),
            _by_kind(evaluation, "False pairs by kind of page", lambda counts: str(counts.false)),
        ]
    tables += [_advice(evaluation, within, precision) for within in range(len(WHERE))]
    return [table for table in tables if table.rows]


def summary(evaluation: Evaluation) -> str:
    """The corpus of an evaluation in a sentence."""
    totals = evaluation.totals
    across, within = (int(number) for number in totals.labelled.sum(axis=1))
    return (
        f"{_number(totals.pages, 'page')} of {_number(evaluation.hosts, 'host')}, "
        f"{mean(totals.read_ns / 1000, totals.pages):.0f} µs a page to extract and segment; "
        f"{_number(across, 'labelled pair')} across hosts, {within} within a host; "
        f"too short for a fingerprint: {_number(totals.short_pages, 'page')}, in "
        f"{_number(int(totals.short.sum()), 'labelled pair')}."
    )


def to_markdown(title: str, about: str, tables: Iterable[Listing]) -> str:
    """Tables as Markdown, with aligned columns."""
    parts = [f"# {title}", about]
    for table in tables:
        parts += [f"## {table.title}", table.note, _markdown_table(table)]
    return "\n\n".join(filter(None, parts)) + "\n"


def _schemes(evaluation: Evaluation) -> Listing:
    rows = []
    for entry in evaluation.schemes:
        counts = count_pairs(evaluation.totals, entry.tally)
        costs = costs_of(entry.tally, evaluation.totals.pages).values()
        cells = (f"{cost:.{places}f}" for cost, places in zip(costs, _PLACES, strict=True))
        rows.append((entry.name, *_measures(counts), *cells))
    note = (
        "Pairs reported without a label are left out of precision and F1 where their exact "
        f"resemblance is {ALIKE} or more (no label), false below it; strict precision counts both "
        "as false. Candidates, processor time (µs) to fingerprint and to look up and store, "
        "bytes and stored words are means a page."
    )
    return Listing("Schemes", note, ("scheme", *_MEASURES, *_COSTS), tuple(rows))


def _pairs(evaluation: Evaluation, within: int) -> Listing:
    rows = []
    for entry in evaluation.schemes:
        counts = count_pairs(evaluation.totals, entry.tally, within)
        if counts.labelled or counts.reported:
            pairs = map(str, (counts.labelled, counts.found, counts.missed))
            rows.append((entry.name, *pairs, *_measures(counts)))
    columns = ("scheme", "labelled", "found", "missed", *_MEASURES)
    return Listing(f"Pairs {WHERE[within]}", "", columns, tuple(rows))


def _measures(counts: Counts) -> tuple[str, ...]:
    """The cells under _MEASURES."""
    ratios = (counts.recall, counts.precision, counts.strict_precision, counts.f1)
    return (*map(_ratio, ratios), str(counts.unlabelled), str(counts.false))


def _by_band(evaluation: Evaluation, within: int) -> Iterator[Listing]:
    """Recall, if pairs are labelled, and true pairs, each by bands of resemblance."""
    totals, where = evaluation.totals, WHERE[within]
    names = (f"{low:g}-{high:g}" for low, high in zip(BANDS, (*BANDS[1:], 1.0), strict=True))
    columns = ("scheme", *names)
    counts = {
        entry.name: [count_pairs(totals, entry.tally, within, band) for band in range(len(BANDS))]
        for entry in evaluation.schemes
    }
    sizes = totals.labelled[within]
    if sizes.any():
        recalls = ((name, *(_ratio(one.recall) for one in bands)) for name, bands in counts.items())
        yield Listing(
            f"Recall by exact resemblance, {where}",
            "The first row says how many labelled pairs a band has.",
            columns,
            (("labelled pairs", *map(str, sizes.tolist())), *recalls),
        )
    found = (
        (name, *(f"{one.found} / {one.reported}" if one.reported else NOTHING for one in bands))
        for name, bands in counts.items()
        if any(one.reported for one in bands)
    )
    title = f"True pairs / reported pairs by exact resemblance, {where}"
    yield Listing(title, "", columns, tuple(found))


def _by_kind(evaluation: Evaluation, title: str, cell: Callable[[Counts], str]) -> Listing:
    totals = evaluation.totals
    rows = [
        (
            evaluation.kind_names[kind],
            str(int(totals.kinds[kind].sum())),
            *(cell(count_kind(totals, entry.tally, kind)) for entry in evaluation.schemes),
        )
        for kind in kinds_of(evaluation)
    ]
    names = (entry.name for entry in evaluation.schemes)
    return Listing(title, "", ("kind", "labelled", *names), tuple(rows))


def _advice(evaluation: Evaluation, within: int, precision: float) -> Listing:
    advice = [
        (entry.name, advise(entry.scheme, evaluation.totals, entry.tally, within, precision))
        for entry in evaluation.schemes
        if entry.tally.pairs[:, :, within].any()
    ]
    if not evaluation.totals.labelled[within].any():
        return Listing(
            f"Most similar false pairs, {WHERE[within]}",
            "There are no labelled pairs to advise thresholds by.",
            ("scheme", "false up to"),
            tuple((name, _similarity(given.most_alike_false)) for name, given in advice),
        )
    note = (
        f"The smallest similarity that reaches precision {precision:g} here, unlabelled pairs left "
        "out; n true and false pairs stand at or over it (few: too few to be sure). Looked at: the "
        "share of labelled pairs that were candidates, the most recall any threshold can have."
    )
    return Listing(
        f"Thresholds for precision {precision:g}, {WHERE[within]}",
        note,
        ("scheme", "similarity", "setting", "precision", "recall", "n", "looked at", "false up to"),
        tuple((name, *_advice_cells(given)) for name, given in advice),
    )


def _advice_cells(advice: Advice) -> tuple[str, ...]:
    counts = advice.counts or Counts(0, 0, 0, 0)
    pairs = counts.found + counts.false
    return (
        _similarity(advice.similarity),
        advice.setting or NOTHING,
        _ratio(counts.precision),
        _ratio(counts.recall),
        NOTHING if advice.counts is None else f"{pairs}{' (few)' if advice.few else ''}",
        _ratio(advice.looked_at),
        _similarity(advice.most_alike_false),
    )


def _markdown_table(table: Listing) -> str:
    cells = [[cell.replace("|", "\\|") for cell in row] for row in (table.columns, *table.rows)]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    lines = [f"| {' | '.join(map(_pad, row, widths, range(len(row))))} |" for row in cells]
    first, *others = ("-" * (width + 1) for width in widths)
    rule = "|".join([f"{first}-", *(f"{other}:" for other in others)])
    return "\n".join([lines[0], f"|{rule}|", *lines[1:]])


def _pad(cell: str, width: int, place: int) -> str:
    space = " " * (width - cell_len(cell))
    return cell + space if place == 0 else space + cell


def _number(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _ratio(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.4f}"


def _similarity(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.3f}"


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


def render_report(evaluation: Evaluation, precision: float) -> dict[str, str]:
    """Make the files of a report, by name; the advice is to reach ``precision``.

    Raises ImportError if a package of the extra ``report`` is missing.
    """
    tables, about = listings(evaluation, precision), summary(evaluation)
    curves = draw_curves(evaluation)
    contents = (
        to_markdown(TITLE, about, tables),
        json.dumps(to_json(evaluation, precision), indent=1) + "\n",
        _to_html(about, tables, curves),
        curves,
    )
    return dict(zip(FILES, contents, strict=True))


def prepare_folder(folder: Path, sources: Collection[Path] = ()) -> None:
    """Make the folder of a report, and check that its files can be written.

    They must not replace ``sources``.

    Raises OSError if the files cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise OSError(errno.ENOTDIR, "is no folder", str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        check_target(folder / name, sources)


def write_files(folder: Path, contents: Mapping[str, str]) -> None:
    """Write files into a folder, over older ones; if one cannot be written, all old ones stay.

    Raises OSError if a file cannot be written.
    """
    with ExitStack() as files:
        for name, text in contents.items():
            out = files.enter_context(whole_file(folder / name))
            out.write(text)
            out.flush()


def _to_html(about: str, tables: list[Listing], curves: str) -> str:
    """One page that needs no other file; everything is escaped except the picture."""
    from jinja2 import Environment  # noqa: PLC0415
    from markupsafe import Markup  # noqa: PLC0415

    template = files("dedup.lab.evaluation").joinpath("report.html").read_text(encoding="utf-8")
    page = Environment(autoescape=True).from_string(template)
    picture = Markup(curves[curves.index("<svg") :])  # noqa: S704  (matplotlib escaped the names)
    return page.render(title=TITLE, about=about, tables=tables, curves=picture)


def to_json(evaluation: Evaluation, precision: float) -> dict[str, Any]:
    """All figures, including the curves, as one JSON value."""
    totals = evaluation.totals
    return {
        "pages": totals.pages,
        "hosts": evaluation.hosts,
        "short_pages": totals.short_pages,
        "labelled_pairs": dict(zip(WHERE, totals.labelled.sum(axis=1).tolist(), strict=True)),
        "labelled_pairs_with_a_short_page": dict(zip(WHERE, totals.short.tolist(), strict=True)),
        "read_us_a_page": mean(totals.read_ns / 1000, totals.pages),
        "bands_begin": BANDS,
        "advised_precision": precision,
        "schemes": [_scheme_json(evaluation, entry, precision) for entry in evaluation.schemes],
    }


def _scheme_json(evaluation: Evaluation, entry: Evaluated, precision: float) -> dict[str, Any]:
    totals, tally = evaluation.totals, entry.tally
    hosts = {
        where: {
            **_counts_json(count_pairs(totals, tally, within)),
            "bands": [
                _counts_json(count_pairs(totals, tally, within, band)) for band in range(len(BANDS))
            ],
            "advice": _advice_json(advise(entry.scheme, totals, tally, within, precision)),
            "curve": [
                {"similarity": step / STEPS, **_counts_json(counts)}
                for step, counts in make_curve(totals, tally, within).items()
            ],
        }
        for within, where in enumerate(WHERE)
    }
    return {
        "scheme": entry.name,
        **_counts_json(count_pairs(totals, tally)),
        **costs_of(tally, totals.pages),
        "hosts": hosts,
        "kinds": {
            evaluation.kind_names[kind]: _counts_json(count_kind(totals, tally, kind))
            for kind in kinds_of(evaluation)
        },
    }


def _counts_json(counts: Counts) -> dict[str, int | float | None]:
    return {name: getattr(counts, name) for name in COUNTED}


def _advice_json(advice: Advice) -> dict[str, Any]:
    counts = None if advice.counts is None else _counts_json(advice.counts)
    return {**asdict(advice), "counts": counts}
