"""Groups of near-duplicates, and the page of each group that stays.

    pairs (page, page it repeats) -> Components: connected groups
    items of a feed -> entries -> groups over (URL, the tag's ``of``) -> the preferred entry of each

Items that were judged alone join no group: they stay, whatever happens to their page.
``dedup.review.repeats`` finds those that repeat another item of the feed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Generic, TypeVar

from dedup.index import Plain
from dedup.review.records import read_time
from dedup.scope import bare_host, host_of

T = TypeVar("T", bound=Hashable)

PREFERENCES = ("first", "earliest", "longest", "host=NAME")
NEVER = datetime.max.replace(tzinfo=UTC)


class Components(Generic[T]):
    """Disjoint sets that can be joined; nearly constant time per pair (Tarjan, 1975)."""

    def __init__(self) -> None:
        self._parents: dict[T, T] = {}

    def join(self, one: T, other: T) -> None:
        """Join the sets of two things."""
        first, second = self.find(one), self.find(other)
        if first != second:
            self._parents[second] = first

    def find(self, thing: T) -> T:
        """The root of a thing's set, equal for all its members."""
        parents = self._parents
        root = thing
        while (above := parents.setdefault(root, root)) != root:
            root = above
        while thing != root:  # Path compression.
            parents[thing], thing = root, parents[thing]
        return root

    def groups(self) -> list[list[T]]:
        """The sets; members are in the order of their arrival."""
        groups: defaultdict[T, list[T]] = defaultdict(list)
        for thing in self._parents:
            groups[self.find(thing)].append(thing)
        return list(groups.values())


@dataclass(frozen=True, slots=True)
class Cluster:
    """Pages that repeat each other."""

    survivor: str  # The kept page: the most repeated page that was never dropped.
    dropped: tuple[str, ...]  # The other pages.

    @property
    def size(self) -> int:
        """The number of pages, including the survivor."""
        return len(self.dropped) + 1


def find_clusters(pairs: Iterable[tuple[str, str]]) -> list[Cluster]:
    """The clusters of pairs (page, page it repeats), the largest first."""
    components: Components[str] = Components()
    dropped: set[str] = set()
    repeated: Counter[str] = Counter()
    for url, of in pairs:
        components.join(of, url)
        if url != of:
            dropped.add(url)
        repeated[of] += 1
    clusters = []
    for members in components.groups():
        survivor = max(members, key=lambda url: (url not in dropped, repeated[url]))
        clusters.append(Cluster(survivor, tuple(url for url in members if url != survivor)))
    return sorted(clusters, key=lambda cluster: -cluster.size)


class ItemState(StrEnum):
    """How an item was judged, by its tag; the values of ``item`` in a tag."""

    WITH_PAGE = ""  # By the verdict on its page; also an item without a tag.
    NEW = "new"  # Alone: no page had given it.
    REPEATED = "repeated"  # Alone: a page had given it.
    UNKNOWN = "unknown"  # The tag was written by an older version.


@dataclass(frozen=True, slots=True)
class Entry:
    """The data of one feed item for a choice."""

    url: str  # Its URL: that of its page, or its own.
    of: str = ""  # The page that it repeats; empty if it is unique.
    date: datetime = NEVER  # When its page was written or fetched; ``NEVER`` if unknown.
    # The length of its text, in characters or in words; the same unit for all entries.
    length: int = 0
    plain: str = ""  # Why its URL was the plainest so far, by its tag; empty otherwise.
    page: str = ""  # The URL of the page that gave it; empty if it is not known.
    state: ItemState = ItemState.WITH_PAGE  # How it was judged.

    @property
    def is_alone(self) -> bool:
        """Whether it was judged alone, not with its page."""
        return self.state in {ItemState.NEW, ItemState.REPEATED}

    @property
    def comes_again(self) -> bool:
        """Whether it is a page of its own that was exported before: no page of several items."""
        return self.state is ItemState.REPEATED and self.of == self.page == self.url


def read_date(value: object) -> datetime | None:
    """Read a date, or a text in ISO 8601; UTC without a zone. None for other values."""
    try:
        return read_time(str(value))
    except ValueError:
        return None


Rank = Callable[[Entry], tuple[object, ...]]


def read_preference(text: str, *others: str) -> Rank:
    """Make a sort key of entries from a preference; the best entry comes first.

    Raises ValueError if the preference is unknown, or has no host; the message names ``others``,
    which the caller reads, too.
    """
    name, _, host = text.partition("=")
    if text == "first":
        return lambda entry: ()  # noqa: ARG005
    if text == "earliest":
        return lambda entry: (entry.date,)
    if text == "longest":
        return lambda entry: (-entry.length,)
    if name == "host" and host:
        wanted = bare_host(host)
        return lambda entry: (host_of(entry.url) != wanted,)
    raise ValueError(f"must be one of {', '.join((*others, *PREFERENCES))}; got {text!r}")


def plainest(entry: Entry) -> tuple[object, ...]:
    """A sort key: the canonical page comes first, then the one with the shortest URL.

    Of several shortest URLs the first by alphabet comes first, as in the index.
    """
    if not entry.plain:
        return (2,)
    return entry.plain != Plain.CANONICAL, len(entry.url), entry.url


def survivors(entries: Sequence[Entry], rank: Rank) -> list[int]:
    """The places of the entries that stay, in order.

    All items of a surviving page stay, and all items that were judged alone. Among equally
    preferred entries, untagged ones come first, then the first in the feed.
    """
    components: Components[str] = Components()
    for entry in _repeating_pages(entries):
        components.join(entry.of, entry.url)
    best: dict[str, int] = {}
    for place, entry in enumerate(entries):
        root = components.find(entry.url)
        if root not in best or sort_key(entry, rank) < sort_key(entries[best[root]], rank):
            best[root] = place
    urls = {entries[place].url for place in best.values()}
    return [place for place, entry in enumerate(entries) if entry.is_alone or entry.url in urls]


def _repeating_pages(entries: Sequence[Entry]) -> Iterator[Entry]:
    """The entries whose page repeats another page.

    Both pages must be judged as pages: not those that gave items that were judged alone. A tag of
    an older version may be about an item. It counts only if its page is in the feed untagged, and
    all items with its URL repeat this page.
    """
    alone = [entry for entry in entries if entry.is_alone and not entry.comes_again]
    several = {entry.page for entry in alone}
    several |= {entry.of for entry in alone if entry.state is ItemState.REPEATED}
    repeated: defaultdict[str, set[str]] = defaultdict(set)
    for entry in entries:
        repeated[entry.url].add(entry.of)
    for entry in entries:
        counts = several.isdisjoint({entry.page, entry.of})
        if entry.state is ItemState.UNKNOWN:
            counts = repeated[entry.url] == {entry.of} and "" in repeated.get(entry.of, ())
        if entry.of and counts and not entry.is_alone:
            yield entry


def sort_key(entry: Entry, rank: Rank) -> tuple[object, ...]:
    """A sort key: the preferred entry comes first, and an untagged one among equals."""
    return (*rank(entry), bool(entry.of))
