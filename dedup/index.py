"""Near-duplicate of what: the only place that decides it.

A page passes through an index in two steps. ``check`` looks it up and, where it repeats nothing,
reserves it, in one step without a pause: of five equal pages in flight exactly one is new. Later
``commit`` stores it, because it was exported, or ``release`` gives the reservation up, because it
was not; a page that matched a reservation only, is then decided again.

    check -> new        reserved    -> commit | release
             duplicate  of a stored page, or of a reserved one: then await that one's outcome
             revisit    the request is known: never a duplicate; commit replaces its fingerprint
             skipped    too little text for a verdict: never stored

Reservations live in a second, in-memory store of the same contract, so that pages in flight are
found by the very same search. The index awaits nothing itself: a claim calls back when it is
settled.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from dedup.fingerprint import PageFingerprint
from dedup.schemes import Comparison, Scheme, Space, Word
from dedup.scope import SCOPES, host_of, scope_mask
from dedup.store import MemoryStore, Record, Store

TEXT = Space("text", 64)  # digests of texts too short to be compared otherwise


class Verdict(StrEnum):
    """What a page is, by its text."""

    NEW = "new"
    DUPLICATE = "duplicate"
    REVISIT = "revisit"
    SKIPPED = "skipped"


class State(StrEnum):
    """Where a claim stands."""

    OPEN = "open"
    COMMITTED = "committed"
    RELEASED = "released"


@dataclass(frozen=True, slots=True)
class Match:
    """A page that another repeats, and how much alike they are.

    ``claim`` is set where that page is only reserved as yet.
    """

    record: Record
    comparison: Comparison
    claim: Claim | None = None

    @property
    def rank(self) -> tuple[bool, float, int, bool, int]:
        """Orders matches, the best last: exported pages, then the most alike, then the oldest."""
        comparison = self.comparison
        stored = self.claim is None
        exported = self.record.exported or not stored
        age = self.record.page_id if self.claim is None else self.claim.reservation or 0
        return (exported, comparison.similarity, -(comparison.distance or 0), stored, -age)


@dataclass(slots=True, eq=False)
class Claim:
    """One page between its check and its outcome."""

    record: Record
    verdict: Verdict
    match: Match | None = None
    state: State = State.OPEN
    reservation: int | None = None
    reason: str = ""  # why it was skipped
    _listeners: list[Callable[[], None]] = field(default_factory=list)

    def on_settled(self, listener: Callable[[], None]) -> None:
        """Have a function called once the claim is committed or released, at once if it is."""
        if self.state is State.OPEN:
            self._listeners.append(listener)
        else:
            listener()

    def settle(self, state: State) -> None:
        """Note the outcome and tell who waits for it."""
        self.state = state
        listeners, self._listeners = self._listeners, []
        for listener in listeners:
            listener()


class Index:
    """A store, a scheme, and the rules between them."""

    def __init__(
        self,
        store: Store,
        scheme: Scheme,
        scope: str = "global",
        ttl: float = 0.0,
        *,
        read_only: bool = False,
    ) -> None:
        """Set the rules.

        Args:
            store: holds the pages; opened with the ``spaces`` and ``words_of`` of this module.
            scheme: compares them.
            scope: within what pages repeat each other: global, domain or host.
            ttl: seconds after which a stored page repeats nothing any more; 0 for never.
            read_only: find, and never store.
        """
        self.store = store
        self.scheme = scheme
        self.ttl = ttl
        self.read_only = read_only
        self.common_words = 0  # words asked for and found too common, so far
        self._scope_of = SCOPES[scope]
        self._words_of = words_reader(scheme, scope)
        self._reserved = MemoryStore(index_spaces(scheme), self._words_of)
        self._claims: dict[int, Claim] = {}
        self._requests: Counter[bytes] = Counter()
        self._ticket = 0

    def check(self, url: str, request: bytes, page: PageFingerprint) -> Claim:
        """Look a page up and reserve it where it is new or changed, in one step.

        Args:
            url: its URL.
            request: digest of the request that fetched it: equal requests never repeat each other.
            page: its fingerprint.
        """
        record = Record(
            url=url,
            request=request,
            seen=time.time(),
            exported=False,
            tokens=page.tokens,
            digest=page.digest,
            fingerprint=page.value,
        )
        if page.short:
            reason = "short_text" if page.tokens else "no_text"
            return Claim(record, Verdict.SKIPPED, reason=reason)
        claim = Claim(record, Verdict.NEW)
        known = self.store.find_request(request)
        if known is not None or self._requests[request]:
            claim.verdict = Verdict.REVISIT
            if known is None or known.digest != record.digest:
                self._reserve(claim)
        else:
            self._decide(claim)
        return claim

    def decide_again(self, claim: Claim) -> None:
        """Decide a duplicate again, against pages that were exported or still may be."""
        claim.verdict, claim.match = Verdict.NEW, None
        self._decide(claim, exported_only=True)

    def insist(self, claim: Claim) -> None:
        """Make a duplicate new without a further look, where no outcome came in time."""
        claim.verdict, claim.match = Verdict.NEW, None
        self._reserve(claim)

    def commit(self, claim: Claim, *, exported: bool = True) -> None:
        """Store a page. ``exported`` says whether any item of it was exported."""
        if claim.state is not State.OPEN:
            return
        if claim.verdict in (Verdict.NEW, Verdict.REVISIT) and not self.read_only:
            self._store(claim, exported=exported)
        self._let_go(claim)
        claim.settle(State.COMMITTED)

    def release(self, claim: Claim) -> None:
        """Give a page up: nothing of it was exported."""
        if claim.state is State.OPEN:
            self._let_go(claim)
            claim.settle(State.RELEASED)

    def matches(self, record: Record, *, exported_only: bool = False) -> Iterator[Match]:
        """Every page that a page repeats, stored or reserved, in no order."""
        words = self._words_of(record)
        found = self.store.near(words)
        self.common_words += found.common
        for page_id in found.page_ids:
            other = self.store.get(page_id)
            if other is None or (exported_only and not other.exported) or self._expired(other):
                continue
            if (comparison := self._compare(record, other)) is not None:
                yield Match(other, comparison)
        for page_id in self._reserved.near(words).page_ids:
            claim = self._claims[page_id]
            if (comparison := self._compare(record, claim.record)) is not None:
                yield Match(claim.record, comparison, claim)

    def _decide(self, claim: Claim, *, exported_only: bool = False) -> None:
        matches = self.matches(claim.record, exported_only=exported_only)
        claim.match = max(matches, key=lambda match: match.rank, default=None)
        if claim.match is not None:
            claim.verdict = Verdict.DUPLICATE
        else:
            self._reserve(claim)

    def _compare(self, one: Record, other: Record) -> Comparison | None:
        """Compare two pages; None where they do not repeat each other."""
        if one.request == other.request or self._scope_of(one.url) != self._scope_of(other.url):
            return None
        if one.digest == other.digest:
            return Comparison(1.0, 0, 1.0)
        if not one.fingerprint or not other.fingerprint:
            return None
        comparison = self.scheme.compare(one.fingerprint, other.fingerprint)
        same_host = host_of(one.url) == host_of(other.url)
        return comparison if self.scheme.accepts(comparison, same_host=same_host) else None

    def _expired(self, record: Record) -> bool:
        return bool(self.ttl) and time.time() - record.seen > self.ttl

    def _reserve(self, claim: Claim) -> None:
        self._ticket += 1
        ticket = self._ticket.to_bytes(8, "big")  # two claims may be of one request
        claim.reservation = self._reserved.put(replace(claim.record, request=ticket)).page_id
        self._claims[claim.reservation] = claim
        self._requests[claim.record.request] += 1

    def _let_go(self, claim: Claim) -> None:
        if claim.reservation is None:
            return
        self._reserved.remove(claim.reservation)
        del self._claims[claim.reservation]
        claim.reservation = None
        request = claim.record.request
        self._requests[request] -= 1
        if not self._requests[request]:
            del self._requests[request]

    def _store(self, claim: Claim, *, exported: bool) -> None:
        known = self.store.find_request(claim.record.request)
        same_text = known is not None and known.digest == claim.record.digest
        exported = exported or (same_text and known is not None and known.exported)
        if same_text and known is not None and known.exported == exported:
            claim.record = known
        else:
            claim.record = self.store.put(replace(claim.record, exported=exported))


def index_spaces(scheme: Scheme) -> tuple[Space, ...]:
    """The spaces a store needs for an index with some scheme."""
    return (TEXT, *scheme.spaces)


def words_reader(scheme: Scheme, scope: str = "global") -> Callable[[Record], list[Word]]:
    """The function that reads the words of a record, within its scope."""
    scope_of = SCOPES[scope]
    bits = {space.name: space.bits for space in index_spaces(scheme)}

    def words_of(record: Record) -> list[Word]:
        if record.fingerprint:
            words = scheme.words(record.fingerprint)
        else:
            words = [Word(TEXT.name, int.from_bytes(record.digest[:8], "big"))]
        place = scope_of(record.url)
        if not place:
            return words
        return [Word(w.space, w.value ^ scope_mask(place, bits[w.space])) for w in words]

    return words_of
