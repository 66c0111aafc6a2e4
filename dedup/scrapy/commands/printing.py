"""Prints texts from pages: in full, without characters that control a terminal."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Iterable
from datetime import datetime
from typing import Any
from unicodedata import category

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

WIDEST = 10_000  # Columns.
_JOINERS = "\u200c\u200d"  # Joiners, needed to write Persian, Hindi and emoji.


class Printer(Console):
    """A console that raises BrokenPipeError for a closed pipe, as ``print`` does."""

    def on_broken_pipe(self) -> None:
        """Raise BrokenPipeError; rich would exit with its own code."""
        raise BrokenPipeError


def url_column(title: str) -> Column:
    """A table column for URLs, which are shown in full, on several lines if needed."""
    return Column(title, overflow="fold")


def make_table(columns: Iterable[Column | str], rows: Iterable[Iterable[object]]) -> Table:
    """A table of values in plain text, or in texts that are ready."""
    table = Table(*columns, box=SIMPLE)
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else plain(cell) for cell in row))
    return table


def number_of(number: int, name: str) -> str:
    """A number with the name of its things: "1 page", "2 pages"."""
    return f"{number} {name}{'s' if number != 1 else ''}"


def plain(value: object) -> Text:
    """Text without markup; each control character becomes a replacement character."""
    text = "" if value is None else str(value)
    return Text("".join(c if _is_shown(c) else "\N{REPLACEMENT CHARACTER}" for c in text))


def _is_shown(character: str) -> bool:
    """Whether a character is printable, a space of any width, or a joiner."""
    return character.isprintable() or character in _JOINERS or category(character) == "Zs"


def encode_json(value: Any) -> str:
    """One line of JSON, with control characters and invisible characters escaped.

    Times are in ISO 8601, and paths are strings. If the encoding of stdout is not UTF-8, all
    non-ASCII characters are escaped too.
    """
    others = codecs.lookup(sys.stdout.encoding or "utf-8").name != "utf-8"
    text = json.dumps(value, ensure_ascii=others, default=_as_text)
    return text if text.isprintable() else "".join(map(_escape, text))


def _as_text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _escape(character: str) -> str:
    if character.isprintable():
        return character
    return json.dumps(character)[1:-1] if character > "\x7f" else f"\\u{ord(character):04x}"
