"""Pages for tests of stores: their fingerprints contain their words as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable

from dedup.schemes import Space, Word
from dedup.store import Header, Opening, Record, Store, describe_spaces

CAP = 3
SPACES = (Space("near", 64, 3), Space("exact", 64, 0, CAP))


def words_of(record: Record) -> list[Word]:
    """The words of a page."""
    return [Word(space, value) for space, value in json.loads(record.fingerprint)]


def page(
    request: int, near: Iterable[int] = (), exact: Iterable[int] = (), url: str = ""
) -> Record:
    """A new page with words in both spaces."""
    words = [("near", word) for word in near] + [("exact", word) for word in exact]
    return Record(
        url=url or f"https://example.com/{request}",
        request=request.to_bytes(4, "big"),
        seen=1000.0 + request,
        exported=True,
        tokens=100,
        digest=bytes(16),
        fingerprint=json.dumps(words).encode(),
    )


def header(
    spaces: Iterable[Space] = SPACES,
    layout: str = "blocks",
    *,
    scheme: str = "samples",
    any_seed: bool = False,
) -> Header:
    """The header of a store of such pages."""
    return Header({"scheme": scheme}, describe_spaces(spaces, layout), any_seed)


def opening(
    wanted: Header | None = None, *, create: bool = True, other_tables: bool = False
) -> Opening:
    """The arguments for opening a store of such pages."""
    return Opening(
        wanted or header(), SPACES, words_of, cache_mb=8, create=create, other_tables=other_tables
    )


def found(store: Store, space: str, *values: int) -> set[int]:
    """The pages that a store finds by words of one space."""
    return set(store.near(Word(space, value) for value in values).page_ids)
