"""Pages kept though much alike: found in a real store, with what they are to an earlier one."""

from __future__ import annotations

import pytest
from crawling import text

from dedup.assembly import make_fingerprinter
from dedup.config import Config
from dedup.index import Index, index_spaces, words_reader
from dedup.review.report_samples import KinFound, find_kin
from dedup.store import MemoryStore
from dedup.verdict import Relation, Rules

STORY = text("story")
FIRST, LATER = "http://a.example/2023", "http://a.example/2024"
LONGER, OTHER_HOST, PASSAGE = "http://b.example/", "http://c.example/", "http://d.example/"
PAGES = {  # title and text
    FIRST: ("Tides of 2023", STORY),
    LATER: ("Tides of 2024", STORY),
    LONGER: ("Boats", f"{STORY}\n{text('boats')}"),
    OTHER_HOST: ("Rail", text("rail")),
    PASSAGE: ("Tea", f"{text('tea')}\n{STORY[: len(STORY) // 3]}"),
}


def index_of(pages: dict[str, tuple[str, str]], **settings: object) -> Index:
    """An index over a store with these pages."""
    config = Config(**settings)
    scheme = config.make_scheme()
    store = MemoryStore(index_spaces(scheme), words_reader(scheme))
    index = Index(store, scheme, rules=config.rules)
    fingerprinter = make_fingerprinter(config)
    for url, (title, words) in pages.items():
        index.commit(index.check(url, url.encode(), fingerprinter.of_text(words, title)))
    return index


@pytest.fixture
def index() -> Index:
    """Five stored pages: a variant of the first, one that holds it, one with a passage of it."""
    return index_of(PAGES)


def look(index: Index, wanted: int = 50, pages: int = 5_000, seconds: float = 300) -> KinFound:
    return find_kin(index, wanted, lambda _: None, pages=pages, seconds=seconds)


def test_variants_and_pages_that_grew_are_found_once_with_least_that_is_new_first(
    index: Index,
) -> None:
    seen: list[int] = []
    kin = find_kin(index, 50, seen.append, seconds=300)
    assert [(one.url, one.of, one.relation) for one in kin.found[:2]] == [
        (LATER, FIRST, Relation.VARIANT),
        (LONGER, FIRST, Relation.GROWN),
    ]
    assert {(one.url, one.of) for one in kin.found[2:]} == {(LONGER, LATER)}
    assert kin.found[0].new == 0
    assert kin.found[1].new == pytest.approx(0.5, abs=0.1)
    assert (kin.looked_up, kin.stored) == (5, 5)
    assert seen == [1, 2, 3, 4, 5]


def test_where_the_rules_drop_such_pages_none_is_stored_to_be_found() -> None:
    drop = Rules().dropped | {Relation.VARIANT, Relation.GROWN}
    assert look(index_of(PAGES, drop=drop)).found == ()


@pytest.mark.parametrize(("keep_text", "found"), [(True, [LATER]), (False, [])])
def test_pages_are_compared_by_their_texts_where_these_are_kept(
    keep_text: bool, found: list[str]
) -> None:
    values = {
        url: ("", f"{STORY}\nColour: {word}") for url, word in ((FIRST, "red"), (LATER, "blue"))
    }
    index = index_of(values, keep_text=keep_text, drop=frozenset())
    assert [one.url for one in look(index).found] == found


def test_the_look_is_bounded_in_pages_and_in_time(index: Index) -> None:
    assert look(index, pages=2).looked_up == 2
    assert look(index, seconds=-1).looked_up == 0
    assert look(index, wanted=1).found == look(index).found[:1]


@pytest.mark.parametrize("pages", [5_000, 2])
def test_as_many_pages_are_looked_up_as_there_are_whatever_was_removed(
    index: Index, pages: int
) -> None:
    blank = next(index.store.records())._replace(fingerprint=b"")
    index.store.put_many(blank._replace(request=bytes((n // 9, n % 9))) for n in range(300))
    for page_id in (1, *range(10, 306)):
        index.store.remove(page_id)
    assert look(index, pages=pages).looked_up == min(pages, 8)
