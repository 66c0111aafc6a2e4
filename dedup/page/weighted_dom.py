"""Main text by the weighted DOM tree: see native/main_text.c."""

from __future__ import annotations

from dedup.page.compiled import read_page
from dedup.page.paragraphs import MainText


def extract(html: str | bytes) -> MainText:
    """Find the main text of a page; it has no paragraphs where no text is shown."""
    return read_page(html)
