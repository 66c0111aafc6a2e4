"""The folder a LevelDB store lives in: who may open it, and what is said when nobody can."""

import fcntl
import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from dedup.schemes import Word
from dedup.store import (
    Header,
    StoreDamagedError,
    StoreError,
    StoreLockedError,
    StoreMismatchError,
    StoreMissingError,
    describe_spaces,
)
from dedup.store.folder import DATABASE, MARKER, _one_at_a_time
from dedup.store.leveldb import OUTGROWN, LevelDBStore
from dedup.store.sweeps import Sizes
from dedup.testing.samples import opening
from tests.store.samples import (
    LEVELDB,
    SPACES,
    at,
    closed_sample,
    contents,
    database,
    guarded_database,
    header,
    open_elsewhere,
    open_folder,
    open_sample,
    page,
    scattered,
    words_of,
)

OTHER_TABLES = Header(header().fingerprint, header(layout="20").tables)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return closed_sample(tmp_path / "store")


def laid_out_for(folder: Path) -> str:
    """The number of pages that a closed store says it is laid out for."""
    with database(folder) as db:
        return str(json.loads(db.get(b"h"))["tables"]["expected_pages"])


def delete_header(folder: Path) -> None:
    with database(folder) as db:
        db.delete(b"h")


def test_a_store_is_made_with_the_folders_above_it(tmp_path: Path) -> None:
    open_sample(tmp_path / "a" / "b").close()
    assert (tmp_path / "a" / "b" / MARKER).is_file()


def test_users_of_one_folder_share_a_store_that_closes_with_the_last(folder: Path) -> None:
    one = LEVELDB.open(at(folder), opening())
    other = LEVELDB.open(at(folder / ".." / folder.name), opening())
    assert one is other
    LEVELDB.close(at(folder))
    assert one.get(3) is not None
    LEVELDB.close(at(folder))
    with open_elsewhere(folder):
        pass


def test_a_store_that_a_user_closed_is_opened_again(folder: Path) -> None:
    LEVELDB.open(at(folder), opening()).close()
    assert len(LEVELDB.open(at(folder), opening())) == 3
    LEVELDB.close(at(folder))


def test_closing_a_folder_that_is_not_open_does_nothing(folder: Path) -> None:
    LEVELDB.close(at(folder))
    LEVELDB.close(at(folder / "nowhere"))


def test_a_store_of_another_process_is_locked_and_the_error_names_it(folder: Path) -> None:
    named = re.escape(f"{folder} is in use by another process")
    with open_elsewhere(folder), pytest.raises(StoreLockedError, match=named):
        open_sample(folder)
    open_sample(folder).close()


def test_a_missing_store_can_be_asked_for_without_making_it(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=re.escape(f"no store in {tmp_path / 's'}")):
        open_folder(tmp_path / "s", header(), SPACES, words_of, create=False)
    assert not (tmp_path / "s").exists()


def test_a_store_that_is_there_opens_without_leave_to_make_one(folder: Path) -> None:
    store = open_folder(folder, header(), SPACES, words_of, create=False)
    assert len(store) == 3
    store.close()


def test_a_folder_of_other_things_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("x")
    with pytest.raises(StoreError, match=r"is not empty and holds no neardup-store\.json"):
        open_sample(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("place", ["file", "file/below", "n" * 300, "loop/below", "nul\0"])
def test_a_path_that_cannot_be_a_folder_is_a_store_error(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(StoreError, match=re.escape(str(tmp_path / place))):
        open_sample(tmp_path / place)
    with pytest.raises(StoreError):
        LEVELDB.repair(at(tmp_path / place))
    assert (tmp_path / "file").read_text() == "x"


def test_a_store_left_half_made_is_made_anew(tmp_path: Path) -> None:
    open_sample(tmp_path / "store").close()
    (tmp_path / "store" / MARKER).unlink()  # it is written last
    open_sample(tmp_path / "store").close()
    assert (tmp_path / "store" / MARKER).exists()


def test_a_store_of_another_scheme_is_refused_naming_both_sides(folder: Path) -> None:
    wanted = Header({"scheme": "other", "width": "9"}, header().tables)
    with pytest.raises(StoreMismatchError) as error:
        open_folder(folder, wanted, SPACES, words_of)
    message = str(error.value)
    assert str(folder) in message
    assert "scheme = samples and the settings say other" in message
    assert "width" not in message  # an option of that scheme
    assert "NEARDUP_STORE" in message
    assert "NEARDUP_RESET=True" in message


def test_a_store_of_another_scheme_is_refused_whatever_its_tables(folder: Path) -> None:
    with pytest.raises(StoreMismatchError):
        open_folder(folder, Header({}, {}), SPACES, words_of, other_tables=True)


def test_a_store_of_other_tables_is_refused_naming_the_way_out(folder: Path) -> None:
    with pytest.raises(StoreMismatchError) as error:
        open_folder(folder, OTHER_TABLES, SPACES, words_of, "20")
    message = str(error.value)
    assert "near = 64 bits, radius 3, layout blocks and the settings say" in message
    assert "64 bits, radius 3, layout 20" in message
    assert "`scrapy neardup rebuild`" in message


def test_a_rebuild_makes_the_index_over_to_other_tables(folder: Path) -> None:
    store = open_folder(folder, OTHER_TABLES, SPACES, words_of, "20", other_tables=True)
    assert store.rebuild() == 3
    store.close()
    store = open_folder(folder, OTHER_TABLES, SPACES, words_of, "20")
    assert store.near([Word("near", scattered(1) ^ 7)]).page_ids == {2}
    assert store.verify().problems == []
    store.close()
    with pytest.raises(StoreMismatchError):
        open_sample(folder)


def test_the_number_of_pages_expected_refuses_no_store(folder: Path) -> None:
    wanted = Header(header().fingerprint, describe_spaces(SPACES, "blocks", 10**7))
    store = open_folder(folder, wanted, SPACES, words_of)
    assert store.near([Word("near", scattered(1) ^ 7)]).page_ids == {2}
    store.put(page(7, near=[scattered(7)]))
    store.close()
    assert laid_out_for(folder) == "1000000"
    store = open_sample(folder)
    assert store.near([Word("near", scattered(7) ^ 7)]).page_ids == {4}
    assert store.verify().problems == []
    store.close()


def test_a_rebuild_lays_the_index_out_for_the_pages_expected_now(folder: Path) -> None:
    wanted = Header(header().fingerprint, describe_spaces(SPACES, "blocks", 10**8))
    store = open_folder(folder, wanted, SPACES, words_of)
    assert store.rebuild() == 3
    store.put(page(7, near=[scattered(7)]))
    assert store.verify().problems == []
    store.close()
    assert laid_out_for(folder) == "100000000"
    store = open_sample(folder)
    assert store.near([Word("near", scattered(7) ^ 7)]).page_ids == {4}
    store.close()


def test_a_store_that_has_outgrown_its_layout_says_so_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    few = Header(header().fingerprint, describe_spaces(SPACES, "blocks", expected_pages=1))
    store = open_folder(tmp_path, few, SPACES, words_of, cache_mb=4)
    store.put_many(page(number) for number in range(OUTGROWN + 1))
    assert caplog.messages == []
    store.close()
    store = open_folder(tmp_path, few, SPACES, words_of, cache_mb=4)
    store.put_many(page(number) for number in range(OUTGROWN + 1, OUTGROWN + 10))
    store.verify()
    store.close()
    (message,) = caplog.messages
    assert "NEARDUP_EXPECTED_PAGES" in message
    assert "`scrapy neardup rebuild`" in message


def test_a_store_that_outgrows_its_layout_while_it_is_open_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    few = Header(header().fingerprint, describe_spaces(SPACES, "blocks", expected_pages=1))
    db = guarded_database(tmp_path / DATABASE)
    store = LevelDBStore(db, opening(few), 2000, db.close, Sizes(sweep_pages=OUTGROWN))
    store.put_many(page(number) for number in range(3 * OUTGROWN))
    store.close()
    (message,) = caplog.messages
    assert "NEARDUP_EXPECTED_PAGES" in message


def test_a_store_with_an_index_of_an_older_shape_is_refused_and_can_be_rebuilt(
    folder: Path,
) -> None:
    with database(folder) as db:
        stored = json.loads(db.get(b"h"))
        for name in ("index_format", "expected_pages"):
            del stored["tables"][name]
        db.put(b"h", json.dumps(stored).encode())
        for kind in (b"t", b"u", b"k", b"c"):
            for key in db.iterator(prefix=kind, include_value=False):
                db.delete(key)
        db.put(b"u\0" + page(1).request, bytes(8))
        db.put(b"t\0\0\0\0\1" + bytes(8), b"")
        db.put(b"k\0\0" + bytes(8), bytes(8))
    with pytest.raises(StoreMismatchError, match=r"has format none, .* `scrapy neardup reb"):
        open_sample(folder)
    store = open_folder(folder, header(), SPACES, words_of, other_tables=True)
    assert store.rebuild() == 3
    assert store.verify().problems == []
    store.close()
    store = open_sample(folder)
    assert store.near([Word("near", scattered(1) ^ 7)]).page_ids == {2}
    store.close()


def test_a_second_user_with_other_settings_is_refused_too(folder: Path) -> None:
    LEVELDB.open(at(folder), opening())
    with pytest.raises(StoreMismatchError, match=re.escape(f"the store in {folder} ")):
        LEVELDB.open(at(folder), opening(OTHER_TABLES))
    LEVELDB.close(at(folder))


def test_an_open_that_fails_lets_go_of_the_database(folder: Path) -> None:
    with pytest.raises(ValueError, match="layout must be one of") as error:
        open_folder(folder, header(), SPACES, words_of, "unheard-of")
    assert error.tb  # as long as it is kept, so are the local names it came through
    open_sample(folder).close()


def cut_current(database: Path) -> None:
    (database / "CURRENT").write_bytes(b"")


def delete_current(database: Path) -> None:
    (database / "CURRENT").unlink()


def spoil_manifest(database: Path) -> None:
    next(database.glob("MANIFEST-*")).write_bytes(b"garbage" * 100)


def delete_database(database: Path) -> None:
    shutil.rmtree(database)


DAMAGES = [cut_current, delete_current, spoil_manifest, delete_database]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_store_is_refused_and_nothing_of_it_is_changed(
    folder: Path, damage: Callable[[Path], None]
) -> None:
    damage(folder / DATABASE)
    before = contents(folder)
    for _ in range(2):
        with pytest.raises(StoreDamagedError, match=re.escape(f"{folder} is damaged")):
            open_sample(folder)
    assert contents(folder) == before


@pytest.mark.parametrize("damage", [cut_current, delete_current, spoil_manifest])
def test_a_repair_and_a_rebuild_bring_the_pages_back(
    folder: Path, damage: Callable[[Path], None]
) -> None:
    damage(folder / DATABASE)
    LEVELDB.repair(at(folder))
    for _ in range(2):  # the rebuild that belongs to a repair is killed before it begins
        with pytest.raises(StoreMismatchError, match="run `scrapy neardup rebuild`"):
            open_sample(folder)
        store = open_folder(folder, header(), SPACES, words_of, other_tables=True)
        store.close()
    store = open_folder(folder, header(), SPACES, words_of, other_tables=True)
    assert store.rebuild() == 3
    assert store.verify().problems == []
    assert store.near([Word("exact", 2)]).page_ids == {3}
    store.close()


def test_a_store_without_a_header_is_damaged_until_it_is_rebuilt(folder: Path) -> None:
    delete_header(folder)
    for rebuild in (False, True):  # the first one is killed before it begins
        with pytest.raises(StoreDamagedError, match="its database has no header"):
            open_sample(folder)
        store = open_folder(folder, OTHER_TABLES, SPACES, words_of, "20", 4, other_tables=True)
        if rebuild:
            store.rebuild()
        store.close()
    store = open_folder(folder, OTHER_TABLES, SPACES, words_of, "20", 4)
    assert store.near([Word("near", scattered(1))]).page_ids == {2}
    store.close()


def test_a_store_without_a_header_is_damaged(folder: Path) -> None:
    delete_header(folder)
    with pytest.raises(StoreDamagedError, match="its database has no header"):
        open_sample(folder)


def test_a_store_without_a_header_can_be_opened_to_rebuild_it(folder: Path) -> None:
    delete_header(folder)
    store = open_folder(folder, header(), SPACES, words_of, other_tables=True)
    assert store.rebuild() == 3
    store.close()
    open_sample(folder).close()


def test_a_store_of_a_newer_format_is_refused_and_let_go_of(folder: Path) -> None:
    with database(folder) as db:
        db.put(b"h", json.dumps({"format": 2}).encode())
    for _ in range(2):
        with pytest.raises(StoreDamagedError, match="store format 2; this version reads format 1"):
            open_sample(folder)


def test_a_store_in_use_is_not_repaired(folder: Path) -> None:
    store = open_sample(folder)
    with pytest.raises(StoreLockedError, match="is open in this process"):
        LEVELDB.repair(at(folder))
    store.close()
    with open_elsewhere(folder), pytest.raises(StoreLockedError, match="in use by another"):
        LEVELDB.repair(at(folder))


def test_what_is_no_store_is_not_repaired(tmp_path: Path) -> None:
    with pytest.raises(StoreMissingError, match="no store in"):
        LEVELDB.repair(at(tmp_path))
    (tmp_path / "thesis.txt").touch()
    with pytest.raises(StoreError, match="so it is no store"):
        LEVELDB.repair(at(tmp_path))


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_store_can_be_deleted(folder: Path, damage: Callable[[Path], None]) -> None:
    damage(folder / DATABASE)
    assert LEVELDB.delete(at(folder)) is True


def test_a_lock_of_another_program_on_the_parent_folder_holds_nothing_up(tmp_path: Path) -> None:
    """As that of `flock FOLDER COMMAND`, which keeps cron from starting a command twice."""
    parent = os.open(tmp_path, os.O_RDONLY)
    try:
        fcntl.flock(parent, fcntl.LOCK_EX)
        store = open_sample(tmp_path / "store")
        assert not LEVELDB.is_locked(at(tmp_path / "store"))
        store.close()
        assert LEVELDB.delete(at(tmp_path / "store"))
    finally:
        os.close(parent)


def test_a_process_that_is_forked_while_a_store_opens_holds_up_no_other(tmp_path: Path) -> None:
    with _one_at_a_time(tmp_path / "store"):
        inherited = os.dup(_only_folder_open(tmp_path))  # as a forked process has it
    try:
        parent = os.open(tmp_path, os.O_RDONLY)
        fcntl.flock(parent, fcntl.LOCK_EX | fcntl.LOCK_NB)  # raises if it is not free
        os.close(parent)
    finally:
        os.close(inherited)


def _only_folder_open(place: Path) -> int:
    """The descriptor under which this process has a folder open."""
    links = {int(link.name): link for link in Path("/proc/self/fd").iterdir()}
    return next(number for number, link in links.items() if os.path.realpath(link) == str(place))
