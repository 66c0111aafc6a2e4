"""Every store answers as one without any index would."""

from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.schemes import Space, Word
from dedup.store import LAYOUTS, Record, largest_radius
from dedup.testing.samples import found
from tests.redis_servers import Servers
from tests.store.kinds import KINDS, opened
from tests.store.samples import CAP, page, words_of

# A cluster takes as long for one as memory for thirty.
EXAMPLES = {
    "memory": 150,
    "leveldb": 150,
    "leveldb without a cache": 50,
    "redis": 75,
    "redis cluster": 15,
}


class BruteForce:
    """A store as it would be written without any index."""

    def __init__(self, spaces: tuple[Space, ...]) -> None:
        self.spaces = {space.name: space for space in spaces}
        self.pages: dict[int, Record] = {}
        self.common: set[Word] = set()
        self.last = 0

    def put(self, record: Record) -> None:
        same = [n for n, page in self.pages.items() if page.request == record.request]
        self.last += not same
        self.pages[same[0] if same else self.last] = record
        self._find_common()

    def put_many(self, records: list[Record]) -> None:
        for record in records:
            self.put(record)

    def remove(self, page_id: int) -> None:
        self.pages.pop(page_id, None)

    def rebuild(self) -> None:
        self.common.clear()
        self._find_common()

    def near(self, word: Word) -> tuple[set[int], int]:
        """The pages near a word, and how many of the stored words near it are common."""
        radius = self.spaces[word.space].radius
        ids: set[int] = set()
        common = {
            other
            for other in self.common
            if other.space == word.space and (other.value ^ word.value).bit_count() <= radius
        }
        for value, pages in self._by_word().items():
            is_near = (value.value ^ word.value).bit_count() <= radius
            if value.space == word.space and is_near and value not in self.common:
                ids |= pages
        return ids, len(common)

    def _by_word(self) -> dict[Word, set[int]]:
        pages = defaultdict(set)
        for page_id, record in self.pages.items():
            for word in words_of(record):
                pages[word].add(page_id)
        return pages

    def _find_common(self) -> None:
        for word, pages in self._by_word().items():
            cap = self.spaces[word.space].cap
            if cap is not None and len(pages) > cap:
                self.common.add(word)


TABLES = st.sampled_from(
    [
        (layout, bits, radius)
        for layout in LAYOUTS
        for bits in (64, 128)
        for radius in range(1, largest_radius(layout, bits) + 1)
    ]
)


def clustered(bits: int, radius: int) -> st.SearchStrategy[int]:
    """Words a few bits away from one of three, so that many lie about the radius apart."""
    centres = [0, (1 << bits) - 1, 0x0123456789ABCDEFFEDCBA9876543210 >> (128 - bits)]
    flips = st.sets(st.integers(0, bits - 1), max_size=radius // 2 + 1)
    return st.builds(
        lambda centre, places: centre ^ sum(1 << place for place in places),
        st.sampled_from(centres),
        flips,
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_store_answers_as_brute_force_does(kind: str, servers: Servers) -> None:
    @settings(max_examples=EXAMPLES[kind])
    @given(st.data(), TABLES)
    def compare(data: st.DataObject, tables: tuple[str, int, int]) -> None:
        compare_with_brute_force(kind, servers, data, tables)

    compare()


def compare_with_brute_force(
    kind: str, servers: Servers, data: st.DataObject, tables: tuple[str, int, int]
) -> None:
    layout, bits, radius = tables
    spaces = (Space("near", bits, radius), Space("exact", bits, 0, CAP))
    word = clustered(bits, radius)
    pages = st.builds(
        page,
        st.integers(0, 11),
        st.lists(word, max_size=3),
        st.lists(st.integers(0, 3), max_size=2),
    )
    step = st.one_of(
        st.tuples(st.just("put"), pages),
        st.tuples(st.just("put"), pages),
        st.tuples(st.just("put_many"), st.lists(pages, max_size=4)),
        st.tuples(st.just("remove"), st.integers(1, 12)),
        st.tuples(st.just("near"), word),
        st.tuples(st.just("rebuild"), st.none()),
    )
    steps = data.draw(st.lists(step, max_size=40))
    asked = data.draw(st.lists(word, min_size=1, max_size=4))
    truth = BruteForce(spaces)
    with (
        TemporaryDirectory() as folder,
        opened(kind, Path(folder, "s"), servers, spaces, layout) as store,
    ):
        for name, value in steps:
            if name == "near":
                assert found(store, "near", value) == truth.near(Word("near", value))[0]
            else:
                arguments = () if value is None else (value,)
                getattr(store, name)(*arguments)
                getattr(truth, name)(*arguments)
        for query in [Word("near", value) for value in asked] + [
            Word("exact", value) for value in range(4)
        ]:
            candidates = store.near([query])
            assert (set(candidates.page_ids), candidates.common) == truth.near(query)
        queries = [[Word("near", value), Word("near", value ^ 3)] for value in asked]
        assert store.near_many(queries) == [store.near(words) for words in queries]
        assert [record.page_id for record in store.records()] == sorted(truth.pages)
        assert len(store) == len(truth.pages)
        assert store.verify().problems == []
