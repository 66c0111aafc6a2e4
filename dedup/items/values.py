"""Values of items as text that compares: numbers however written, strings without their case."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

has_digit = re.compile(r"\d").search
# A price or a count as a whole: a sign of a currency, figures in groups, a unit of a few letters
_AMOUNT = re.compile(
    r"[^\w\s.,+-]{0,2}\s?([+-]?\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?|[+-]?\d+(?:\.\d+)?)\s?[^\W\d]{0,3}"
)
LONGEST_AMOUNT = 30  # characters
DEEPEST = 20  # levels of values inside values that are looked into


def canonical(value: Any) -> str:
    """A single value as text: 1299.0 and "¥1,299" are both 1299; empty for what says nothing."""
    if isinstance(value, str):
        text = " ".join(value.split()).casefold()
        if len(text) > LONGEST_AMOUNT or not has_digit(text):
            return text
        amount = _AMOUNT.fullmatch(text)
        return _number(float(re.sub("[, ]", "", amount[1]))) if amount else text
    if value is None or isinstance(value, bool):
        return ""
    return _number(value) if isinstance(value, int | float) else canonical(str(value))


def leaves(value: Any, depth: int = 0) -> Iterator[Any]:
    """The single values in a value, at any depth up to ``DEEPEST``."""
    if depth > DEEPEST:
        return
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from leaves(inner, depth + 1)
    elif isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from leaves(inner, depth + 1)
    else:
        yield value


def _number(value: float) -> str:
    """A number without what says nothing: a point with zeros behind it."""
    try:
        return str(int(value)) if value == int(value) else repr(float(value))
    except (OverflowError, ValueError):  # no number, or beyond all
        return str(value)
