"""The report on drop logs: one HTML file, without other files, network or scripts.

    records -> report_figures, with charts --------.
            -> report_samples ---------------------+-> this page (report.html)
    store   -> pages that are much like others ----+
            -> tallies of URL patterns -----------'

All text from crawled pages is escaped and isolated in its writing direction, and its control
characters are made visible. The page needs jinja2, and the pictures matplotlib: the extra
``report``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from importlib.resources import files
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from rich.filesize import decimal

from dedup.config import PREFIX, Config
from dedup.review.characters import make_visible
from dedup.review.records import KEPT
from dedup.review.report_figures import Figures, draw_pictures
from dedup.review.report_samples import KinFound, Sample
from dedup.urls import Tally

LONGEST_LINK = 500  # Characters; a longer URL is shown without a link.
LONGEST_SHOWN = 240  # Characters; a longer text is shortened.


class Setting(NamedTuple):
    """The current value of a setting."""

    name: str
    value: str
    default: bool


@dataclass(frozen=True, slots=True)
class Report:
    """The content of the page."""

    figures: Figures
    samples: Sequence[Sample]
    kin: KinFound | str  # Without a store, a sentence that explains this.
    config: Config
    made: datetime
    urls: Sequence[tuple[str, Tally]] = ()  # Patterns of URLs, those that waste most first.


def render_report(report: Report) -> str:
    """Make the page. Raises ImportError if a package of the extra ``report`` is missing."""
    from jinja2 import Environment  # noqa: PLC0415
    from markupsafe import Markup  # noqa: PLC0415

    def shown(value: Any) -> Any:
        """Make invisible characters visible in each expression of the template."""
        text = isinstance(value, str) and not isinstance(value, Markup)
        return make_visible(value) if text else value

    environment = Environment(autoescape=True, finalize=shown, trim_blocks=True, lstrip_blocks=True)
    environment.tests["linkable"] = is_linkable
    environment.filters |= {
        "short": shorten,
        "count": lambda number: f"{number:,}",
        "duration": name_duration,
        "size": decimal,  # Of a number of bytes.
    }
    template = files("dedup.review").joinpath("report.html").read_text(encoding="utf-8")
    return environment.from_string(template).render(
        report=report,
        figures=report.figures,
        headline=headline(report.figures),
        pictures={  # matplotlib escaped the text in them.
            name: Markup(svg)  # noqa: S704
            for name, svg in draw_pictures(report.figures).items()
        },
        settings=list_settings(report.config),
    )


def headline(figures: Figures) -> str:
    """The main result of the figures, in one sentence."""
    if not figures.records:
        return "No near-duplicates were found"
    kept = "kept " if figures.only_kept else ""
    verb, verb_of_several = "repeats", "repeat"
    if KEPT in figures.actions:
        verb, verb_of_several = "is related to", "are related to"
    pages = f"{kept}page {verb}" if figures.pages == 1 else f"{kept}pages {verb_of_several}"
    others = "other" if figures.originals == 1 else "others"
    sentence = f"{figures.pages:,} {pages} {figures.originals:,} {others}"
    top = figures.host_pairs[0]
    if figures.hosts < 2:
        return f"{sentence} on {top.host or 'no host'}"
    whom = "itself" if top.host == top.of else top.of
    return f"{sentence}; most often {top.host or 'no host'} {verb} {whom or 'no host'}"


def list_settings(config: Config) -> list[Setting]:
    """All settings, with values from ``Config.shown``."""
    return [
        Setting(
            PREFIX + item.name.upper(),
            config.shown(item.name),
            getattr(config, item.name) == item.default,
        )
        for item in fields(config)
    ]


def shorten(text: str) -> str:
    """A long text without its middle."""
    if len(text) <= LONGEST_SHOWN:
        return text
    return f"{text[: LONGEST_SHOWN * 3 // 4]} … {text[-LONGEST_SHOWN // 4 :]}"


def name_duration(seconds: int) -> str:
    """A duration in its largest whole unit: ``15 minutes``, ``day``."""
    units = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))
    unit, length = next((unit, length) for unit, length in units if seconds % length == 0)
    number = seconds // length
    return unit if number == 1 else f"{number:,} {unit}s"


def is_linkable(url: str) -> bool:
    """Whether a URL may become a link: http or https, no invisible characters, not too long."""
    if len(url) > LONGEST_LINK or make_visible(url) != url or any(map(str.isspace, url)):
        return False
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)
