"""Which pairs of pages are near-duplicates in truth, by their labels and their resemblance.

One quick pass over a corpus finds a broken line or a double key before the long run begins. Labels
come from clusters or from a file of pairs.

Labels have gaps, such as one article published under two ids. So a pair without a label is not
false if its exact resemblance is ``ALIKE`` or more; it is counted apart. The resemblance is the
Jaccard coefficient of sets of shingles (Broder, "On the resemblance and containment of documents",
1997).
"""

from __future__ import annotations

import csv
import os
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from itertools import chain
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
import numpy.typing as npt

from dedup.lab.evaluation.corpus import (
    FILES,
    Corpus,
    CorpusError,
    CorpusPage,
    open_text,
    read_lines,
)
from dedup.native.portable.hashes import Hashes
from dedup.page import Document
from dedup.schemes.hashing import document_hashes, shingle_set
from dedup.scope import host_of

NO_KIND, SEVERAL_KINDS = 0, 1
MAX_KINDS = 200

Numbers = npt.NDArray[np.int64]

ALIKE = 0.5
SHINGLE = 3  # Tokens of a shingle.
# Where the bands of resemblance begin; the last one contains 1.
BANDS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9)

Shares = npt.NDArray[np.float64]


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


class Labelled(NamedTuple):
    """The pages before a given one with a label: of the same text, and of different texts."""

    same: Numbers
    different: Numbers


@dataclass(frozen=True, slots=True)
class ClusterLabels:
    """Pages of one cluster are the same text; other pairs have no label."""

    catalogue: Catalogue

    def earlier(self, number: int) -> Labelled:
        """The labels between a page and the pages before it, by their numbers in the catalogue."""
        members = self.catalogue.clusters[number]
        return _labelled(members[: bisect_left(members, number)], [])


@dataclass(frozen=True, slots=True)
class PairLabels:
    """Pairs that a file names: of each later page, its earlier pages, and whether each is equal."""

    pairs: Mapping[int, Mapping[int, bool]]

    def earlier(self, number: int) -> Labelled:
        """As ``ClusterLabels.earlier``."""
        mine = self.pairs.get(number, {}).items()
        return _labelled(
            [other for other, same in mine if same], [other for other, same in mine if not same]
        )


def _labelled(same: list[int], different: list[int]) -> Labelled:
    return Labelled(np.array(same, dtype=np.int64), np.array(different, dtype=np.int64))


Labels = ClusterLabels | PairLabels


def read_pairs(path: Path, catalogue: Catalogue, *, partial: bool = False) -> PairLabels:
    """Read labelled pairs: JSON lines, or a table with a header, by tabs or commas.

    The fields are ``a`` and ``b``, keys or ids of pages, and perhaps ``same``: 0 for a pair of
    different texts. If ``partial``, pairs of unknown pages are left out.

    Raises CorpusError if a line cannot be read, names an unknown or ambiguous page, joins a page
    with itself or contradicts another line.
    """
    pairs: defaultdict[int, dict[int, bool]] = defaultdict(dict)
    for place, fields in _rows(path):
        numbers = [_find(place, fields, side, catalogue, partial=partial) for side in ("a", "b")]
        if None in numbers:
            continue
        one, other = sorted(number for number in numbers if number is not None)
        if one == other:
            raise CorpusError(f"{place}: a page is paired with itself: {fields['a']!r}")
        same = _same(place, fields.get("same"))
        if pairs[other].setdefault(one, same) != same:
            raise CorpusError(
                f"{place}: a pair is said to be the same text and to be different texts"
            )
    return PairLabels(pairs)


def _rows(path: Path) -> Iterator[tuple[str, dict[str, object]]]:
    if path.name.endswith(FILES):
        yield from read_lines(path)
        return
    with open_text(path) as lines:
        header = lines.readline()
        delimiter = "\t" if "\t" in header else ","
        reader = csv.DictReader(chain([header], lines), delimiter=delimiter, strict=True)
        line = 1  # Where a row begins: an open quote is noticed much further down.
        try:
            if not {"a", "b"} <= set(reader.fieldnames or ()):
                raise CorpusError(f"{path}, line 1: the header must name the columns a and b")
            line = reader.line_num + 1
            for row in reader:
                yield f"{path}, line {reader.line_num}", dict(row)
                line = reader.line_num + 1
        except csv.Error as error:
            raise CorpusError(f"{path}, line {line}: a quote is out of place: {error}") from None


def _same(place: str, value: object) -> bool:
    if value is None:
        return True
    if str(value) not in ("0", "1", "False", "True"):
        raise CorpusError(f"{place}: same must be 0 or 1; got {value!r}")
    return str(value) in ("1", "True")


def _find(
    place: str, fields: dict[str, object], side: str, catalogue: Catalogue, *, partial: bool
) -> int | None:
    """The page of a key, or of an id that only one page has; if ``partial``, None for no page."""
    name = fields.get(side)
    if name is None or name == "":
        raise CorpusError(f"{place}: there is no {side}")
    found = catalogue.names.get(str(name), [])
    if len(found) > 1:
        raise CorpusError(
            f"{place}: {len(found)} pages have the id {name!r}; write FILE/ID, the name of the "
            "file first"
        )
    if not found and not partial:
        raise CorpusError(f"{place}: no page of the corpus has the id {name!r}")
    return found[0] if found else None


class Shingles:
    """The shingle sets of the pages read so far, by their numbers from 0.

    The sets (sorted 64-bit hashes) go into an empty file; memory holds one number per page.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._ends = array("Q", [0])

    def append(self, document: Document) -> None:
        """Add the next page."""
        hashes = shingle_set(document_hashes(document), SHINGLE)
        self._file.write(hashes.tobytes())
        self._ends.append(self._ends[-1] + hashes.nbytes)

    def resemblances(self, number: int, others: Numbers) -> Shares:
        """Jaccard of one page with each of some others; 0 if neither has a text."""
        self._file.flush()
        mine = self._read(number)
        shares = []
        for other in others:
            theirs = self._read(int(other))
            common = len(np.intersect1d(mine, theirs, assume_unique=True))
            shares.append(common / max(len(mine) + len(theirs) - common, 1))
        return np.array(shares, np.float64)

    def _read(self, number: int) -> Hashes:
        start, end = self._ends[number], self._ends[number + 1]
        data = os.pread(self._file.fileno(), end - start, start)
        return np.frombuffer(data, dtype=np.uint64)


class Truth(IntEnum):
    """What a pair is."""

    TRUE = 0
    UNLABELLED = 1
    FALSE = 2


@dataclass(frozen=True, slots=True)
class Judgement:
    """The true relations of one page to some earlier ones; arrays of equal length."""

    others: Numbers  # Their numbers, increasing.
    truth: Numbers  # Values of ``Truth``.
    within: Numbers  # 1 if the two pages are of one host, else 0.
    # Indexes into ``BANDS``, and into the catalogue's ``kind_names``.
    band: Numbers
    kind: Numbers


def judge(
    catalogue: Catalogue, labels: Labels, shingles: Shingles, number: int, found: Numbers
) -> Judgement:
    """Judge a page against earlier pages: the found ones, and the ones that labels name.

    The shingles of all these pages must be appended. ``found`` may have repeats, in any order.
    """
    labelled = labels.earlier(number)
    others = np.unique(np.concatenate((found, labelled.same)))
    resemblance = shingles.resemblances(number, others)
    truth = np.where(resemblance >= ALIKE, int(Truth.UNLABELLED), int(Truth.FALSE))
    truth[np.isin(others, labelled.different)] = Truth.FALSE
    truth[np.isin(others, labelled.same)] = Truth.TRUE
    hosts = catalogue.hosts
    return Judgement(
        others,
        truth,
        (hosts[others] == hosts[number]).astype(np.int64),
        np.searchsorted(BANDS, resemblance, side="right") - 1,
        catalogue.pair_kinds(number, others),
    )
