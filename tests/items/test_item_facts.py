"""Values that an item has from the request of its page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, make_dataclass
from typing import Any

import attrs
import pytest
from itemloaders import ItemLoader
from pydantic import create_model
from scrapy import Field, Item

from dedup.items import FACTS, Naming, carried_by, digest_facts
from dedup.store import ITEM_BYTES

NAMING = Naming()


def digest(fields: dict[str, Any], **cb_kwargs: Any) -> bytes:
    return digest_facts(fields, NAMING, carried_by({}, cb_kwargs))


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


@pytest.mark.parametrize(
    "name",
    [
        "price", "sale_price", "Color", "价格", "salePrice", "sale-price", "SalePrice", "PRICE",
        "colors", "sizes", "unit prices", "price2", "offer.price", "URLPrice", "capacities", "SKUs",
        "商品价格", "x" * 200 + "_price", "unitCost", "shipping_class", "shippingClass", "moons",
    ],
)  # fmt: skip
def test_a_field_with_the_name_of_a_fact_is_one(name: str) -> None:
    naming = Naming(facts=frozenset((*FACTS, "shipping_class", "moon")))
    one, same, other, dollars = (
        digest_facts({"note": "A pot.", name: text}, naming, frozenset())
        for text in ("12.00 EUR", "12 eur", "13 EUR", "12 USD")
    )
    assert one
    assert one == same
    assert one != other
    assert one != dollars


@pytest.mark.parametrize("name", ["text", "pricey", "resized", "", 5, None])
def test_a_field_with_another_name_is_none(name: Any) -> None:
    assert digest({name: "12 EUR"}) == b""


@pytest.mark.parametrize(
    "write",
    [
        lambda price: {"offers": {"price": price}},
        lambda price: {"offers": [{"name": "Tea", "salePrice": price}]},
        lambda price: {"offers": {"by": {"prices": {"list": [price]}}}},
        lambda price: {"price": {"was": price, "now": 30 - price}},
        lambda price: {"price": [None, "https://shop.example/offer", price]},
        lambda price: {"offers": make_dataclass("Offer", ["price"])(price)},
    ],
)
def test_a_value_under_the_name_of_a_fact_is_one(write: Callable[[int], Any]) -> None:
    assert digest(write(10))
    assert digest(write(10)) == digest(write(10))
    assert digest(write(10)) != digest(write(20))


def test_no_name_passes_for_the_value_of_another_fact() -> None:
    forged = {"offer": {"price\x1d10\x1eoffer\x1dsize": "L"}}
    assert digest(forged) != digest({"offer": {"price": 10, "size": "L"}})


def test_positions_times_and_urls_are_none() -> None:
    item = {"position": 12, "list": "https://shop.example/list"}
    assert digest(item, position=12, referer="https://shop.example/list") == b""


def test_an_item_that_was_begun_on_the_list_counts_as_it_was_then() -> None:
    item = {"stars": "12", "tags": ["new"]}
    carried = carried_by({"item": item, "depth": 3, "download_slot": "shop.example"}, {})
    item["text"] = "A pot."
    before = digest_facts({"stars": "12", "tags": ["new"]}, NAMING, carried)
    assert before
    assert digest_facts(item, NAMING, carried) == before
    assert digest_facts({"level": 3, "shop": "shop.example"}, NAMING, carried) == b""


class Lamp(Item):
    name = Field()


KINDS: list[Callable[..., Any]] = [
    dict,
    Lamp,
    make_dataclass("Data", ["name"]),
    attrs.make_class("Attrs", ["name"]),
    create_model("Model", name=(str, "")),
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("around", [lambda one: one, lambda one: {"lamps": [one]}])
def test_an_item_of_any_class_that_was_begun_on_the_list_is_read(
    kind: Callable[..., Any], around: Callable[[Any], Any]
) -> None:
    red, blue = (digest({"name": name}, it=around(kind(name=name))) for name in ("Red", "Blue"))
    assert red
    assert blue
    assert red != blue


@pytest.mark.parametrize("begin", [ItemLoader, lambda: ItemLoader({"colour": "red"})])
def test_an_item_loader_that_was_begun_on_the_list_is_read(
    begin: Callable[[], ItemLoader],
) -> None:
    """Its item is made on the page of the product: it has nothing before."""
    loader = begin()
    loader.add_value("finish", ["matt"])
    for carried in (carried_by({"loader": loader}, {}), carried_by({}, {"loader": loader})):
        assert "matt" in carried
        assert ("red" in carried) is (begin is not ItemLoader)


def test_items_inside_an_item_are_read() -> None:
    @dataclass(repr=False)
    class Offer:
        price: int

    one, other = (digest({"price": [Offer(price)]}) for price in (10, 20))
    assert one != other
    assert one == digest({"price": [Offer(10)]})


class Silent:
    """A value that has no text."""

    def __str__(self) -> str:
        raise RuntimeError("nothing to read")


def test_a_value_of_a_request_that_cannot_be_read_hides_no_other() -> None:
    assert digest({"stars": "12"}, one=Silent(), two=[Silent(), {"stars": 12}], three=10**5000)


def test_values_of_a_request_that_contain_themselves_are_read_in_bounded_time() -> None:
    @dataclass
    class Node:
        parents: list[Any]

    node = Node([])
    node.parents += [node, node, node]
    assert digest({"stars": "12"}, node=node, stars=12)
