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

Pages in flight are in reservations.py, or in shared.py where other processes have some too; crawls
that share a store share them. The index awaits nothing itself: a claim calls back when it is
settled, and one of another process can be asked about.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from operator import attrgetter

from dedup.fingerprint import PageFingerprint
from dedup.index.claims import Claim, Match, RemoteClaim, State, Verdict
from dedup.index.judge import Judge
from dedup.index.reservations import LocalReservations, Reservations, Sight
from dedup.page.kept import unpack_text
from dedup.schemes import Scheme
from dedup.store import MOST_REQUEST_BYTES, Record, Store
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
        self._reserved.add(claim)
        claim.verdict, claim.match, claim.alone = Verdict.NEW, None, False

    def commit(self, claim: Claim, *, exported: bool = True) -> None:
        """Store a page. ``exported`` says whether any item of it was exported."""
        if claim.posted:
            self.receive()
        if claim.state is not State.OPEN:
            return
        if claim.verdict in (Verdict.NEW, Verdict.REVISIT) and not self.read_only:
            self._store(claim, exported=exported)
        self._reserved.remove(claim)
        claim.settle(State.COMMITTED)

    def post_commit(
        self, claim: Claim, *, exported: bool, not_taken: Callable[[Claim], None]
    ) -> None:
        """Commit, and wait for the store only where somebody waits for the claim.

        It also waits if the request of the page may be known. Otherwise the answer settles the
        claim, during a later call; until then the claim is ``posted``.

        Args:
            claim: the page.
            exported: whether any item of it was exported.
            not_taken: called if the answer does not confirm the page, or none came: then the page
                is still to be committed.
        """
        if claim.posted:
            return

        def answered(stored: Record | None) -> None:
            claim.posted = False
            if stored is None:
                not_taken(claim)
            else:
                claim.record = stored
                claim.settle(State.COMMITTED)

        is_new = claim.verdict is Verdict.NEW and claim.alone and not self.read_only
        if claim.state is State.OPEN and is_new and not claim.is_awaited:
            claim.posted = True
            try:
                self._reserved.post(claim, claim.record._replace(exported=exported), answered)
            except BaseException:
                claim.posted = False
                raise
        else:
            self.commit(claim, exported=exported)

    def receive(self) -> None:
        """Wait for the store's answers to what was posted.

        Raises:
            StoreUnavailableError: it does not answer; what was posted is reported as not taken.
        """
        self._reserved.receive()

    def release(self, claim: Claim) -> None:
        """Give a page up: nothing of it was exported."""
        if claim.state is State.OPEN:
            self._reserved.remove(claim)
            claim.settle(State.RELEASED)

    def confirm(self) -> None:
        """Make sure that pages can still be stored.

        Raises:
            StoreError: they cannot: not now or (if others replaced the index) not by this process.
        """
        self._reserved.confirm()

    def renew(self) -> None:
        """Make sure, after an outage of the store, that it knows the pages in flight."""
        self._reserved.renew()

    def matches(self, record: Record, text: bytes = b"") -> Iterator[Match]:
        """Every page, stored or reserved, that a page has to do with, in no particular order.

        Args:
            record: the page.
            text: its text, packed, where it is at hand.
        """
        for match, nominated in self._compared(record, self._reserved.look(record)):
            related = self._confirm(record, match, text) if nominated else match
            if related.relation is not Relation.NONE:
                yield related

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

    def _confirm(self, one: Record, match: Match, packed: bytes) -> Match:
        """A match by the texts of both pages, where they are at hand."""
        other, claim = match.record, match.claim
        if not packed:
            return match
        if claim is None:
            text = self.store.text(other.page_id)
        else:
            text = unpack_text(claim.text) if isinstance(claim, Claim) and claim.text else None
        if text is None:
            return match
        texts = unpack_text(packed), text
        return Match(other, self.judge.confirm(one, other, match.comparison, texts), claim)

    def _find(self, claim: Claim, sight: Sight, *, exported_only: bool) -> Match | None:
        """The page that a page repeats; of one that repeats none, the page nearest to it."""
        one = claim.record
        nominated: list[Match] = []
        others: list[Match] = []
        for match, is_nominated in self._compared(one, sight, exported_only=exported_only):
            if is_nominated and match.is_perfect:
                confirmed = self._confirm(one, match, claim.text)
                if self.drops(confirmed):
                    return confirmed
                others.append(confirmed)
            else:
                (nominated if is_nominated else others).append(match)
        nominated.sort(key=attrgetter("rank"), reverse=True)
        for match in nominated[:MOST_CONFIRMED]:
            confirmed = self._confirm(one, match, claim.text)
            if self.drops(confirmed):
                return confirmed
            others.append(confirmed)
        kin = [match for match in others if match.relation is not Relation.NONE and match.may_count]
        return max(kin, key=lambda match: (self.drops(match), match.closeness), default=None)

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
        claim.match = match
        repeats = match is not None and self.drops(match)
        if repeats and not self.store.is_exempt(claim.record.request):
            claim.verdict = Verdict.DUPLICATE
            self._reserved.remove(claim)
            if match is not None and match.relation is Relation.CONTAINED:
                self._reserved.learn(claim.record)
        else:
            self._reserved.add(claim)
            claim.verdict = Verdict.NEW

    def _store(self, claim: Claim, *, exported: bool) -> None:
        known = self.store.find_request(claim.record.request)
        record = claim.record._replace(exported=exported)
        if known is not None and known.digest == record.digest:
            record = record._replace(exported=exported or known.exported)
            if known.exported == record.exported and not self.ttl:
                claim.record = known
                return
        claim.record = self._reserved.store(claim, record)
