"""Cuts items into lists, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Lists of ``size`` items, in order; the last may be shorter."""
    rest = iter(items)
    while chunk := list(islice(rest, size)):
        yield chunk


def weighed_chunks(
    items: Iterable[T], size: int, most: int, weight: Callable[[T], int]
) -> Iterator[list[T]]:
    """Lists of ``size`` items, in order; a list ends sooner if its items weigh ``most``."""
    chunk: list[T] = []
    weighed = 0
    for item in items:
        chunk.append(item)
        weighed += weight(item)
        if len(chunk) >= size or weighed >= most:
            yield chunk
            chunk, weighed = [], 0
    if chunk:
        yield chunk
