"""A bell that wakes the tasks of a crawl that wait: for the store, or for its lock."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred


class Bell:
    def __init__(self) -> None:
        self._waiting: set[Deferred[None]] = set()

    async def wait(
        self, seconds: float, also: Callable[[Callable[[], None]], None] | None = None
    ) -> None:
        """Wait for the next ring, at most some seconds.

        ``also`` is called with a function that ends this wait early.
        """
        rung: Deferred[None] = Deferred()
        self._waiting.add(rung)
        wake = partial(self._wake, rung)
        timer = call_later(seconds, wake)
        if also is not None:
            also(wake)
        await maybe_deferred_to_future(rung)
        timer.cancel()

    def ring(self) -> None:
        """Wake all tasks that wait."""
        for rung in list(self._waiting):
            self._wake(rung)

    def _wake(self, rung: Deferred[None]) -> None:
        if rung in self._waiting:
            self._waiting.remove(rung)
            rung.callback(None)
