"""Look a page up among the stored pages and the pages in flight, both in one call.

One call returns everything that an index needs for a page. So a store behind a network can answer
in one round trip.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from dedup.index.claims import Claim, RemoteClaim
from dedup.index.words import index_spaces, words_reader
from dedup.lru import LRU
from dedup.schemes import Scheme, Space, Word
from dedup.store import MemoryStore, Record, Store

# Stored pages that are compared: the oldest. An attacker may flood one SimHash with shuffled copies
# of a page. This limit keeps look-ups fast, and earlier pages are still found.
MOST_COMPARED = 200
MOST_COUNTED = 50_000  # Words whose dropped pages are counted.


@dataclass(frozen=True, slots=True)
class Sight:
    """The result of one look-up of a page."""

    known: Record | None = None  # The stored page of its request.
    held: bool = False  # Whether another page of its request is in flight.
    # Stored pages found under its words, the oldest first, ``MOST_COMPARED`` at most. May be empty
    # if there is a page of the same request.
    pages: Iterable[Record] = ()
    # Pages in flight found under its words. May be empty in the same case.
    claims: Iterable[Claim | RemoteClaim] = ()
    common: int = 0  # How many of its words were too common to look up.
    crowded: bool = False  # Whether more than ``MOST_COMPARED`` stored pages were found.


class Passages:
    """How many dropped pages had a word, in bounded memory.

    A store counts the pages of each word. A word of too many pages is common and finds nothing: it
    may come from a licence, a notice or a comment form. But dropped pages are not stored. So the
    words of a notice on hundreds of pages, all dropped because the first page contains them, would
    never become common without these counts.
    """

    def __init__(self, spaces: Iterable[Space]) -> None:
        """Begin without counts. Words of a space without a cap are never common."""
        self._caps: Mapping[str, int | None] = {space.name: space.cap for space in spaces}
        self._counts: LRU[Word, int] = LRU(MOST_COUNTED)

    def note(self, words: Iterable[Word]) -> None:
        """Count the words of a page that was dropped because another page contains it."""
        for word in words:
            if self._caps[word.space] is not None:
                self._counts.put(word, (self._counts.get(word) or 0) + 1)

    def without_common(self, words: Sequence[Word]) -> Sequence[Word]:
        if not self._counts:
            return words
        return [
            word
            for word in words
            if (cap := self._caps[word.space]) is None or (self._counts.get(word) or 0) <= cap
        ]


class Reservations:
    """Pages in flight over a store: the reserved claims of this process, by ticket and by request.

    A subclass finds them, and the pages of other processes.
    """

    def __init__(self, store: Store, scheme: Scheme, scope: str = "global") -> None:
        self._store = store
        self._words_of = words_reader(scheme, scope)
        self._passages = Passages(index_spaces(scheme))
        self._own: dict[int, Claim] = {}
        self._by_request: dict[bytes, list[Claim]] = {}

    def learn(self, record: Record) -> None:
        """Count the words of a page that was dropped because another page contains it.

        They are counted in this process only. A server counts the words of stored pages.
        """
        self._passages.note(self._words_of(record))

    def _add(self, claim: Claim, ticket: int) -> None:
        """Add a claim. Several claims of one request are no longer ``alone``."""
        claim.reservation = ticket
        self._own[ticket] = claim
        claims = self._by_request.setdefault(claim.record.request, [])
        claims.append(claim)
        if len(claims) > 1:
            for one in claims:
                one.alone = False

    def _remove(self, claim: Claim) -> int:
        """Remove a claim; returns its ticket."""
        ticket, claim.reservation = claim.reservation, None
        assert ticket is not None
        del self._own[ticket]
        claims = self._by_request[claim.record.request]
        claims.remove(claim)
        if not claims:
            del self._by_request[claim.record.request]
        return ticket


class LocalReservations(Reservations):
    """Pages in flight of this process, over a store that no other process uses."""

    def __init__(self, store: Store, scheme: Scheme, scope: str = "global") -> None:
        super().__init__(store, scheme, scope)
        # No caps: the pages are few, and in such a store a common word would stay common.
        spaces = [replace(space, cap=None) for space in index_spaces(scheme)]
        self._reserved = MemoryStore(spaces, self._words_of)  # Its page numbers are the tickets.

    def check(self, claim: Claim) -> Sight:
        """Look a page up by its request and its words."""
        request = claim.record.request
        known = self._store.find_request(request)
        held = request in self._by_request
        if known is not None or held:
            return Sight(known, held)
        return self.look(claim.record)

    def check_again(self, claim: Claim) -> Sight:
        """Look a page up again, by its words alone."""
        return self.look(claim.record)

    def look(self, record: Record) -> Sight:
        """Look a page up by its words alone; reserves nothing."""
        all_words = self._words_of(record)
        words = self._passages.without_common(all_words)
        found = self._store.near(words)
        numbers = sorted(found.page_ids)
        # Pages are read only when they are compared.
        pages = filter(None, map(self._store.get, numbers[:MOST_COMPARED]))
        claims = [self._own[ticket] for ticket in self._reserved.near(words).page_ids]
        crowded = len(numbers) > MOST_COMPARED
        common = found.common + len(all_words) - len(words)
        return Sight(pages=pages, claims=claims, common=common, crowded=crowded)

    def add(self, claim: Claim) -> None:
        """Reserve a page; does nothing if it is reserved."""
        if claim.reservation is None:
            request = (self._reserved.last_id + 1).to_bytes(8)  # Pages of one request are several.
            self._add(claim, self._reserved.put(claim.record._replace(request=request)).page_id)

    def remove(self, claim: Claim) -> None:
        """Give a reservation up; does nothing if there is none."""
        if claim.reservation is not None:
            self._reserved.remove(self._remove(claim))

    def store(self, claim: Claim, record: Record) -> Record:
        """Store a page as ``record``, and then end its reservation."""
        stored = self._store.put(record, claim.text)
        self.remove(claim)
        return stored
