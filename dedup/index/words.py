"""The words of a record in its scope, by which it is indexed and found; and equal texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from dedup.page.document import TEXT_DIGEST
from dedup.schemes import UNREADABLE, Scheme, Space, Word
from dedup.scope import SCOPES, scope_mask
from dedup.store import ITEM_BYTES, MOST_ITEMS, Record, RecordDamagedError

REMEMBERED = 256  # Fingerprints whose words are cached: every step of a page reads its words.
TEXT = Space("text", 64)  # Digests of texts that are too short for a fingerprint.
ITEM = Space("item", 64)  # Digests of items, of pages that gave several.


def index_spaces(scheme: Scheme) -> tuple[Space, ...]:
    """The spaces that a store needs for an index with a scheme."""
    return (TEXT, ITEM, *scheme.spaces)


@lru_cache(maxsize=16)  # The store and the index of a crawl share one reader and its cache.
def words_reader(scheme: Scheme, scope: str = "global") -> Callable[[Record], Sequence[Word]]:
    """Make the function that reads the words of a record, within its scope.

    It raises RecordDamagedError for a fingerprint that is unreadable.
    """
    scope_of = SCOPES[scope]
    bits = {space.name: space.bits for space in index_spaces(scheme)}

    words_in = lru_cache(REMEMBERED)(scheme.words)

    def words_of(record: Record) -> Sequence[Word]:
        words: Sequence[Word]
        if record.fingerprint:
            try:
                words = words_in(record.fingerprint)
            except UNREADABLE as error:
                raise RecordDamagedError(
                    f"page {record.page_id}: its fingerprint cannot be read ({error})"
                ) from error
        else:
            words = [Word(TEXT.name, int.from_bytes(record.digest[:TEXT_DIGEST], "big"))]
        if record.items:
            digests = (int.from_bytes(digest, "big") for digest in digests_of(record.items))
            words = [*words, *(Word(ITEM.name, digest) for digest in digests)]
        place = scope_of(record.url)
        if not place:
            return words
        return [Word(w.space, w.value ^ scope_mask(place, bits[w.space])) for w in words]

    return words_of


@lru_cache(REMEMBERED)  # It is looked up, and then claimed.
def item_word(item: bytes, url: str, scope: str) -> Word:
    """The word of an item that a page gave, within its scope."""
    value, place = int.from_bytes(item, "big"), SCOPES[scope](url)
    return Word(ITEM.name, value ^ scope_mask(place, ITEM.bits) if place else value)


def join_items(one: bytes, other: bytes) -> bytes:
    """Join two rows of item digests without repetitions; keeps the last ``MOST_ITEMS``."""
    return b"".join(list(digests_of(one + other))[-MOST_ITEMS:])


def digests_of(items: bytes) -> Iterable[bytes]:
    """The digests in a row, each once."""
    return dict.fromkeys(items[at : at + ITEM_BYTES] for at in range(0, len(items), ITEM_BYTES))


def have_equal_texts(one: Record, other: Record) -> bool:
    """Whether two pages have equal texts; the titles of short pages may differ."""
    if one.fingerprint and other.fingerprint:
        return one.digest == other.digest
    return one.digest[:TEXT_DIGEST] == other.digest[:TEXT_DIGEST]
