"""A limit of time for reading one page, for callers with other work to do.

A step estimates its time by what it has to read. If less time is left, the page is read elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_left: ContextVar[list[float] | None] = ContextVar("seconds_left", default=None)


class OutOfPatienceError(Exception):
    """The time limit is not enough; the page has no result."""


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """In this context, steps raise OutOfPatienceError when they need more time than this."""
    token = _left.set([seconds])
    try:
        yield
    finally:
        _left.reset(token)


def need(seconds: float) -> None:
    """Raise OutOfPatienceError if less time is left than the next step may take."""
    left = _left.get()
    if left is not None and left[0] < seconds:
        raise OutOfPatienceError


def spend(seconds: float) -> None:
    """Subtract the time of the next step from the time left; raises as ``need`` does."""
    need(seconds)
    left = _left.get()
    if left is not None:
        left[0] -= seconds
