"""The steps of a page that may have to wait: for what becomes of another page, or for the store."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from dedup.fingerprint import PageFingerprint
from dedup.index import Claim, Match, State, Verdict
from dedup.scrapy.ledger import PageInFlight
from dedup.scrapy.session import COUNTED, STORE_DOWN, Session
from dedup.scrapy.waiting import wait_until_settled
from dedup.store import StoreUnavailableError


async def check(
    session: Session, url: str, request: bytes, fingerprint: PageFingerprint
) -> PageInFlight | None:
    """Check a page, once the store answers; None where the crawl does not wait for that."""

    async def step() -> PageInFlight:
        return session.check(url, request, fingerprint)

    try:
        return await session.availability.outlast(step)
    except StoreUnavailableError:
        session.skip(STORE_DOWN, url)
        return None


async def decide(session: Session, page: PageInFlight) -> Match | None:
    """The exported page that a page's items repeat; waits where that one is in flight.

    After NEARDUP_CLAIM_TIMEOUT seconds the page is exported rather than waited for.
    """
    try:
        return await session.availability.outlast(lambda: _decide(session, page))
    except StoreUnavailableError:
        session.count("items/unchecked")
        return None


async def commit(session: Session, page: PageInFlight) -> None:
    """Store a page before its item is exported, rather than after that."""
    index, _ = session.ready()

    async def step() -> None:
        with session.availability.asking(), session.stopwatch.running():
            index.commit(page.claim)

    with suppress(StoreUnavailableError):  # then it is stored later, as ever
        await session.availability.outlast(step)


async def _decide(session: Session, page: PageInFlight) -> Match | None:
    claim = page.claim
    clock, asking = session.availability.clock, session.availability.asking
    if page.deadline is None:
        page.deadline = clock() + session.config.claim_timeout
    index, _ = session.ready()
    while claim.verdict is Verdict.DUPLICATE and (match := claim.match) is not None:
        other = match.claim
        if other is not None and other.state is State.OPEN:
            with asking():
                session.receive()
                bell = session.availability.bell
                await wait_until_settled(other, page.deadline - clock(), bell)
            late = other.state is State.OPEN and clock() >= page.deadline
            # Another item of the page may have decided for it meanwhile.
            if late and claim.match is match:
                _tell_timeout(session, claim, match)
                _decide_anew(session, claim, index.insist)
        elif (other.record if other is not None else match.record).exported:
            return match
        else:
            _decide_anew(session, claim, index.decide_again)
    return None


def _decide_anew(session: Session, claim: Claim, decide: Callable[[Claim], None]) -> None:
    with session.availability.asking():
        decide(claim)
    if claim.verdict is not Verdict.DUPLICATE:
        session.count(COUNTED[Verdict.DUPLICATE], -1)
        session.count(COUNTED[claim.verdict])


def _tell_timeout(session: Session, claim: Claim, match: Match) -> None:
    session.count("claim_timeouts")
    session.warn_once(
        "claim_timeouts",
        "%s is exported although it repeats %s: the outcome of that page was not known within "
        "NEARDUP_CLAIM_TIMEOUT = %g seconds. Raise that where callbacks or pipelines take long "
        "(neardup/claim_timeouts counts)",
        claim.record.url,
        match.record.url,
        session.config.claim_timeout,
    )
