"""An evaluation as plain tables, for screens, Markdown and HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rich.cells import cell_len

from dedup.lab.evaluation.advice import Advice, advise
from dedup.lab.evaluation.metrics import WHERE, Counts, costs_of, count_kind, count_pairs, mean
from dedup.lab.evaluation.run import Evaluation, kinds_of
from dedup.lab.evaluation.truth import ALIKE, BANDS

NOTHING = "-"
_MEASURES = ("recall", "precision", "strict", "F1", "no label", "false")
# The columns of ``Costs``, in its order, and their decimal places.
_COSTS = ("candidates", "fingerprint µs", "index µs", "bytes", "words")
_PLACES = (2, 0, 0, 0, 1)


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
        tables.append(_pairs(evaluation, within))
        if evaluation.totals.labelled[within].any():
            tables.append(_recall_bands(evaluation, within))
        tables.append(_precision_bands(evaluation, within))
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
        costs = costs_of(entry.tally, evaluation.totals.pages)
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


def _recall_bands(evaluation: Evaluation, within: int) -> Listing:
    sizes = evaluation.totals.labelled[within].tolist()
    return Listing(
        f"Recall by exact resemblance, {WHERE[within]}",
        "The first row says how many labelled pairs a band has.",
        ("scheme", *_band_names()),
        (
            ("labelled pairs", *map(str, sizes)),
            *_by_band(evaluation, within, lambda counts: _ratio(counts.recall)),
        ),
    )


def _precision_bands(evaluation: Evaluation, within: int) -> Listing:
    def cell(counts: Counts) -> str:
        return f"{counts.found} / {counts.reported}" if counts.reported else NOTHING

    rows = _by_band(evaluation, within, cell)
    return Listing(
        f"True pairs / reported pairs by exact resemblance, {WHERE[within]}",
        "",
        ("scheme", *_band_names()),
        tuple(row for row in rows if set(row[1:]) != {NOTHING}),
    )


def _by_band(
    evaluation: Evaluation, within: int, cell: Callable[[Counts], str]
) -> list[tuple[str, ...]]:
    return [
        (
            entry.name,
            *(
                cell(count_pairs(evaluation.totals, entry.tally, within, band))
                for band in range(len(BANDS))
            ),
        )
        for entry in evaluation.schemes
    ]


def _band_names() -> list[str]:
    return [f"{low:g}-{high:g}" for low, high in zip(BANDS, (*BANDS[1:], 1.0), strict=True)]


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
    lines = ["| " + " | ".join(map(_pad, row, widths, range(len(row)))) + " |" for row in cells]
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
