"""Near misses: found in a real store, and none of them a near-duplicate."""

from __future__ import annotations

from dataclasses import replace

import pytest
from crawling import text

from dedup.assembly import make_fingerprinter
from dedup.config import Config
from dedup.index import Index, index_spaces, words_reader
from dedup.review.report_misses import MARGIN, find_misses, thresholds
from dedup.schemes import make_scheme
from dedup.store import MemoryStore

CONFIG = Config(min_similarity=0.9)  # so high that pages with a few edits are kept


@pytest.fixture
def index() -> Index:
    """Five stored pages: two nearly alike, one rather alike, two of their own."""
    scheme = CONFIG.make_scheme()
    index = Index(MemoryStore(index_spaces(scheme), words_reader(scheme)), scheme)
    fingerprinter = make_fingerprinter(CONFIG)
    pages = {
        "http://a.example/": text("story"),
        "http://b.example/": text("story", edits=8),
        "http://c.example/": text("story", edits=60),
        "http://d.example/": text("tea"),
        "http://e.example/": text("rail"),
    }
    for url, words in pages.items():
        claim = index.check(url, url.encode(), fingerprinter.of_text(words))
        index.commit(claim)
    return index


def test_pages_just_under_the_threshold_are_found_once(index: Index) -> None:
    seen: list[int] = []
    misses = find_misses(index, 50, seen.append, seconds=300)
    [miss] = misses.found
    assert (miss.url, miss.of) == ("http://b.example/", "http://a.example/")
    assert 0.9 - MARGIN <= miss.similarity < miss.threshold == 0.9
    assert not miss.same_host
    assert not miss.apart
    assert (misses.looked_up, misses.stored) == (5, 5)
    assert seen == [1, 2, 3, 4, 5]


def test_what_a_lower_threshold_accepts_is_no_near_miss(index: Index) -> None:
    index.scheme = replace(index.scheme, min_similarity=0.7)
    assert find_misses(index, 50, lambda _: None).found == ()


def test_the_look_is_bounded_in_pages_and_in_time(index: Index) -> None:
    assert find_misses(index, 50, lambda _: None, pages=2, seconds=300).looked_up == 2
    assert find_misses(index, 50, lambda _: None, seconds=-1).looked_up == 0
    assert find_misses(index, 0, lambda _: None).found == ()


@pytest.mark.parametrize("pages", [5_000, 2])
def test_as_many_pages_are_looked_up_as_there_are_whatever_was_removed(
    index: Index, pages: int
) -> None:
    blank = next(index.store.records())._replace(fingerprint=b"")
    index.store.put_many(blank._replace(request=bytes((n // 9, n % 9))) for n in range(300))
    for page_id in (1, *range(10, 306)):
        index.store.remove(page_id)
    misses = find_misses(index, 50, lambda _: None, pages=pages, seconds=300)
    assert misses.looked_up == min(pages, 8)


def test_thresholds_are_the_schemes_own() -> None:
    assert thresholds(Config().make_scheme()) == (0.2, 0.75)
    assert thresholds(make_scheme("simhash")) == (None, None)
