"""The only place that decides what a page is a near-duplicate of.

A page passes through an index in two steps. ``check`` looks it up and, where it repeats nothing,
reserves it, in one step without a pause: of five equal pages in flight exactly one is new. Later
``commit`` stores it, because it was exported, or ``release`` gives the reservation up, because it
was not; a page that matched only a reservation is then decided again.

    check -> new        reserved    -> commit | release
             duplicate  of a stored page, or of a reserved one: then await that one's outcome
             revisit    the request is known: never a duplicate; commit replaces its fingerprint
             skipped    too little text for a verdict: never stored

A page that the store has marked as exempt is never a duplicate, whatever it repeats.

Pages in flight are in reservations.py, or in shared.py where other processes have some too; crawls
that share a store share them. The index awaits nothing itself: a claim calls back when it is
settled, and one of another process can be asked about.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from dedup.fingerprint import PageFingerprint
from dedup.index.claims import Claim, Match, RemoteClaim, State, Verdict, best_of
from dedup.index.reservations import LocalReservations, Reservations, Sight
from dedup.index.words import have_equal_texts
from dedup.schemes import Comparison, Scheme
from dedup.scope import SCOPES, host_of
from dedup.store import MOST_REQUEST_BYTES, Record, Store
from dedup.store.pruning import is_expired

EQUAL = Comparison(1.0, 0, 1.0)  # of two equal texts, whatever the scheme


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
            store: holds the pages; opened with ``index_spaces`` and ``words_reader`` of this
                scheme and scope.
            scheme: compares them.
            scope: the scope within which pages repeat each other: global, domain or host.
            ttl: seconds after which a stored page repeats nothing any more; 0 for never.
            read_only: find, and never store.
            reservations: the pages in flight over the store; those of this index alone where
                none are given.
        """
        self.store = store
        self.scheme = scheme
        self.ttl = ttl
        self.read_only = read_only
        self.common_words = 0  # words asked for and found too common, so far
        self.crowded = 0  # look-ups that found more pages than are compared, so far
        self._scope_of = SCOPES[scope]
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

    def matches(self, record: Record, *, exported_only: bool = False) -> Iterator[Match]:
        """Every page that a page repeats, stored or reserved, in no particular order."""
        return self._repeated(record, self._reserved.look(record), exported_only=exported_only)

    def comparisons(self, record: Record) -> Iterator[tuple[Match, bool]]:
        """Every page found under a page's words, compared, and whether the page repeats it."""
        for other, claim in self._seen(self._reserved.look(record)):
            if (comparison := self.compare(record, other)) is not None:
                match = Match(other, comparison, claim)
                yield match, self.accepts(record, other, comparison)

    def _repeated(
        self, one: Record, sight: Sight, *, exported_only: bool = False
    ) -> Iterator[Match]:
        """Of the pages seen those that a page repeats."""
        are_unlike = self.scheme.are_unlike
        for other, claim in self._seen(sight):
            if exported_only and claim is None and not other.exported:
                continue
            if (  # which is soon known, and of nearly all
                one.fingerprint
                and other.fingerprint
                and one.digest != other.digest
                and are_unlike(one.fingerprint, other.fingerprint)
            ):
                continue
            comparison = self.compare(one, other)
            if comparison is not None and self.accepts(one, other, comparison):
                yield Match(other, comparison, claim)

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
        match = best_of(self._repeated(claim.record, sight, exported_only=exported_only))
        if match is not None and not self.store.is_exempt(claim.record.request):
            claim.verdict, claim.match = Verdict.DUPLICATE, match
            self._reserved.remove(claim)
        else:
            self._reserved.add(claim)
            claim.verdict, claim.match = Verdict.NEW, None

    def compare(self, one: Record, other: Record) -> Comparison | None:
        """Compare two pages; None where they cannot repeat each other."""
        if one.request == other.request or self._scope_of(one.url) != self._scope_of(other.url):
            return None
        if not one.fingerprint or not other.fingerprint:
            equal = have_equal_texts(one, other)
            return EQUAL._replace(apart=one.digest != other.digest) if equal else None
        comparison = self.scheme.compare(one.fingerprint, other.fingerprint)
        if have_equal_texts(one, other):
            return EQUAL._replace(apart=comparison.apart)
        return comparison

    def accepts(self, one: Record, other: Record, comparison: Comparison) -> bool:
        """Whether one page repeats another, given how alike they are."""
        equal, accepts = have_equal_texts(one, other), self.scheme.accepts
        if not (
            equal or accepts(comparison, same_host=True) or accepts(comparison, same_host=False)
        ):
            return False  # nearly always, and known without a look at the URLs
        same_host = host_of(one.url) == host_of(other.url)
        if equal:
            return not (same_host and comparison.apart)
        return accepts(comparison, same_host=same_host)

    def _store(self, claim: Claim, *, exported: bool) -> None:
        known = self.store.find_request(claim.record.request)
        record = claim.record._replace(exported=exported)
        if known is not None and known.digest == record.digest:
            record = record._replace(exported=exported or known.exported)
            if known.exported == record.exported and not self.ttl:
                claim.record = known
                return
        claim.record = self._reserved.store(claim, record)
