"""Replay a crawl on the known pairs of its pages: which pages are kept, and which repeat others.

The order decides, as in a crawl. A page is dropped if it repeats an earlier kept page, and they
share a word that is not too common at that time. A word counts its kept pages and, apart, its
dropped pages that other pages contain.

A heavy word has many pages, too many to compare all pairs. A crawl compares a page only with the
kept pages. So ``settle`` works in rounds. It replays the crawl on the pairs known so far. Then all
pages of each heavy word are compared with the pages that the replay kept under it: first with the
first page, later with more. This repeats until no comparison is missing. Then the outcome is that
of the crawl: by induction over the order, each decision had all the pairs that it depends on. The
cap of a word limits the comparisons.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import NamedTuple

from dedup.verdict import Relation

FIRST = 1  # Kept pages of a heavy word that are compared in the first round.
GROWTH = 64  # The factor of that number from each round to the next.


class Likeness(NamedTuple):
    """How a group relates to an earlier one that it repeats: see ``pairs.Pair``.

    The fields of a ``Drop`` come first, in its order.
    """

    similarity: float
    distance: int | None
    relation: str
    new: float
    always: bool


@dataclass(frozen=True, slots=True)
class Collection:
    """The data of the pages; a group of equal pages is named by its first page."""

    # The pages of groups with more than one page, ascending.
    members: Mapping[int, Sequence[int]] = field(default_factory=dict)
    # By group, the numbers of its heavy words, if it has any.
    keys: Mapping[int, Sequence[int]] = field(default_factory=dict)
    # By group, the numbers of other heavy words with a cap that are near its words.
    near: Mapping[int, Sequence[int]] = field(default_factory=dict)
    # By number of a heavy word, its cap: above so many pages it is common; None for no cap.
    caps: Sequence[int | None] = ()
    # Groups of several pages whose only words are heavy words with a cap.
    unsure: AbstractSet[int] = frozenset()
    # Pages that are counted but never repeated: they were not exported.
    silent: AbstractSet[int] = frozenset()
    # Pages that are always kept: their request is in the index already.
    known: AbstractSet[int] = frozenset()

    def pages_of(self, group: int) -> Sequence[int]:
        return self.members.get(group, (group,))


class Drop(NamedTuple):
    """A dropped page, the page it repeats, and their likeness."""

    page: int
    of: int
    similarity: float
    distance: int | None
    relation: str
    new: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a replay."""

    drops: list[Drop]  # The dropped pages, in order.
    # By number of a heavy word, the groups of the pages kept under it, in order.
    standing: list[list[int]]


Pairs = Mapping[int, Mapping[int, Likeness]]
Found = list[tuple[int, int, Likeness]]  # A group, a group that it repeats, and their likeness.
Question = tuple[int, int]  # The number of a heavy word, and a group with a page kept under it.


def settle(
    collection: Collection, found: Found, compare: Callable[[list[Question]], Found]
) -> Outcome:
    """Replay, and request the missing comparisons, until none is missing: the outcome of the crawl.

    Args:
        collection: the data of the pages.
        found: all pairs under light words.
        compare: compares the group of each question with all groups that look its word up; returns
            the pairs that repeat each other. It may leave out pairs that it returned before.
    """
    found = list(found)
    asked: set[Question] = set()
    most = FIRST
    while True:
        outcome = replay(collection, by_group(found))
        questions = list(_questions(collection, outcome, most, asked))
        if questions:
            asked.update(questions)
            found += compare(questions)
        elif most >= max(map(len, outcome.standing), default=0):
            return outcome
        most *= GROWTH


def _questions(
    collection: Collection, outcome: Outcome, most: int, asked: AbstractSet[Question]
) -> Iterator[Question]:
    """The first groups kept under each heavy word, except for earlier questions."""
    for key, groups in enumerate(outcome.standing):
        cap = collection.caps[key]
        last = most if cap is None else min(most, cap + 1)
        for group in dict.fromkeys(groups[:last]):
            if (key, group) not in asked:
                yield key, group


def by_group(pairs: Found) -> Pairs:
    """The pairs by group: for each group, the groups that it repeats."""
    near: defaultdict[int, dict[int, Likeness]] = defaultdict(dict)
    for group, of, likeness in pairs:
        near[group][of] = likeness
        near.setdefault(of, {})
    return near


def replay(collection: Collection, pairs: Pairs) -> Outcome:
    """Decide page by page; the pages of an earlier index come first, and are kept."""
    crawl = _Crawl(collection, pairs)
    drops = []
    groups = collection.members.keys() | collection.keys.keys() | pairs.keys()
    for page, group in sorted((page, one) for one in groups for page in collection.pages_of(one)):
        stays = page < 0 or page in collection.known
        drop = None if stays else crawl.repeated(page, group)
        if drop is None:
            crawl.keep(page, group)
        else:
            drops.append(drop)
            crawl.learn(group, drop)
    return Outcome(drops, crawl.standing)


class _Crawl:
    """The pages kept so far, and how many pages each heavy word has."""

    def __init__(self, collection: Collection, pairs: Pairs) -> None:
        self._collection = collection
        self._pairs = pairs
        self._kept: defaultdict[int, list[int]] = defaultdict(list)
        self.standing: list[list[int]] = [[] for _ in collection.caps]
        self._contained = [0] * len(collection.caps)  # Dropped pages that other pages contain.

    def repeated(self, page: int, group: int) -> Drop | None:
        """The kept page that a page repeats: the most similar, then the oldest."""
        always = group not in self._collection.unsure
        equal = Likeness(1.0, 0, Relation.EQUAL.value, 0.0, always)
        best: tuple[float, int, int] | None = None
        drop = None
        for other, likeness in {**self._pairs.get(group, {}), group: equal}.items():
            of = self._kept.get(other)
            if not of or not (likeness.always or self._finds(group, other)):
                continue
            rank = (likeness.similarity, -(likeness.distance or 0), -of[0])
            if best is None or rank > best:
                best = rank
                drop = Drop(page, of[0], *likeness[:-1])
        return drop

    def keep(self, page: int, group: int) -> None:
        """Note a page that is kept."""
        if page not in self._collection.silent:
            self._kept[group].append(page)
        for key in self._collection.keys.get(group, ()):
            self.standing[key].append(group)

    def learn(self, group: int, drop: Drop) -> None:
        """Count the words of a dropped page that another page contains, as an index does."""
        if drop.relation == Relation.CONTAINED.value:
            for key in self._collection.keys.get(group, ()):
                self._contained[key] += 1

    def _finds(self, group: int, other: int) -> bool:
        """Whether a group finds the other by a word that is not common so far."""
        keys, caps = self._collection.keys, self._collection.caps
        own = (key for key in keys.get(group, ()) if not is_common(caps[key], self._contained[key]))
        asked = {*own, *self._collection.near.get(group, ())}
        shared = asked.intersection(keys.get(other, ()))
        return any(not is_common(caps[key], len(self.standing[key])) for key in shared)


def is_common(cap: int | None, pages: int) -> bool:
    """Whether a word has more pages than its cap allows."""
    return cap is not None and pages > cap
