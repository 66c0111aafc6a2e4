"""Items taken some at a time, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Lists of ``size`` items, in order; the last may be shorter."""
    rest = iter(items)
    while chunk := list(islice(rest, size)):
        yield chunk
