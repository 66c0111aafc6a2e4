"""The pages in flight over one store and the stored pages, as one page sees them together.

An index asks for all it needs of a page in one call, so that a store behind a network can answer in
one round trip.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from dedup.index.claims import Claim, RemoteClaim
from dedup.index.in_flight import PagesInFlight
from dedup.index.passages import Passages
from dedup.index.words import index_spaces, words_reader
from dedup.schemes import Scheme
from dedup.store import Record, Store

# If more pages are found, the oldest are compared: whoever floods one SimHash, by shuffling the
# words of a page again and again, neither slows look-ups down nor hides earlier pages.
MOST_COMPARED = 200


@dataclass(frozen=True, slots=True)
class Sight:
    """What is known of a page.

    Attributes:
        known: the stored page of its request.
        held: whether another page of its request is in flight.
        pages: stored pages found under its words, the oldest first, ``MOST_COMPARED`` at most;
            perhaps none where the request is known or held.
        claims: pages in flight found under its words; the same.
        common: how many of its words were too common to look up.
        crowded: whether more pages were found than are compared.
    """

    known: Record | None = None
    held: bool = False
    pages: Iterable[Record] = ()
    claims: Iterable[Claim | RemoteClaim] = ()
    common: int = 0
    crowded: bool = False


class Reservations(Protocol):
    """The pages in flight over one store."""

    def check(self, claim: Claim) -> Sight:
        """See a page by its request and its words.

        Where other processes could slip in between, the page is reserved before it is looked up.
        """
        ...

    def check_again(self, claim: Claim) -> Sight:
        """See a page by its words alone; reserves it as ``check`` does."""
        ...

    def look(self, record: Record) -> Sight:
        """See a page by its words alone; reserves nothing."""
        ...

    def learn(self, record: Record) -> None:
        """Note a page that was dropped for being part of another: its words become common."""
        ...

    def add(self, claim: Claim) -> None:
        """Reserve a page; harmless if it already is."""
        ...

    def remove(self, claim: Claim) -> None:
        """Give a reservation up; harmless where there is none."""
        ...

    def store(self, claim: Claim, record: Record) -> Record:
        """Store a page as ``record``, and end its reservation after that."""
        ...


class ClaimsByRequest:
    """The claims of one process that are reserved, by request."""

    def __init__(self) -> None:
        self._claims: dict[bytes, list[Claim]] = {}

    def __contains__(self, request: bytes) -> bool:
        return request in self._claims

    def add(self, claim: Claim) -> None:
        """Note a claim; those of one request are not alone any more."""
        claims = self._claims.setdefault(claim.record.request, [])
        claims.append(claim)
        if len(claims) > 1:
            for one in claims:
                one.alone = False

    def remove(self, claim: Claim) -> None:
        """Forget a claim."""
        claims = self._claims[claim.record.request]
        claims.remove(claim)
        if not claims:
            del self._claims[claim.record.request]


class LocalReservations:
    """Pages in flight of this process, over a store that it has to itself."""

    def __init__(self, store: Store, scheme: Scheme, scope: str = "global") -> None:
        """Begin without any.

        Args:
            store: holds the stored pages.
            scheme: names the words of a page.
            scope: the scope within which pages repeat each other.
        """
        self._words_of = words_reader(scheme, scope)
        self._stored = store
        self._reserved = PagesInFlight(index_spaces(scheme), self._words_of)
        self._passages = Passages(index_spaces(scheme))
        self._claims: dict[int, Claim] = {}
        self._requests = ClaimsByRequest()

    def check(self, claim: Claim) -> Sight:
        request = claim.record.request
        known = self._stored.find_request(request)
        held = request in self._requests
        if known is not None or held:
            return Sight(known, held)
        return self.look(claim.record)

    def check_again(self, claim: Claim) -> Sight:
        return self.look(claim.record)

    def look(self, record: Record) -> Sight:
        all_words = self._words_of(record)
        words = self._passages.without_common(all_words)
        found = self._stored.near(words)
        numbers = sorted(found.page_ids)
        # lazily, as they are compared
        pages = filter(None, map(self._stored.get, numbers[:MOST_COMPARED]))
        claims = [self._claims[ticket] for ticket in self._reserved.near(words)]
        crowded = len(numbers) > MOST_COMPARED
        common = found.common + len(all_words) - len(words)
        return Sight(pages=pages, claims=claims, common=common, crowded=crowded)

    def learn(self, record: Record) -> None:
        self._passages.note(self._words_of(record))

    def add(self, claim: Claim) -> None:
        if claim.reservation is not None:
            return
        claim.reservation = self._reserved.add(claim.record)
        self._claims[claim.reservation] = claim
        self._requests.add(claim)

    def remove(self, claim: Claim) -> None:
        if claim.reservation is None:
            return
        self._reserved.remove(claim.reservation)
        del self._claims[claim.reservation]
        claim.reservation = None
        self._requests.remove(claim)

    def store(self, claim: Claim, record: Record) -> Record:
        stored = self._stored.put(record, claim.text)
        self.remove(claim)
        return stored
