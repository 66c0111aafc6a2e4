"""Pages by exact key: marks deny nothing that is stored, whatever memory there is."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.schemes import Space, Word
from dedup.store import LevelDBStore, Store
from dedup.store.exact import NO_PAGES, ExactKeys
from dedup.store.marks import TEXT_BYTES, Marks
from dedup.store.postings import Postings
from dedup.store.sweeps import Sizes
from tests.store.samples import bare_store, guarded_database, page

LAW = settings(derandomize=True, deadline=None, max_examples=100)
CAP = 2
SPACES = (Space("exact", 128, 0, CAP),)
WORDS = [
    n << 96 | slot << 32 | mark << 16 | bucket
    for n in (0, 9)
    for slot in (0, 1, 3)
    for mark in (1, 2)
    for bucket in (5, 6)
]


def open_store(folder: str, cache_bytes: int, sweep_pages: int = 4) -> LevelDBStore:
    sizes = Sizes(sweep_pages=sweep_pages)
    return bare_store(guarded_database(folder), sizes, SPACES, cache_bytes=cache_bytes)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LevelDBStore]:
    opened = open_store(str(tmp_path), 100_000)
    yield opened
    opened.close()


def exact(store: LevelDBStore) -> ExactKeys:
    postings: Postings = store._postings
    return postings.spaces["exact"].keys


def entries(store: LevelDBStore) -> int:
    """Entries of exact keys on disk."""
    store.verify()
    return sum(len(part) for _, part in store._db.iterator(prefix=b"k")) // (16 + 5)


def near(store: Store, word: int) -> set[int]:
    return set(store.near([Word("exact", word)]).page_ids)


@LAW
@given(
    st.lists(st.tuples(st.sampled_from("plrv"), st.integers(0, 5), st.sampled_from(WORDS))),
    st.sampled_from([0, 600, 100_000]),
)
def test_a_word_of_a_page_is_never_denied(
    steps: list[tuple[str, int, int]], cache_bytes: int
) -> None:
    pages: dict[int, int] = {}  # the word of each request
    with TemporaryDirectory() as folder:
        store = open_store(folder, cache_bytes)
        for name, request, word in steps:
            if name == "p":
                store.put(page(request, exact=[word]))
                pages[request] = word
            elif name == "l":
                assert exact(store).may_hold(word) or word not in pages.values()
            elif name == "r" and (record := store.find_request(page(request).request)):
                store.remove(record.page_id)
                del pages[request]
            elif name == "v":
                assert store.verify().problems == []
        assert all(exact(store).may_hold(word) for word in pages.values())
        store.close()


def test_words_that_share_a_bucket_and_a_mark_are_told_apart(store: LevelDBStore) -> None:
    one, other = WORDS[0], WORDS[0] | 9 << 96
    stored = store.put(page(1, exact=[one]))
    assert exact(store).may_hold(other)
    assert exact(store).pages(other) == NO_PAGES
    assert (near(store, one), near(store, other)) == ({stored.page_id}, set())


def test_a_word_of_another_mark_is_denied_without_its_bucket(store: LevelDBStore) -> None:
    store.put(page(1, exact=[WORDS[0]]))
    assert not exact(store).may_hold(WORDS[0] ^ 1 << 16)


def test_a_word_of_another_slot_is_denied_without_its_bucket(store: LevelDBStore) -> None:
    store.put(page(1, exact=[WORDS[0]]))
    assert not exact(store).may_hold(WORDS[0] ^ 1 << 32)
    assert not exact(store).may_hold(WORDS[0] ^ 1 << 33)


def test_a_word_that_a_page_gets_later_is_found(store: LevelDBStore) -> None:
    store.put(page(1))
    assert near(store, WORDS[0]) == set()
    stored = store.put(page(1, exact=[WORDS[0]]))
    assert near(store, WORDS[0]) == {stored.page_id}


def test_a_common_word_gets_hardly_any_page_more(store: LevelDBStore) -> None:
    for request in range(30):
        store.near([Word("exact", 7)])
        store.put(page(request, exact=[7]))
    assert store.near([Word("exact", 7)]).common == 1
    assert entries(store) == CAP + 1


def test_pages_put_at_once_swell_a_common_word_by_a_few_a_sweep(store: LevelDBStore) -> None:
    store.put_many(page(request, exact=[7]) for request in range(30))
    assert store.near([Word("exact", 7)]).common == 1
    assert entries(store) == CAP + 1


def test_a_common_word_that_loses_a_page_is_one_entry(store: LevelDBStore) -> None:
    ids = [store.put(page(request, exact=[7])).page_id for request in range(3)]
    store.remove(ids[0])
    assert store.near([Word("exact", 7)]).common == 1
    assert entries(store) == 1


def test_marks_keep_to_their_bound() -> None:
    marks = Marks(limit=3 * (TEXT_BYTES + 4))
    slots = marks.new_slots(8)
    for place in range(10):
        marks.put(slots, place, "ab")
        marks.trim()
    assert [place for place in range(256) if slots[place]] == [7, 8, 9]
    marks.append(slots, 9, "c")
    assert (slots[9], slots[3]) == ("abc", None)
    assert marks.size == 3 * (TEXT_BYTES + 4) + 2
    marks.trim()
    assert [place for place in range(256) if slots[place]] == [8, 9]
    marks.clear()
    assert (marks.size, slots[9]) == (0, None)


def test_marks_that_will_never_fit_drive_no_others_out() -> None:
    marks = Marks(limit=TEXT_BYTES + 4)
    slots = marks.new_slots(1)
    marks.put(slots, 0, "ab")
    marks.put(slots, 1, "abc")
    assert slots == ["ab", None]
    assert marks.size == TEXT_BYTES + 4


def test_words_put_or_looked_up_alone_keep_memory_within_its_bound(tmp_path: Path) -> None:
    store = bare_store(guarded_database(tmp_path), spaces=SPACES, cache_bytes=40_000)
    limit = store._postings._buckets.limit
    store.put_many(page(number, exact=[number]) for number in range(6_000))
    assert store._postings._marks.size <= limit
    for number in range(6_000, 9_000):
        store.find_request(page(number).request)
    assert store._postings._marks.size <= limit + 1_000  # what the last one brought
    store.close()
