"""Labels: which pages are the same text, by clusters or by a file of pairs."""

from __future__ import annotations

import csv
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
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
