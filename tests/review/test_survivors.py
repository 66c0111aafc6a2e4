"""One page of each cluster of a tagged feed."""

from datetime import UTC, datetime

import pytest

from dedup.review.clusters import Entry, ItemState, plainest, read_preference, survivors

ENTRIES = [
    Entry("http://a.example/1", "", datetime(2026, 3, 1, tzinfo=UTC), 100),
    Entry("http://b.example/1", "http://a.example/1", datetime(2026, 1, 1, tzinfo=UTC), 90),
    Entry("http://www.c.example/1", "http://a.example/1", length=300),
    Entry("http://a.example/2", ""),
]


@pytest.mark.parametrize(
    ("preference", "kept"),
    [
        ("first", [0, 3]),
        ("earliest", [1, 3]),
        ("longest", [2, 3]),
        ("host=c.example", [2, 3]),
        ("host=WWW.C.example:80", [2, 3]),
        ("host=nobody.example", [0, 3]),
    ],
)
def test_the_preferred_page_of_each_cluster_stays(preference: str, kept: list[int]) -> None:
    assert survivors(ENTRIES, read_preference(preference)) == kept


def test_the_shortest_canonical_page_stays_or_else_the_shortest_one() -> None:
    of = "http://a.example/tea?session=1"
    entries = [
        Entry(of, ""),
        Entry("http://a.example/te", of, plain="shorter"),
        Entry("http://a.example/t", of, plain="shorter"),
        Entry("http://a.example/", of),
    ]
    assert survivors(entries, plainest) == [2]

    entries.append(Entry("http://a.example/canonical", of, plain="canonical"))
    assert survivors(entries, plainest) == [4]
    entries.append(Entry("http://a.example/canon", of, plain="canonical"))
    assert survivors(entries, plainest) == [5]


def test_of_urls_of_one_length_the_first_by_alphabet_stays() -> None:
    entries = [Entry("c", ""), Entry("b", "c", plain="shorter"), Entry("a", "b", plain="shorter")]
    assert survivors(entries, plainest) == [2]


def test_an_untagged_page_is_first_though_it_comes_later() -> None:
    entries = [Entry("b", "a"), Entry("a", "")]
    assert survivors(entries, read_preference("first")) == [1]


def test_copies_of_a_page_that_is_not_in_the_feed_are_a_cluster() -> None:
    assert survivors([Entry("b", "a"), Entry("c", "a")], read_preference("first")) == [0]


def test_all_items_of_a_surviving_page_stay() -> None:
    entries = [Entry("a", ""), Entry("a", ""), Entry("b", "a")]
    assert survivors(entries, read_preference("first")) == [0, 1]


def test_items_that_were_judged_alone_stay_and_join_no_pages() -> None:
    entries = [
        Entry("list", ""),
        Entry("1", "list", page="list2", state=ItemState.REPEATED),
        Entry("2", "list", page="list2", state=ItemState.NEW),
        Entry("3", "list", page="list2"),  # the first item of a page: judged before the others
        Entry("4", "list", page="list3"),
    ]
    assert survivors(entries, read_preference("longest")) == [0, 1, 2, 3, 4]


def test_a_tag_of_an_older_version_counts_where_it_must_be_about_a_page() -> None:
    def old(url: str, of: str) -> Entry:
        return Entry(url, of, state=ItemState.UNKNOWN)

    first = read_preference("first")
    assert survivors([Entry("a", ""), old("b", "a"), old("c", "a")], first) == [0]
    assert survivors([old("1", "list"), old("2", "list")], first) == [0, 1]
    assert survivors([Entry("a", ""), old("b", "a"), Entry("b", "")], first) == [0, 1, 2]
    assert survivors([Entry("a", ""), Entry("c", ""), old("b", "a"), old("b", "c")], first) == [
        *range(4)
    ]


@pytest.mark.parametrize("text", ["", "last", "host", "host="])
def test_another_preference_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="must be one of first"):
        read_preference(text)


def test_an_item_that_comes_again_does_not_keep_the_copies_of_its_page() -> None:
    entries = [
        Entry("/1", page="/1"),
        Entry("/1", "/1", page="/1", state=ItemState.REPEATED),
        Entry("/2", "/1", page="/2"),
        Entry("/3", page="/3"),
    ]
    kept = survivors(entries, read_preference("first"))
    assert [entries[place].url for place in kept if not entries[place].is_alone] == ["/1", "/3"]
