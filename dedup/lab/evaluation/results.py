"""An evaluation as one JSON value: all figures, and the curves among them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from dedup.lab.evaluation.advice import Advice, advise
from dedup.lab.evaluation.metrics import (
    STEPS,
    WHERE,
    Counts,
    Tally,
    costs_of,
    count_kind,
    count_pairs,
    make_curve,
    mean,
)
from dedup.lab.evaluation.run import Evaluated, Evaluation, kinds_of
from dedup.lab.evaluation.truth import BANDS


def to_json(evaluation: Evaluation, precision: float) -> dict[str, Any]:
    """All figures, the curves among them, as one JSON value."""
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
            "curve": _curve_json(evaluation, tally, within),
        }
        for within, where in enumerate(WHERE)
    }
    return {
        "scheme": entry.name,
        **_counts_json(count_pairs(totals, tally)),
        **asdict(costs_of(tally, totals.pages)),
        "hosts": hosts,
        "kinds": {
            evaluation.kind_names[kind]: _counts_json(count_kind(totals, tally, kind))
            for kind in kinds_of(evaluation)
        },
    }


def _counts_json(counts: Counts) -> dict[str, int | float | None]:
    return {
        "labelled": counts.labelled,
        "reported": counts.reported,
        "found": counts.found,
        "missed": counts.missed,
        "unlabelled": counts.unlabelled,
        "false": counts.false,
        "recall": counts.recall,
        "precision": counts.precision,
        "strict_precision": counts.strict_precision,
        "f1": counts.f1,
    }


def _advice_json(advice: Advice) -> dict[str, Any]:
    counts = None if advice.counts is None else _counts_json(advice.counts)
    return {**asdict(advice), "counts": counts}


def _curve_json(evaluation: Evaluation, tally: Tally, within: int) -> list[dict[str, Any]]:
    curve = make_curve(evaluation.totals, tally, within)
    return [
        {"similarity": int(step) / STEPS, **_counts_json(curve.at(int(step)))}
        for step in curve.seen
    ]
