"""A limit of CPU time for reading one page, for callers with other work to do.

The time of some pages cannot be estimated from a count of their signs: a cached name takes no time,
a long new name about 40 microseconds. So the caller sets a limit. If it is not enough, the page is
read elsewhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import ParamSpec, TypeVar

_left: ContextVar[list[float] | None] = ContextVar("seconds_left", default=None)

_P = ParamSpec("_P")
_T = TypeVar("_T")


class OutOfPatienceError(Exception):
    """The time limit is not enough; the page has no result."""


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """In this context, calls raise OutOfPatienceError when they need more CPU time than this."""
    token = _left.set([seconds])
    try:
        yield
    finally:
        _left.reset(token)


def need(seconds: float) -> None:
    """Raise OutOfPatienceError if the next step may take longer than the time left."""
    left = _left.get()
    if left is not None and left[0] < seconds:
        raise OutOfPatienceError


def timed(judge: Callable[_P, _T]) -> Callable[_P, _T]:
    """Subtract the CPU time of a function's calls from the time left."""

    @wraps(judge)
    def judge_in_time(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        left = _left.get()
        if left is None:
            return judge(*args, **kwargs)
        if left[0] < 0:
            raise OutOfPatienceError
        began = time.thread_time()
        judged = judge(*args, **kwargs)
        left[0] -= time.thread_time() - began
        return judged

    return judge_in_time
