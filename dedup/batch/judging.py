"""Compare pages by the rules of an index, and read their words.

``dedup.index`` contains the rules for hosts, scope, equal texts and unrelated pages. This module
makes index records from groups of equal pages, and Spark rows from the results.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pyarrow as pa

from dedup.batch.tables import Rows
from dedup.config import Config
from dedup.index import Judge, Kinship, index_spaces, words_reader
from dedup.store import Record
from dedup.store.layouts import Table, make_tables
from dedup.store.nearness import Nearness

UNCAPPED_LIGHT = 32  # For a word without a cap: up to so many pages, all are compared.
WORDS = pa.schema(
    [
        ("rep", pa.int64()),
        ("last", pa.int64()),
        ("size", pa.int32()),
        ("key", pa.binary()),  # Space and word.
        ("space", pa.int32()),
        ("high", pa.int64()),  # Upper half of the word, if its space has a radius.
        ("low", pa.int64()),  # Lower half, likewise.
        ("cap", pa.int32()),
        ("light", pa.int32()),  # Up to so many pages of the word, all are compared.
    ]
)
BUCKETS = pa.schema(
    [
        ("bucket", pa.binary()),
        ("key", pa.binary()),
        ("high", pa.int64()),
        ("low", pa.int64()),
        ("radius", pa.int32()),
    ]
)
PAIRS = pa.schema(
    [
        ("one", pa.int64()),
        ("other", pa.int64()),
        ("always", pa.bool_()),
        ("similarity", pa.float64()),
        ("distance", pa.int32()),
        ("containment", pa.float64()),
        ("relation", pa.string()),  # Of the second page to the first, which is earlier.
        ("new", pa.float64()),  # Share of new text in the second page.
        ("accepted", pa.bool_()),  # Whether the second page repeats the first.
        ("back_relation", pa.string()),  # The reverse: of the first page to the second.
        ("back_new", pa.float64()),
        ("back_accepted", pa.bool_()),
    ]
)


@dataclass(frozen=True, slots=True)
class Pair:
    """How the second of two pages relates to the first, and back.

    ``always`` is whether they share a word without a cap, so that each always finds the other.
    """

    forth: Kinship
    back: Kinship
    always: bool


class PairJudge:
    """Compares two records by their fingerprints and the rules of an index."""

    def __init__(self, config: Config) -> None:
        scheme = config.make_scheme()
        words_of = words_reader(scheme, config.scope)
        uncapped = [space for space in index_spaces(scheme) if space.cap is None]
        names = {space.name for space in uncapped}
        self._judge = Judge(scheme, config.scope, config.rules)
        self._nearness = Nearness(uncapped)
        self._uncapped_words = lru_cache(maxsize=4096)(
            lambda record: self._nearness.split([w for w in words_of(record) if w.space in names])
        )

    def judge(self, one: Record, other: Record) -> Pair | None:
        """Compare two pages; None if they cannot repeat each other."""
        forth, back = self._relate(other, one), self._relate(one, other)
        if forth is None or back is None:
            return None
        words, others = self._uncapped_words(one), self._uncapped_words(other)
        return Pair(forth, back, always=self._nearness.are_near(words, others))

    def drops(self, kinship: Kinship) -> bool:
        """Whether a relation makes a page a duplicate."""
        return kinship.relation in self._judge.rules.dropped

    def _relate(self, later: Record, earlier: Record) -> Kinship | None:
        comparison = self._judge.compare(later, earlier)
        return None if comparison is None else self._judge.relate(later, earlier, comparison)


def record_of(row: Mapping[str, Any], prefix: str = "") -> Record:
    """A group of equal pages as an index record; each group has a different request."""
    return Record(
        url=row[f"{prefix}url"],
        request=row[f"{prefix}rep"].to_bytes(8, "big", signed=True),
        seen=0.0,
        exported=True,
        tokens=row[f"{prefix}tokens"],
        digest=row[f"{prefix}digest"],
        fingerprint=row[f"{prefix}fingerprint"],
    )


def judge_rows(config: Config, rows: Rows) -> Rows:
    """From rows of two groups, ``a_`` and ``b_``, to rows of PAIRS."""
    judge = PairJudge(config)
    for row in rows:
        pair = judge.judge(record_of(row, "a_"), record_of(row, "b_"))
        made = {"one": row["a_rep"], "other": row["b_rep"], "similarity": 0.0}
        if pair is None:
            yield made | {"always": False, "accepted": False, "back_accepted": False}
            continue
        comparison = pair.forth.comparison
        yield made | {
            "always": pair.always or row["light"],
            "similarity": comparison.similarity,
            "distance": comparison.distance,
            "containment": comparison.containment,
            "relation": pair.forth.relation.value,
            "new": pair.forth.new,
            "accepted": judge.drops(pair.forth),
            "back_relation": pair.back.relation.value,
            "back_new": pair.back.new,
            "back_accepted": judge.drops(pair.back),
        }


def word_rows(config: Config, rows: Rows) -> Rows:
    """From rows of groups to rows of WORDS."""
    scheme = config.make_scheme()
    spaces = {space.name: (number, space) for number, space in enumerate(index_spaces(scheme))}
    words_of = words_reader(scheme, config.scope)
    for row in rows:
        for word in dict.fromkeys(words_of(record_of(row))):
            number, space = spaces[word.space]
            halves = struct.unpack(">qq", word.value.to_bytes(16)) if space.radius else (None, None)
            yield {
                "rep": row["rep"],
                "last": row["last"],
                "size": row["size"],
                "key": bytes((number,)) + word.value.to_bytes(space.bits // 8),
                "space": number,
                "high": halves[0],
                "low": halves[1],
                "cap": space.cap,
                "light": UNCAPPED_LIGHT if space.cap is None else space.cap,
            }


def bucket_rows(config: Config, rows: Rows, *, probes: bool) -> Rows:
    """From rows of (key, space, high, low) to rows of BUCKETS, by the permuted tables.

    With ``probes``, a word is in all buckets that may contain a near word; else only in its own.
    """
    tables: dict[int, tuple[int, tuple[Table, ...]]] = {}
    for number, space in enumerate(index_spaces(config.make_scheme())):
        if space.radius:
            own = make_tables(config.layout, space.bits, space.radius)
            tables[number] = (space.radius, own)
    for row in rows:
        radius, own = tables[row["space"]]
        word = int.from_bytes(row["key"][1:])
        for number, table in enumerate(own):
            size = (table.width + 7) // 8
            for prefix in table.probes(word) if probes else (table.prefix(word),):
                head = bytes((row["space"], number))
                yield {**row, "bucket": head + prefix.to_bytes(size), "radius": radius}
