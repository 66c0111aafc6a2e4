"""An evaluation as a folder of files: table.md, results.json, report.html and curves.svg.

The page needs jinja2 and the picture matplotlib: the extra ``report`` of the package.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from dedup.evaluation.pictures import draw_curves
from dedup.evaluation.results import to_json
from dedup.evaluation.run import Evaluation
from dedup.evaluation.tables import Listing, listings, summary, to_markdown

TITLE = "Near-duplicate schemes compared"
NEEDED = ("jinja2", "matplotlib")


def missing_packages() -> list[str]:
    """The packages that a report needs and that are not installed."""
    return [name for name in NEEDED if find_spec(name) is None]


def render_report(evaluation: Evaluation, precision: float) -> dict[str, str]:
    """Make the files of a report, by name.

    Args:
        evaluation: what came out.
        precision: what the advice is to reach.

    Raises:
        ImportError: a package is missing, see ``missing_packages``.
    """
    tables, about = listings(evaluation, precision), summary(evaluation)
    curves = draw_curves(evaluation)
    return {
        "table.md": to_markdown(TITLE, about, tables),
        "results.json": json.dumps(to_json(evaluation, precision), indent=1) + "\n",
        "report.html": _to_html(about, tables, curves),
        "curves.svg": curves,
    }


def write_files(folder: Path, contents: Mapping[str, str]) -> None:
    """Write files into a folder, over older ones of their names: all of them, or none.

    Raises:
        OSError: the folder cannot be made, or a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder, prefix=".writing-") as place:
        for name, text in contents.items():
            (Path(place) / name).write_text(text, encoding="utf-8")
        for name in contents:
            (Path(place) / name).replace(folder / name)


def _to_html(about: str, tables: list[Listing], curves: str) -> str:
    """One page that needs no other file; everything is escaped but our own picture."""
    from jinja2 import Environment  # noqa: PLC0415
    from markupsafe import Markup  # noqa: PLC0415

    template = files("dedup.evaluation").joinpath("report.html").read_text(encoding="utf-8")
    page = Environment(autoescape=True).from_string(template)
    picture = Markup(curves[curves.index("<svg") :])  # noqa: S704  (matplotlib escaped the names)
    return page.render(title=TITLE, about=about, tables=tables, curves=picture)
