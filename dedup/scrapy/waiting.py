"""Waiting without holding up the event loop: for a page's outcome, or for others to have a turn."""

from __future__ import annotations

from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from dedup.index import Claim


async def wait_until_settled(claim: Claim, seconds: float) -> None:
    """Wait until a claim is committed or released, for some seconds at most."""
    outcome: Deferred[None] = Deferred()

    def end() -> None:
        if not outcome.called:
            outcome.callback(None)

    timer = call_later(max(0.0, seconds), end)
    claim.on_settled(end)
    await maybe_deferred_to_future(outcome)
    timer.cancel()


async def let_others_work() -> None:
    """Give whatever else is ready on the event loop a turn."""
    turn: Deferred[None] = Deferred()
    call_later(0, turn.callback, None)
    await maybe_deferred_to_future(turn)
