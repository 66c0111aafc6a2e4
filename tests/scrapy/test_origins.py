"""Items known between the spider and the pipeline, and until when."""

from __future__ import annotations

import pytest
from scrapy.http import Response

from dedup.scrapy.origins import Origins

RESPONSE = Response("http://a.example/")


def test_an_item_is_known_once() -> None:
    known, item = Origins(), {"url": "a"}
    known.came(item, None, known.batch_of(RESPONSE))

    assert known.take(item) == (True, None)
    assert known.take(item) == (False, None)


@pytest.mark.parametrize("response", [RESPONSE, None])
def test_replaced_items_are_known_until_the_last_of_their_response_went(
    response: Response | None,
) -> None:
    known, items = Origins(), [{"part": 1}, {"part": 2}]
    for item in items:
        known.came(item, None, known.batch_of(response))

    known.went({"part": 1}, response)
    assert len(known) == 2
    known.went({"part": 2}, response)
    assert len(known) == 0


def test_an_item_in_the_place_of_one_that_was_taken_stays_known() -> None:
    known, item, other = Origins(), {"url": "a"}, Response("http://b.example/")
    known.came(item, None, known.batch_of(RESPONSE))
    known.take(item)
    known.came(
        item, None, known.batch_of(other)
    )  # the identity of an item is free again once it is gone

    known.went(item | {}, RESPONSE)

    assert known.take(item) == (True, None)


def test_items_that_a_component_lost_do_not_pile_up() -> None:
    known = Origins(most=5)
    for number in range(20):
        known.came({"number": number}, None, known.batch_of(RESPONSE))

    assert len(known) == 5
