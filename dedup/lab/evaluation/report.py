"""An evaluation as a folder of files: table.md, results.json, report.html and curves.svg.

The page needs jinja2 and the picture matplotlib: the extra ``report`` of the package.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Collection, Mapping
from contextlib import ExitStack
from importlib.resources import files
from pathlib import Path

from dedup.files import check_target, whole_file
from dedup.lab.evaluation.pictures import draw_curves
from dedup.lab.evaluation.results import to_json
from dedup.lab.evaluation.run import Evaluation
from dedup.lab.evaluation.tables import Listing, listings, summary, to_markdown

TITLE = "Near-duplicate schemes compared"
FILES = ("table.md", "results.json", "report.html", "curves.svg")


def render_report(evaluation: Evaluation, precision: float) -> dict[str, str]:
    """Make the files of a report, by name.

    Args:
        evaluation: what came out.
        precision: what the advice is to reach.

    Raises:
        ImportError: a package of the extra ``report`` is missing.
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
    """Make the folder of a report where there is none, and see that its files can be written.

    Args:
        folder: of the report.
        sources: what is read to make it, and must not be replaced.

    Raises:
        OSError: they cannot.
    """
    if folder.exists() and not folder.is_dir():
        raise OSError(errno.ENOTDIR, "is no folder", str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        check_target(folder / name, sources)


def write_files(folder: Path, contents: Mapping[str, str]) -> None:
    """Write files into a folder, over older ones of their names.

    They take their names once all are written, so that where one cannot be, the old ones stay.

    Raises:
        OSError: a file cannot be written.
    """
    with ExitStack() as files:
        for name, text in contents.items():
            out = files.enter_context(whole_file(folder / name))
            out.write(text)
            out.flush()


def _to_html(about: str, tables: list[Listing], curves: str) -> str:
    """One page that needs no other file; everything is escaped but our own picture."""
    from jinja2 import Environment  # noqa: PLC0415
    from markupsafe import Markup  # noqa: PLC0415

    template = files("dedup.lab.evaluation").joinpath("report.html").read_text(encoding="utf-8")
    page = Environment(autoescape=True).from_string(template)
    picture = Markup(curves[curves.index("<svg") :])  # noqa: S704  (matplotlib escaped the names)
    return page.render(title=TITLE, about=about, tables=tables, curves=picture)
