"""How long a page may keep its reader, where others wait.

No count of signs tells beforehand what some pages take: names seen before take nothing, long ones
never seen some 40 microseconds each. So a caller with other work to do sets a time, and where it is
not enough has the page read elsewhere.
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
    """The time that was set is not enough; nothing was made of the page."""


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Have what is called in here raise OutOfPatienceError where it takes so much CPU time."""
    token = _left.set([seconds])
    try:
        yield
    finally:
        _left.reset(token)


def need(seconds: float) -> None:
    """Raise OutOfPatienceError where what comes next may take longer than is left."""
    left = _left.get()
    if left is not None and left[0] < seconds:
        raise OutOfPatienceError


def timed(judge: Callable[_P, _T]) -> Callable[_P, _T]:
    """Take the time of a function's calls from what is left."""

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
