"""One page of each cluster of a tagged feed."""

from datetime import UTC, datetime

import pytest

from dedup.review.survivors import Entry, plainest, read_preference, survivors

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


def test_an_untagged_page_is_first_though_it_comes_later() -> None:
    entries = [Entry("b", "a"), Entry("a", "")]
    assert survivors(entries, read_preference("first")) == [1]


def test_copies_of_a_page_that_is_not_in_the_feed_are_a_cluster() -> None:
    assert survivors([Entry("b", "a"), Entry("c", "a")], read_preference("first")) == [0]


def test_all_items_of_a_surviving_page_stay() -> None:
    entries = [Entry("a", ""), Entry("a", ""), Entry("b", "a")]
    assert survivors(entries, read_preference("first")) == [0, 1]


@pytest.mark.parametrize("text", ["", "last", "host", "host="])
def test_another_preference_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="a preference must be one of first"):
        read_preference(text)
