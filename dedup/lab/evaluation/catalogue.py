"""The numbers of all pages of a corpus, read before the first page is judged.

One quick pass finds a broken line or a double key before the long run begins. A page takes about 33
bytes in flat arrays; names are 64-bit hashes.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from dedup.digests import hash_text
from dedup.lab.evaluation.corpus import Corpus, CorpusError
from dedup.scope import host_of

NO_KIND, SEVERAL_KINDS = 0, 1
MAX_KINDS = 200

Numbers = npt.NDArray[np.int64]
Names = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The pages of a corpus by number, from 0 in the order of reading; arrays of shape (pages,)."""

    # Hashes of names by ``hash_text``: two of a million have the same once in 37 million runs.
    keys: Names
    ids: Names
    clusters: Names
    hosts: Names
    kinds: npt.NDArray[np.uint8]  # Indexes into ``kind_names``.
    # How pages were made; the first is for pages of no known kind, the second for pairs of pages of
    # different kinds.
    kind_names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.keys)

    def pair_kinds(self, number: int, others: Numbers) -> npt.NDArray[np.uint8]:
        """The kinds of the pairs of a page with others.

        A pair is of the kind of its pages, or of the one page that has a kind.
        """
        mine, theirs = self.kinds[number], self.kinds[others]
        several = np.where((theirs == NO_KIND) | (theirs == mine), mine, SEVERAL_KINDS)
        return np.where(mine == NO_KIND, theirs, several).astype(np.uint8)


def make_catalogue(corpus: Corpus) -> Catalogue:
    """Read a corpus to its end.

    Raises CorpusError if it cannot be read, is empty, or has a double key or too many kinds.
    """
    names = [array("Q") for _ in range(4)]
    kinds = array("B")
    kind_names = {"": NO_KIND, "several kinds": SEVERAL_KINDS}
    for page in corpus:
        of_page = (page.key, page.id, page.cluster, host_of(page.url))
        for column, name in zip(names, of_page, strict=True):
            column.append(hash_text(name))
        kinds.append(kind_names.setdefault(page.kind, len(kind_names)))
        if len(kind_names) > MAX_KINDS:
            raise CorpusError(
                f"{page.place}: more than {MAX_KINDS} kinds of pages, of one edit and strength "
                "each; leave out strength, or edit"
            )
    if not kinds:
        raise CorpusError("the corpus is empty")
    keys, ids, clusters, hosts = (np.array(column, dtype=np.uint64) for column in names)
    catalogue = Catalogue(
        keys, ids, clusters, hosts, np.array(kinds, dtype=np.uint8), tuple(kind_names)
    )
    _refuse_double_keys(corpus, catalogue.keys)
    return catalogue


def count_pages(corpus: Corpus) -> int:
    """The number of pages of a corpus.

    Raises CorpusError if it cannot be read, or has a double key.
    """
    keys = np.fromiter((hash_text(page.key) for page in corpus), np.uint64)
    _refuse_double_keys(corpus, keys)
    return len(keys)


def _refuse_double_keys(corpus: Corpus, keys: Names) -> None:
    order = np.argsort(keys, kind="stable")
    again = order[1:][keys[order[1:]] == keys[order[:-1]]]
    if len(again):
        second = int(again.min())
        first = int(np.flatnonzero(keys == keys[second])[0])
        one, other = (next(islice(iter(corpus), number, None)) for number in (first, second))
        raise CorpusError(
            f"{other.place}: {other.key!r} is also the key of {one.place}; rename one of the "
            "files, or change the id"
        )
