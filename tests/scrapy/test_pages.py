"""Pages between their check and their outcome, without a crawl around them."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import pairwise

import pytest
from crawling import article
from scrapy import Request
from scrapy.http import Response

from dedup import Config, Index, fingerprint_page
from dedup.index import State, Verdict, index_spaces, words_reader
from dedup.schemes import Combined
from dedup.scrapy.pages import Page, Pages
from dedup.store import MemoryStore


@pytest.fixture
def pages() -> Pages:
    scheme = Combined()
    pages = Pages(lambda page: None, lambda claim: pytest.fail(claim.record.url), nullcontext)
    pages.index = Index(MemoryStore(index_spaces(scheme), words_reader(scheme)), scheme)
    return pages


def open_page(pages: Pages, name: str = "a") -> Page:
    assert pages.index is not None
    page = Page(fingerprint_page(article("tides"), Config()))
    claim = pages.index.check(f"http://a.example/{name}", name.encode(), page.fingerprint)
    pages.follow(page, claim)
    return page


def test_a_page_is_committed_with_its_first_exported_item(pages: Pages) -> None:
    page = open_page(pages)
    pages.item_came(page)
    pages.item_came(page)

    pages.item_went(page, exported=True)

    assert page.claim.state is State.COMMITTED
    assert page in pages


def test_a_page_of_several_items_is_committed_with_all_of_them_at_its_end(pages: Pages) -> None:
    page = open_page(pages)
    page.several = True
    for number in range(2):
        pages.item_came(page)
        page.items[b"item 00%d" % number] = None
        pages.item_went(page, exported=True)
        assert page.claim.state is State.OPEN

    pages.output_ended(page)

    assert page.claim.state is State.COMMITTED
    assert page.claim.record.items == b"item 000item 001"


@pytest.mark.parametrize("exported", [True, False])
def test_a_page_is_followed_until_its_output_and_all_its_items_are_settled(
    pages: Pages, exported: bool
) -> None:
    page = open_page(pages)
    pages.item_came(page)
    pages.output_ended(page)
    assert page in pages

    pages.item_went(page, exported=exported)

    assert page not in pages
    assert page.claim.state is (State.COMMITTED if exported else State.RELEASED)


@pytest.mark.parametrize("failed", [True, False])
def test_a_page_without_items_is_committed_unless_its_callback_failed(
    pages: Pages, failed: bool
) -> None:
    page = open_page(pages)

    pages.output_ended(page, failed=failed)

    assert page.claim.state is (State.RELEASED if failed else State.COMMITTED)


def test_pages_in_flight_at_the_end_are_released(pages: Pages) -> None:
    waiting, running = open_page(pages, "a"), open_page(pages, "b")
    pages.item_came(waiting)
    pages.output_ended(waiting)

    pages.close()

    assert waiting.claim.state is running.claim.state is State.RELEASED
    assert waiting not in pages
    assert open_page(pages, "c").claim.verdict is Verdict.NEW


def test_an_item_is_known_once(pages: Pages) -> None:
    page, item = Page(), {"url": "a"}
    pages.enter(item, page)

    assert pages.take(item) is page
    assert pages.take(item) is None


def test_replaced_items_are_known_until_the_last_of_their_page_left(pages: Pages) -> None:
    page, items = Page(), [{"part": 1}, {"part": 2}]
    for item in items:
        pages.enter(item, page)

    pages.leave({"part": 1}, page)
    assert len(pages._by_item) == 2
    pages.leave({"part": 2}, page)
    assert len(pages._by_item) == 0


def test_an_item_in_the_place_of_one_that_was_taken_stays_known(pages: Pages) -> None:
    page, other, item = Page(), Page(), {"url": "a"}
    pages.enter(item, page)
    pages.take(item)
    pages.enter(item, other)  # An identity is free again once its item is gone.

    pages.leave(item | {}, page)

    assert pages.take(item) is other


def test_a_page_whose_items_overlap_without_an_end_takes_bounded_room(pages: Pages) -> None:
    page = pages.of(None)
    items = [{"number": number} for number in range(100)]
    pages.enter(items[0], page)
    pages.take(items[0])
    for earlier, later in pairwise(items):
        pages.enter(later, page)
        pages.take(later)
        pages.leave(earlier, page)

    assert len(pages._by_item) == 0
    assert len(page._ids) <= 1


def test_items_that_never_reach_the_pipeline_take_no_room_after_they_left(pages: Pages) -> None:
    page = pages.of(None)
    items = [{"number": number} for number in range(100)]
    pages.enter(items[0], page)
    for earlier, later in pairwise(items):
        pages.enter(later, page)
        pages.leave(earlier, page)

    assert len(pages._by_item) == 1
    assert len(page._ids) == 1


def test_items_that_a_component_lost_do_not_pile_up(pages: Pages) -> None:
    page = Page()
    pages.most_items = 5
    for number in range(20):
        pages.enter({"number": number}, page)

    assert len(pages._by_item) == 5


def test_a_response_keeps_its_page_if_its_request_is_made_again(pages: Pages) -> None:
    request = Request("http://a.example/")
    first, second = (Response(request.url, request=request) for _ in range(2))
    page = pages.begin(request, first)
    assert pages.of(first) is pages.of_request(request) is page

    pages.forget(request)
    assert pages.of_request(request) is None
    other = pages.begin(request, second)

    assert pages.of(first) is page
    assert pages.of(second) is pages.of_request(request) is other


def test_a_response_in_the_place_of_another_is_found_by_its_request(pages: Pages) -> None:
    request = Request("http://a.example/")
    page = pages.begin(request, Response(request.url, request=request))

    assert pages.of(Response(request.url, body=b"other", request=request)) is page


def test_what_comes_without_a_response_is_of_one_page(pages: Pages) -> None:
    assert pages.of(None) is pages.of(Response("http://a.example/"))
    assert not pages.of(None).is_checked
