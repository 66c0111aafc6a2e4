"""Labels: which pages are the same text, by clusters or by a file of pairs."""

from __future__ import annotations

import csv
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dedup.digests import hash_text
from dedup.lab.evaluation.catalogue import Catalogue, Numbers
from dedup.lab.evaluation.corpus import FILES, CorpusError, open_text, read_lines


class Labelled(NamedTuple):
    """The pages before a given one with a label: of the same text, and of different texts."""

    same: Numbers
    different: Numbers


_NOBODY: Numbers = np.empty(0, dtype=np.int64)


class ClusterLabels:
    """Pages of one cluster are the same text; other pairs have no label."""

    def __init__(self, catalogue: Catalogue) -> None:
        clusters = catalogue.clusters
        self._order = np.argsort(clusters, kind="stable")  # Within a cluster by number.
        ordered = clusters[self._order]
        self._start = np.searchsorted(ordered, clusters)
        self._place = np.empty(len(clusters), dtype=np.int64)
        self._place[self._order] = np.arange(len(clusters))

    def earlier(self, number: int) -> Labelled:
        """The labels between a page and the pages before it, by their numbers in the catalogue."""
        same = self._order[self._start[number] : self._place[number]]
        return Labelled(same, _NOBODY)


@dataclass(frozen=True, slots=True)
class PairLabels:
    """Pairs that a file names, each labelled as the same text or not."""

    # Rows of a later page, an earlier one, and 1 for the same text or 0; sorted, without repeats;
    # shape (n, 3).
    pairs: Numbers

    def earlier(self, number: int) -> Labelled:
        """As ``ClusterLabels.earlier``."""
        start, end = np.searchsorted(self.pairs[:, 0], (number, number + 1))
        mine = self.pairs[start:end]
        return Labelled(mine[mine[:, 2] == 1, 1], mine[mine[:, 2] == 0, 1])


Labels = ClusterLabels | PairLabels


def read_pairs(path: Path, catalogue: Catalogue, *, partial: bool = False) -> PairLabels:
    """Read labelled pairs: JSON lines, or a table with a header, by tabs or commas.

    The fields are ``a`` and ``b``, keys or ids of pages, and perhaps ``same``: 0 for a pair of
    different texts. If ``partial``, pairs of unknown pages are left out.

    Raises CorpusError if a line cannot be read, names an unknown or ambiguous page, joins a page
    with itself or contradicts another line.
    """
    names = _Names(catalogue)
    pairs = array("q")
    for place, fields in _rows(path):
        numbers = [names.find(place, fields.get(side), side) for side in ("a", "b")]
        if None in numbers:
            if partial:
                continue
            side = "a" if numbers[0] is None else "b"
            raise CorpusError(f"{place}: no page of the corpus has the id {fields[side]!r}")
        one, other = sorted(number for number in numbers if number is not None)
        if one == other:
            raise CorpusError(f"{place}: a page is paired with itself: {fields['a']!r}")
        pairs.extend((other, one, _same(place, fields.get("same"))))
    rows = np.unique(np.array(pairs, dtype=np.int64).reshape(-1, 3), axis=0)
    if (np.diff(rows[:, :2], axis=0) == 0).all(axis=1).any():
        raise CorpusError(f"{path}: a pair is said to be the same text and to be different texts")
    return PairLabels(rows)


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


def _same(place: str, value: object) -> int:
    if value is None:
        return 1
    if str(value) not in ("0", "1", "False", "True"):
        raise CorpusError(f"{place}: same must be 0 or 1; got {value!r}")
    return int(str(value) in ("1", "True"))


class _Names:
    """Pages by key, or by an id that only one of them has."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._columns = [(column, np.argsort(column)) for column in (catalogue.keys, catalogue.ids)]

    def find(self, place: str, name: object, side: str) -> int | None:
        """The number of the page; None if there is none."""
        if name is None or name == "":
            raise CorpusError(f"{place}: there is no {side}")
        wanted = np.uint64(hash_text(str(name)))
        for column, order in self._columns:
            start = np.searchsorted(column, wanted, side="left", sorter=order)
            found = order[start : np.searchsorted(column, wanted, side="right", sorter=order)]
            if len(found) > 1:
                raise CorpusError(
                    f"{place}: {len(found)} pages have the id {name!r}; write FILE/ID, the name "
                    "of the file first"
                )
            if len(found):
                return int(found[0])
        return None
