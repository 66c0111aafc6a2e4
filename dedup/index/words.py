"""The index words of a record, under which its scope stores and finds it; equal texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from dedup.page.document import TEXT_DIGEST
from dedup.schemes import UNREADABLE, Scheme, Space, Word
from dedup.scope import SCOPES, scope_mask
from dedup.store import ITEM_BYTES, MOST_ITEMS, Record, RecordDamagedError

REMEMBERED = 256  # fingerprints of pages in flight: asked for their words at every step
TEXT = Space("text", 64)  # digests of texts too short to be compared otherwise
ITEM = Space("item", 64)  # digests of items, of pages that gave several


def index_spaces(scheme: Scheme) -> tuple[Space, ...]:
    """The spaces a store needs for an index with some scheme."""
    return (TEXT, ITEM, *scheme.spaces)


@lru_cache(maxsize=16)  # the store and the index of a crawl share one, and what it remembers
def words_reader(scheme: Scheme, scope: str = "global") -> Callable[[Record], Sequence[Word]]:
    """The function that reads the words of a record, within its scope."""
    scope_of = SCOPES[scope]
    bits = {space.name: space.bits for space in index_spaces(scheme)}

    words_in = lru_cache(REMEMBERED)(scheme.words)

    def words_of(record: Record) -> Sequence[Word]:
        words: Sequence[Word]
        if record.fingerprint:
            words = _words(words_in, record)
        else:
            words = [Word(TEXT.name, int.from_bytes(record.digest[:TEXT_DIGEST], "big"))]
        if record.items:
            words = [*words, *_item_words(record.items)]
        place = scope_of(record.url)
        if not place:
            return words
        return [Word(w.space, w.value ^ scope_mask(place, bits[w.space])) for w in words]

    return words_of


def item_word(item: bytes, url: str, scope: str) -> Word:
    """The word of an item that a page gave, within its scope."""
    value, place = int.from_bytes(item, "big"), SCOPES[scope](url)
    return Word(ITEM.name, value ^ scope_mask(place, ITEM.bits) if place else value)


def join_items(one: bytes, other: bytes) -> bytes:
    """The items of a page, digests in a row, with others behind them; the last of many."""
    both = one + other
    digests = [both[at : at + ITEM_BYTES] for at in range(0, len(both), ITEM_BYTES)]
    return b"".join(list(dict.fromkeys(digests))[-MOST_ITEMS:])


def _item_words(items: bytes) -> list[Word]:
    starts = range(0, len(items), ITEM_BYTES)
    numbers = dict.fromkeys(int.from_bytes(items[at : at + ITEM_BYTES], "big") for at in starts)
    return [Word(ITEM.name, number) for number in numbers]


def _words(words_in: Callable[[bytes], Sequence[Word]], record: Record) -> Sequence[Word]:
    """The words of a fingerprint; it comes from a store, and may be damaged."""
    try:
        return words_in(record.fingerprint)
    except UNREADABLE as error:
        raise RecordDamagedError(
            f"page {record.page_id}: its fingerprint cannot be read ({error})"
        ) from error


class WordSets(NamedTuple):
    """The words of a page: those that an equal word finds, and those that a near one finds."""

    exact: frozenset[Word]
    near: tuple[Word, ...]


class Nearness:
    """Tells whether a look-up by some words finds a page that has some others."""

    def __init__(self, spaces: Iterable[Space]) -> None:
        """Note the radius of each space."""
        self._radius = {space.name: space.radius for space in spaces}

    def split(self, words: Iterable[Word]) -> WordSets:
        """Words by how they are compared."""
        near = tuple(word for word in words if self._radius[word.space])
        return WordSets(frozenset(words).difference(near), near)

    def are_near(self, one: WordSets, other: WordSets) -> bool:
        """Whether a word of one is within the radius of a word of the other."""
        return not one.exact.isdisjoint(other.exact) or any(
            a.space == b.space and (a.value ^ b.value).bit_count() <= self._radius[a.space]
            for a in one.near
            for b in other.near
        )


def have_equal_texts(one: Record, other: Record) -> bool:
    """Whether two pages read the same; the titles of short ones may differ."""
    if one.fingerprint and other.fingerprint:
        return one.digest == other.digest
    return one.digest[:TEXT_DIGEST] == other.digest[:TEXT_DIGEST]
