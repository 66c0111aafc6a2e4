"""The store in memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterable

from samples import SPACES, page, scattered, words_of

from dedup.store import MemoryStore


def test_removed_pages_take_no_memory() -> None:
    store = MemoryStore(SPACES, words_of)

    def put_and_remove(numbers: Iterable[int]) -> None:
        for number in numbers:
            store.remove(store.put(page(number, [scattered(number)], [number])).page_id)

    put_and_remove(range(3_000))  # Python keeps the memory of some tuples.
    tracemalloc.start()
    put_and_remove(range(3_000, 4_000))
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert grown < 50_000
