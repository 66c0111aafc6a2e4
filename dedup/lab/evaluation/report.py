"""An evaluation as a folder of files: table.md, results.json, report.html and curves.svg.

The page needs jinja2 and the picture matplotlib, from the extra ``report``.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Collection, Mapping
from contextlib import ExitStack
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Any

from dedup.files import check_target, whole_file
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
from dedup.lab.evaluation.pictures import draw_curves
from dedup.lab.evaluation.run import Evaluated, Evaluation, kinds_of
from dedup.lab.evaluation.tables import Listing, listings, summary, to_markdown
from dedup.lab.evaluation.truth import BANDS

TITLE = "Near-duplicate schemes compared"
FILES = ("table.md", "results.json", "report.html", "curves.svg")
COUNTED = (
    *("labelled", "reported", "found", "missed", "unlabelled", "false"),
    *("recall", "precision", "strict_precision", "f1"),
)


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
            "curve": _curve_json(evaluation, tally, within),
        }
        for within, where in enumerate(WHERE)
    }
    return {
        "scheme": entry.name,
        **_counts_json(count_pairs(totals, tally)),
        **costs_of(tally, totals.pages)._asdict(),
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


def _curve_json(evaluation: Evaluation, tally: Tally, within: int) -> list[dict[str, Any]]:
    curve = make_curve(evaluation.totals, tally, within)
    return [{"similarity": step / STEPS, **_counts_json(counts)} for step, counts in curve.items()]
