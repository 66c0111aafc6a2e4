"""Of equal pages of one site, the one with the plain URL is the one that later copies repeat."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from indexing import DUPLICATE, KINDS, NEW, REVISIT, SCHEME, open_store, text

from dedup.index import Claim, Index, Plain, index_spaces, words_reader
from dedup.store import MemoryStore, Record, StoreError, StoreUnavailableError

S = TypeVar("S", bound=MemoryStore)
TEA = text("tea")
LONG, MIDDLE, SHORT = (
    "https://a.example/tea?session=1",
    "https://a.example/tea",
    "https://a.example/t",
)


@pytest.fixture(params=KINDS)
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Index:
    return Index(open_store(request.param, tmp_path / "store"), SCHEME)


def made(kind: type[S]) -> S:
    """An empty store in memory."""
    return kind(index_spaces(SCHEME), words_reader(SCHEME))


def visit(index: Index, url: str, *, canonical: bool = False, declares: str = "") -> Claim:
    """Check a page of the one text, and commit it."""
    claim = index.check(url, url.encode(), TEA, canonical=canonical, canonical_url=declares)
    index.commit(claim)
    return claim


def told(claim: Claim) -> tuple[str, str]:
    """The URL that a page is said to repeat, and why it is the plain one."""
    assert claim.verdict is DUPLICATE
    assert claim.match is not None
    return claim.match.of, claim.match.plain


def test_later_copies_repeat_the_copy_with_the_shortest_url(index: Index) -> None:
    visit(index, LONG)

    assert told(visit(index, MIDDLE)) == (LONG, Plain.SHORTER)
    assert told(visit(index, f"{MIDDLE}?session=2")) == (MIDDLE, "")
    assert told(visit(index, SHORT)) == (MIDDLE, Plain.SHORTER)
    last = visit(index, f"{MIDDLE}?session=3")
    assert told(last) == (SHORT, "")
    assert last.match is not None
    assert last.match.urls == {"of": SHORT, "of_first": LONG}


def test_the_first_copy_is_named_apart_only_if_it_is_not_the_plain_one(index: Index) -> None:
    visit(index, MIDDLE)
    match = visit(index, LONG).match
    assert match is not None
    assert match.urls == {"of": MIDDLE}


def test_the_canonical_url_is_plainer_than_a_shorter_one(index: Index) -> None:
    visit(index, LONG)

    assert told(visit(index, MIDDLE, canonical=True)) == (LONG, Plain.CANONICAL)
    assert told(visit(index, SHORT)) == (MIDDLE, "")


def test_of_two_canonical_urls_the_shorter_one_is_told_as_canonical(index: Index) -> None:
    """Else ``keep`` would prefer the longer one, whose tag says so."""
    visit(index, LONG)

    assert told(visit(index, MIDDLE, canonical=True)) == (LONG, Plain.CANONICAL)
    assert told(visit(index, SHORT, canonical=True)) == (MIDDLE, Plain.CANONICAL)


def test_the_plain_copy_may_turn_out_to_be_canonical(index: Index) -> None:
    visit(index, LONG)

    assert told(visit(index, SHORT)) == (LONG, Plain.SHORTER)
    assert told(visit(index, SHORT, canonical=True)) == (LONG, Plain.CANONICAL)


def test_a_first_page_that_is_canonical_stays_the_plain_one(index: Index) -> None:
    visit(index, LONG, canonical=True)
    assert told(visit(index, SHORT)) == (LONG, "")


def test_a_page_that_declares_the_page_it_repeats_as_canonical_is_never_plainer(
    index: Index,
) -> None:
    visit(index, LONG)

    assert told(visit(index, SHORT, declares=LONG)) == (LONG, "")
    assert told(visit(index, MIDDLE)) == (LONG, "")
    (record,) = index.store.records()
    assert (record.url, record.canonical) == (LONG, True)


def test_a_later_declaration_makes_the_first_page_plain_again(index: Index) -> None:
    visit(index, LONG)
    visit(index, SHORT)

    assert told(visit(index, MIDDLE, declares=LONG)) == (LONG, "")
    assert told(visit(index, f"{MIDDLE}?session=2")) == (LONG, "")


def test_the_plain_copy_may_be_declared_by_another_copy(index: Index) -> None:
    visit(index, LONG)
    visit(index, MIDDLE)

    assert told(visit(index, SHORT, declares=MIDDLE)) == (MIDDLE, "")
    assert told(visit(index, f"{SHORT}?")) == (MIDDLE, "")


def test_a_declaration_counts_while_the_first_page_is_in_flight(index: Index) -> None:
    first = index.check(LONG, LONG.encode(), TEA)
    visit(index, SHORT, declares=LONG)
    index.commit(first)

    assert told(visit(index, SHORT)) == (LONG, "")


@pytest.mark.parametrize("declared", ["https://a.example/nothing", "https://b.example/", SHORT])
def test_a_declaration_of_any_other_page_changes_nothing(index: Index, declared: str) -> None:
    visit(index, LONG)

    assert told(visit(index, MIDDLE, declares=declared)) == (LONG, Plain.SHORTER)
    assert [record.canonical for record in index.store.records()] == [False]


def test_a_page_of_another_site_makes_no_page_canonical(index: Index) -> None:
    visit(index, LONG)
    visit(index, "https://b.example/", declares=LONG)

    assert told(visit(index, SHORT)) == (LONG, Plain.SHORTER)


def test_a_fragment_does_not_matter_in_a_declaration(index: Index) -> None:
    visit(index, f"{LONG}#top")

    assert told(visit(index, SHORT, declares=LONG)) == (f"{LONG}#top", "")


def test_a_fragment_of_the_first_page_is_no_copy(index: Index) -> None:
    visit(index, LONG)
    index.commit(index.check(f"{LONG}#the-end", LONG.encode(), TEA, canonical=True))

    assert told(visit(index, MIDDLE)) == (f"{LONG}#the-end", "")


def test_a_first_page_that_declares_itself_in_the_next_crawl_is_the_plain_one(
    index: Index,
) -> None:
    visit(index, LONG)
    visit(index, SHORT)
    visit(index, LONG, canonical=True)

    assert told(visit(index, SHORT)) == (LONG, "")


def test_a_page_that_was_exported_is_exported_again_whatever_copy_is_plainer(index: Index) -> None:
    visit(index, LONG)
    visit(index, SHORT, canonical=True)

    assert visit(index, LONG).verdict is REVISIT
    (record,) = index.store.records()
    assert (record.url, record.plain_url, record.canonical) == (LONG, SHORT, True)


def test_the_plain_copy_is_told_again_in_each_crawl_and_never_repeats_itself(index: Index) -> None:
    visit(index, LONG)
    visit(index, SHORT, canonical=True)

    assert told(visit(index, SHORT)) == (LONG, Plain.CANONICAL)
    assert told(visit(index, SHORT, canonical=True, declares=SHORT)) == (LONG, Plain.CANONICAL)


def test_a_page_of_another_site_is_never_the_plain_one(index: Index) -> None:
    """Its author could else have all copies of a page told as copies of his own."""
    visit(index, LONG)

    assert told(visit(index, "https://b.example/", canonical=True)) == (LONG, "")
    assert told(visit(index, f"{LONG}&page=2")) == (LONG, "")


def test_only_an_equal_page_is_the_plain_one(index: Index) -> None:
    visit(index, LONG)
    edited = index.check(SHORT, b"edited", text("tea", changed=12), canonical=True)

    assert told(edited) == (LONG, "")
    assert [record.plain_url for record in index.store.records()] == [""]


def test_a_page_in_flight_is_stored_with_its_plain_copy(index: Index) -> None:
    first = index.check(LONG, LONG.encode(), TEA)
    visit(index, SHORT)
    index.commit(first)

    assert told(visit(index, MIDDLE)) == (SHORT, "")


def test_the_plain_copy_is_kept_whichever_response_of_a_request_ends_first(index: Index) -> None:
    first, second = (index.check(LONG, LONG.encode(), TEA) for _ in range(2))
    visit(index, SHORT)
    index.commit(second)
    index.commit(first)

    assert told(visit(index, MIDDLE)) == (SHORT, "")


class Failing(MemoryStore):
    """A store that cannot be written, for one reason or another."""

    error: StoreError | None = None

    def put(self, record: Record, text: bytes = b"") -> Record:
        if self.error is not None:
            raise self.error
        return super().put(record, text)


def test_a_page_stays_a_duplicate_where_its_url_cannot_be_noted() -> None:
    store = made(Failing)
    index = Index(store, SCHEME)
    visit(index, LONG)

    store.error = StoreError("the disk is full")
    assert told(visit(index, SHORT)) == (LONG, "")

    store.error = StoreUnavailableError("the server is away")
    with pytest.raises(StoreUnavailableError):
        visit(index, SHORT)
    store.error = None
    assert told(visit(index, SHORT)) == (LONG, Plain.SHORTER)


class Shared(MemoryStore):
    """A store that another process changes while a page is compared."""

    change: Callable[[], object] | None = None

    def is_exempt(self, request: bytes) -> bool:
        if self.change is not None:
            self.change()
        return super().is_exempt(request)


def test_what_another_process_has_stored_meanwhile_stays() -> None:
    store = made(Shared)
    index = Index(store, SCHEME)
    record = visit(index, LONG).record

    store.change = lambda: store.put(record._replace(items=bytes(8)))
    visit(index, MIDDLE)
    assert [(one.items, one.plain_url) for one in store.records()] == [(bytes(8), MIDDLE)]

    store.change = lambda: store.put(record._replace(digest=bytes(16)))
    visit(index, SHORT)
    assert [(one.digest, one.plain_url) for one in store.records()] == [(bytes(16), "")]


def test_a_page_that_another_process_has_removed_meanwhile_stays_away() -> None:
    store = made(Shared)
    index = Index(store, SCHEME)
    visit(index, LONG)

    store.change = lambda: [store.remove(one.page_id) for one in [*store.records()]]
    visit(index, SHORT)
    assert [*store.records()] == []


def test_a_crawl_that_only_reads_writes_no_plain_url(index: Index) -> None:
    visit(index, LONG)
    reads = Index(index.store, SCHEME, read_only=True)

    assert told(visit(reads, SHORT)) == (LONG, Plain.SHORTER)
    assert [record.plain_url for record in index.store.records()] == [""]


def test_a_page_with_a_new_text_has_no_plain_copy_any_more(index: Index) -> None:
    visit(index, LONG)
    visit(index, SHORT)
    index.commit(index.check(LONG, LONG.encode(), text("bread")))

    assert [record.plain_url for record in index.store.records()] == [""]


class Blind(MemoryStore):
    """A store that finds no page by its words."""

    def near(self, words: object) -> object:  # type: ignore[override]
        return super().near(())


def test_a_page_is_compared_with_those_that_it_is_said_to_be_the_same_as() -> None:
    store = made(Blind)
    index = Index(store, SCHEME)
    visit(index, LONG)

    assert index.check(SHORT, b"1", TEA).verdict is NEW
    assert index.check(SHORT, b"2", TEA, named=[b"unknown", LONG.encode()]).verdict is DUPLICATE
    other = text("bread")
    assert index.check(SHORT, b"3", other, named=[LONG.encode()]).verdict is NEW


# The path of each copy; whether it is declared as canonical; whether it declares the first one.
COPIES = st.lists(
    st.tuples(st.text("ab", min_size=1, max_size=4), st.booleans(), st.booleans()),
    min_size=1,
    unique_by=lambda page: page[0],
)


@settings(deadline=None, derandomize=True)
@given(COPIES)
def test_in_any_order_the_shortest_of_the_canonical_or_else_of_all_is_the_plain_one(
    pages: list[tuple[str, bool, bool]],
) -> None:
    index = Index(open_store("memory", Path()), SCHEME)
    first, *_ = urls = [f"https://a.example/{path}" for path, *_ in pages]
    declared = set()
    for url, (_, canonical, names_first) in zip(urls, pages, strict=True):
        visit(index, url, canonical=canonical, declares=first if names_first else "")
        if canonical and (url == first or not names_first):
            declared.add(url)
        if names_first and url != first:
            declared.add(first)

    (record,) = index.store.records()
    assert (record.plain_url or record.url) == min(declared or urls, key=lambda u: (len(u), u))
    assert record.url == first
