"""Values that an item has from the request of its page."""

from __future__ import annotations

from typing import Any

import pytest

from dedup.items import DIGEST_BYTES, Carried, Naming

NAMING = Naming()


def digest(fields: dict[str, Any], **cb_kwargs: Any) -> bytes:
    return Carried({}, cb_kwargs).digest(fields, NAMING)


@pytest.mark.parametrize("price", ["¥1,299", "1299.00", 1299, "1299 EUR", [1299]])
def test_a_price_from_a_list_is_a_fact_however_it_is_written(price: Any) -> None:
    facts = digest({"name": "Tea pot", "price": 1299.0}, price=price)
    assert len(facts) == DIGEST_BYTES
    assert facts != digest({"name": "Tea pot", "price": 1399.0}, price=1399)


def test_values_of_the_page_itself_are_none() -> None:
    assert digest({"name": "Tea pot", "text": "A pot."}) == b""
    assert digest({"name": "Tea pot", "text": "A pot."}, price=12) == b""


def test_positions_times_and_urls_are_none() -> None:
    item = {"position": 12, "list": "https://shop.example/list"}
    assert digest(item, position=12, referer="https://shop.example/list") == b""


def test_an_item_that_was_begun_on_the_list_counts_as_it_was_then() -> None:
    item = {"price": "12", "tags": ["new"]}
    carried = Carried({"item": item, "depth": 3, "download_slot": "shop.example"}, {})
    item["text"] = "A pot."
    before = carried.digest({"price": "12", "tags": ["new"]}, NAMING)
    assert before
    assert carried.digest(item, NAMING) == before
    assert carried.digest({"depth": 3}, NAMING) == b""
