"""Items of a tagged feed that repeat another item of the feed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.items import Naming
from dedup.review.clusters import Entry, ItemState, plainest, read_preference, survivors
from dedup.review.repeats import MOST_PAGES, repeated_items
from dedup.scope import SCOPES

NAMING = Naming()
LISTS = st.lists(st.lists(st.integers(0, 9), max_size=6, unique=True), max_size=6)


def item(number: int, page: str, *, own: bool) -> dict[str, Any]:
    """An entry of a list: with a URL of its own, or with the URL of the list."""
    url = f"http://a.example/entry/{number}" if own else page
    return {
        "url": url,
        "title": f"the topic of number {number}",
        "found_on": page,
        "position": page[-1],
    }


def feed(
    lists: list[list[int]], earlier: set[int], *, own: bool
) -> tuple[list[Entry], list[dict[str, Any]]]:
    """A feed in tag mode, after a crawl that exported some entries from an earlier list."""
    givers = dict.fromkeys(earlier, "http://a.example/list?before")
    entries, items = [], []
    for place, numbers in enumerate(lists):
        page = f"http://a.example/list?{place}"
        for number in numbers:
            fields = item(number, page, own=own)
            of = givers.get(number, "")
            givers.setdefault(number, page)
            tag = {"of": of, "page": page, "state": ItemState.REPEATED} if of else {}
            entries.append(Entry(url=fields["url"], **tag))
            items.append(fields)
    return entries, items


def kept(entries: list[Entry], items: list[dict[str, Any]], scope: str = "global") -> list[int]:
    gone = repeated_items(entries, items, plainest, NAMING, SCOPES[scope])
    return [place for place in survivors(entries, plainest) if place not in gone]


@given(LISTS, st.sets(st.integers(0, 9)), st.booleans())
def test_every_distinct_entry_stays_once(
    lists: list[list[int]], earlier: set[int], own: bool
) -> None:
    entries, items = feed(lists, earlier, own=own)
    titles = Counter(items[place]["title"] for place in kept(entries, items))
    assert titles == dict.fromkeys((one["title"] for one in items), 1)


def test_short_items_that_other_pages_gave_stay() -> None:
    """Equal rows of two tables, each given by its own page at an earlier visit, and once more."""
    pages = ["http://a.example/1", "http://a.example/2", "http://a.example/2"]
    entries = [Entry(url=url, of=url, page=url, state=ItemState.REPEATED) for url in pages]
    assert kept(entries, [{"size": "S", "price": 12} for _ in pages]) == [0, 1]


@given(st.lists(st.tuples(LISTS, st.booleans()), min_size=1, max_size=2))
def test_items_without_a_tag_always_stay(parts: list[tuple[list[list[int]], bool]]) -> None:
    """Also where the tags of the feed belong to other items."""
    entries, items = [], []
    for lists, own in parts:
        more = feed(lists, set(), own=own)
        entries += more[0]
        items += more[1][::-1]
    places = set(kept(entries, items))
    assert {place for place, entry in enumerate(entries) if not entry.of} <= places


def test_the_preferred_one_of_repeated_items_stays_where_the_first_is_in_no_feed() -> None:
    fields = [item(1, f"http://a.example/list?{place}", own=True) for place in range(3)]
    entries = [
        Entry(one["url"], "http://a.example/before", length=length, page=one["found_on"],
              state=ItemState.REPEATED)
        for one, length in zip(fields, (1, 3, 2), strict=True)
    ]  # fmt: skip
    longest = read_preference("longest")
    assert repeated_items(entries, fields, longest, NAMING, SCOPES["global"]) == {0, 2}


@pytest.mark.parametrize(("scope", "stay"), [("global", [0]), ("host", [0, 1])])
def test_items_repeat_each_other_within_a_scope(scope: str, stay: list[int]) -> None:
    pages = ["http://a.example/", "http://b.example/"]
    fields = [{"url": "http://c.example/1", "title": "of one topic"} for _ in pages]
    entries = [
        Entry("http://c.example/1", page=pages[0], state=ItemState.NEW),
        Entry("http://c.example/1", "http://b.example/0", page=pages[1], state=ItemState.REPEATED),
    ]
    assert kept(entries, fields, scope) == stay


@pytest.mark.parametrize("fields", [{}, {"url": "\ud800"}, {"url": "http://["}, {"n": 1}])
def test_items_that_cannot_be_compared_stay(fields: dict[str, Any]) -> None:
    entries = [
        Entry("http://a.example/1"),
        Entry("x", "http://a.example/0", page="y", state=ItemState.REPEATED),
    ]
    assert kept(entries, [{"url": "http://a.example/1"}, fields]) == [0, 1]


def test_an_item_is_compared_as_one_of_few_pages() -> None:
    """However many pages are said to have given items with its URL."""
    compared: list[str] = []

    class Counts(Naming):
        def identify(self, fields: Any, page_url: str) -> Any:
            compared.append(page_url)
            return super().identify(fields, page_url)

    url, number = "http://c.example/1", 10 * MOST_PAGES
    repeated = [
        Entry(url, f"http://a{n}.example/", page="http://b.example/", state=ItemState.REPEATED)
        for n in range(number)
    ]
    named: dict[str, Any] = {str(n): entry.of for n, entry in enumerate(repeated)}
    items = [{"url": url} | named, *({"url": url} for _ in repeated)]

    repeated_items([Entry(url), *repeated], items, plainest, Counts(), SCOPES["global"])

    assert len(compared) <= number + 2 * MOST_PAGES


@pytest.mark.parametrize("value", [[[5] * 1_000] * 100, "deep"], ids=["wide", "deep"])
def test_an_item_that_no_crawl_could_read_stays(value: Any) -> None:
    if value == "deep":
        for _ in range(300):
            value = [value]
    entries, items = feed([[1], [1]], set(), own=True)
    entries.append(Entry(url="http://a.example/entry/2", page="http://a.example/list?2"))
    items.append({"url": "http://a.example/entry/2", "thread": value})
    assert kept(entries, items) == [0, 2]
