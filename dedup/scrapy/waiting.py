"""Waiting without holding up the event loop: for a page's outcome, or for others to have a turn."""

from __future__ import annotations

import time

from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from dedup.index import Claim, RemoteClaim, State

POLL_SECONDS = 0.05


async def wait_until_settled(claim: Claim | RemoteClaim, seconds: float) -> None:
    """Wait until a claim is committed or released, for some seconds at most.

    One of another process is asked about every now and then.
    """
    if isinstance(claim, Claim):
        await _wait(claim, seconds)
        return
    until = time.monotonic() + seconds
    claim.refresh()
    while claim.state is State.OPEN and (left := until - time.monotonic()) > 0:
        await _wait(None, min(POLL_SECONDS, left))
        claim.refresh()


async def _wait(claim: Claim | None, seconds: float) -> None:
    """Wait for some seconds, or until a claim is settled, where one is given."""
    outcome: Deferred[None] = Deferred()

    def end() -> None:
        if not outcome.called:
            outcome.callback(None)

    timer = call_later(max(0.0, seconds), end)
    if claim is not None:
        claim.on_settled(end)
    await maybe_deferred_to_future(outcome)
    timer.cancel()


async def let_others_work() -> None:
    """Give whatever else is ready on the event loop a turn."""
    turn: Deferred[None] = Deferred()
    call_later(0, turn.callback, None)
    await maybe_deferred_to_future(turn)
