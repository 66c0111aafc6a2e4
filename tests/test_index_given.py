"""Items that were exported: which page gave one, as stores and a process know it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from indexing import KINDS, SCHEME, check, open_store, text

from dedup.fingerprint import PageFingerprint
from dedup.index import Claim, Index, ItemClaim
from dedup.index.words import join_items
from dedup.store import MOST_ITEMS

ONE, OTHER = b"one item", b"another1"


@pytest.fixture(params=KINDS)
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Index]:
    store = open_store(request.param, tmp_path / "store")
    yield Index(store, SCHEME)
    store.close()


def store_with(index: Index, page: str, items: bytes, *, exported: bool = True) -> Claim:
    claim = check(index, page, text(page))
    claim.record = claim.record._replace(items=items)
    index.commit(claim, exported=exported)
    return claim


def giver(index: Index, item: bytes, page: str = "z.com/") -> str:
    found = index.given.find(item, f"https://{page}")
    return "" if found is None or isinstance(found, ItemClaim) else found.url


def test_a_stored_page_is_known_by_each_of_its_items(index: Index) -> None:
    store_with(index, "a.com/", ONE + OTHER)
    store_with(index, "b.com/", OTHER)
    assert [giver(index, item) for item in (ONE, OTHER, b"no such1")] == [
        "https://a.com/",
        "https://a.com/",
        "",
    ]


def test_items_of_a_page_that_gave_none_count_for_nothing(index: Index) -> None:
    store_with(index, "a.com/", ONE, exported=False)
    assert giver(index, ONE) == ""


def test_items_are_found_after_a_rebuild_and_a_replacement(index: Index) -> None:
    claim = store_with(index, "a.com/", ONE)
    index.store.rebuild()
    assert giver(index, ONE) == "https://a.com/"
    claim.record = claim.record._replace(items=OTHER)
    index.commit(claim)
    assert claim.record.items == ONE + OTHER
    assert giver(index, ONE) == giver(index, OTHER) == "https://a.com/"
    assert index.store.verify().problems == []


def test_a_page_visited_again_keeps_the_items_that_it_gave(index: Index) -> None:
    store_with(index, "a.com/", ONE)
    store_with(index, "a.com/", OTHER)
    assert giver(index, ONE) == giver(index, OTHER) == "https://a.com/"
    assert len(index.store) == 1


def test_expired_pages_gave_nothing(index: Index) -> None:
    store_with(index, "a.com/", ONE)
    late = Index(index.store, SCHEME, ttl=1e-6)
    assert giver(late, ONE) == ""
    record = check(late, "b.com/", text("tea")).record
    late.given.settle(late.given.claim(OTHER, record), exported=True, remember=True)
    assert giver(late, OTHER) == ""


def test_items_are_found_within_their_scope(tmp_path: Path) -> None:
    store = open_store("leveldb", tmp_path / "store", "host")
    index = Index(store, SCHEME, "host")
    store_with(index, "a.com/", ONE)
    assert giver(index, ONE, "a.com/other") == "https://a.com/"
    assert giver(index, ONE, "b.com/") == ""
    store.close()


def test_an_item_on_its_way_is_told_with_its_claim(index: Index) -> None:
    record = check(index, "a.com/", text("tea")).record
    claim = index.given.claim(ONE, record)
    assert index.given.find(ONE, "https://b.com/") is claim
    heard: list[str] = []
    claim.on_settled(lambda: heard.append("settled"))
    index.given.settle(claim, exported=False, remember=True)
    assert heard == ["settled"]
    assert index.given.find(ONE, "https://b.com/") is None


@pytest.mark.parametrize("several", [True, False])
def test_an_only_item_says_nothing_of_the_items_of_others(index: Index, several: bool) -> None:
    record = check(index, "a.com/", text("tea")).record
    index.given.settle(index.given.claim(ONE, record), exported=True, remember=several)
    assert giver(index, ONE) == ("https://a.com/" if several else "")


def test_of_many_items_the_last_are_kept() -> None:
    items = [b"%08d" % number for number in range(MOST_ITEMS + 5)]
    joined = join_items(b"".join(items), items[0] + items[-1])
    assert len(joined) == 8 * MOST_ITEMS
    assert joined.startswith(items[5])
    assert joined.endswith(items[-1])


def test_a_page_without_items_has_no_such_word(index: Index) -> None:
    page: PageFingerprint = replace(text("tea"))
    claim = check(index, "a.com/", page)
    index.commit(claim)
    assert claim.record.items == b""
    assert giver(index, ONE) == ""
