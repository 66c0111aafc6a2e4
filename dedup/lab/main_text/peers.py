"""Extractors of others, which are judged beside ours if they are installed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec

from dedup.page import MainText, built_extractors, extract, from_text
from dedup.text import PageText, page_text

TRAFILATURA = "trafilatura"


def known_extractors() -> list[str]:
    """The names of all extractors that can run here."""
    return [*built_extractors(), *([TRAFILATURA] if find_spec(TRAFILATURA) else [])]


def find(html: str, extractor: str) -> MainText:
    """Find the main text of a page by an extractor, ours or another.

    Raises ValueError if there is no such extractor, or it is not installed.
    """
    if extractor != TRAFILATURA:
        return extract(html, extractor)
    if not find_spec(TRAFILATURA):
        raise ValueError("trafilatura is not installed; run: pip install trafilatura")
    judged: Callable[..., str | None] = import_module(TRAFILATURA).extract
    found = from_text(judged(html, include_comments=False) or "")  # Comments are no main text.
    return replace(found, sure=bool(found.paragraphs))


def read(html: str, extractor: str) -> PageText:
    """Like ``find``; the text for readers, which differs from the compared text of some pages."""
    return page_text(find(html, extractor), html)
