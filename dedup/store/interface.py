"""Page records, and the contract of every store.

A store keeps page records, finds them by request and by word, and never loses an acknowledged
record. It works with spaces and words; schemes are outside. A function that is passed on opening
reads the words of a record, so every index entry can be rebuilt from the records alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Protocol, TypeVar

from dedup.digests import ITEM_BYTES
from dedup.schemes import Word
from dedup.urls import Tally

NOT_MADE = "a crawl without NEARDUP_READ_ONLY makes one; or correct NEARDUP_STORE"


class StoreError(Exception):
    """A store cannot be used; the message contains the store, the reason and the way out."""


class StoreMissingError(StoreError):
    """There is no store."""


class StoreLockedError(StoreError):
    """Another process owns the store."""


class StoreMismatchError(StoreError):
    """The store was made with other settings."""

    def __init__(self, message: str, differences: str = "") -> None:
        super().__init__(message)
        self.differences = differences  # The settings with both values; empty if unknown.


class StoreDamagedError(StoreError):
    """The store's files are damaged or missing."""


class RecordDamagedError(StoreDamagedError):
    """The record of a page is unreadable; the message contains only the page, not the store."""


class StoreUnwritableError(StoreError):
    """The store cannot be written at present; it is unchanged."""


class StoreUnavailableError(StoreError):
    """The server of the store cannot be used now; a later try may succeed."""


class Listing(StrEnum):
    """How many articles a list page shows in full; all other pages are ``NONE``."""

    NONE = ""
    ONE = "one"
    SEVERAL = "several"


class Record(NamedTuple):
    """One page in the store. The whole index is rebuilt from these records."""

    url: str
    request: bytes  # Digest of the request that fetched it; equal for revisits.
    # Time when it was last stored, in seconds since the epoch. A page is stored when its text is
    # new or changed, when it is first exported, and with a TTL at each visit.
    seen: float
    exported: bool  # Whether at least one item of it was exported.
    tokens: int  # Length of its text.
    digest: bytes  # Digest of its text, 16 bytes.
    fingerprint: bytes  # The scheme's fingerprint; empty for a text that is too short.
    # If the page gave several items, the digests of the exported ones, 8 octets each.
    items: bytes = b""
    # If the page gave one item, a digest of the item's data from elsewhere; or empty. For an item
    # that is an entry of a list, the digest of its URL follows.
    facts: bytes = b""
    plain_url: str = ""  # The plain URL, if an equal page of the same site has it; or empty.
    canonical: bool = False  # Whether that URL, or else ``url``, is declared as canonical.
    listing: Listing = Listing.NONE  # How many articles it shows in full if it is a list page.
    # If the page gave several items, hashes of the fields of some, at most ``MOST_SAMPLES`` octets.
    # They only explain to users why items came again.
    samples: bytes = b""
    page_id: int = 0  # Its number in the store, increasing; 0 before it is stored.


WordsOf = Callable[[Record], Sequence[Word]]
Progress = Callable[[int], None]
PROGRESS_STEP = 500  # Pages between two calls of a progress function.
T = TypeVar("T")
MOST_REQUEST_BYTES = (1 << 16) - 1  # Largest request digest: its length takes two octets.
MOST_ITEMS = 8_000  # Items whose digests are kept with a page; their length takes two octets.
MOST_FACTS = 2  # Digests in the facts of a page.
# Octets of the samples of a page; their length takes one octet, together with that of the facts.
MOST_SAMPLES = 255 - MOST_FACTS * ITEM_BYTES
MOST_TALLIES = 50_000  # URL patterns whose tallies are kept.
MOST_PATTERN = 1_000  # Letters of such a pattern.
MOST_PAGES = 256  # Without a cap, a look-up must find this many pages of a word: the oldest.


def counted(items: Iterable[T], progress: Progress | None) -> Iterator[T]:
    """The items; ``progress`` is called with their number after each ``PROGRESS_STEP`` items."""
    for number, item in enumerate(items, start=1):
        yield item
        if progress is not None and number % PROGRESS_STEP == 0:
            progress(number)


class Candidates(NamedTuple):
    """Pages found under some words, and how many of the words were too common to look up."""

    page_ids: frozenset[int] = frozenset()
    common: int = 0

    @classmethod
    def of(cls, pages_of_words: Iterable[Set[int] | None]) -> Candidates:
        """Join the pages of some words; None stands for a word that is too common."""
        found: set[int] = set()
        common = 0
        for pages in pages_of_words:
            if pages is None:
                common += 1
            else:
                found |= pages
        return cls(frozenset(found), common)


@dataclass(frozen=True, slots=True)
class Look:
    """The result of one look-up of a page in a shared store."""

    known: Record | None  # The stored page of the same request.
    pages: tuple[Record, ...]  # The stored pages found under its words, or the oldest of them.
    common: int  # How many of the words were too common to look up.
    # Tickets and records of earlier pages in flight that match: their request is the same, or one
    # of their words is within the radius of a word of the page.
    in_flight: tuple[tuple[int, Record], ...] = ()


@dataclass(slots=True)
class Check:
    """The result of ``verify``: counts, and one sentence for each of the first problems.

    ``damaged`` means that files are damaged. A rebuild of the index cannot repair this.
    """

    pages: int = 0
    keys: int = 0
    table_entries: int = 0
    errors: int = 0
    damaged: bool = False
    problems: list[str] = field(default_factory=list)

    LIMIT = 50

    def problem(self, sentence: str) -> None:
        """Count a problem, and keep its sentence if it is among the first ``LIMIT``."""
        self.errors += 1
        if len(self.problems) < self.LIMIT:
            self.problems.append(sentence)


class Store(Protocol):
    """The contract of a store. The same tests run over every store.

    Exactness: for every word that is not common, ``near`` returns exactly the pages that have a
    word within its radius. If very many pages have one word, or very many words are near it, some
    of the pages are returned. Durability: see the class of each store.
    """

    @property
    def seed(self) -> int:
        """The seed of the fingerprints in it; 0 for none."""

    def put(self, record: Record, text: bytes = b"") -> Record:
        """Add a record, or replace the one of the same request; returns it with its number.

        ``text`` is its main text, packed by ``dedup.page.kept_text``, or empty. If it is empty and
        a page is replaced, the old text is kept if the digests are equal, else deleted.
        """

    def remove(self, page_id: int, known: Record | None = None) -> bool:
        """Remove a page; returns whether it was removed.

        If ``known`` is given, the page is removed only if its record is still ``known``.
        """

    def put_many(self, records: Iterable[Record], progress: Progress | None = None) -> int:
        """Put many records as ``put`` does, on a server in fewer round trips; returns how many.

        All are acknowledged when this returns. ``progress`` as for ``rebuild``.
        """

    def get(self, page_id: int) -> Record | None:
        """The record of a page."""

    def text(self, page_id: int) -> str | None:
        """The main text of a page; None if it is not kept."""

    def exempt(self, requests: Iterable[bytes]) -> None:
        """Mark the pages of some requests as never duplicates; synced when this returns."""

    def is_exempt(self, request: bytes) -> bool:
        """Whether the page of a request is marked as exempt."""

    def exempted(self) -> Iterator[bytes]:
        """All requests marked as exempt, in any order."""

    def tally(self, tallies: Mapping[str, Tally]) -> None:
        """Add to the tallies of URL patterns (``Tally.plus``); like a page, they survive a kill.

        Tallies are no pages, and change nothing of them. A pattern of more than ``MOST_PATTERN``
        letters is left out, and so is a new one beyond ``MOST_TALLIES``: forget others first.
        """

    def tallies(self) -> Iterator[tuple[str, Tally]]:
        """All patterns with their tallies, in any order; unreadable ones are left out."""

    def forget_tallies(self, patterns: Iterable[str]) -> int:
        """Remove the tallies of some patterns, synced; returns how many there were."""

    def find_request(self, request: bytes) -> Record | None:
        """The record of the page that a request fetched."""

    def near(self, words: Iterable[Word]) -> Candidates:
        """Find pages by words. A word without a cap may find only ``MOST_PAGES`` of its pages."""

    def near_many(self, queries: Iterable[Iterable[Word]]) -> list[Candidates]:
        """The results of ``near`` for many lists of words, in their order; in few round trips."""

    def records(self) -> Iterator[Record]:
        """All records, by number."""

    def __len__(self) -> int:
        """How many pages are stored."""

    @property
    def last_id(self) -> int:
        """The largest page number given so far, as far as the store can tell."""

    def rebuild(self, progress: Progress | None = None) -> int:
        """Rebuild the index from the records; returns the number of records.

        ``progress`` is called now and then with the number of pages done.

        If this is killed midway, the old index stays in use.
        """

    def verify(self, progress: Progress | None = None) -> Check:
        """Check that index and records agree; ``progress`` as for ``rebuild``."""

    def compact(self) -> None:
        """Free the disk space of replaced and removed data; changes no result."""

    def sync(self) -> None:
        """Make everything acknowledged so far survive a power cut."""

    def close(self) -> None:
        """Sync and close the store."""


class SharedStore(Store, Protocol):
    """A store that several processes use at once. It also keeps their pages in flight.

    Each page in flight has a ticket, a unique number. The ticket ends when the page is stored or
    given up, or when its process has died.
    """

    def new_ticket(self) -> int:
        """A ticket for a page of this process."""

    def is_own(self, ticket: int) -> bool:
        """Whether a ticket belongs to this process."""

    def renew(self) -> None:
        """Renew the lease on this process's pages in flight after an outage."""

    def look(self, record: Record, ticket: int | None = None, *, most: int) -> Look:
        """Reserve a page under a ticket, if one is given, and then look it up.

        Of the stored pages found under its words, at most ``most`` are returned: the oldest.
        """

    def put_reserved(self, record: Record, text: bytes, ticket: int) -> Record:
        """Put a page as ``put`` does, and then end its reservation."""

    def post_reserved(
        self, record: Record, text: bytes, ticket: int, answered: Callable[[Record | None], None]
    ) -> None:
        """Send the ``put_reserved`` of a page of a new request, without waiting for the answer.

        The store receives it before all later calls.

        ``answered`` is called with the stored page, at once or during a later call of the store. It
        is called with None if the page may not be stored; then call ``put_reserved`` later. This
        function must not call the store itself.

        Raises StoreError if the page was not sent.
        """

    def receive(self) -> None:
        """Wait until all posted pages are answered, possibly with None.

        Raises StoreUnavailableError if the store does not answer; all callbacks then get None.
        """

    def give_up(self, tickets: Iterable[int]) -> None:
        """End reservations of pages that are not stored."""

    def still_open(self, tickets: Iterable[int]) -> set[int]:
        """The tickets whose pages are still in flight."""
