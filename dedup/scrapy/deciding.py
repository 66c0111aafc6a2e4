"""The steps of a page that may have to wait: for what becomes of another page, or for the store."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NamedTuple

from dedup.fingerprint import PageFingerprint
from dedup.index import Claim, ItemClaim, Match, State, Verdict
from dedup.items import Identity
from dedup.scrapy.items import as_kin
from dedup.scrapy.ledger import PageInFlight
from dedup.scrapy.session import COUNTED, STORE_DOWN, Session
from dedup.scrapy.waiting import wait_until_settled
from dedup.store import StoreUnavailableError
from dedup.verdict import Relation


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


class ItemVerdict(NamedTuple):
    """The exported page that an item repeats, None for none; the claim of one that is new."""

    match: Match | None = None
    claim: ItemClaim | None = None


def decide(session: Session, page: PageInFlight, item: Any) -> ItemVerdict | Awaitable[ItemVerdict]:
    """Which exported page an item repeats: at once, or later where it may have to wait.

    It waits where that page is in flight, and where the store is down. After
    NEARDUP_CLAIM_TIMEOUT seconds the item is exported rather than waited for.
    """
    judge, identity = session.item_judge, None
    if judge.judges_each(page, None):
        page.several = True
        identity = judge.identify(page, item)
    try:
        if identity is not None:
            found = _look_up(session, page, identity)
            if not isinstance(found, ItemClaim):
                return _judge_alone(session, page, identity, found)
    except StoreUnavailableError:
        pass  # as long as that lasts it waits, or goes on without a verdict
    return _decide_later(session, page, item, identity)


async def _decide_later(
    session: Session, page: PageInFlight, item: Any, identity: Identity | None
) -> ItemVerdict:
    try:
        return await session.availability.outlast(
            lambda: _decide_item(session, page, item, identity)
        )
    except StoreUnavailableError:
        session.count("items/unchecked")
        return ItemVerdict()


async def commit(session: Session, page: PageInFlight) -> None:
    """Store a page before its item is exported, rather than after that."""
    index, _ = session.ready()

    async def step() -> None:
        with session.availability.asking(), session.stopwatch.running():
            index.commit(page.claim)

    with suppress(StoreUnavailableError):  # then it is stored later, as ever
        await session.availability.outlast(step)


async def _decide_item(
    session: Session, page: PageInFlight, item: Any, identity: Identity | None
) -> ItemVerdict:
    judge, match = session.item_judge, None
    index, _ = session.ready()
    if identity is None:
        match = await _decide(session, page)
        if judge.judges_each(page, match):
            page.several = True
            identity = judge.identify(page, item)
            if identity is None:  # nothing tells it from others: the page decides
                return ItemVerdict(match)
    if identity is not None:
        found = await _find_item(session, page, identity)
        return _judge_alone(session, page, identity, found)
    if page.claim.verdict is Verdict.SKIPPED:
        return ItemVerdict(claim=_claim(session, page, page.first))
    with session.availability.asking():
        found = judge.find_of_facts(index, page, item, match)
    if found is None:
        _export(session, page, Relation.VARIANT)
        return ItemVerdict(claim=_claim(session, page, page.first))
    return ItemVerdict(found)


def _judge_alone(
    session: Session, page: PageInFlight, identity: Identity, found: Match | None
) -> ItemVerdict:
    """The verdict on an item by what it holds, whatever its page repeats."""
    if found is not None:
        page.see(identity)
        return ItemVerdict(found)
    _export(session, page, Relation.GROWN)
    return ItemVerdict(claim=_claim(session, page, identity))


def _look_up(session: Session, page: PageInFlight, identity: Identity) -> Match | ItemClaim | None:
    """The page that gave and exported an item; its claim where it is on its way from another."""
    index, _ = session.ready()
    with session.availability.asking():
        found = session.item_judge.find(index, page, identity)
        if found is None or index.store.is_exempt(page.claim.record.request):
            return None
        return found


async def _find_item(session: Session, page: PageInFlight, identity: Identity) -> Match | None:
    """The page that gave and exported an item; waits where it is on its way from another page."""
    clock, deadline = session.availability.clock, math.inf
    while True:
        found = _look_up(session, page, identity)
        if not isinstance(found, ItemClaim):
            return found
        deadline = min(deadline, clock() + session.config.claim_timeout)
        if clock() >= deadline:
            session.count("claim_timeouts")
            return None
        await session.availability.bell.wait(max(0.0, deadline - clock()), found.on_settled)


def _claim(session: Session, page: PageInFlight, identity: Identity | None) -> ItemClaim | None:
    """Note a new item of a page, so that others wait for it."""
    if identity is None:
        return None
    page.see(identity)
    index, _ = session.ready()
    return index.given.claim(identity.digest, page.claim.record)


def _export(session: Session, page: PageInFlight, relation: Relation) -> None:
    """Make a page new that repeats another by its text: an item of it was not exported before."""
    match = page.claim.match
    if page.claim.verdict is not Verdict.DUPLICATE or match is None:
        return
    index, _ = session.ready()
    _decide_anew(session, page.claim, index.insist)
    page.claim.match = as_kin(match, relation)


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
