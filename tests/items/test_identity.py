"""Items that are the same one, and items that are not, whichever page gives them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.items import Naming
from dedup.store import ITEM_BYTES

LIST = "https://shop.example/list?page=1"
NAMING = Naming()
LAW = settings(derandomize=True, deadline=None, max_examples=200)
ENTRY = {
    "url": "https://shop.example/a/1",
    "title": "Green tea, first flush",
    "price": 12.5,
    "teaser": "A tea of the first days of spring, " * 5,
}


def digest(fields: dict[str, Any], page: str = LIST) -> bytes:
    identity = NAMING.identify(fields, page)
    assert identity is not None
    assert len(identity) == ITEM_BYTES
    return identity


@pytest.mark.parametrize(
    "change",
    [
        {"position": 7},
        {"Rank": "3"},
        {"comments": "21"},
        {"views": 1_204},
        {"scraped_at": "yesterday"},
        {"source": LIST},
        {"near_duplicate": {"of": "https://a.example/"}},
        {"note": "3 hours ago"},
        {"teaser": "Another teaser of this tea, " * 5},
        {"price": "12.50"},
        {"url": "/a/1"},
    ],
    ids="-".join,
)
def test_what_changes_with_every_visit_makes_no_other_item(change: dict[str, Any]) -> None:
    assert digest(ENTRY | change) == digest(ENTRY)


@pytest.mark.parametrize(
    "write",
    [
        datetime.isoformat,
        lambda now: now.strftime("%Y/%m/%d %H:%M:%S"),
        datetime.timestamp,
        lambda now: int(1000 * now.timestamp()),
        lambda now: now,
    ],
)
def test_the_moment_of_the_visit_makes_no_other_item(write: Callable[[datetime], Any]) -> None:
    now = datetime.now(UTC)
    assert digest(ENTRY | {"seen": write(now)}) == digest(ENTRY)
    if write is not datetime.timestamp:
        assert digest(ENTRY | {"seen": write(now - timedelta(days=3))}) != digest(ENTRY)


@pytest.mark.parametrize(
    "change",
    [
        {"url": "https://shop.example/a/2"},
        {"price": 13.5},
        {"title": "Green tea, second flush"},
        {"date": "2024-05-18"},
        {"date": "18 May 2024"},
        {"starts": (datetime.now(UTC) + timedelta(days=1)).isoformat()},
        {"comments": ["Nice tea"]},
        {"sizes": ["S", "M"]},
        {"rank": "a sentence about its rank that is too long to be a number"},
    ],
    ids="-".join,
)
def test_a_fact_makes_another_item(change: dict[str, Any]) -> None:
    assert digest(ENTRY | change) != digest(ENTRY)


def test_an_item_without_a_url_of_its_own_is_all_that_it_holds() -> None:
    post = {"url": LIST, "author": "Jo", "text": "I like this tea. " * 20}
    assert digest(post) == digest({"author": "Jo", "text": post["text"]})
    assert digest(post) != digest(post | {"text": f"{post['text']} Really."})
    other_page = LIST.replace("1", "2")
    assert digest(post) == digest(post | {"url": other_page}, other_page)


def test_an_item_that_says_little_has_no_identity() -> None:
    assert NAMING.identify({"price": 12}, LIST) is None
    assert NAMING.identify({"url": LIST, "position": 123456789012345678}, LIST) is None
    assert NAMING.identify({}, LIST) is None
    assert NAMING.identify({"name": "绿茶红茶白茶"}, LIST) is not None


def test_fields_can_be_named_by_users() -> None:
    naming = Naming(url_field="address", changing=frozenset(("stock",)))
    one, other = (
        naming.identify({"address": "/a/1", "stock": stock, "name": "tea"}, LIST)
        for stock in (1, 2)
    )
    assert one is not None
    assert other is not None
    assert one == other


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
FIELDS = st.dictionaries(st.text(max_size=8) | st.sampled_from(("url", "link")), VALUES, max_size=6)


@LAW
@given(FIELDS, st.text(max_size=30))
def test_any_item_has_one_identity_or_none_whatever_the_order_of_its_fields(
    fields: dict[str, Any], page: str
) -> None:
    backwards = dict(reversed(fields.items()))
    if "\x00" not in page:
        assert NAMING.identify(fields, page) == NAMING.identify(backwards, page)
