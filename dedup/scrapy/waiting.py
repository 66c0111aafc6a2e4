"""Waiting without holding up the event loop: for a page's outcome, or for a moment."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from dedup.index import Claim, RemoteClaim, State

POLL_SECONDS = 0.05


async def wait_until_settled(claim: Claim | RemoteClaim, seconds: float, bell: Bell) -> None:
    """Wait until a claim is committed or released or a bell rings, for some seconds at most.

    A claim of another process is polled, and waited for only a moment.

    Raises:
        StoreUnavailableError: the server that knows cannot be asked.
    """
    if isinstance(claim, Claim):
        await bell.wait(max(0.0, seconds), claim.on_settled)
        return
    claim.refresh()
    if claim.state is State.OPEN and seconds > 0:
        await bell.wait(min(POLL_SECONDS, seconds))
        claim.refresh()


class Bell:
    """Wakes all who wait for it."""

    def __init__(self) -> None:
        self._waiting: set[Deferred[None]] = set()

    async def wait(
        self, seconds: float, also: Callable[[Callable[[], None]], None] | None = None
    ) -> None:
        """Wait for the next ring, for some seconds at most.

        Args:
            seconds: how many.
            also: is given what ends the wait, to call it sooner.
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
        """Wake everybody."""
        for rung in list(self._waiting):
            self._wake(rung)

    def _wake(self, rung: Deferred[None]) -> None:
        if rung in self._waiting:
            self._waiting.remove(rung)
            rung.callback(None)


class Later:
    """Calls a function a moment later, once for all who ask for it until then."""

    def __init__(self, seconds: float, function: Callable[[], None]) -> None:
        self._seconds = seconds
        self._function = function
        self._asked = False

    def ask(self) -> None:
        """Have it called."""
        if not self._asked:
            self._asked = True
            call_later(self._seconds, self._call)

    def _call(self) -> None:
        self._asked = False
        self._function()
