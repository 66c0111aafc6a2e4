"""Pages for the tests of stores: their words are written in their fingerprints."""

import json
from collections.abc import Iterable
from pathlib import Path

from dedup.schemes import Space, Word
from dedup.store import Header, LevelDBStore, Record, describe_spaces, open_folder

CAP = 3
SPACES = (Space("near", 64, 3), Space("exact", 64, 0, CAP))


def words_of(record: Record) -> list[Word]:
    return [Word(space, value) for space, value in json.loads(record.fingerprint)]


def page(
    request: int, near: Iterable[int] = (), exact: Iterable[int] = (), url: str = ""
) -> Record:
    """A page not yet stored, with its words in both spaces."""
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


def header(spaces: Iterable[Space] = SPACES, layout: str = "blocks") -> Header:
    return Header({"scheme": "samples"}, describe_spaces(spaces, layout))


def open_sample(
    path: Path, spaces: Iterable[Space] = SPACES, layout: str = "blocks", cache_mb: int = 4
) -> LevelDBStore:
    return open_folder(path, header(spaces, layout), spaces, words_of, layout, cache_mb)


def scattered(number: int) -> int:
    """A word far from those of other numbers."""
    return number * 0x9E3779B97F4A7C15 % 2**64
