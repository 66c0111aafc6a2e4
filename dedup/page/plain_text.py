"""Text of items and of responses in plain text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from dedup.page.paragraphs import Kind, MainText, Paragraph, fold

TITLE = "title"


def join_texts(values: Iterable[object]) -> str:
    """Join the values of text fields: strings, and the elements of lists; others are skipped."""
    return "\n".join(
        "\n".join(map(str, value)) if isinstance(value, list | tuple) else value
        for value in values
        if isinstance(value, str | list | tuple)
    )


def text_of(item: Mapping[str, object], names: Collection[str]) -> str:
    """The text of all text fields of an item; empty if of several only the title has text."""
    under = [name for name in names if name != TITLE]
    if under and not join_texts(map(item.get, under)).strip():
        return ""
    return join_texts(map(item.get, names))


def title_of(item: Mapping[str, object], names: Iterable[str]) -> str:
    """The field ``title`` of an item, if it is one of the text fields; else empty."""
    return join_texts([item.get(TITLE)]) if TITLE in names else ""


def from_text(text: str, title: str = "") -> MainText:
    """Wrap plain text; each non-empty line is a paragraph."""
    lines = filter(None, map(fold, text.splitlines()))
    return MainText(
        title,
        tuple(Paragraph(line, Kind.PARAGRAPH, 0, place) for place, line in enumerate(lines)),
        sure=True,
    )
