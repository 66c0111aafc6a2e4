"""Values that an item has from the request of its page."""

from __future__ import annotations

from typing import Any

import pytest

from dedup.items import Carried, Naming, digest_facts, may_have_facts
from dedup.store import ITEM_BYTES

NAMING = Naming()


def digest(fields: dict[str, Any], **cb_kwargs: Any) -> bytes:
    return digest_facts(fields, NAMING, Carried({}, cb_kwargs))


@pytest.mark.parametrize("price", ["¥1,299", "1299.00", 1299, "1299 EUR", [1299]])
def test_a_price_from_a_list_is_a_fact_however_it_is_written(price: Any) -> None:
    facts = digest({"name": "Tea pot", "cheapest": 1299.0}, price=price)
    assert len(facts) == ITEM_BYTES
    assert facts != digest({"name": "Tea pot", "cheapest": 1399.0}, price=1399)


def test_a_price_from_a_list_is_a_fact_though_the_item_gives_it_a_unit() -> None:
    assert digest({"cheapest": "1,299 EUR"}, price=1299)
    assert digest({"cheapest": "1,299 EUR"}, price=1399) == b""


def test_other_values_of_the_page_itself_are_none() -> None:
    assert digest({"name": "Tea pot", "text": "A pot."}) == b""
    assert digest({"name": "Tea pot", "text": "A pot."}, price=12) == b""


@pytest.mark.parametrize("name", ["price", "sale_price", "Color", "价格"])
def test_a_field_with_the_name_of_a_fact_is_one(name: str) -> None:
    assert may_have_facts(["text", name], NAMING, Carried({}, {}))
    assert digest({name: "12 EUR"}) != digest({name: "13 EUR"})
    assert digest({name: "12 EUR"}) != digest({name: "12 USD"})
    assert digest({name: "12.00 EUR"}) == digest({name: "12 eur"})


def test_positions_times_and_urls_are_none() -> None:
    item = {"position": 12, "list": "https://shop.example/list"}
    assert digest(item, position=12, referer="https://shop.example/list") == b""


def test_an_item_that_was_begun_on_the_list_counts_as_it_was_then() -> None:
    item = {"stars": "12", "tags": ["new"]}
    carried = Carried({"item": item, "depth": 3, "download_slot": "shop.example"}, {})
    item["text"] = "A pot."
    before = digest_facts({"stars": "12", "tags": ["new"]}, NAMING, carried)
    assert before
    assert digest_facts(item, NAMING, carried) == before
    assert digest_facts({"depth": 3}, NAMING, carried) == b""
