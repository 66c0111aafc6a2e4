"""The numbers of all pages of a corpus, read before the first page is judged.

One quick pass finds a broken line or a double key before the long run begins.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dedup.lab.evaluation.corpus import Corpus, CorpusError, CorpusPage
from dedup.scope import host_of

NO_KIND, SEVERAL_KINDS = 0, 1
MAX_KINDS = 200

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The pages of a corpus by number, from 0 in the order of reading."""

    names: dict[str, list[int]]  # The pages with a name: with this key, or with this id.
    clusters: list[list[int]]  # Of each page, the pages of its cluster, ascending.
    hosts: Numbers  # Of each page, the number of its host.
    kinds: Numbers  # Of each page, the index into ``kind_names``.
    # How pages were made; the first is for pages of no known kind, the second for pairs of pages of
    # different kinds.
    kind_names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.clusters)

    def pair_kinds(self, number: int, others: Numbers) -> Numbers:
        """The kinds of the pairs of a page with others.

        A pair is of the kind of its pages, or of the one page that has a kind.
        """
        mine, theirs = self.kinds[number], self.kinds[others]
        several = np.where((theirs == NO_KIND) | (theirs == mine), mine, SEVERAL_KINDS)
        return np.where(mine == NO_KIND, theirs, several)


def make_catalogue(corpus: Corpus) -> Catalogue:
    """Read a corpus to its end.

    Raises CorpusError if it cannot be read, is empty, or has a double key or too many kinds.
    """
    keys: dict[str, list[int]] = {}
    ids: defaultdict[str, list[int]] = defaultdict(list)
    clusters: defaultdict[str, list[int]] = defaultdict(list)
    of_pages, hosts, kinds = [], [], []
    host_numbers: dict[str, int] = {}
    kind_names = {"": NO_KIND, "several kinds": SEVERAL_KINDS}
    for number, page in enumerate(distinct_pages(corpus)):
        keys[page.key] = [number]
        ids[page.id].append(number)
        clusters[page.cluster].append(number)
        of_pages.append(clusters[page.cluster])
        hosts.append(host_numbers.setdefault(host_of(page.url), len(host_numbers)))
        kinds.append(kind_names.setdefault(page.kind, len(kind_names)))
        if len(kind_names) > MAX_KINDS:
            raise CorpusError(
                f"{page.place}: more than {MAX_KINDS} kinds of pages, of one edit and strength "
                "each; leave out strength, or edit"
            )
    if not kinds:
        raise CorpusError("the corpus is empty")
    return Catalogue(ids | keys, of_pages, np.array(hosts), np.array(kinds), tuple(kind_names))


def distinct_pages(corpus: Corpus) -> Iterator[CorpusPage]:
    """The pages of a corpus. Raises CorpusError if one cannot be read, or two have the same key."""
    places: dict[str, str] = {}
    for page in corpus:
        if page.key in places:
            raise CorpusError(
                f"{page.place}: {page.key!r} is also the key of {places[page.key]}; rename one of "
                "the files, or change the id"
            )
        places[page.key] = page.place
        yield page
