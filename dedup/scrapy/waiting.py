"""Waiting for a page's outcome without holding up the event loop."""

from __future__ import annotations

from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from dedup.index import Claim


async def wait_until_settled(claim: Claim, seconds: float) -> bool:
    """Wait until a claim is committed or released; False where it took too long."""
    outcome: Deferred[bool] = Deferred()

    def settle(in_time: bool) -> None:
        if not outcome.called:
            outcome.callback(in_time)

    timer = call_later(max(0.0, seconds), settle, False)
    claim.on_settled(lambda: settle(True))
    in_time = await maybe_deferred_to_future(outcome)
    timer.cancel()
    return in_time
