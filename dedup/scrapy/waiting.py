"""Waits without blocking the event loop: for a page's outcome, or for some time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from dedup.index import Claim, RemoteClaim, State

POLL_SECONDS = 0.05


async def wait_until_settled(claim: Claim | RemoteClaim, seconds: float, bell: Bell) -> None:
    """Wait until a claim is committed or released, or a bell rings; at most some seconds.

    A claim of another process is polled now and, if it is open, again after at most POLL_SECONDS.

    Raises:
        StoreUnavailableError: the server with the claim does not answer.
    """
    if isinstance(claim, Claim):
        await bell.wait(max(0.0, seconds), claim.on_settled)
        return
    claim.refresh()
    if claim.state is State.OPEN and seconds > 0:
        await bell.wait(min(POLL_SECONDS, seconds))
        claim.refresh()


class Bell:
    """Wakes all tasks that wait for it."""

    def __init__(self) -> None:
        self._waiting: set[Deferred[None]] = set()

    async def wait(
        self, seconds: float, also: Callable[[Callable[[], None]], None] | None = None
    ) -> None:
        """Wait for the next ring, at most some seconds.

        Args:
            seconds: the longest wait.
            also: is called with a function that ends this wait early.
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
