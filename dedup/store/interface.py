"""What a store keeps, and the contract every store fulfils.

A store keeps page records, finds them again by request and by word, and never forgets a record it
acknowledged. It knows spaces and words, not schemes: a function given when it is opened reads the
words of a record, so that every index entry can be rebuilt from the records alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from dedup.schemes import Word

NOT_MADE = "a crawl makes one, unless NEARDUP_READ_ONLY is set; or correct NEARDUP_STORE"


class StoreError(Exception):
    """A store cannot be used; the message names the store, the reason and the way out."""


class StoreMissingError(StoreError):
    """There is no store."""


class StoreLockedError(StoreError):
    """Another process owns the store."""


class StoreMismatchError(StoreError):
    """The store was made with other settings.

    Attributes:
        differences: what differs, with both sides; empty if that is unknown.
    """

    def __init__(self, message: str, differences: str = "") -> None:
        super().__init__(message)
        self.differences = differences


class StoreDamagedError(StoreError):
    """The store's files are damaged or missing."""


class RecordDamagedError(StoreDamagedError):
    """A page's record cannot be read; the message names the page only, and no store."""


class StoreUnwritableError(StoreError):
    """The store cannot be written for the time being; nothing of it has changed."""


class StoreUnavailableError(StoreError):
    """The server of the store cannot be used now, but perhaps later."""


class Record(NamedTuple):
    """One page as the store keeps it: the truth from which all else is rebuilt.

    Attributes:
        url: the page's URL.
        request: digest of the request that fetched it; equal for revisits.
        seen: when it was last stored, seconds since the epoch: with its first text or another, when
            it was first exported, and with a TTL at each visit.
        exported: whether at least one item of it was exported.
        tokens: length of its text.
        digest: digest of its text, 16 bytes.
        fingerprint: the scheme's fingerprint; empty for a text too short to have one.
        items: of a page that gave several items, the digests of those exported, 8 octets each.
        facts: of a page that gave one, a digest of what its item has from elsewhere; or empty.
        page_id: its number in the store, increasing; 0 before it is stored.
    """

    url: str
    request: bytes
    seen: float
    exported: bool
    tokens: int
    digest: bytes
    fingerprint: bytes
    items: bytes = b""
    facts: bytes = b""
    page_id: int = 0


WordsOf = Callable[[Record], Sequence[Word]]
Progress = Callable[[int], None]
PROGRESS_STEP = 500  # pages between two calls of a progress function
MOST_REQUEST_BYTES = (1 << 16) - 1  # what a record has room for
ITEM_BYTES = 8  # of the digest of an item
MOST_ITEMS = 1_000  # whose digests are kept with a page
MOST_PAGES = 256  # that a look-up need find of one word of a space without a cap: the oldest


class Candidates(NamedTuple):
    """Pages found under some words, and how many of the words were too common to look up."""

    page_ids: frozenset[int] = frozenset()
    common: int = 0


@dataclass(frozen=True, slots=True)
class Look:
    """What a shared store knows of a page at one moment.

    Attributes:
        known: the stored page of the same request.
        pages: the stored pages found under its words, or the oldest of them.
        common: how many of the words were too common to ask.
        in_flight: tickets and records of the pages in flight that came before it and have its
            request, or a word within the radius of one of its own.
    """

    known: Record | None
    pages: tuple[Record, ...]
    common: int
    in_flight: tuple[tuple[int, Record], ...] = ()


@dataclass(slots=True)
class Check:
    """What ``verify`` found: counts, and one sentence for each thing wrong (the first few).

    ``damaged`` says that files are damaged, which no rebuild of the index can repair.
    """

    pages: int = 0
    keys: int = 0
    table_entries: int = 0
    errors: int = 0
    damaged: bool = False
    problems: list[str] = field(default_factory=list)

    LIMIT = 50

    def problem(self, sentence: str) -> None:
        """Note something wrong."""
        self.errors += 1
        if len(self.problems) < self.LIMIT:
            self.problems.append(sentence)


class Store(Protocol):
    """The contract. One test runs over every store.

    Exactness: ``near`` returns every page that has a word within the radius of one asked for,
    for every word that is not common, and no others; in a flood of pages of one word, or of words
    near one, some of them. Durability: see the class of each store.
    """

    @property
    def seed(self) -> int:
        """The seed of the fingerprints in it; 0 for none."""
        ...

    def put(self, record: Record, text: bytes = b"") -> Record:
        """Add a record, or replace the one of the same request; returns it with its number.

        Args:
            record: the page.
            text: its main text, packed by ``dedup.page.kept_text``; empty to keep none. The text
                of a replaced page is kept if it reads the same (equal digest), else deleted.
        """
        ...

    def remove(self, page_id: int, known: Record | None = None) -> bool:
        """Forget a page; where it is ``known``, only while that is its record; whether it did."""
        ...

    def put_many(self, records: Iterable[Record], progress: Progress | None = None) -> int:
        """Put many records, as ``put`` does one after the other, and faster; returns how many.

        Each is acknowledged when this returns. ``progress`` as for ``rebuild``.
        """
        ...

    def get(self, page_id: int) -> Record | None:
        """The record of a page."""
        ...

    def text(self, page_id: int) -> str | None:
        """The main text of a page, where it is kept."""
        ...

    def exempt(self, requests: Iterable[bytes]) -> None:
        """Mark what some requests fetch as no duplicates; synced when this returns."""
        ...

    def is_exempt(self, request: bytes) -> bool:
        """Whether what a request fetches is marked so."""
        ...

    def exempted(self) -> Iterator[bytes]:
        """All requests marked so, in no order."""
        ...

    def find_request(self, request: bytes) -> Record | None:
        """The record of the page that a request fetched."""
        ...

    def near(self, words: Iterable[Word]) -> Candidates:
        """Find pages by words; of a word without a cap ``MOST_PAGES``, perhaps more."""
        ...

    def near_many(self, queries: Iterable[Iterable[Word]]) -> list[Candidates]:
        """What ``near`` finds for each of many lists of words, in their order, and faster."""
        ...

    def records(self) -> Iterator[Record]:
        """All records, by number."""
        ...

    def __len__(self) -> int:
        """How many pages are stored."""
        ...

    @property
    def last_id(self) -> int:
        """The largest page number given so far, as far as the store knows."""
        ...

    def rebuild(self, progress: Progress | None = None) -> int:
        """Make the index anew from the records; returns how many there are.

        ``progress`` is called with the number of pages done, now and then.

        Killed midway, the old index stays in use.
        """
        ...

    def verify(self, progress: Progress | None = None) -> Check:
        """Check that index and records agree; ``progress`` as for ``rebuild``."""
        ...

    def compact(self) -> None:
        """Give back the disk space of what was replaced or removed; changes no answer."""
        ...

    def sync(self) -> None:
        """Make everything acknowledged so far survive a power cut."""
        ...

    def close(self) -> None:
        """Sync and let go of the store."""
        ...


class SharedStore(Store, Protocol):
    """A store that several processes use at once; it also knows their pages in flight.

    A page in flight has a ticket, a number of its own. A ticket is gone once the page was stored
    or given up, or its process has died.
    """

    def new_ticket(self) -> int:
        """A ticket for a page of this process."""
        ...

    def is_own(self, ticket: int) -> bool:
        """Whether a ticket is of this process."""
        ...

    def renew(self) -> None:
        """Vouch for the pages in flight of this process again, after an outage."""
        ...

    def look(self, record: Record, ticket: int | None = None, *, most: int) -> Look:
        """Reserve a page under a ticket, where one is given, and then look it up.

        Args:
            record: the page.
            ticket: to reserve it under.
            most: stored pages to return of those found under its words: the oldest.
        """
        ...

    def put_reserved(self, record: Record, text: bytes, ticket: int) -> Record:
        """Do what ``put`` does, and then end the reservation."""
        ...

    def post_reserved(
        self, record: Record, text: bytes, ticket: int, answered: Callable[[Record | None], None]
    ) -> None:
        """Begin what ``put_reserved`` does with a page of a new request, ahead of all later calls.

        Args:
            record: the page.
            text: packed; empty for none.
            ticket: the reservation to end.
            answered: called with the stored page, at once or during a later call of the store; or
                with None, where the store may not have it: then ``put_reserved`` is to be called,
                later. It makes no call to the store itself.

        Raises:
            StoreError: it was not begun.
        """
        ...

    def receive(self) -> None:
        """Wait until all that was posted is answered, if only by None.

        Raises:
            StoreUnavailableError: the store does not answer; they are told None, too.
        """
        ...

    def give_up(self, tickets: Iterable[int]) -> None:
        """End reservations of pages that are not stored."""
        ...

    def still_open(self, tickets: Iterable[int]) -> set[int]:
        """Those of some tickets whose pages are in flight still."""
        ...
