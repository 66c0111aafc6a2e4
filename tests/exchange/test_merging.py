"""Pages put into a store that has some: who is new, who stays, and who repeats whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.exchange.entries import ExportedPage
from dedup.exchange.merging import add_tallies, find_duplicates, mark_exempt, put_pages
from dedup.store import MemoryStore, Record
from dedup.urls import Tally
from tests.exchange.made_pages import (
    FINGERPRINTER,
    WORDS_OF,
    contents,
    index_over,
    memory,
    page,
    prose,
)

LAW = settings(derandomize=True, deadline=None, max_examples=60)
A, B = "http://a.example/", "http://b.example/"


def put(
    store: MemoryStore, *pages: ExportedPage, texts: bool = True, batch_pages: int = 9
) -> Counter[str]:
    merged: Counter[str] = Counter()
    put_pages(store, pages, merged, texts=texts, batch_pages=batch_pages)
    return merged


def repeats(store: MemoryStore, pages: Iterable[ExportedPage]) -> dict[str, str]:
    """The URL that each page repeats, of those that repeat one."""
    found = find_duplicates(index_over(store), WORDS_OF, pages)
    return {page.record.url: match.record.url for page, match in found if match is not None}


def test_new_pages_are_put_in_their_order_with_their_texts() -> None:
    store = memory()
    pages = [page(A, 1, text="one\ntwo"), page(B, 2), page(A + "3", 3, text="three")]
    assert put(store, *pages) == Counter(added=3)
    assert contents(store) == [
        (pages[0].record._replace(page_id=1), "one\ntwo"),
        (pages[1].record._replace(page_id=2), None),
        (pages[2].record._replace(page_id=3), "three"),
    ]


def test_texts_may_be_left_out() -> None:
    store = memory()
    put(store, page(A, 1, text="one"), texts=False)
    assert store.text(1) is None


def test_of_two_pages_of_one_request_the_one_seen_later_stays() -> None:
    store = memory()
    put(store, page(A, "old", seen=5), page(B, "new", seen=9))
    later, earlier = page(A, "newer", seen=6), page(B, "older", seen=8)
    assert put(store, later, earlier) == Counter(replaced=1, unchanged=1)
    assert [record.digest for record in store.records()] == [
        later.record.digest,
        page(B, "new").record.digest,
    ]


def test_that_an_unchanged_page_was_exported_stays_known() -> None:
    store = memory()
    put(store, page(A, 1, seen=5, exported=True), page(B, 2, seen=5, exported=False))
    put(store, page(A, 1, seen=9, exported=False), page(B, 2, seen=1, exported=True))
    assert [record.exported for record in store.records()] == [True, True]
    assert [record.seen for record in store.records()] == [9, 5]


PAGES = st.lists(
    st.builds(
        page,
        url=st.sampled_from([A, B, A + "1", B + "1"]),
        subject=st.integers(1, 3),
        seen=st.integers(1, 4).map(float),
        exported=st.booleans(),
    ),
    max_size=12,
)


@LAW
@given(PAGES, PAGES)
def test_importing_again_changes_nothing(
    before: list[ExportedPage], pages: list[ExportedPage]
) -> None:
    pages = list({page.record.request: page for page in pages}.values())  # As an export has them.
    store = memory()
    put(store, *before)
    put(store, *pages)
    once = contents(store)
    assert put(store, *pages) == Counter(unchanged=len(pages))
    assert contents(store) == once


@LAW
@given(PAGES, PAGES, st.integers(0, 12))
def test_an_import_broken_off_and_run_again_ends_as_one_in_one_go(
    before: list[ExportedPage], pages: list[ExportedPage], done: int
) -> None:
    whole, broken_off = memory(), memory()
    for store in (whole, broken_off):
        put(store, *before)
    put(whole, *pages)
    put(broken_off, *pages[:done])
    put(broken_off, *pages)
    assert contents(broken_off) == contents(whole)


@LAW
@given(PAGES)
def test_counts_add_up_and_the_size_of_batches_changes_nothing(pages: list[ExportedPage]) -> None:
    one_batch, many = memory(), memory()
    counts = put(one_batch, *pages, batch_pages=100)
    assert counts["added"] == len(one_batch)
    assert counts.total() == len(pages)
    assert put(many, *pages, batch_pages=2) == counts
    assert contents(many) == contents(one_batch)


def test_a_batch_is_bounded_in_bytes_too() -> None:
    read: list[Record] = []

    def pages() -> Iterable[ExportedPage]:
        for number in range(4):
            read.append(page(f"{A}{number}", number).record)
            yield ExportedPage(read[-1], "t" * 100)

    found = find_duplicates(index_over(memory()), WORDS_OF, pages(), batch_bytes=100)
    for number, _ in enumerate(found, start=1):
        assert len(read) == number


def test_a_page_that_repeats_one_of_the_store_is_found_with_it() -> None:
    store = memory()
    put(store, page(A + "1", "tea"), page(A + "2", "solar"))
    pages = [page(B + "1", "tea"), page(B + "2", "solar", edits=2), page(B + "3", "moss")]
    assert repeats(store, pages) == {B + "1": A + "1", B + "2": A + "2"}


def grown(url: str) -> ExportedPage:
    """A page that holds that of the subject "tea", and as much again."""
    made = FINGERPRINTER.of_text(f"{prose('tea')}\n{prose('milk')}")
    record = Record(url, url.encode(), 1000.0, True, made.tokens, made.digest, made.value)
    return ExportedPage(record, "")


def test_a_match_has_its_relation_and_a_page_that_grew_repeats_nothing() -> None:
    store = memory()
    put(store, page(A, "tea"))
    pages = [page(B + "1", "tea"), page(B + "2", "tea", edits=2), grown(B + "3")]
    found = find_duplicates(index_over(store), WORDS_OF, pages)
    assert [match and match.relation for _, match in found] == ["equal", "edited", None]


def test_a_page_that_one_of_the_store_holds_is_contained_in_it() -> None:
    store = memory()
    put(store, grown(A))
    [(_, match)] = find_duplicates(index_over(store), WORDS_OF, [page(B, "tea")])
    assert match is not None
    assert (match.relation, match.record.url) == ("contained", A)


def test_pages_of_one_source_are_no_duplicates_of_each_other() -> None:
    assert repeats(memory(), [page(A, "tea"), page(B, "tea")]) == {}


def test_a_page_repeats_neither_itself_nor_one_that_gave_no_item() -> None:
    store = memory()
    put(store, page(A, "tea"), page(A + "2", "moss", exported=False))
    assert repeats(store, [page(A, "tea"), page(B, "moss")]) == {}


def test_a_page_marked_as_exempt_repeats_nothing() -> None:
    store = memory()
    put(store, page(A, "tea"))
    assert mark_exempt(store, [B.encode()]) == 1
    assert repeats(store, [page(B, "tea")]) == {}


def test_tallies_are_added_to_those_of_the_store() -> None:
    store = memory()
    store.tally({"a.example": Tally(1, 1, 9, 9, A)})
    assert add_tallies(store, [("a.example", Tally(2, 0, 5)), ("b.example", Tally(1))]) == 2
    assert dict(store.tallies()) == {"a.example": Tally(3, 1, 14, 9, A), "b.example": Tally(1)}


def test_the_answer_is_the_same_once_the_pages_are_put() -> None:
    store = memory()
    put(store, page(A, "tea"))
    pages = [page(B, "tea", edits=2), page(B + "2", "tea", edits=2)]
    before = repeats(store, pages[:1])
    put(store, *pages)
    assert repeats(store, pages[:1]) == before == {B: A}
