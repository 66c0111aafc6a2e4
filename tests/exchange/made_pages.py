"""Pages of made-up words for the tests of export and import, and stores of them."""

from __future__ import annotations

import random

from dedup.assembly import make_fingerprinter
from dedup.config import Config
from dedup.exchange.entries import ExportedPage
from dedup.index import Index, index_spaces, words_reader
from dedup.store import MemoryStore, Record

CONFIG = Config(scheme="combined")
SCHEME = CONFIG.make_scheme()
WORDS_OF = words_reader(SCHEME)
FINGERPRINTER = make_fingerprinter(CONFIG)


def prose(subject: object, edits: int = 0) -> str:
    """Two hundred words on a subject; other subjects share none, an edit changes one."""
    chance = random.Random(str(subject))
    words = [f"{subject}w{chance.randrange(10**6)}" for _ in range(200)]
    for number in range(edits):
        words[number * 37 % len(words)] = f"edit{number}"
    return " ".join(words)


def page(
    url: str,
    subject: object,
    edits: int = 0,
    *,
    seen: float = 1000.0,
    exported: bool = True,
    text: str = "",
) -> ExportedPage:
    """A page on a subject, fetched by a request named as its URL."""
    made = FINGERPRINTER.of_text(prose(subject, edits))
    record = Record(url, url.encode(), seen, exported, made.tokens, made.digest, made.value)
    return ExportedPage(record, text)


def memory() -> MemoryStore:
    """An empty store."""
    return MemoryStore(index_spaces(SCHEME), WORDS_OF)


def index_over(store: MemoryStore) -> Index:
    """An index with the default rules."""
    return Index(store, SCHEME, read_only=True)


def contents(store: MemoryStore) -> list[tuple[Record, str | None]]:
    """All records with their texts."""
    return [(record, store.text(record.page_id)) for record in store.records()]
