"""The only place that decides what a page is a near-duplicate of.

A page passes through an index in two steps. ``check`` looks it up and, where it repeats nothing,
reserves it, in one step without a pause: of five equal pages in flight exactly one is new. Later
``commit`` stores it, because it was exported, or ``release`` gives the reservation up, because it
was not; a page that matched only a reservation is then decided again.

    check -> new        reserved    -> commit | release; it may be kin to a page
             duplicate  of a stored page, or of a reserved one: then await that one's outcome
             revisit    the request is known: never a duplicate; commit replaces its fingerprint
             skipped    too little text for a verdict: never stored

What a page repeats is found in rounds: all pages that share a word with it are compared by their
fingerprints, the best of those nominated are confirmed on their texts (see judge.py), the first
that makes it a duplicate ends the search. A page that the store has marked as exempt is never a
duplicate, whatever it repeats.

Pages in flight are in reservations.py. Where other processes have some, too, shared.py has the
index. The index awaits nothing itself: a claim calls back when it is settled, and one of another
process can be asked about.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from operator import attrgetter

from xxhash import xxh3_128_digest

from dedup.fingerprint import PageFingerprint
from dedup.index.claims import Claim, Match, RemoteClaim, State, Verdict
from dedup.index.given import GivenItems
from dedup.index.judge import Judge
from dedup.index.reservations import LocalReservations, Reservations, Sight
from dedup.index.words import join_items
from dedup.page.kept_text import unpack_text
from dedup.schemes import Scheme
from dedup.store import MOST_REQUEST_BYTES, Record, Store, StoreDamagedError
from dedup.store.pruning import is_expired
from dedup.verdict import Relation, Rules

MOST_CONFIRMED = 4  # pages with whose text that of a new page is compared


class Index:
    """A store, a scheme, and the rules between them."""

    def __init__(
        self,
        store: Store,
        scheme: Scheme,
        scope: str = "global",
        ttl: float = 0.0,
        *,
        rules: Rules | None = None,
        read_only: bool = False,
        reservations: Reservations | None = None,
    ) -> None:
        """Set the rules.

        Args:
            store: holds the pages; opened with ``index_spaces`` and ``words_reader`` of this
                scheme and scope.
            scheme: compares them.
            scope: the scope within which pages repeat each other: global, domain or host.
            ttl: seconds after which a stored page repeats nothing any more; 0 for never.
            rules: which relations make a page a duplicate; the defaults where not given.
            read_only: find, and never store.
            reservations: the pages in flight over the store; those of this index alone where
                none are given.
        """
        self.store = store
        self.scheme = scheme
        self.judge = Judge(scheme, scope, rules)
        self.ttl = ttl
        self.given = GivenItems(store, scope, ttl)
        self.read_only = read_only
        self.common_words = 0  # words asked for and found too common, so far
        self.crowded = 0  # look-ups that found more pages than are compared, so far
        if reservations is None:
            reservations = LocalReservations(store, scheme, scope)
        self._reserved = reservations

    def check(self, url: str, request: bytes, page: PageFingerprint) -> Claim:
        """Look a page up and reserve it where it is new or changed, in one step.

        Args:
            url: its URL.
            request: digest of the request that fetched it: equal requests never repeat each other.
            page: its fingerprint.

        Raises:
            ValueError: the request's digest is longer than a record has room for.
            StoreError: the store fails.
        """
        if len(request) > MOST_REQUEST_BYTES:
            raise ValueError(
                f"the digest of a request must be at most {MOST_REQUEST_BYTES} bytes; "
                f"got {len(request)}"
            )
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
            return Claim(record, Verdict.SKIPPED, reason=page.reason)
        claim = Claim(record, Verdict.NEW, text=page.text)
        try:
            self._check(claim)
        except BaseException:
            self._reserved.remove(claim)  # the page may be checked again, and must not meet itself
            raise
        return claim

    def unread(self, url: str, request: bytes, reason: str) -> Claim:
        """A page without a text to look up, followed for its items alone.

        Args:
            url: its URL.
            request: digest of the request that fetched it.
            reason: why it has none.
        """
        digest = xxh3_128_digest(request)  # no other page's
        record = Record(url, request, time.time(), False, 0, digest, b"")
        return Claim(record, Verdict.SKIPPED, reason=reason)

    def decide_again(self, claim: Claim) -> None:
        """Decide a duplicate again, against pages that were exported or still may be.

        Where the store fails the claim stays as it was, so that this can be called once more.
        """
        try:
            sight = self._reserved.check_again(claim)
            claim.alone = False
            self._decide(claim, sight, exported_only=True)
        except BaseException:
            self._reserved.remove(claim)
            raise

    def insist(self, claim: Claim) -> None:
        """Make a duplicate new without another look-up, as no outcome came in time.

        Where the store fails the claim stays as it was.
        """
        self._reserve(claim)
        claim.verdict, claim.match, claim.alone = Verdict.NEW, None, False

    def commit(self, claim: Claim, *, exported: bool = True, wait: bool = False) -> None:  # noqa: ARG002
        """Store a page; of one that is stored already, the items that came since.

        Args:
            claim: the page.
            exported: whether any item of it was exported.
            wait: return only when the page is stored. Without it, an index behind a server may
                store the page a little later; see ``flush``.

        Raises:
            StoreError: the store fails; the page can be committed again.
        """
        if claim.state is State.COMMITTED:
            self._add_items(claim)
        elif claim.state is State.OPEN:
            is_kept = claim.verdict in (Verdict.NEW, Verdict.REVISIT) or bool(claim.record.items)
            if is_kept and not self.read_only:
                self._store(claim, exported=exported)
            self._reserved.remove(claim)
            claim.settle(State.COMMITTED)

    def release(self, claim: Claim) -> None:
        """Give a page up: nothing of it was exported."""
        if claim.state is State.OPEN:
            self._reserved.remove(claim)
            claim.settle(State.RELEASED)

    def flush(self) -> None:
        """Finish the writes that were deferred; here there are none.

        Raises:
            StoreUnavailableError: the server does not answer. Nothing is lost by that.
        """

    def recover(self) -> None:
        """Announce the pages in flight again after an outage, and finish deferred writes.

        Raises:
            StoreUnavailableError: the server does not answer.
        """

    def close(self) -> None:
        """Finish deferred writes, or report the pages that will not be stored."""

    def matches(self, record: Record, text: bytes = b"") -> Iterator[Match]:
        """Every page, stored or reserved, that a page has to do with, the most alike first.

        Args:
            record: the page.
            text: its text, packed, where it is at hand.
        """
        found = self._compared(record, self._reserved.look(record))
        related = (match for match in self._confirmed(record, text, found) if match is not None)
        return (match for match in related if match.relation is not Relation.NONE)

    def find(self, record: Record, text: bytes, is_wanted: Callable[[Match], bool]) -> Match | None:
        """The page that a page repeats, of those wanted; None for none.

        Args:
            record: the page.
            text: its text, packed; empty where it is not at hand.
            is_wanted: whether a page is one that may be repeated.
        """
        found = self._compared(record, self._reserved.look(record))
        wanted = (pair for pair in found if is_wanted(pair[0]))
        confirmed = self._confirmed(record, text, wanted)
        return next((match for match in confirmed if match and self.drops(match)), None)

    def comparisons(self, record: Record) -> Iterator[tuple[Match, bool]]:
        """Every page found under a page's words, and whether it is repeated, by fingerprints."""
        for match, _ in self._compared(record, self._reserved.look(record)):
            yield match, self.drops(match)

    def drops(self, match: Match) -> bool:
        """Whether a relation makes a page a duplicate."""
        return match.relation in self.judge.rules.dropped

    def _compared(
        self, one: Record, sight: Sight, *, exported_only: bool = False
    ) -> Iterator[tuple[Match, bool]]:
        """The pages seen, compared by fingerprints, and whether their texts are worth a look."""
        for other, claim in self._seen(sight):
            if exported_only and claim is None and not other.exported:
                continue
            comparison = self.judge.compare(one, other)
            if comparison is not None:
                kinship = self.judge.relate(one, other, comparison)
                nominated = self.judge.is_nominated(one, other, comparison)
                yield Match(other, kinship, claim), nominated

    def _confirmed(
        self, one: Record, text: bytes, compared: Iterable[tuple[Match, bool]]
    ) -> Iterator[Match | None]:
        """The pages compared, the best first, by their texts as far as these are at hand.

        So many texts are looked at. What would be dropped after that by fingerprints, although
        there are texts, is no match: None.
        """
        later, left = None, MOST_CONFIRMED
        order = sorted(compared, key=lambda pair: (pair[1], pair[0].rank), reverse=True)
        for match, nominated in order:
            if nominated and later is None:
                later = _unpack(text) or ""
            if not nominated or not later:
                yield match
            elif left:
                earlier = self._text_of(match)
                left -= earlier is not None
                yield match if earlier is None else self._confirm(one, match, (later, earlier))
            else:
                yield None if self.drops(match) else match

    def _confirm(self, one: Record, match: Match, texts: tuple[str, str]) -> Match:
        kinship = self.judge.confirm(one, match.record, match.comparison, texts)
        return replace(match, kinship=kinship)

    def _text_of(self, match: Match) -> str | None:
        """The text of a page found, where it is at hand and sound."""
        if match.claim is not None:
            return _unpack(match.claim.text) if isinstance(match.claim, Claim) else None
        try:
            return self.store.text(match.record.page_id)
        except StoreDamagedError:  # `verify` tells of it; the fingerprints decide
            return None

    def _find(self, claim: Claim, sight: Sight, *, exported_only: bool) -> Match | None:
        """The page that a page repeats; of one that repeats none, the page nearest to it."""
        kin = []
        found = self._compared(claim.record, sight, exported_only=exported_only)
        for match in self._confirmed(claim.record, claim.text, found):
            if match is not None and self.drops(match):
                return match
            if match is not None and match.relation is not Relation.NONE and match.may_count:
                kin.append(match)
        return max(kin, key=attrgetter("closeness"), default=None)

    def _seen(self, sight: Sight) -> Iterator[tuple[Record, Claim | RemoteClaim | None]]:
        """The pages seen, without those that are expired; those in flight with their claims."""
        self.common_words += sight.common
        self.crowded += sight.crowded
        ttl, now = self.ttl, time.time()
        for other in sight.pages:
            if not (ttl and is_expired(other, ttl, now)):
                yield other, None
        for claim in sight.claims:
            yield claim.record, claim

    def _check(self, claim: Claim) -> None:
        sight = self._reserved.check(claim)
        if sight.known is None and not sight.held:
            claim.alone = True
            self._decide(claim, sight)
            return
        claim.verdict = Verdict.REVISIT
        if sight.known is None or sight.known.digest != claim.record.digest:
            self._reserved.add(claim)
        else:
            self._reserved.remove(claim)

    def _decide(self, claim: Claim, sight: Sight, *, exported_only: bool = False) -> None:
        match = self._find(claim, sight, exported_only=exported_only)
        repeats = match is not None and self.drops(match)
        if repeats and not self.store.is_exempt(claim.record.request):
            self._reserved.remove(claim)
            claim.verdict, claim.match = Verdict.DUPLICATE, match
            if match is not None and match.relation is Relation.CONTAINED:
                self._reserved.learn(claim.record)
        else:
            self._reserve(claim)
            # without its claim, which would keep that of its own match, and so on, in memory
            claim.match = None if match is None else replace(match, claim=None)
            claim.verdict = Verdict.NEW

    def _reserve(self, claim: Claim) -> None:
        """Reserve a page, unless it is settled: nobody would give that reservation up."""
        if claim.state is State.OPEN:
            self._reserved.add(claim)
        else:
            self._reserved.remove(claim)

    def _add_items(self, claim: Claim) -> None:
        items = claim.record.items
        if self.read_only or not items:
            return
        known = self.store.find_request(claim.record.request)
        if known is None:  # a page that is kept for its items alone
            claim.record = self.store.put(claim.record._replace(exported=True, items=items))
        elif (joined := join_items(known.items, items)) != known.items:
            claim.record = self.store.put(known._replace(exported=True, items=joined))

    def _store(self, claim: Claim, *, exported: bool) -> None:
        known = self.store.find_request(claim.record.request)
        record = claim.record._replace(exported=exported)
        if known is not None and known.items:
            record = record._replace(items=join_items(known.items, record.items))
        if known is not None and known.digest == record.digest:
            record = record._replace(exported=exported or known.exported)
            of_items = (known.exported, known.items, known.facts)
            same = of_items == (record.exported, record.items, record.facts)
            if same and not self.ttl:
                claim.record = known
                return
        claim.record = self._reserved.store(claim, record)


def _unpack(text: bytes) -> str | None:
    """A packed text; None for none, and for one that is damaged."""
    try:
        return unpack_text(text) if text else None
    except ValueError:
        return None
