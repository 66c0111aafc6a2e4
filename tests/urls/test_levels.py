"""The level of a pattern, and the coarser patterns that it tells."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.urls.patterns import FINEST, HANDLER, Patterns, level_of, lineage

LAW = settings(derandomize=True, deadline=None, max_examples=300)
WORDS = st.text("ab1=.,:*", max_size=4)
PATHS = st.lists(WORDS, max_size=5).map("/".join)
QUERIES = st.lists(st.tuples(WORDS, WORDS).map("=".join), max_size=3).map("&".join)
URLS = st.builds("http://{}/{}".format, st.sampled_from(["a.example", "b.example:80"]), PATHS)


@pytest.mark.parametrize(
    ("pattern", "level"),
    [
        ("wiki.example", 0),
        ("wiki.example ?action&title", 1),
        ("wiki.example 12", 1),
        ("wiki.example index.php?action&title", 2),
        ("wiki.example wiki/*?", 2),
        ("wiki.example ?", 2),
        ("wiki.example index.php?action=history&title=*", 3),
        ("wiki.example ?p=#", 3),
        ("wiki.example /index.php?action=history&title=*", FINEST),
        ("wiki.example /?", FINEST),
        ("", 0),
    ],
)
def test_a_pattern_tells_its_level(pattern: str, level: int) -> None:
    assert level_of(pattern) == level


@LAW
@given(URLS, QUERIES)
def test_the_finest_pattern_of_a_url_tells_all_others(url: str, query: str) -> None:
    patterns = Patterns().of(f"{url}?{query}")
    assert lineage(patterns[-1]) == tuple(dict.fromkeys(patterns))
    assert level_of(patterns[-1]) == FINEST
    assert all(level_of(pattern) <= level for level, pattern in enumerate(patterns[: HANDLER + 1]))


def test_only_a_path_of_more_than_two_segments_has_values_without_the_whole_path() -> None:
    short, long = (Patterns().of(f"http://a.example/{path}?p=tea") for path in ("a/b", "a/b/c"))
    assert short[-2:] == ("a.example /a/b?p=tea", "a.example /a/b?p=tea")
    assert long[-2:] == ("a.example a/b/...?p=tea", "a.example /a/b/c?p=tea")


@LAW
@given(URLS, QUERIES)
def test_a_coarser_pattern_tells_only_what_is_true(url: str, query: str) -> None:
    patterns = Patterns().of(f"{url}?{query}")
    for level, pattern in enumerate(patterns):
        told = lineage(pattern)
        assert (told[0], told[-1]) == (patterns[0], pattern)
        assert {*told} <= {*patterns[: level + 1]}


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ("a.example", ["a.example"]),
        ("a.example ?p", ["a.example", "a.example ?p"]),
        ("a.example a/b?", ["a.example", "a.example 2", "a.example a/b?"]),
        ("a.example a/b/...?", ["a.example", "a.example a/b/...?"]),
        (
            "a.example a/b/...?p=#",
            ["a.example", "a.example ?p", "a.example a/b/...?p", "a.example a/b/...?p=#"],
        ),
    ],
)
def test_a_coarser_pattern_tells_those_above_it(pattern: str, told: list[str]) -> None:
    assert [*lineage(pattern)] == told
