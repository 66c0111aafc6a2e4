"""Groups of near-duplicates: the connected components of pairs (page, page it repeats)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


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
