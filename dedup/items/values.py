"""Values of items as text that compares: numbers however written, strings without their case."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

LONGEST_AMOUNT = 30  # characters of a text in which numbers may be written in many ways
DEEPEST = 20  # levels of values inside values that are looked into
MOST_EXACT = 1e15  # up to which a float is a whole number for certain

has_digit = re.compile(r"[0-9]").search
# A number with its figures in groups, or with decimals
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
    """A value as text, whatever it is; empty for none."""
    if isinstance(value, str | int) or not isinstance(
        value, list | tuple | set | frozenset | Mapping
    ):
        return canonical(value)
    return "\x1f".join(map(canonical, leaves(value)))


def amount(text: str) -> str:
    """The only number in a canonical text, without its unit; empty where there is no such."""
    found = re.findall(r"[0-9]+(?:\.[0-9]+)?", text) if len(text) <= LONGEST_AMOUNT else ()
    return found[0] if len(found) == 1 else ""


def leaves(value: Any, depth: int = 0) -> Iterator[Any]:
    """The single values in a value, with the keys above them, at any depth up to ``DEEPEST``."""
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
    """A number without groups and without zeros behind its decimals."""
    figures = number[0].replace(",", "")
    return figures.rstrip("0").rstrip(".") if "." in figures else figures
