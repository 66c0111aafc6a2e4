"""The contract of stores: the pages in an open store, and the addresses of stores.

class TestMine(StoreContract):
    @pytest.fixture
    def address(self, tmp_path):
        return f"mine:{tmp_path / 'pages'}"
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from dedup.page.kept_text import pack_text
from dedup.schemes import Word
from dedup.store import (
    PROGRESS_STEP,
    Place,
    Store,
    StoreError,
    StoreKind,
    StoreMismatchError,
    StoreMissingError,
    kind_of,
)
from dedup.store.interface import MOST_PATTERN, MOST_TALLIES
from dedup.testing.samples import CAP, found, header, opening, page
from dedup.urls import Tally

# Programs for another process. The first one puts a page and a tally, and then ends as if it was
# killed; with a shared store it gives its lease up first.
_BEGIN = """
import os, sys
from dedup.store import Place, StoreError, StoreLockedError, kind_of
from dedup.testing.samples import opening, page
from dedup.urls import Tally
place = Place(sys.argv[1])
kind = kind_of(place.address)
"""
PUT_AND_DIE = f"""{_BEGIN}
try:
    store = kind.open(place, opening())
except StoreLockedError:
    sys.exit("locked")
store.put(page(2, near=[9]))
store.tally({{"a.example": Tally(1)}})
if not kind.is_shared:
    os._exit(0)
kind.close(place)
"""
DELETE = f"""{_BEGIN}
try:
    kind.delete(place)
except StoreError:
    sys.exit("in use")
"""


def run(program: str, place: Place) -> str:
    """Run a program on a store in another process; returns its output on stderr."""
    environ = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(  # noqa: S603  (this very Python)
        [sys.executable, "-c", program, place.address],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr.strip()


def why_refused(kind: StoreKind, address: str) -> str:
    """The error message for an address; empty for a valid one."""
    try:
        kind.check(address)
    except ValueError as error:
        return str(error)
    return ""


class PagesContract:
    """The tests of an open store. A subclass defines the fixture ``store``: an empty store."""

    @pytest.fixture
    def store(self) -> Store:
        """An empty store for the words of ``samples.SPACES``."""
        raise NotImplementedError

    def test_a_page_put_is_got_by_its_number(self, store: Store) -> None:
        record = page(1, near=[5])
        stored = store.put(record)
        assert stored == record._replace(page_id=stored.page_id)
        assert isinstance(stored.page_id, int)
        assert store.get(stored.page_id) == stored

    def test_page_numbers_increase_from_one(self, store: Store) -> None:
        assert [store.put(page(n)).page_id for n in (30, 10, 20)] == [1, 2, 3]

    def test_a_page_is_found_by_its_request(self, store: Store) -> None:
        stored = [store.put(page(n)) for n in range(3)]
        assert [store.find_request(record.request) for record in stored] == stored
        assert store.find_request(b"another") is None

    def test_no_page_is_no_error(self, store: Store) -> None:
        assert store.get(7) is None
        assert store.remove(7) is False
        assert store.near([Word("near", 7), Word("exact", 7)]).page_ids == frozenset()
        assert len(store) == 0
        assert list(store.records()) == []

    def test_a_page_of_the_same_request_replaces_the_first_and_keeps_its_number(
        self, store: Store
    ) -> None:
        first = store.put(page(1, near=[0], exact=[1, 2]))
        store.put(page(2))
        again = store.put(page(1, near=[0xFF], exact=[2, 3], url="https://example.com/moved"))
        assert again.page_id == first.page_id
        assert store.get(first.page_id) == again
        assert len(store) == 2
        assert [found(store, "exact", key) for key in (1, 2, 3)] == [set(), {1}, {1}]
        assert [found(store, "near", word) for word in (0, 0xFF)] == [set(), {1}]

    def test_a_removed_page_is_found_no_more(self, store: Store) -> None:
        stored = store.put(page(1, near=[5], exact=[6]))
        assert store.remove(stored.page_id) is True
        assert store.get(stored.page_id) is None
        assert store.find_request(stored.request) is None
        assert found(store, "near", 5) | found(store, "exact", 6) == set()
        assert len(store) == 0

    def test_the_number_of_a_removed_page_is_not_given_again(self, store: Store) -> None:
        store.remove(store.put(page(1)).page_id)
        assert store.put(page(1)).page_id == 2

    def test_records_come_by_number_replaced_or_not(self, store: Store) -> None:
        for request in (3, 1, 2):
            store.put(page(request))
        store.put(page(3, url="https://example.com/again"))
        assert [record.page_id for record in store.records()] == [1, 2, 3]

    def test_near_words_are_found_within_the_radius_and_no_further(self, store: Store) -> None:
        store.put(page(1, near=[0]))
        found_at = [bool(found(store, "near", (1 << bits) - 1)) for bits in range(6)]
        assert found_at == [True, True, True, True, False, False]

    def test_exact_words_are_found_only_when_equal(self, store: Store) -> None:
        store.put(page(1, exact=[0b1000]))
        assert found(store, "exact", 0b1000) == {1}
        assert found(store, "exact", 0b1001) == set()

    def test_words_of_one_space_are_not_found_in_another(self, store: Store) -> None:
        store.put(page(1, near=[5]))
        store.put(page(2, exact=[5]))
        assert (found(store, "near", 5), found(store, "exact", 5)) == ({1}, {2})

    def test_any_of_several_words_finds_a_page(self, store: Store) -> None:
        store.put(page(1, exact=[1, 2]))
        store.put(page(2, exact=[3]))
        assert found(store, "exact", 2, 3, 4) == {1, 2}

    def test_a_word_given_twice_counts_once(self, store: Store) -> None:
        stored = store.put(page(1, near=[5, 5], exact=[6, 6]))
        assert found(store, "exact", 6) == {1}
        store.remove(stored.page_id)
        assert found(store, "near", 5) | found(store, "exact", 6) == set()

    def test_a_word_of_as_many_pages_as_the_cap_is_found(self, store: Store) -> None:
        for request in range(CAP):
            store.put(page(request, exact=[9]))
        candidates = store.near([Word("exact", 9)])
        assert (len(candidates.page_ids), candidates.common) == (CAP, 0)

    @pytest.mark.parametrize("more", [1, 3])
    def test_a_word_of_more_pages_is_common_found_no_more_and_counted(
        self, store: Store, more: int
    ) -> None:
        for request in range(CAP + more):
            store.put(page(request, exact=[9, request]))
        candidates = store.near([Word("exact", 9), Word("exact", 0)])
        assert (set(candidates.page_ids), candidates.common) == ({1}, 1)

    def test_replacing_a_page_does_not_make_its_words_common(self, store: Store) -> None:
        for _ in range(CAP + 2):
            store.put(page(1, exact=[9]))
        assert found(store, "exact", 9) == {1}

    def test_a_rebuild_finds_common_words_again_once_enough_pages_are_gone(
        self, store: Store
    ) -> None:
        ids = [store.put(page(request, exact=[9])).page_id for request in range(CAP + 1)]
        store.remove(ids[0])
        assert store.near([Word("exact", 9)]).common == 1
        assert store.rebuild() == CAP
        assert found(store, "exact", 9) == set(ids[1:])

    def test_a_rebuild_tells_how_far_it_is(self, store: Store) -> None:
        store.put_many(page(request) for request in range(PROGRESS_STEP))
        calls: list[int] = []
        assert store.rebuild(calls.append) == PROGRESS_STEP
        assert store.verify(calls.append).pages == PROGRESS_STEP
        assert calls == [PROGRESS_STEP, PROGRESS_STEP]

    def test_many_pages_are_put_as_one_after_the_other(self, store: Store) -> None:
        first = store.put(page(1, near=[5], exact=[1]))
        pages = [page(2, near=[5]), page(1, near=[9], exact=[2]), page(3), page(2, exact=[2])]
        assert store.put_many(pages) == 4
        assert [record.request for record in store.records()] == [
            page(n).request for n in (1, 2, 3)
        ]
        assert found(store, "near", 1 << 63 | 9) == {first.page_id}
        assert found(store, "exact", 1) == set()
        assert found(store, "exact", 2) == {1, 2}
        assert store.put(page(4)).page_id == 4
        assert store.verify().problems == []

    def test_putting_many_tells_how_far_it_is(self, store: Store) -> None:
        calls: list[int] = []
        assert store.put_many((page(n) for n in range(50)), calls.append) == 50
        assert calls[-1] == len(store) == 50

    def test_no_pages_are_many_too(self, store: Store) -> None:
        assert store.put_many([]) == 0
        assert store.near_many([]) == []

    def test_many_pages_of_a_common_word_make_it_common(self, store: Store) -> None:
        store.put_many(page(n, exact=[9]) for n in range(CAP))
        assert len(found(store, "exact", 9)) == CAP
        store.put_many([page(CAP, exact=[9])])
        assert store.near([Word("exact", 9)]).common == 1

    def test_many_look_ups_answer_in_the_order_asked(self, store: Store) -> None:
        store.put_many(page(n, near=[n << 8, 1 << 62], exact=[n % 3]) for n in range(9))
        queries = [
            [Word("near", 3 << 8), Word("exact", 0)],
            [],
            [Word("exact", 1)],
            [Word("near", 1 << 62), Word("near", 1 << 62), Word("exact", 99)],
            [Word("near", 3 << 8)],
        ]
        assert store.near_many(queries) == [store.near(words) for words in queries]

    def test_a_sound_store_has_no_problems(self, store: Store) -> None:
        for request in range(20):
            store.put(page(request % 15, near=[request, request << 40], exact=[request % 4]))
        store.remove(3)
        check = store.verify()
        assert (check.errors, check.problems) == (0, [])
        assert check.pages == len(store) == 14

    def test_compacting_changes_no_answer(self, store: Store) -> None:
        store.put_many(page(n, near=[n << 8], exact=[n % 3]) for n in range(9))
        store.remove(2)
        queries = [[Word("near", n << 8)] for n in range(9)] + [
            [Word("exact", n)] for n in range(3)
        ]
        before = store.near_many(queries), list(store.records())
        store.compact()
        assert (store.near_many(queries), list(store.records())) == before
        assert store.put(page(9)).page_id == 10

    def test_a_text_is_kept_with_its_page(self, store: Store) -> None:
        first, second = store.put(page(1), pack_text(["one", "二"])), store.put(page(2))
        assert store.text(first.page_id) == "one\n二"
        assert store.text(second.page_id) is None
        assert store.text(99) is None
        assert store.get(first.page_id) == first

    def test_a_text_is_replaced_and_removed_with_its_page(self, store: Store) -> None:
        page_id = store.put(page(1), pack_text(["old"])).page_id
        store.put(page(1), pack_text(["new"]))
        assert store.text(page_id) == "new"
        store.put(page(1))  # Its text has the same digest.
        assert store.text(page_id) == "new"
        store.put(page(1)._replace(digest=b"another" + bytes(9)))
        assert store.text(page_id) is None
        store.put(page(1), pack_text(["again"]))
        store.remove(page_id)
        assert store.text(page_id) is None

    def test_texts_and_marks_are_no_part_of_the_index(self, store: Store) -> None:
        page_id = store.put(page(1, near=[5]), pack_text(["text"])).page_id
        store.exempt([b"mark"])
        assert store.verify().errors == 0
        assert store.rebuild() == 1
        assert store.text(page_id) == "text"
        assert store.is_exempt(b"mark")
        assert store.verify().errors == 0

    def test_marked_requests_are_exempt(self, store: Store) -> None:
        store.exempt([b"one", b"two"])
        assert [store.is_exempt(name) for name in (b"one", b"two", b"three", b"")] == [1, 1, 0, 0]
        assert sorted(store.exempted()) == [b"one", b"two"]

    def test_tallies_of_a_pattern_add_up_and_the_latest_example_stays(self, store: Store) -> None:
        given = [Tally(1, 1, 900, 900, "https://a.example/2", "https://a.example/1"), Tally(600)]
        for tally in given:
            store.tally({"a.example ?id": tally, "b.example": Tally(1, 0, 50)})
        both = Tally(601, 1, 900, 900, "https://a.example/2", "https://a.example/1")
        assert dict(store.tallies()) == {"a.example ?id": both, "b.example": Tally(2, 0, 100)}
        store.tally({"a.example ?id": Tally(500, 2, 3, 1, "https://a.example/9")})
        halved = Tally(550, 1, 451, 450, "https://a.example/9")
        assert dict(store.tallies())["a.example ?id"] == halved

    def test_a_pattern_may_have_any_letters_but_not_too_many(self, store: Store) -> None:
        patterns = ["", "a.example ?q=\0\n", "茶 \ud800 🍵", "é" * MOST_PATTERN]
        example = Tally(1, 1, 2, 2, "https://a.example/\ud800", "https://a.example/茶")
        store.tally(dict.fromkeys([*patterns, "x" * (MOST_PATTERN + 1)], example))
        assert dict(store.tallies()) == dict.fromkeys(patterns, example)
        assert store.forget_tallies(patterns) == len(patterns)
        assert list(store.tallies()) == []

    def test_a_tally_is_forgotten_for_some_patterns_only(self, store: Store) -> None:
        store.tally({"a.example": Tally(1), "b.example": Tally(2), "c.example": Tally(3)})
        assert store.forget_tallies(["b.example", "d.example", "c.example", "c.example"]) == 2
        assert dict(store.tallies()) == {"a.example": Tally(1)}
        store.tally({"b.example": Tally(5)})
        assert dict(store.tallies()) == {"a.example": Tally(1), "b.example": Tally(5)}
        assert store.forget_tallies([]) == 0

    def test_new_patterns_are_left_out_while_there_are_too_many(self, store: Store) -> None:
        store.tally({f"{number}.example": Tally(1) for number in range(MOST_TALLIES - 1)})
        store.tally({"a.example": Tally(1), "b.example": Tally(1), "0.example": Tally(1)})
        tallies = dict(store.tallies())
        assert len(tallies) == MOST_TALLIES
        assert (tallies["0.example"], tallies["a.example"]) == (Tally(2), Tally(1))
        assert store.forget_tallies(["1.example"]) == 1
        store.tally({"b.example": Tally(3), "c.example": Tally(1)})
        assert dict(store.tallies()).keys() - tallies.keys() == {"b.example"}

    def test_tallies_are_no_part_of_the_pages(self, store: Store) -> None:
        store.tally({"a.example": Tally(1)})
        assert (len(store), store.last_id, list(store.records())) == (0, 0, [])
        assert store.put(page(1, near=[5])).page_id == 1
        assert store.verify().errors == 0
        assert store.rebuild() == 1
        store.compact()
        store.remove(1)
        assert dict(store.tallies()) == {"a.example": Tally(1)}
        assert store.verify().errors == 0


class StoreContract(PagesContract):
    """The tests of a kind of store.

    A subclass defines the fixture ``address``: the address of a store that does not exist.
    """

    @pytest.fixture
    def address(self) -> str:
        """A value of NEARDUP_STORE, with no store there yet."""
        raise NotImplementedError

    @pytest.fixture
    def place(self, address: str) -> Iterator[Place]:
        """The place of the address. A store there is closed and deleted after the test."""
        place = Place(address)
        yield place
        kind = kind_of(address)
        while kind.is_open(place):
            kind.close(place)
        kind.delete(place)

    @pytest.fixture
    def kind(self, address: str) -> StoreKind:
        return kind_of(address)

    @pytest.fixture
    def kept(self, kind: StoreKind) -> StoreKind:
        """The kind; skips the test unless its stores outlive a process."""
        if not kind.keeps:
            pytest.skip("such a store keeps nothing")
        return kind

    @pytest.fixture
    def store(self, kind: StoreKind, place: Place) -> Iterator[Store]:
        yield kind.open(place, opening())
        kind.close(place)

    def test_the_address_is_one_and_others_of_the_kind_may_be_none(
        self, kind: StoreKind, address: str
    ) -> None:
        assert why_refused(kind, address) == ""
        assert kind.show(address)
        name = address.partition(":")[0]
        for other in (f"{name}:", f"{name}:x", f"{name}://me:sesame@host/x"):
            said = why_refused(kind, other)
            assert "\n" not in said
            if kind.path(Place(address)) is None:  # Such addresses may contain a password.
                assert "sesame" not in said + kind.show(other)

    def test_what_was_stored_is_there_when_it_is_opened_again(
        self, kept: StoreKind, place: Place
    ) -> None:
        store = kept.open(place, opening())
        first = store.put(page(1, near=[5], exact=[6]), pack_text(["text"]))
        store.remove(store.put(page(2)).page_id)
        store.exempt([b"mark"])
        store.tally({"a.example": Tally(1), "b.example": Tally(2)})
        store.forget_tallies(["b.example"])
        kept.close(place)
        assert not kept.is_open(place)
        store = kept.open(place, opening(create=False))
        assert list(store.records()) == [first]
        assert (found(store, "near", 4), found(store, "exact", 6)) == ({1}, {1})
        assert store.text(first.page_id) == "text"
        assert store.is_exempt(b"mark")
        store.tally({"a.example": Tally(1)})
        assert dict(store.tallies()) == {"a.example": Tally(2)}
        third = store.put(page(3)).page_id
        assert (third, type(third), store.last_id) == (3, int, 3)
        assert store.verify().errors == 0
        kept.close(place)

    def test_all_users_in_a_process_share_one_store(self, kept: StoreKind, place: Place) -> None:
        store = kept.open(place, opening())
        assert kept.open(place, opening(create=False)) is store
        assert kept.key(place) == kept.key(Place(place.address))
        kept.close(place)
        assert kept.is_open(place)
        assert store.put(page(1)).page_id == 1
        assert kept.is_locked(place) is False
        kept.close(place)
        assert not kept.is_open(place)
        kept.close(place)

    def test_no_store_is_made_by_looking(self, kept: StoreKind, place: Place) -> None:
        with pytest.raises(StoreMissingError) as error:
            kept.open(place, opening(create=False))
        assert "\n" not in str(error.value)
        assert not kept.is_open(place)
        assert kept.delete(place) is False
        path = kept.path(place)
        assert path is None or not kept.is_there(path)

    def test_a_file_of_others_is_neither_opened_nor_deleted(
        self, kept: StoreKind, place: Place
    ) -> None:
        if (path := kept.path(place)) is None:
            pytest.skip("such a store is no file")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a diary, and no store\n" * 100)
        for refused in (lambda: kept.open(place, opening()), lambda: kept.delete(place)):
            with pytest.raises(StoreError) as error:
                refused()
            assert "\n" not in str(error.value)
        assert path.read_text() == "a diary, and no store\n" * 100
        path.unlink()

    def test_a_store_made_with_other_settings_is_refused(
        self, kept: StoreKind, place: Place
    ) -> None:
        kept.open(place, opening())
        for _ in ("open", "closed"):
            with pytest.raises(StoreMismatchError, match="samples and the settings say others"):
                kept.open(place, opening(header(scheme="others")))
            kept.close(place)
            assert not kept.is_open(place)
        assert len(kept.open(place, opening())) == 0

    def test_an_index_laid_out_otherwise_is_rebuilt(self, kept: StoreKind, place: Place) -> None:
        kept.open(place, opening()).put(page(1, near=[5]))
        kept.close(place)
        other = header(layout="16")
        with pytest.raises(StoreMismatchError, match="scrapy neardup rebuild"):
            kept.open(place, opening(other))
        assert kept.open(place, opening(other, other_tables=True)).rebuild() == 1
        kept.close(place)
        assert found(kept.open(place, opening(other)), "near", 4) == {1}

    def test_a_new_store_has_a_seed_of_its_own_and_keeps_it(
        self, kept: StoreKind, place: Place
    ) -> None:
        seed = kept.open(place, opening(header(any_seed=True))).seed
        assert seed > 0
        kept.close(place)
        assert kept.open(place, opening(header(any_seed=True))).seed == seed
        kept.close(place)
        with pytest.raises(StoreMismatchError, match="seed"):
            kept.open(place, opening())

    def test_a_store_is_deleted_only_while_nobody_uses_it(
        self, kept: StoreKind, place: Place
    ) -> None:
        store = kept.open(place, opening())
        store.put(page(1))
        store.tally({"a.example": Tally(1)})
        with pytest.raises(StoreError):
            kept.delete(place)
        kept.close(place)
        assert kept.delete(place) is True
        assert kept.delete(place) is False
        store = kept.open(place, opening())
        assert (len(store), list(store.tallies())) == (0, [])

    def test_another_process_is_refused_unless_it_shares_the_store(
        self, kept: StoreKind, place: Place
    ) -> None:
        kept.ping(place)
        store = kept.open(place, opening())
        store.put(page(1))
        said = run(PUT_AND_DIE, place)
        assert said == ("" if kept.is_shared else "locked")
        assert found(store, "near", 8) == ({2} if kept.is_shared else set())

    def test_a_page_survives_a_process_that_dies_right_after_it(
        self, kept: StoreKind, place: Place
    ) -> None:
        kept.open(place, opening()).put(page(1))
        kept.close(place)
        assert run(PUT_AND_DIE, place) == ""
        store = kept.open(place, opening(create=False))
        assert [record.page_id for record in store.records()] == [1, 2]
        assert found(store, "near", 8) == {2}
        assert dict(store.tallies()) == {"a.example": Tally(1)}

    def test_no_other_process_deletes_a_store_in_use(self, kept: StoreKind, place: Place) -> None:
        store = kept.open(place, opening())
        store.put(page(1))
        assert run(DELETE, place) == "in use"
        assert len(store) == 1

    def test_compacting_loses_nothing_and_keeps_others_out(
        self, kept: StoreKind, place: Place
    ) -> None:
        store = kept.open(place, opening())
        store.put_many(page(number, exact=[number]) for number in range(1, 5))
        store.exempt([b"mark"])
        store.tally({"a.example": Tally(1)})
        store.remove(4)
        store.compact()
        if not kept.is_shared:
            assert run(PUT_AND_DIE, place) == "locked"
        kept.close(place)
        store = kept.open(place, opening(create=False))
        assert [record.page_id for record in store.records()] == [1, 2, 3]
        assert found(store, "exact", 2, 4) == {2}
        assert store.is_exempt(b"mark")
        assert dict(store.tallies()) == {"a.example": Tally(1)}
        assert store.put(page(9)).page_id == 5
