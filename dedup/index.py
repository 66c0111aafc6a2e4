"""Near-duplicate of what: the only place that decides it.

A page passes through an index in two steps. ``check`` looks it up and, where it repeats nothing,
reserves it, in one step without a pause: of five equal pages in flight exactly one is new. Later
``commit`` stores it, because it was exported, or ``release`` gives the reservation up, because it
was not; a page that matched a reservation only, is then decided again.

    check -> new        reserved    -> commit | release
             duplicate  of a stored page, or of a reserved one: then await that one's outcome
             revisit    the request is known: never a duplicate; commit replaces its fingerprint
             skipped    too little text for a verdict: never stored

A page that the store has marked as exempt is never a duplicate, whatever it repeats.

Reservations live in a second, in-memory store of the same contract, so that pages in flight are
found by the very same search; crawls that share a store share them. The index awaits nothing
itself: a claim calls back when it is settled.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import count

from dedup.fingerprint import PageFingerprint
from dedup.schemes import Comparison, Scheme, Space, Word
from dedup.scope import SCOPES, host_of, scope_mask
from dedup.store import MemoryStore, Record, Store

TEXT = Space("text", 64)  # digests of texts too short to be compared otherwise
# Of more pages found for one the oldest are compared: whoever shuffles the words of a page over
# and over, and so floods one SimHash, neither slows look-ups down nor hides what was there before.
MOST_COMPARED = 500
EQUAL = Comparison(1.0, 0, 1.0)  # of two equal texts, whatever the scheme


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
    def certain(self) -> bool:
        """Whether the page repeated was exported, whatever else happens."""
        return self.claim is None and self.record.exported

    @property
    def rank(self) -> tuple[bool, bool, float, int, int]:
        """Orders matches, the best last.

        Exported pages before those in flight before those that gave no item; then the most alike;
        then the oldest.
        """
        comparison = self.comparison
        age = self.record.page_id if self.claim is None else self.claim.reservation or 0
        return (
            self.certain,
            self.claim is not None,
            comparison.similarity,
            -(comparison.distance or 0),
            -age,
        )


@dataclass(slots=True, eq=False)
class Claim:
    """One page between its check and its outcome."""

    record: Record
    verdict: Verdict
    match: Match | None = None
    state: State = State.OPEN
    reservation: int | None = None
    reason: str = ""  # why it was skipped
    text: bytes = b""  # the main text, packed, where it is kept
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


class Reservations:
    """The pages in flight over one store, found as stored pages are."""

    def __init__(self, scheme: Scheme, scope: str = "global") -> None:
        # No word is common among so few pages; and a word that once was would stay so.
        spaces = [replace(space, cap=None) for space in index_spaces(scheme)]
        self._store = MemoryStore(spaces, words_reader(scheme, scope))
        self._claims: dict[int, Claim] = {}
        self._requests: Counter[bytes] = Counter()
        self._tickets = count(1)

    def __len__(self) -> int:
        return len(self._claims)

    def add(self, claim: Claim) -> None:
        """Reserve a page; harmless where it is."""
        if claim.reservation is not None:
            return
        ticket = next(self._tickets).to_bytes(8, "big")  # two claims may be of one request
        claim.reservation = self._store.put(replace(claim.record, request=ticket)).page_id
        self._claims[claim.reservation] = claim
        self._requests[claim.record.request] += 1

    def remove(self, claim: Claim) -> None:
        """Give a reservation up; harmless where there is none."""
        if claim.reservation is None:
            return
        self._store.remove(claim.reservation)
        del self._claims[claim.reservation]
        claim.reservation = None
        self._requests -= Counter([claim.record.request])

    def holds(self, request: bytes) -> bool:
        """Whether a page of a request is in flight."""
        return request in self._requests

    def near(self, words: list[Word]) -> list[Claim]:
        """The pages in flight found under some words."""
        return [self._claims[page_id] for page_id in self._store.near(words).page_ids]


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
        reservations: Reservations | None = None,
    ) -> None:
        """Set the rules.

        Args:
            store: holds the pages; opened with the ``spaces`` and ``words_of`` of this module.
            scheme: compares them.
            scope: within what pages repeat each other: global, domain or host.
            ttl: seconds after which a stored page repeats nothing any more; 0 for never.
            read_only: find, and never store.
            reservations: those of another index over the same store, to share them.
        """
        self.store = store
        self.scheme = scheme
        self.ttl = ttl
        self.read_only = read_only
        self.common_words = 0  # words asked for and found too common, so far
        self.crowded = 0  # look-ups that found more pages than are compared, so far
        self._scope_of = SCOPES[scope]
        self._words_of = words_reader(scheme, scope)
        self._reserved = Reservations(scheme, scope) if reservations is None else reservations

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
        claim = Claim(record, Verdict.NEW, text=page.text)
        known = self.store.find_request(request)
        if known is not None or self._reserved.holds(request):
            claim.verdict = Verdict.REVISIT
            if known is None or known.digest != record.digest:
                self._reserved.add(claim)
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
        self._reserved.add(claim)

    def commit(self, claim: Claim, *, exported: bool = True) -> None:
        """Store a page. ``exported`` says whether any item of it was exported."""
        if claim.state is not State.OPEN:
            return
        if claim.verdict in (Verdict.NEW, Verdict.REVISIT) and not self.read_only:
            self._store(claim, exported=exported)
        self._reserved.remove(claim)
        claim.settle(State.COMMITTED)

    def release(self, claim: Claim) -> None:
        """Give a page up: nothing of it was exported."""
        if claim.state is State.OPEN:
            self._reserved.remove(claim)
            claim.settle(State.RELEASED)

    def matches(self, record: Record, *, exported_only: bool = False) -> Iterator[Match]:
        """Every page that a page repeats, stored or reserved, in no order."""
        for match, repeats in self.comparisons(record, exported_only=exported_only):
            if repeats:
                yield match

    def comparisons(
        self, record: Record, *, exported_only: bool = False
    ) -> Iterator[tuple[Match, bool]]:
        """Every page found under a page's words, compared, and whether the page repeats it.

        At most ``MOST_COMPARED`` stored ones.
        """
        words = self._words_of(record)
        found = self.store.near(words)
        self.common_words += found.common
        page_ids: Iterable[int] = found.page_ids
        if len(found.page_ids) > MOST_COMPARED:
            self.crowded += 1
            page_ids = sorted(found.page_ids)[:MOST_COMPARED]
        for page_id in page_ids:
            other = self.store.get(page_id)
            if other is None or (exported_only and not other.exported) or self._expired(other):
                continue
            if (comparison := self._compare(record, other)) is not None:
                yield Match(other, comparison), self._accepts(record, other, comparison)
        for claim in self._reserved.near(words):
            if (comparison := self._compare(record, claim.record)) is not None:
                accepted = self._accepts(record, claim.record, comparison)
                yield Match(claim.record, comparison, claim), accepted

    def _decide(self, claim: Claim, *, exported_only: bool = False) -> None:
        matches = self.matches(claim.record, exported_only=exported_only)
        match = max(matches, key=lambda match: match.rank, default=None)
        if match is not None and not self.store.is_exempt(claim.record.request):
            claim.verdict, claim.match = Verdict.DUPLICATE, match
        else:
            self._reserved.add(claim)

    def _compare(self, one: Record, other: Record) -> Comparison | None:
        """Compare two pages; None where they cannot repeat each other."""
        if one.request == other.request or self._scope_of(one.url) != self._scope_of(other.url):
            return None
        if not one.fingerprint or not other.fingerprint:
            return EQUAL if one.digest == other.digest else None
        comparison = self.scheme.compare(one.fingerprint, other.fingerprint)
        if one.digest == other.digest:
            return replace(EQUAL, apart=comparison.apart)
        return comparison

    def _accepts(self, one: Record, other: Record, comparison: Comparison) -> bool:
        same_host = host_of(one.url) == host_of(other.url)
        if one.digest == other.digest:
            return not (same_host and comparison.apart)
        return self.scheme.accepts(comparison, same_host=same_host)

    def _expired(self, record: Record) -> bool:
        return bool(self.ttl) and time.time() - record.seen > self.ttl

    def _store(self, claim: Claim, *, exported: bool) -> None:
        known = self.store.find_request(claim.record.request)
        record = replace(claim.record, exported=exported)
        if known is not None and known.digest == record.digest:
            record = replace(record, exported=exported or known.exported)
            if known.exported == record.exported and not self.ttl:
                claim.record = known
                return
        claim.record = self.store.put(record, claim.text)


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
