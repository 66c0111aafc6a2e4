"""Pages between their check and their outcome, without a crawl around them."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from crawling import article

from dedup import Config, Index, fingerprint_page
from dedup.index import State, Verdict, index_spaces, words_reader
from dedup.schemes import Combined
from dedup.scrapy.ledger import Ledger, PageInFlight
from dedup.scrapy.postponed import Outcomes
from dedup.store import MemoryStore


@pytest.fixture
def ledger() -> Ledger:
    scheme = Combined()
    index = Index(MemoryStore(index_spaces(scheme), words_reader(scheme)), scheme)
    return Ledger(
        Outcomes(index, nullcontext, lambda claim: pytest.fail(claim.record.url), lambda: None)
    )


def open_page(ledger: Ledger, name: str = "a") -> PageInFlight:
    claim = ledger._outcomes._index.check(
        f"http://a.example/{name}", name.encode(), fingerprint_page(article("tides"), Config())
    )
    return ledger.open(claim)


def test_a_page_is_committed_with_its_first_exported_item(ledger: Ledger) -> None:
    page = open_page(ledger)
    ledger.item_came(page)
    ledger.item_came(page)

    ledger.item_went(page, exported=True)

    assert page.claim.state is State.COMMITTED
    assert page in ledger


def test_a_page_of_several_items_is_committed_with_all_of_them_at_its_end(ledger: Ledger) -> None:
    page = open_page(ledger)
    page.several = True
    for number in range(2):
        ledger.item_came(page)
        page.items[b"item 00%d" % number] = None
        ledger.item_went(page, exported=True)
        assert page.claim.state is State.OPEN

    ledger.output_ended(page)

    assert page.claim.state is State.COMMITTED
    assert page.claim.record.items == b"item 000item 001"


@pytest.mark.parametrize("exported", [True, False])
def test_a_page_is_followed_until_its_output_and_all_its_items_are_settled(
    ledger: Ledger, exported: bool
) -> None:
    page = open_page(ledger)
    ledger.item_came(page)
    ledger.output_ended(page)
    assert page in ledger

    ledger.item_went(page, exported=exported)

    assert page not in ledger
    assert page.claim.state is (State.COMMITTED if exported else State.RELEASED)


@pytest.mark.parametrize("failed", [True, False])
def test_a_page_without_items_is_committed_unless_its_callback_failed(
    ledger: Ledger, failed: bool
) -> None:
    page = open_page(ledger)

    ledger.output_ended(page, failed=failed)

    assert page.claim.state is (State.RELEASED if failed else State.COMMITTED)


def test_pages_in_flight_at_the_end_are_released(ledger: Ledger) -> None:
    waiting, running = open_page(ledger, "a"), open_page(ledger, "b")
    ledger.item_came(waiting)
    ledger.output_ended(waiting)

    ledger.close()

    assert waiting.claim.state is running.claim.state is State.RELEASED
    assert waiting not in ledger
    assert open_page(ledger, "c").claim.verdict is Verdict.NEW
