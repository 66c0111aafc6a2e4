"""A word of very many pages, as a flood makes one: what it takes does not grow with them."""

from __future__ import annotations

from itertools import combinations, islice
from pathlib import Path

import pytest

from dedup.schemes import Word
from dedup.store import Store
from dedup.store.interface import MOST_PAGES
from dedup.store.postings import MOST_NEAR
from tests.redis_servers import Servers
from tests.store.redis_stores import KINDS, opened
from tests.store.samples import open_sample, page, scattered

WORD = scattered(1)
PAGES = MOST_PAGES + 40


def near(store: Store) -> set[int]:
    return set(store.near([Word("near", WORD)]).page_ids)


def fill(store: Store) -> None:
    """Pages of one word, each looked up before, as a crawl does."""
    for request in range(PAGES):
        near(store)
        store.put(page(request, near=[WORD], exact=[request]))


def test_the_oldest_pages_are_found(tmp_path: Path) -> None:
    store = open_sample(tmp_path / "store")
    fill(store)
    assert near(store) == set(range(1, MOST_PAGES + 1))
    assert store.near_many([[Word("near", WORD)]])[0].page_ids == near(store)
    store.remove(1)
    assert near(store) == set(range(2, MOST_PAGES + 2))
    assert store.verify().problems == []
    store.close()


def test_the_tables_hold_the_word_once(tmp_path: Path) -> None:
    store = open_sample(tmp_path / "store")
    fill(store)
    store.verify()  # writes all out
    parts = [part for _, part in store._db.iterator(prefix=b"t")]
    assert b"".join(parts).count(WORD.to_bytes(8, "little")) == 4
    store.close()


def test_the_word_stays_as_long_as_one_of_its_pages(tmp_path: Path) -> None:
    store = open_sample(tmp_path / "store")
    fill(store)
    for page_id in range(1, PAGES):
        store.remove(page_id)
    assert near(store) == {PAGES}
    assert store.verify().problems == []
    store.close()
    again = open_sample(tmp_path / "store")
    assert near(again) == {PAGES}
    again.remove(PAGES)
    assert near(again) == set()
    again.close()


def test_a_word_whose_last_page_went_is_put_in_again(tmp_path: Path) -> None:
    store = open_sample(tmp_path / "store")
    store.put(page(1, near=[WORD]))
    assert near(store) == {1}
    store.remove(1)
    store.put(page(2, near=[WORD]))
    assert near(store) == {2}
    assert store.verify().problems == []
    store.close()


@pytest.mark.parametrize("kind", KINDS)
def test_on_a_server_the_first_pages_keep_the_word(servers: Servers, kind: str) -> None:
    with opened(servers.address(kind)) as store:
        fill(store)
        assert near(store) == set(range(1, MOST_PAGES + 1))
        assert store.verify().problems == []
        store.remove(1)
        store.put(page(PAGES, near=[WORD]))
        assert near(store) == {*range(2, MOST_PAGES + 1), PAGES + 1}
        assert store.verify().problems == []


def test_of_very_many_words_near_one_the_nearest_are_asked_for(tmp_path: Path) -> None:
    store = open_sample(tmp_path / "store")
    triples = islice(combinations(range(64), 3), MOST_NEAR)
    far = [WORD ^ sum(1 << bit for bit in bits) for bits in triples]
    pairs = islice(combinations(range(64), 2), MOST_NEAR - 1)
    nearer = [WORD ^ sum(1 << bit for bit in bits) for bits in pairs]
    words = [*far, *nearer, WORD]
    store.put_many(page(number, near=[word]) for number, word in enumerate(words, start=1))
    nearest = set(range(len(far) + 1, len(far) + 1 + MOST_NEAR))
    assert near(store) == nearest
    assert store.near_many([[Word("near", WORD)]])[0].page_ids == nearest
    store.close()
