"""How what pages say is printed: whole, and with nothing in it that a terminal would obey."""

from __future__ import annotations

import codecs
import json
import sys
from typing import Any
from unicodedata import category

from rich.console import Console
from rich.table import Column
from rich.text import Text

WIDEST = 10_000  # columns
_JOINERS = "\u200c\u200d"  # that Persian and Hindi are written with, and emoji


class Printer(Console):
    """A console that tells of a closed pipe as ``print`` does."""

    def on_broken_pipe(self) -> None:
        """Instead of an exit code of its own."""
        raise BrokenPipeError


def url_column(title: str) -> Column:
    """A table column for URLs: whole, on as many lines as it takes."""
    return Column(title, overflow="fold")


def plain(value: object) -> Text:
    """Text from pages, shown as it is: no markup, no control characters."""
    text = "" if value is None else str(value)
    return Text("".join(c if _is_shown(c) else "\N{REPLACEMENT CHARACTER}" for c in text))


def _is_shown(character: str) -> bool:
    """Whether it is a letter, a sign, a space of any width, or a joiner."""
    return character.isprintable() or character in _JOINERS or category(character) == "Zs"


def encode_json(value: Any) -> str:
    """One line of JSON; characters that a terminal would obey, or that are invisible, are escaped.

    So are all non-ASCII ones if the output's encoding is not UTF-8.
    """
    others = codecs.lookup(sys.stdout.encoding or "utf-8").name != "utf-8"
    text = json.dumps(value, ensure_ascii=others)
    return text if text.isprintable() else "".join(map(_escape, text))


def _escape(character: str) -> str:
    if character.isprintable():
        return character
    return json.dumps(character)[1:-1] if character > "\x7f" else f"\\u{ord(character):04x}"
