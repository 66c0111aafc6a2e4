"""What an item is known by: compiled code finds it as Python does."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dedup import native
from dedup.items import CHANGING, FACTS, Naming
from dedup.items.identity import SHORT
from dedup.items.names import COUNTERS, MAYBE_COUNTERS, TEASERS

pytestmark = pytest.mark.usefixtures("compiled")

PAGE = "http://a.example/list"
NAMES = [
    *COUNTERS[:3], *MAYBE_COUNTERS[:2], *CHANGING[:3], *FACTS[:3], *sorted(TEASERS)[:3],
    "url", "guid", "title",
]  # fmt: skip
WORDS = [
    "tea", "TEA ", " \t\x1c", "\xa0", "\u200b", "İ", "ß", "茶", "\ud800", "\0", "3", "1,299",
    "4.50", "1.500", "3.10.1", "EUR", "$", "views", "3 days ago", "2024-05-06 07:08", "2024",
    "发布时间", PAGE, "http://a.example/1",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join) | st.text(max_size=SHORT + 5)
AMOUNTS = st.text("0129,. E$", max_size=14)  # numbers in many ways, and what is nearly one
NUMBERS = st.integers() | st.floats() | st.sampled_from([0, 7, -7, 10**9, 10**9 + 1, 10**16, 4e9])
VALUES = TEXTS | AMOUNTS | NUMBERS | st.none() | st.booleans() | st.lists(TEXTS, max_size=2)


@settings(derandomize=True, deadline=None, max_examples=400)
@given(
    st.dictionaries(st.sampled_from([*NAMES, "near_duplicate"]), VALUES, max_size=6), st.booleans()
)
@example({"title": "a" * SHORT, "teaser": "b" * (SHORT + 1), "price": "1,299.00 EUR"}, True)
@example(
    {"title": "1,299,5000 12345,678 0.50 1.0", "lead": "1,000.0010,000.", "x": "0,000.0"}, True
)
@example({"title": "3 days ago", "price": "3 days ago", "views": "12", "rank": 12}, True)
def test_plain_items_are_told_as_by_python(fields: dict[str, Any], has_url: bool) -> None:
    naming = Naming()
    reference = naming._tell_any(fields, PAGE, has_url=has_url)  # the names are known from now on

    assert naming._tell(fields, PAGE, has_url=has_url) == reference


@settings(derandomize=True, deadline=None, max_examples=2_000)
@given(AMOUNTS, st.sampled_from(["title", "price"]))
@example("1.20.1 1.500 0.500 1,500.00 1234.500 1.5000 001.500", "price")
def test_numbers_are_written_as_by_python(amount: str, name: str) -> None:
    naming = Naming()
    reference = naming._tell_any({name: amount}, PAGE, has_url=False)

    assert naming._tell({name: amount}, PAGE, has_url=False) == reference


def test_the_moment_of_the_visit_is_told_as_by_python() -> None:
    naming, now = Naming(), time.time()
    fields = {"title": now, "note": int(now), "more": int(1000 * now), "long": 2**70}
    reference = naming._tell_any(fields, PAGE, has_url=True)

    assert naming._tell(fields, PAGE, has_url=True) == reference


def test_items_of_other_kinds_are_left_to_python() -> None:
    naming = Naming()
    known: dict[str, Any] = {}
    asked = (PAGE, False, SHORT, str, bool, bool)

    assert native.core.tell_item({"title": "tea"}, known, *asked) is None  # never read
    known["title"] = naming._read("title", has_url=False)
    assert native.core.tell_item({"title": "tea"}, known, *asked) is not None
    for value in ([], {}, True, b""):
        assert native.core.tell_item({"title": value}, known, *asked) is None
    assert native.core.tell_item({"title": "tea", 5: ""}, known, *asked) is None
