"""The index: it alone decides whether a page is a near-duplicate, and of which page.

A page passes through an index in two steps. First ``check`` looks it up, and reserves it if it
repeats no other page. This is a single step without a pause: if five equal pages are in flight,
exactly one is new. Later ``commit`` stores an exported page, or ``release`` gives the reservation
of an unexported page up. A page that matched only this reservation is then decided again.

    check -> new        reserved    -> commit | release; it may be related to a page
             duplicate  of a stored page, or of a reserved page: then wait for its outcome
             revisit    the request is in flight, or its page was exported: never a duplicate;
                        commit replaces its fingerprint
             skipped    too little text for a verdict: never stored

The search for an original has three stages. All pages that share a word with the page are compared
by their fingerprints. The best candidates are then compared by their texts (see judge.py). The
first match that makes the page a duplicate ends the search. A page that is marked as exempt in the
store is never a duplicate.

Pages in flight are in reservations.py. If several processes share a store, shared.py has the index.
An index never waits itself: a claim calls back when it is settled, and the state of another
process's claim can be polled.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter

from xxhash import xxh3_128_digest

from dedup.fingerprint import PageFingerprint
from dedup.index.claims import Claim, Match, RemoteClaim, State, Verdict
from dedup.index.given import GivenItems
from dedup.index.judge import Judge
from dedup.index.plain_urls import choose_plain, join_plain, name_of
from dedup.index.reservations import LocalReservations, Sight
from dedup.index.shared_reservations import SharedReservations
from dedup.index.words import join_items
from dedup.page.kept_text import unpack_text
from dedup.schemes import Scheme
from dedup.store import (
    MOST_REQUEST_BYTES,
    Listing,
    Record,
    Store,
    StoreDamagedError,
    StoreError,
    StoreUnavailableError,
)
from dedup.store.pruning import is_expired
from dedup.verdict import Relation, Rules

MOST_CONFIRMED = 4  # Stored pages, and pages in flight, whose texts are compared with a new one.
# Sentences that only one of two texts has; after so many no further text is compared with a page.
MOST_LINES = 2_000
# The fields of a record that may change while its text stays the same.
_may_change = attrgetter("exported", "items", "facts", "plain_url", "canonical", "listing")


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
        reservations: LocalReservations | SharedReservations | None = None,
        given: GivenItems | None = None,
    ) -> None:
        """Set the rules.

        Args:
            store: contains the pages; it must be opened with ``index_spaces`` and
                ``words_reader`` of this scheme and scope.
            scheme: compares the pages.
            scope: the scope within which pages repeat each other: global, domain or host.
            ttl: seconds after which a stored page no longer counts as an original; 0 for never.
            rules: which relations make a page a duplicate; None for the defaults.
            read_only: look pages up, but never store any.
            reservations: the pages in flight over the store; None if only this index has some.
            given: the items of these pages, likewise.
        """
        self.store = store
        self.scheme = scheme
        self.judge = Judge(scheme, scope, rules)
        self.ttl = ttl
        self.given = given or GivenItems(store, scope, ttl)
        self.read_only = read_only
        self.common_words = 0  # Number of looked-up words that were too common, so far.
        self.crowded = 0  # Number of look-ups that found more pages than are compared, so far.
        self._reserved = reservations or LocalReservations(store, scheme, scope)

    def check(
        self,
        url: str,
        request: bytes,
        page: PageFingerprint,
        *,
        canonical: bool = False,
        canonical_url: str = "",
        named: Sequence[bytes] = (),
        listing: Listing = Listing.NONE,
    ) -> Claim:
        """Look a page up, and reserve it if it is new or changed, in one step.

        Args:
            url: its URL.
            request: digest of the request that fetched it. Pages of one request never repeat each
                other.
            page: its fingerprint.
            canonical: whether its URL is declared as canonical.
            canonical_url: the URL that it declares as canonical; empty for none.
            named: requests of pages that it is said to be the same as; they are compared, too.
            listing: how many articles it shows in full if it is a list page; see ``listing_of``.

        Raises:
            ValueError: the request's digest is longer than ``MOST_REQUEST_BYTES``.
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
            canonical=canonical,
            listing=listing,
        )
        if page.short:
            return Claim(record, Verdict.SKIPPED, reason=page.reason)
        claim = Claim(record, Verdict.NEW, text=page.text, canonical_url=canonical_url, named=named)
        try:
            self._check(claim)
        except BaseException:
            self._reserved.remove(claim)  # Else a later check of the page would find this one.
            raise
        return claim

    def unread(self, url: str, request: bytes, reason: str) -> Claim:
        """A claim for a page without usable text, which is followed for its items alone."""
        digest = xxh3_128_digest(request)  # Differs from the digests of all other pages.
        record = Record(url, request, time.time(), False, 0, digest, b"")
        return Claim(record, Verdict.SKIPPED, reason=reason)

    def decide_again(self, claim: Claim) -> None:
        """Decide a duplicate again, against pages that were exported or still may be.

        If the store fails, the claim keeps its verdict, so this can be called again.
        """
        try:
            sight = self._reserved.check_again(claim)
            claim.alone = False
            self._decide(claim, sight, exported_only=True)
        except BaseException:
            self._reserved.remove(claim)
            raise

    def insist(self, claim: Claim) -> None:
        """Make a duplicate new without another look-up, as the awaited outcome is late.

        If the store fails, the claim is unchanged.
        """
        self._reserve(claim)
        claim.verdict, claim.match, claim.alone = Verdict.NEW, None, False

    def insist_unless(self, claim: Claim, is_wanted: Callable[[Match], bool]) -> None:
        """Make a duplicate new, unless it repeats a wanted page too, which is its match then.

        Pages in flight count, also those of other processes. If the store fails, the claim keeps
        its verdict and its match.
        """
        try:
            sight = self._reserved.check_again(claim)
            compared = self._compared(claim.record, sight, exported_only=True)
            match = self._first(claim.record, claim.text, filter(is_wanted, compared))
        except BaseException:
            self._reserved.remove(claim)
            raise
        if match is None:
            self.insist(claim)
        else:
            self._reserved.remove(claim)
            claim.match = match

    def commit(self, claim: Claim, *, exported: bool = True, wait: bool = False) -> None:  # noqa: ARG002
        """Store a page. If it is already stored, add the items that came since.

        Args:
            claim: the page.
            exported: whether any item of it was exported.
            wait: return only when the page is stored. If False, an index over a server may store
                the page a little later; see ``flush``.

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
        """Give a page up that was not exported."""
        if claim.state is State.OPEN:
            self._reserved.remove(claim)
            claim.settle(State.RELEASED)

    def flush(self) -> None:
        """Finish deferred writes; this index has none.

        Raises StoreUnavailableError if the server does not answer. No page is lost by that.
        """

    def recover(self) -> None:
        """Reserve the pages in flight again after an outage, and finish deferred writes.

        Raises StoreUnavailableError if the server does not answer.
        """

    def close(self) -> None:
        """Finish deferred writes, or report the pages that will not be stored."""

    def matches(self, record: Record, text: bytes = b"") -> Iterator[Match]:
        """Every page, stored or reserved, that is related to a page, the best matches first.

        ``text`` is packed; empty if it is not available.
        """
        found = self._compared(record, self._reserved.look(record))
        confirmed = self._confirmed(record, text, found)
        return (match for match in confirmed if match.relation is not Relation.NONE)

    def find(self, record: Record, text: bytes, is_wanted: Callable[[Match], bool]) -> Match | None:
        """The wanted page that a page repeats; None if there is none. ``text`` is packed."""
        compared = self._compared(record, self._reserved.look(record))
        return self._first(record, text, filter(is_wanted, compared))

    def comparisons(self, record: Record) -> Iterator[tuple[Match, bool]]:
        """Every page found under a page's words, and whether it makes the page a duplicate.

        Only fingerprints are compared.
        """
        for match in self._compared(record, self._reserved.look(record)):
            yield match, self.drops(match)

    def drops(self, match: Match) -> bool:
        """Whether a match makes a page a duplicate."""
        return match.relation in self.judge.rules.dropped

    def _compared(
        self, one: Record, sight: Sight, *, exported_only: bool = False
    ) -> Iterator[Match]:
        """Compare a page with the pages found, by their fingerprints."""
        for other, claim in self._seen(sight):
            if exported_only and claim is None and not other.exported:
                continue
            comparison = self.judge.compare(one, other)
            if comparison is not None:
                kinship = self.judge.relate(one, other, comparison)
                yield Match(other, kinship, claim, name_of(other, one.url))

    def _confirmed(self, one: Record, text: bytes, compared: Iterable[Match]) -> Iterator[Match]:
        """Compare nominated matches by their texts, if these are available; yields the best first.

        At most ``MOST_CONFIRMED`` texts of stored pages are compared, and as many of pages in
        flight; fewer if they differ in more than ``MOST_LINES`` sentences. Further matches are left
        out if they would make the page a duplicate unconfirmed.
        """
        nominated: list[Match] = []
        others: list[Match] = []
        for match in sorted(compared, key=attrgetter("rank"), reverse=True):
            needs_texts = self.judge.is_nominated(one, match.record, match.comparison)
            (nominated if needs_texts else others).append(match)
        later = (_unpack(text) or "") if nominated else ""
        left, lines = {True: MOST_CONFIRMED, False: MOST_CONFIRMED}, 0
        for match in nominated:
            is_stored = match.claim is None
            if later and not (left[is_stored] and lines < MOST_LINES):
                if not self.drops(match):
                    yield match
                continue
            earlier = self._text_of(match) if later else None
            if earlier is None:
                yield match
                continue
            left[is_stored] -= 1
            kinship = self.judge.confirm(one, match.record, match.comparison, (later, earlier))
            lines += kinship.text.lines if kinship.text else 0
            yield replace(match, kinship=kinship)
        yield from others

    def _first(self, one: Record, text: bytes, compared: Iterable[Match]) -> Match | None:
        """The best match that makes a page a duplicate."""
        return next(filter(self.drops, self._confirmed(one, text, compared)), None)

    def _text_of(self, match: Match) -> str | None:
        """The text of a match; None if it is unavailable or damaged."""
        if match.claim is not None:
            return _unpack(match.claim.text) if isinstance(match.claim, Claim) else None
        try:
            return self.store.text(match.record.page_id)
        except StoreDamagedError:  # `verify` reports it; the fingerprints decide.
            return None

    def _find(self, claim: Claim, sight: Sight, *, exported_only: bool) -> Match | None:
        """The page that a page repeats; if there is none, the closest related page."""
        kin = []
        named = filter(None, map(self.store.find_request, claim.named))
        sight = replace(sight, pages=chain(named, sight.pages))
        found = self._compared(claim.record, sight, exported_only=exported_only)
        for match in self._confirmed(claim.record, claim.text, found):
            if self.drops(match):
                return match
            if match.relation is not Relation.NONE and match.may_count:
                kin.append(match)
        # The less of the page is new, the closer it is.
        return max(kin, key=lambda match: (-match.kinship.new, match.rank), default=None)

    def _seen(self, sight: Sight) -> Iterator[tuple[Record, Claim | RemoteClaim | None]]:
        """The pages found that are not expired; pages in flight come with their claims."""
        self.common_words += sight.common
        self.crowded += sight.crowded
        now = time.time()
        seen = set()
        for other in sight.pages:
            if other.page_id not in seen and not is_expired(other, self.ttl, now):
                seen.add(other.page_id)
                yield other, None
        for claim in sight.claims:
            yield claim.record, claim

    def _check(self, claim: Claim) -> None:
        sight = self._reserved.check(claim)
        if sight.known is None and not sight.held:
            claim.alone = True
            self._decide(claim, sight)
            return
        if sight.known is not None and not (sight.held or sight.known.exported):
            claim.gave_no_item = True
            self.decide_again(claim)  # Only what was exported is exported again.
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
            assert match is not None
            claim.verdict = Verdict.DUPLICATE
            claim.match = self._prefer_plain(claim, match)
            if match.relation is Relation.CONTAINED:
                self._reserved.learn(claim.record)
        else:
            self._reserve(claim)
            # Drop the match's claim: it would keep a chain of claims and their matches in memory.
            claim.match = None if match is None else replace(match, claim=None)
            claim.verdict = Verdict.NEW

    def _prefer_plain(self, claim: Claim, match: Match) -> Match:
        """Note the plain URL of the page that a duplicate repeats, if this is another one now."""
        known = match.original
        record, why = choose_plain(claim.record, claim.canonical_url, match)
        if record != known:
            if isinstance(match.claim, Claim):
                match.claim.record = record
            elif match.claim is None and not self.read_only:
                try:
                    self._store_plain(known, record)
                except StoreUnavailableError:
                    raise
                except StoreError:  # It is only a name: the verdict stands.
                    return match
            if why is None:
                return replace(match, name=name_of(record, claim.record.url))
        return match if why is None else replace(match, plain=why)

    def _store_plain(self, known: Record, named: Record) -> None:
        """Store the plain URL of a page, unless another process has changed or removed the page."""
        current = self.store.get(known.page_id)
        if current is not None and current.digest == known.digest:
            self.store.put(current._replace(plain_url=named.plain_url, canonical=named.canonical))

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
        if known is None:  # The page is kept for its items alone.
            claim.record = self.store.put(claim.record._replace(exported=True, items=items))
        elif (joined := join_items(known.items, items)) != known.items:
            claim.earlier = claim.earlier or known.samples
            samples = claim.record.samples
            known = known._replace(exported=True, items=joined, samples=samples)
            claim.record = self.store.put(known)

    def _store(self, claim: Claim, *, exported: bool) -> None:
        known = self.store.find_request(claim.record.request)
        record = claim.record._replace(exported=exported)
        if known is not None and known.items:
            claim.earlier = claim.earlier or known.samples
            record = record._replace(items=join_items(known.items, record.items))
        if known is not None and known.digest == record.digest:
            record = join_plain(record, known)._replace(exported=exported or known.exported)
            if _may_change(record) == _may_change(known) and not self.ttl:
                claim.record = known
                return
        claim.record = self._reserved.store(claim, record)


def _unpack(text: bytes) -> str | None:
    """Unpack a text; None if it is empty or damaged."""
    try:
        return unpack_text(text) if text else None
    except ValueError:
        return None
