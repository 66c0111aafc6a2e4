"""Values of items as text for comparison: numbers in one notation, strings without case."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

LONGEST_AMOUNT = 30  # Characters of a text; numbers in longer texts are left as they are.
DEEPEST = 20  # Levels of nested values that are read.
MOST_EXACT = 1e15  # A float below this represents whole numbers exactly.

has_digit = re.compile(r"[0-9]").search
# A number with digits in groups of three, or with decimals.
_NUMBER = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9])|[0-9]+\.[0-9]+")


def canonical(value: Any) -> str:
    """A single value as text; empty for None.

    Case, white space and the way a number is written do not matter: 1299.0, "1,299" and "1299.00"
    are 1299. Units, signs and leading zeros are part of a value.
    """
    if isinstance(value, str):
        text = " ".join(value.split()).casefold()
        if len(text) <= LONGEST_AMOUNT and has_digit(text):
            return _NUMBER.sub(_plain, text)
        return text
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < MOST_EXACT:
        return str(int(value))
    return str(value).casefold()


def text_of(value: Any) -> str:
    """Any value as text; the values in a collection are joined. Empty for None."""
    if isinstance(value, str | int) or not isinstance(
        value, list | tuple | set | frozenset | Mapping
    ):
        return canonical(value)
    return "\x1f".join(map(canonical, leaves(value)))


def amount(text: str) -> str:
    """The number in a canonical text, without its unit; empty if there is none or more than one."""
    found = re.findall(r"[0-9]+(?:\.[0-9]+)?", text) if len(text) <= LONGEST_AMOUNT else ()
    return found[0] if len(found) == 1 else ""


def leaves(value: Any, depth: int = 0) -> Iterator[Any]:
    """The single values inside a value, and the keys of mappings, down to level ``DEEPEST``."""
    if depth > DEEPEST:
        return
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield key
            yield from leaves(inner, depth + 1)
    elif isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from leaves(inner, depth + 1)
    else:
        yield value


def _plain(number: re.Match[str]) -> str:
    """A number without commas and without zeros at the end of its decimals."""
    figures = number[0].replace(",", "")
    return figures.rstrip("0").rstrip(".") if "." in figures else figures
