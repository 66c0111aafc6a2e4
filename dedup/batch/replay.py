"""A crawl replayed over what is known of its pages: which are kept, and what others repeat.

The order decides, as in a crawl: a page is dropped where it repeats a page kept before it, under a
word that is not too common by then; words count the pages kept.

Under a heavy word, one of many pages, comparing all with all is too much, and a crawl does not do
so: it compares a page with the pages kept. So ``settle`` asks in rounds. It replays the crawl over
the pairs known so far, has all pages of each heavy word compared with those the replay kept under
it, first with the first, then with more, and replays again, until none is left to ask for. Then
the outcome is the crawl's: by induction over the order, each decision had all that it depends on.
A word's cap bounds what is asked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

EQUAL = (1.0, 0)  # similarity and distance of equal pages
SAME = "equal"  # their relation
FIRST = 1  # pages kept under a heavy word that are asked for in the first round
GROWTH = 64  # how many times as many in each round after it


@dataclass(frozen=True, slots=True)
class Likeness:
    """How a group relates to an earlier one that it repeats: see ``judging.Pair``."""

    similarity: float
    distance: int | None
    always: bool
    relation: str = SAME
    new: float = 0.0


@dataclass(frozen=True, slots=True)
class Collection:
    """What is known of the pages; groups of equal pages go by their first page.

    Attributes:
        members: the pages of groups of more than one, ascending.
        keys: numbers of the heavy words of groups that have any.
        near: the same of heavy words with a cap that are near a group's words, and not its own.
        caps: by such a number, the pages from which on it is common; None for never.
        unsure: groups of more than one page that share heavy words with a cap only.
        silent: pages that count and are never repeated: they were not exported.
        known: pages that stay whatever they repeat: their request was known before.
    """

    members: Mapping[int, Sequence[int]] = field(default_factory=dict)
    keys: Mapping[int, Sequence[int]] = field(default_factory=dict)
    near: Mapping[int, Sequence[int]] = field(default_factory=dict)
    caps: Sequence[int | None] = ()
    unsure: AbstractSet[int] = frozenset()
    silent: AbstractSet[int] = frozenset()
    known: AbstractSet[int] = frozenset()

    def pages_of(self, group: int) -> Sequence[int]:
        """The pages of a group."""
        return self.members.get(group, (group,))


@dataclass(frozen=True, slots=True)
class Drop:
    """A page dropped, the page it repeats, and how much alike they are."""

    page: int
    of: int
    similarity: float
    distance: int | None
    relation: str = SAME
    new: float = 0.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a replay.

    Attributes:
        drops: in the order of the pages.
        standing: by number of a heavy word, the groups of the pages kept under it, in their order.
    """

    drops: list[Drop]
    standing: list[list[int]]


Pairs = Mapping[int, Mapping[int, Likeness]]
Found = list[tuple[int, int, Likeness]]  # a group, one that it repeats, and how
Question = tuple[int, int]  # a heavy word's number, a group of which a page is kept under it


def settle(
    collection: Collection, found: Found, compare: Callable[[list[Question]], Found]
) -> Outcome:
    """Replay, and request the comparisons that the replay lacked, until it lacks none.

    Args:
        collection: what is known of the pages.
        found: all pairs under light words.
        compare: compares groups with all that ask for a word they stand under; returns pairs that
            repeat each other. It may leave out what it returned before.

    Returns:
        The outcome of the crawl.
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
    """The first groups kept under each heavy word, as far as they were not asked for."""
    for key, groups in enumerate(outcome.standing):
        cap = collection.caps[key]
        last = most if cap is None else min(most, cap + 1)
        for group in dict.fromkeys(groups[:last]):
            if (key, group) not in asked:
                yield key, group


def by_group(pairs: Found) -> Pairs:
    """What each group repeats, where that one comes first."""
    near: defaultdict[int, dict[int, Likeness]] = defaultdict(dict)
    for group, of, likeness in pairs:
        near[group][of] = likeness
        near.setdefault(of, {})
    return near


def replay(collection: Collection, pairs: Pairs) -> Outcome:
    """Decide page by page; pages of an index that was there before are kept, and first."""
    standing: list[list[int]] = [[] for _ in collection.caps]
    kept: defaultdict[int, list[int]] = defaultdict(list)
    drops = []
    for page, group in _in_order(collection, pairs):
        stays = page < 0 or page in collection.known
        if not stays and (drop := _repeated(page, group, collection, pairs, kept, standing)):
            drops.append(drop)
            continue
        if page not in collection.silent:
            kept[group].append(page)
        for key in collection.keys.get(group, ()):
            standing[key].append(group)
    return Outcome(drops, standing)


def _in_order(collection: Collection, pairs: Pairs) -> Iterator[tuple[int, int]]:
    groups = collection.members.keys() | collection.keys.keys() | pairs.keys()
    return iter(sorted((page, group) for group in groups for page in collection.pages_of(group)))


def _repeated(
    page: int,
    group: int,
    collection: Collection,
    pairs: Pairs,
    kept: Mapping[int, Sequence[int]],
    standing: Sequence[Sequence[int]],
) -> Drop | None:
    """The page kept that a page repeats: the most alike, then the oldest."""
    equal = Likeness(*EQUAL, always=group not in collection.unsure)
    best: tuple[float, int, int] | None = None
    drop = None
    for other, likeness in {**pairs.get(group, {}), group: equal}.items():
        of = kept.get(other)
        if not of or not (likeness.always or _finds(group, other, collection, standing)):
            continue
        rank = (likeness.similarity, -(likeness.distance or 0), -of[0])
        if best is None or rank > best:
            best = rank
            drop = Drop(
                page,
                of[0],
                likeness.similarity,
                likeness.distance,
                likeness.relation,
                likeness.new,
            )
    return drop


def _finds(
    group: int, other: int, collection: Collection, standing: Sequence[Sequence[int]]
) -> bool:
    """Whether a group's words lead to one of the other that is not common so far."""
    asked = {*collection.keys.get(group, ()), *collection.near.get(group, ())}
    shared = asked.intersection(collection.keys.get(other, ()))
    return any(not is_common(key, collection, standing) for key in shared)


def is_common(key: int, collection: Collection, standing: Sequence[Sequence[int]]) -> bool:
    """Whether more pages are kept under a word than its cap allows."""
    cap = collection.caps[key]
    return cap is not None and len(standing[key]) > cap
