"""Pages wait for each other only while the event loop is busy, and others are on their way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
from scrapy.http import HtmlResponse
from scrapy.utils.test import get_crawler

from dedup import Config
from dedup.assembly import make_fingerprinter
from dedup.scrapy import bunching
from dedup.scrapy.bunching import ENOUGH, LONGEST, TOGETHER, Bunches
from dedup.scrapy.fingerprints import Fingerprints
from dedup.scrapy.session import Session
from dedup.scrapy.stopwatch import Stopwatch
from dedup.scrapy.workers import Workers

MANY = 100  # pages in flight
HOUR = 3600.0  # seconds that nothing here may wait


def work(seconds: float) -> None:
    """Take CPU time."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


async def stay_busy() -> None:
    """Leave the event loop no time to spare."""
    while True:
        work(0.0005)
        await asyncio.sleep(0)


@asynccontextmanager
async def busy_loop() -> AsyncIterator[None]:
    others = asyncio.create_task(stay_busy())
    try:
        yield
    finally:
        others.cancel()


@pytest.fixture
def soon_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop counts as busy though the machine has much else to do."""
    monkeypatch.setattr(bunching, "BUSY", 0.02)


def run(test: Coroutine[Any, Any, None]) -> None:
    async def soon() -> None:
        await asyncio.wait_for(test, timeout=60)

    asyncio.run(soon())


async def is_at_once(bunches: Bunches) -> bool:
    """Whether a page that joins goes on without letting others run."""
    joining = bunches.join()
    try:
        joining.send(None)
    except StopIteration:
        return True
    joining.close()
    return False


def test_a_page_waits_for_none_where_it_is_the_only_one() -> None:
    async def test() -> None:
        bunches = Bunches(lambda: 1)
        work(0.005)
        assert await is_at_once(bunches)

    run(test())


def test_a_crawler_that_was_not_started_has_nothing_in_flight() -> None:
    settings = {"NEARDUP_STORE": "memory:", "NEARDUP_WORKERS": 0}
    session = Session.of(get_crawler(settings_dict=settings))
    work(0.005)
    made = asyncio.run(session.fingerprints.of(HtmlResponse("http://a.example/", body=b"<p>tea")))
    assert made.tokens == 1


def test_a_page_waits_for_none_where_the_loop_has_time() -> None:
    async def test() -> None:
        bunches = Bunches(lambda: MANY)
        await asyncio.sleep(0.02)
        assert await is_at_once(bunches)

    run(test())


@pytest.mark.usefixtures("soon_busy")
def test_a_page_waits_where_others_come_and_the_loop_is_busy() -> None:
    async def test() -> None:
        bunches = Bunches(lambda: MANY)
        work(0.005)
        assert not await is_at_once(bunches)

    run(test())


async def join(bunches: Bunches, number: int, went: list[int]) -> None:
    await bunches.join()
    went.append(number)


@pytest.mark.usefixtures("soon_busy")
def test_enough_pages_go_together_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bunching, "LONGEST", HOUR)

    async def test() -> None:
        bunches, went = Bunches(lambda: MANY), []
        work(0.005)
        async with busy_loop(), asyncio.TaskGroup() as pages:
            for number in range(ENOUGH - 1):
                pages.create_task(join(bunches, number, went))
            for _ in range(20):
                await asyncio.sleep(bunching.TICK)
            assert not went
            pages.create_task(join(bunches, ENOUGH - 1, went))
        assert went == list(range(ENOUGH))

    run(test())


@pytest.mark.usefixtures("soon_busy")
def test_a_page_waits_no_longer_than_it_may() -> None:
    async def test() -> None:
        bunches = Bunches(lambda: MANY)
        work(0.005)
        async with busy_loop():
            began = time.perf_counter()
            await bunches.join()
            assert time.perf_counter() - began >= LONGEST

    run(test())


@pytest.mark.usefixtures("soon_busy")
def test_pages_go_where_no_other_is_on_its_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bunching, "LONGEST", HOUR)

    async def test() -> None:
        bunches, went = Bunches(lambda: 3), []
        work(0.005)
        async with busy_loop(), asyncio.TaskGroup() as pages:
            for number in range(3):
                pages.create_task(join(bunches, number, went))
        assert went == [0, 1, 2]

    run(test())


def test_pages_go_where_the_loop_has_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bunching, "LONGEST", HOUR)

    async def test() -> None:
        bunches = Bunches(lambda: MANY)
        work(0.005)
        await bunches.join()

    run(test())


@pytest.mark.usefixtures("soon_busy")
def test_others_have_a_turn_between_pages_that_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bunching, "LONGEST", HOUR)
    turns: list[str] = []

    async def read(bunches: Bunches) -> None:
        await bunches.join()
        turns.append("page")
        work(1.5 * TOGETHER)

    async def others() -> None:
        while turns.count("page") < ENOUGH:
            turns.append("other")
            work(0.0005)
            await asyncio.sleep(0)

    async def test() -> None:
        bunches = Bunches(lambda: MANY)
        work(0.005)
        async with asyncio.TaskGroup() as tasks:
            for _ in range(ENOUGH):
                tasks.create_task(read(bunches))
            tasks.create_task(others())

    run(test())
    between = "".join(turn[0] for turn in turns).strip("o").split("p")[1:-1]
    assert len(between) == ENOUGH - 1
    assert all(between)


@pytest.mark.usefixtures("soon_busy")
def test_equal_pages_of_a_bunch_are_read_once() -> None:
    fingerprinter = make_fingerprinter(Config())
    workers = Workers(fingerprinter, 0, 10.0)
    body = b"<p>" + b"The tea of the second harvest is darker. " * 30
    responses = [HtmlResponse(f"http://a.example/{n}", body=body) for n in range(ENOUGH)]

    async def test() -> None:
        maker = Fingerprints(fingerprinter, workers, 1 << 20, Stopwatch(), lambda: MANY)
        work(0.005)
        async with busy_loop():
            made = await asyncio.gather(*map(maker.of, responses))
        assert len(set(made)) == 1
        assert maker.reused == ENOUGH - 1

    run(test())


@pytest.mark.usefixtures("soon_busy")
def test_a_page_that_is_given_up_while_it_waits_holds_up_no_other() -> None:
    async def test() -> None:
        bunches, went = Bunches(lambda: MANY), []
        work(0.005)
        async with busy_loop():
            given_up = asyncio.create_task(join(bunches, 0, went))
            other = asyncio.create_task(join(bunches, 1, went))
            await asyncio.sleep(0)
            given_up.cancel()
            await other
        assert went == [1]
        assert given_up.cancelled()

    run(test())
