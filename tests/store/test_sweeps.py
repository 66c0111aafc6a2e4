"""What lags behind on disk: whatever happens when, a store opened again answers as before."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.schemes import Space, Word
from dedup.store import LevelDBStore, MemoryStore, Record
from dedup.store.bucket import PART_BYTES, WHOLE
from dedup.store.interface import MOST_PAGES
from dedup.store.sweeps import USUAL, Sizes
from tests.store.samples import (
    SPACES,
    bare_store,
    copy_open,
    guarded_database,
    page,
    scattered,
    words_of,
)

LAW = settings(derandomize=True, deadline=None, max_examples=300)
WORDS = [0, 1, 7, 0xFF << 20, 0xFFFF << 48, 1 << 63, *(scattered(n) for n in range(4))]


class Killable:
    """A LevelDB store with small sweeps that can be killed: opened again as a copy of its files."""

    def __init__(self, folder: Path, sizes: Sizes, spaces: tuple[Space, ...] = SPACES) -> None:
        self._root = folder
        self._number = 0
        self._sizes = sizes
        self._spaces = spaces
        self.store = self._open()

    def kill(self) -> None:
        """Have the process end here and open what it left."""
        old, self._number = self._folder, self._number + 1
        copy_open(old, self._folder)
        self.store._db.close()
        self.store = self._open()

    def restart(self) -> None:
        self.store.close()
        self.store = self._open()

    @property
    def _folder(self) -> Path:
        return self._root / str(self._number)

    def _open(self) -> LevelDBStore:
        return bare_store(guarded_database(self._folder), self._sizes, self._spaces)


@contextmanager
def killable(
    sweep_pages: int = 3, spaces: tuple[Space, ...] = SPACES, **sizes: int
) -> Iterator[Killable]:
    with TemporaryDirectory() as folder:
        opened = Killable(Path(folder), Sizes(sweep_pages, **sizes), spaces)
        yield opened
        opened.store.close()


def parts(store: LevelDBStore) -> list[tuple[bytes, bytes]]:
    """The parts of buckets of words on disk."""
    return list(store._db.iterator(prefix=b"t"))


word = st.sampled_from(WORDS)
records = st.builds(
    page, st.integers(0, 9), st.lists(word, max_size=3), st.lists(st.integers(0, 2), max_size=3)
)
steps = st.one_of(
    st.tuples(st.just("put"), records),
    st.tuples(st.just("put"), records),
    st.tuples(st.just("put"), records),
    st.tuples(st.just("put_many"), st.lists(records, max_size=5)),
    st.tuples(st.just("remove"), st.integers(1, 12)),
    st.tuples(st.just("near"), word),
    st.tuples(st.sampled_from(("kill", "restart", "rebuild", "verify")), st.none()),
)


@LAW
@given(st.lists(steps, max_size=40), st.integers(1, 6))
def test_a_store_killed_at_any_moment_answers_as_one_in_memory(
    taken: list[tuple[str, Any]], sweep_pages: int
) -> None:
    truth = MemoryStore(SPACES, words_of)
    with killable(sweep_pages, fold=2, records=2) as opened:
        for name, value in taken:
            if name in ("kill", "restart"):
                getattr(opened, name)()
            elif name == "near":
                query = [Word("near", value)]
                assert opened.store.near(query) == truth.near(query)
            else:
                arguments = () if value is None else (value,)
                getattr(opened.store, name)(*arguments)
                getattr(truth, name)(*arguments)
        opened.kill()
        store = opened.store
        queries = [[Word("near", value)] for value in WORDS]
        queries += [[Word("exact", value)] for value in range(3)]
        assert [store.near(query) for query in queries] == [truth.near(query) for query in queries]
        assert store.near_many(queries) == [truth.near(query) for query in queries]
        assert list(store.records()) == list(truth.records())
        assert [store.find_request(record.request) for record in truth.records()] == list(
            truth.records()
        )
        assert len(store) == len(truth)
        assert store.verify().problems == []


def test_a_word_outlives_the_page_that_brought_it() -> None:
    with killable(sweep_pages=2) as opened:
        first = opened.store.put(page(1))
        opened.store.verify()  # page 1 is covered
        second = opened.store.put(page(2, near=[scattered(1)]))
        opened.store.put(page(1, near=[scattered(1)]))  # has the word now, and is not replayed
        opened.store.remove(second.page_id)
        opened.kill()
        assert opened.store.near([Word("near", scattered(1))]).page_ids == {first.page_id}


def test_a_common_word_outlives_all_its_pages() -> None:
    spaces = (Space("near", 64, 3, cap=1), Space("exact", 64))
    with killable(sweep_pages=100, spaces=spaces) as opened:
        ids = [opened.store.put(page(n, near=[5])).page_id for n in range(2)]
        for page_id in ids:
            opened.store.remove(page_id)
        opened.kill()
        assert opened.store.near([Word("near", 5)]).common == 1


def test_pages_gathered_twice_hide_no_other_of_their_word() -> None:
    word, half = scattered(5), MOST_PAGES // 2
    with killable(sweep_pages=10 * MOST_PAGES) as opened:
        for request in range(half + 2):
            opened.store.put(page(request, near=[word]))
        opened.store.put(page(0))  # its text is another: the word's bucket is written whole
        opened.kill()
        for request in range(half + 2, MOST_PAGES):
            opened.store.put(page(request, near=[word]))
        assert opened.store.near([Word("near", word)]).page_ids == set(range(2, MOST_PAGES + 1))


def test_words_are_written_once_enough_pages_have_gathered() -> None:
    with killable(sweep_pages=4) as opened:
        written = []
        for number in range(12):
            opened.store.put(page(number, near=[scattered(number)]))
            written.append(len(parts(opened.store)))
        assert written[:3] == [0, 0, 0]
        assert written == sorted(written)
        assert written[-1] >= 16


def test_a_sweep_is_spread_over_the_pages_that_follow() -> None:
    with killable(sweep_pages=50) as opened:
        before, steps = 0, []
        for number in range(99):
            opened.store.put(page(number, near=[scattered(number)]))
            steps.append(len(parts(opened.store)) - before)
            before += steps[-1]
        assert before == 200
        assert max(steps) <= 12


def test_a_sweep_broken_off_is_written_anew_over_its_parts() -> None:
    with killable(sweep_pages=20, fold=1 << 30) as opened:  # no bucket is folded meanwhile
        for number in range(24):  # the sweep of the first 20 is under way
            opened.store.put(page(number, near=[scattered(number)]))
        opened.kill()
        opened.store.verify()
        assert all(len(words) == 8 for _, words in parts(opened.store))


def test_the_parts_of_a_bucket_are_folded_now_and_then() -> None:
    with killable(sweep_pages=1) as opened:
        for number in range(1, 3 * USUAL.fold):
            opened.store.put(page(number, near=[scattered(number) >> 16 << 16 | 0xABCD]))
        opened.store.verify()
        bucket = b"t\0\0\0" + (0xABCD & 0x1FFF).to_bytes(2, "big")
        found = [(key, words) for key, words in parts(opened.store) if key.startswith(bucket)]
        assert len(found) <= USUAL.fold
        assert found[0][0] == bucket + WHOLE
        assert len(b"".join(words for _, words in found)) == 8 * (3 * USUAL.fold - 1)
        assert {len(key) for key, _ in found} == {len(bucket) + PART_BYTES}


def test_a_closed_store_has_nothing_to_replay() -> None:
    read = []

    def reading(record: Record) -> list[Word]:
        read.append(record.page_id)
        return words_of(record)

    with TemporaryDirectory() as folder:
        for words_reader in (words_of, reading):
            store = bare_store(guarded_database(folder), words=words_reader)
            if words_reader is words_of:
                for number in range(10):
                    store.put(page(number, near=[scattered(number)]))
            store.close()
    assert read == []


def test_a_put_that_fails_midway_leaves_no_trace(tmp_path: Path) -> None:
    def failing(record: Record) -> list[Word]:
        words = words_of(record)
        if Word("exact", 13) in words:
            raise KeyboardInterrupt
        return words

    store = bare_store(guarded_database(tmp_path), words=failing)
    store.put(page(1, near=[scattered(1)]))
    with pytest.raises(KeyboardInterrupt):
        store.put(page(2, near=[scattered(2)], exact=[13]))
    assert len(store) == 1
    assert store.find_request(page(2).request) is None
    assert store.put(page(3)).page_id == 2
    assert store.verify().problems == []
    store.close()


def test_a_store_that_has_much_to_gather_again_says_so(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    with killable(sweep_pages=100, slow_open=5) as opened:
        for number in range(4):
            opened.store.put(page(number))
        opened.kill()
        assert not caplog.messages
        opened.store.put(page(4))
        opened.kill()
        assert [line.partition(": ")[0] for line in caplog.messages] == [
            "The last pages of the store are indexed again"
        ]


def test_sweeps_grow_with_the_store_up_to_a_limit() -> None:
    covered = [0]
    with killable(sweep_pages=10, sweep_share=4, largest_sweep=30) as opened:
        for number in range(300):
            opened.store.put(page(number, near=[scattered(number)]))
            checkpoint = opened.store._postings.sweeps.checkpoint
            if checkpoint.covered != covered[-1]:
                covered.append(checkpoint.covered)
        opened.kill()
        assert len(opened.store) == 300
        assert opened.store.verify().problems == []
    sizes = [after - before for before, after in pairwise(covered)]
    assert sizes == sorted(sizes)
    assert sizes[0] == 10
    assert sizes[-1] == 30


def test_what_gathers_stays_within_its_bytes_where_pages_get_more_words() -> None:
    """Pages of one word make a long sweep of few buckets a page; those after it have many."""
    most = 40_000
    spaces = (Space("near", 64, 3), Space("exact", 64, 0))
    with killable(sweep_pages=100, spaces=spaces, sweep_bytes=most) as opened:
        for number in range(100):
            opened.store.put(page(number, near=[scattered(number)]))
        for number in range(100, 300):
            words = [scattered(1000 * number + word) for word in range(20)]
            opened.store.put(page(number, near=words))
            assert opened.store._postings.sweeps._bytes < 1.5 * most
        assert opened.store.verify().problems == []
