"""The store in LevelDB: what survives, what bounds its memory, what it notices."""

import json
import signal
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.schemes import Word
from dedup.store import (
    Header,
    MemoryStore,
    Record,
    Store,
    describe_spaces,
)
from dedup.store.bucket_cache import ENTRY_BYTES, BucketCache
from dedup.store.folder import DATABASE
from dedup.store.headers import INDEX_FORMAT
from dedup.store.keys import COUNTS, aside_key
from dedup.store.sweeps import USUAL, Sizes, Sweeps
from tests.store.samples import (
    CAP,
    SPACES,
    bare_store,
    database,
    guarded_database,
    header,
    open_folder,
    open_sample,
    page,
    scattered,
    words_of,
)

LAW = settings(derandomize=True, deadline=None, max_examples=60)
REPOSITORY = Path(__file__).parents[2]
BUCKET = 0xABCD  # the lowest 16 bits: one bucket of the first table


def one_bucket(count: int) -> list[int]:
    """Words of one bucket of the first table, far apart in the others."""
    return [scattered(n) >> 16 << 16 | BUCKET for n in range(1, count + 1)]


def near(store: Store, word: int) -> set[int]:
    return set(store.near([Word("near", word)]).page_ids)


def filled(folder: Path, count: int = 3) -> None:
    """Make a store of some pages and close it."""
    store = open_sample(folder)
    for request in range(count):
        store.put(page(request, near=[scattered(request)], exact=[request]))
    store.close()


def test_all_is_there_again_after_a_restart(tmp_path: Path) -> None:
    store = open_sample(tmp_path)
    for request in range(50):
        store.put(page(request, near=[scattered(request)], exact=[request]))
    store.put(page(7, near=[scattered(700)], exact=[7000]))
    store.remove(4)
    records = list(store.records())
    store.close()
    store = open_sample(tmp_path)
    assert list(store.records()) == records
    assert len(store) == 49
    assert store.find_request(page(7).request) == store.get(8)
    assert near(store, scattered(700)) == {8}
    assert store.near([Word("exact", 7000), Word("exact", 7)]).page_ids == {8}
    assert store.put(page(99)).page_id == 51
    assert store.verify().problems == []
    store.close()


def test_an_index_on_disk_is_of_the_format_that_its_number_names(tmp_path: Path) -> None:
    small = Header({"scheme": "samples"}, describe_spaces(SPACES, "blocks", 1000))
    store = open_folder(tmp_path, small, SPACES, words_of, cache_mb=4)
    store.put(page(1, near=[0x0123456789ABCDEF], exact=[2]))
    store.close()
    with database(tmp_path) as db:
        entries = {key.hex(): value.hex() for key, value in db if key[:1] in b"kut"}
    assert INDEX_FORMAT == "3"
    assert entries == {
        "6b000000ef00000001": "efcdab89674523010000000001",
        "6b0001000200000001": "02000000000000000000000001",
        "74000000ef00000001": "efcdab8967452301",
        "74000001ab00000001": "efcdab8967452301",
        "740000026700000001": "efcdab8967452301",
        "740000032300000001": "efcdab8967452301",
        "7500000f00000001": "0f55381614a8a10d0000000001",
    }


def test_a_killed_process_loses_no_page_it_acknowledged(tmp_path: Path) -> None:
    program = (
        "import itertools, sys; from pathlib import Path\n"
        "from tests.store.samples import open_sample, page\n"
        "store = open_sample(Path(sys.argv[1]))\n"
        "for n in itertools.count():\n"
        "    store.put(page(n % 600, near=[n << 16 | 7], exact=[n]))\n"
        "    print(n, flush=True)\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], cwd=REPOSITORY, stdout=subprocess.PIPE
    )
    assert child.stdout
    acknowledged = [int(child.stdout.readline()) for _ in range(1500)]
    child.send_signal(signal.SIGKILL)
    acknowledged += map(int, child.stdout.read().split())
    child.stdout.close()
    assert child.wait() == -signal.SIGKILL
    store = open_sample(tmp_path)
    assert len(store) == 600
    assert store.verify().problems == []
    for n in acknowledged[-500:]:  # the next one may be written and not acknowledged
        stored = store.find_request(page(n % 600).request)
        assert stored is not None
        (_, word), _ = json.loads(stored.fingerprint)
        assert word >> 16 in (n, acknowledged[-1] + 1)
    store.close()


@LAW
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 80)), max_size=60))
def test_the_size_of_the_cache_changes_no_answer(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, int]]
) -> None:
    words = one_bucket(81)
    truth = MemoryStore(SPACES, words_of)
    store = bare_store(guarded_database(tmp_path_factory.mktemp("db")), cache_bytes=300)
    for request, place in steps:
        assert near(store, words[place]) == near(truth, words[place])
        for each in (store, truth):
            each.put(page(request, near=[words[place]]))
    assert [near(store, word) for word in words] == [near(truth, word) for word in words]
    store.close()


def test_a_cache_of_one_mebibyte_is_enough(tmp_path: Path) -> None:
    store = open_sample(tmp_path, cache_mb=1)
    words = [scattered(n) for n in range(1500)]
    for request, word in enumerate(words):
        store.put(page(request, near=[word]))
    assert [near(store, word ^ 0b10101) for word in words] == [{n + 1} for n in range(1500)]
    store.close()


def test_the_cache_lets_go_of_the_buckets_used_longest_ago(tmp_path: Path) -> None:
    store = open_sample(tmp_path)
    cache = BucketCache(store._db, Sweeps(store._db, 0, USUAL), limit=3 * ENTRY_BYTES)
    for key in (b"a", b"b", b"c"):
        cache.put(key, bytearray())
    cache.get(b"a")
    cache.trim()
    assert [key for key in (b"a", b"b", b"c") if cache.get(key) is not None] == [b"a", b"c"]
    assert cache.size == 2 * ENTRY_BYTES
    store.close()


class Failing:
    """Reads the words of records, until it is told to fail at one of them."""

    def __init__(self) -> None:
        self.at = 0

    def __call__(self, record: Record) -> list[Word]:
        if record.page_id and record.page_id == self.at:
            raise KeyboardInterrupt
        return words_of(record)


def test_a_rebuild_killed_midway_leaves_the_old_index_in_use(tmp_path: Path) -> None:
    failing = Failing()
    store = open_folder(tmp_path, header(), SPACES, failing, cache_mb=4)
    for request in range(100):
        store.put(page(request, near=[scattered(request)], exact=[request]))
    failing.at = 60
    with pytest.raises(KeyboardInterrupt):
        store.rebuild()
    failing.at = 0
    assert store.verify().problems == []
    assert near(store, scattered(80)) == {81}
    store.put(page(200, exact=[200]))
    store.remove(30)  # the killed rebuild has seen it
    store.close()
    store = open_sample(tmp_path)
    assert store.verify().problems == []
    assert store.rebuild() == 100
    assert store.verify().problems == []
    assert store.near(Word("exact", key) for key in (200, 29, 5)).page_ids == {101, 6}
    store.close()


def test_a_rebuild_leaves_nothing_of_the_old_index(tmp_path: Path) -> None:
    filled(tmp_path)
    with database(tmp_path) as db:
        before = sum(1 for _ in db.iterator())
    store = bare_store(guarded_database(tmp_path / DATABASE), Sizes(deletions=2))
    for _ in range(3):
        store.rebuild()
    store.close()
    with database(tmp_path) as db:
        assert sum(1 for _ in db.iterator()) == before + 1  # the number of the index in use


def test_indexes_can_be_rebuilt_more_often_than_there_are_numbers_for_them(tmp_path: Path) -> None:
    filled(tmp_path)
    store = open_sample(tmp_path)
    for _ in range(260):
        assert store.rebuild() == 3
    assert store.verify().problems == []
    store.close()


def delete_one(prefix: bytes) -> Callable[[Any], None]:
    return lambda db: db.delete(next(iter(db.iterator(prefix=prefix, include_value=False))))


def cut_record(db: Any) -> None:
    key, value = next(iter(db.iterator(prefix=b"p")))
    db.put(key, value[:20])


def move_table_entry(db: Any) -> None:
    key, words = next(iter(db.iterator(prefix=b"t")))
    db.delete(key)
    db.put(key[:4] + b"\x01\x77" + key[6:], words)


def move_two_words(db: Any) -> None:
    (key, one), (other_key, other), *_ = db.iterator(prefix=b"k\0\1")
    db.delete(key)
    db.delete(other_key)
    db.put(key[:3] + b"\x01\x77" + key[5:], one + other)


@pytest.mark.parametrize(
    ("damage", "problems"),
    [
        (delete_one(b"u"), ["page 3 is not found by its request: https://example.com/2"]),
        (delete_one(b"k\0\1"), ["page 1 is not found by a word of exact"]),
        (
            delete_one(b"k\0\0"),
            [
                "page 1 is not found by a word of near",
                *["near word 0 stands in a table, without a page"] * 4,
            ],
        ),
        (delete_one(b"t"), ["page 1 is missing in a table of near"]),
        (
            move_table_entry,
            ["page 1 is missing in a table of near", "near word 0 stands in a wrong bucket"],
        ),
        (
            move_two_words,
            [
                "page 1 is not found by a word of exact",
                "page 2 is not found by a word of exact",
                "exact word 0000000000000000 stands in a wrong bucket",
                "exact word 0000000000000001 stands in a wrong bucket",
            ],
        ),
        (
            delete_one(b"p"),
            [
                "near word 0000000000000000 names page 1: not there",
                "exact word 0000000000000000 names page 1: not there",
                "request 48b2c92616fc193d names page 1: not there",
                "the store counts 3 pages and holds 2",
            ],
        ),
        (cut_record, ["page 1: a record of 20 bytes is cut"]),
    ],
    ids=[
        *("request", "exact key", "near key", "table", "wrong bucket", "wrong buckets of words"),
        *("record", "cut record"),
    ],
)
def test_each_kind_of_damage_is_reported_in_words(
    tmp_path: Path, damage: Callable[[Any], None], problems: list[str]
) -> None:
    filled(tmp_path)
    with database(tmp_path) as db:
        damage(db)
    store = open_sample(tmp_path)
    check = store.verify()
    assert check.problems == problems
    assert check.errors == len(problems)
    store.close()


def test_what_is_on_disk_is_verified_and_not_what_memory_holds(tmp_path: Path) -> None:
    store = open_sample(tmp_path)
    store.put(page(1, near=[scattered(1)]))
    assert near(store, scattered(1)) == {1}
    assert store.verify().problems == []
    delete_one(b"t")(store._db)
    assert store.verify().problems == ["page 1 is missing in a table of near"]
    store.close()


def test_a_common_word_is_verified_on_disk_too(tmp_path: Path) -> None:
    store = open_sample(tmp_path)
    for number in range(CAP + 1):
        store.put(page(number, exact=[7]))
    assert store.near([Word("exact", 7)]).common == 1
    assert store.verify().problems == []
    delete_one(b"k\0\1")(store._db)
    assert "page 1 is not found by a word of exact" in store.verify().problems
    store.close()


@pytest.mark.parametrize("prefix", [b"u", b"k\0\0", b"k\0\1", b"t"])
def test_a_rebuild_mends_the_index(tmp_path: Path, prefix: bytes) -> None:
    filled(tmp_path)
    with database(tmp_path) as db:
        delete_one(prefix)(db)
    store = open_sample(tmp_path)
    store.rebuild()
    assert store.verify().problems == []
    store.close()


def test_a_rebuild_puts_unreadable_records_aside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    filled(tmp_path)
    with database(tmp_path) as db:
        cut_record(db)
    store = open_sample(tmp_path)
    assert store.rebuild() == len(store) == 2
    assert "page 1: a record of 20 bytes is cut" in caplog.text
    assert store.verify().problems == []
    assert [record.page_id for record in store.records()] == [2, 3]
    store.close()
    with database(tmp_path) as db:
        assert len(db.get(aside_key(1))) == 20  # nothing is lost


def test_a_rebuild_mends_a_count_that_is_too_small(tmp_path: Path) -> None:
    filled(tmp_path)
    with database(tmp_path) as db:
        cut_record(db)
        db.put(COUNTS, struct.pack(">QQ", 0, 3))
    store = open_sample(tmp_path)
    assert store.rebuild() == len(store) == 2
    assert store.verify().problems == []
    store.close()


def test_many_problems_are_counted_and_the_first_are_told(tmp_path: Path) -> None:
    filled(tmp_path, 80)
    with database(tmp_path) as db:
        for key in db.iterator(prefix=b"u", include_value=False):
            db.delete(key)
    store = open_sample(tmp_path)
    check = store.verify()
    assert (check.errors, len(check.problems)) == (80, 50)
    store.close()
