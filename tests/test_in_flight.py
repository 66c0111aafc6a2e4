"""Pages in flight are found as a store would find them, be they few or many."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.index import reservations
from dedup.schemes import Space, Word
from dedup.store import MemoryStore, Record

SPACES = (Space("near", 64, 3), Space("exact", 64, 0, cap=1), Space("nearer", 64, 1))
WORDS = st.builds(
    Word, st.sampled_from([space.name for space in SPACES]), st.integers(0, 31).map(lambda n: n * 3)
)
PAGES = st.lists(st.lists(WORDS, max_size=4), min_size=1, max_size=12)


def record(words: list[Word], number: int) -> Record:
    """A record whose fingerprint is its words."""
    packed = b"".join(word.space.encode() + b" %d " % word.value for word in words)
    return Record("", b"%d" % number, 0.0, False, 1, b"", packed)


def words_of(page: Record) -> list[Word]:
    parts = page.fingerprint.decode().split()
    return [Word(space, int(value)) for space, value in zip(parts[::2], parts[1::2], strict=True)]


@pytest.mark.parametrize("few", [0, 3, 100])
@settings(derandomize=True, deadline=None, max_examples=150)
@given(pages=PAGES, gone=st.sets(st.integers(0, 11)), asked=st.lists(WORDS, max_size=4))
def test_pages_in_flight_are_found_as_in_a_store(
    few: int, pages: list[list[Word]], gone: set[int], asked: list[Word]
) -> None:
    kept, reservations.FEW = reservations.FEW, few
    try:
        flying = reservations.PagesInFlight(SPACES, words_of)
        store = MemoryStore([replace(space, cap=None) for space in SPACES], words_of)
        tickets = [flying.add(record(words, n)) for n, words in enumerate(pages)]
        numbers = [store.put(record(words, n)).page_id for n, words in enumerate(pages)]
        assert tickets == sorted(set(tickets))
        for number in gone & set(range(len(pages))):
            flying.remove(tickets[number])
            store.remove(numbers[number])
        expected = {tickets[numbers.index(page)] for page in store.near(asked).page_ids}
        assert set(flying.near(asked)) == expected
        again = flying.add(record(asked, 99))
        assert again > tickets[-1]
        assert set(flying.near(asked)) == expected | ({again} if asked else set())
    finally:
        reservations.FEW = kept
