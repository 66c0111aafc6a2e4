"""Fingerprints in worker processes: what a worker's death costs, and what it does not."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from conftest import Crawler
from crawling import Pages, Web, article, text
from in_workers import Announced, CutOff, Deadly, DeadlyPages, Doomed, Sleepy, send_digest
from scrapy.http import Response
from waiting import wait_until

from dedup import Config
from dedup.assembly import make_fingerprinter
from dedup.fingerprint import Fingerprinter, PageFingerprint
from dedup.page.kept_text import unpack_text
from dedup.schemes import Combined
from dedup.scrapy.stopwatch import Stopwatch
from dedup.scrapy.worker import FingerprintError
from dedup.scrapy.workers import DEATHS, Workers

LARGE = {"NEARDUP_MAX_BODY": 100_000_000}


@cache
def slow_page() -> str:
    """As many references of characters as are read: a worker is at it for half a second."""
    return f"<html><body><article><p>{'&b' * 499_000}</p></article></body></html>"


async def results_of(workers: Workers, texts: list[str]) -> list[str]:
    """What becomes of some texts, one after the other."""
    results = []
    for words in texts:
        try:
            results.append(type(await workers.run("of_text", words)).__name__)
        except FingerprintError as error:
            results.append(error.reason)
    workers.close()
    return results


def test_pages_that_kill_workers_cost_their_own_verdict_and_never_reach_this_process(
    caplog: pytest.LogCaptureFixture,
) -> None:
    workers = Workers(Fingerprinter(DeadlyPages()), 1, 30.0)
    deadly = "workerkiller " + "word " * 50

    results = asyncio.run(results_of(workers, ["word " * 50, deadly, deadly, deadly, "word " * 50]))

    assert results == ["PageFingerprint", *["worker_died"] * 3, "PageFingerprint"]
    assert "died before any answered" not in caplog.text


def test_a_page_that_takes_too_long_costs_those_sent_with_it_nothing() -> None:
    fingerprinter = Fingerprinter(Sleepy())
    texts = [f"{number} {text('tides')}" for number in range(4)]
    texts[2] = f"sleeper {texts[2]}"

    async def make() -> list[PageFingerprint | BaseException]:
        return await asyncio.gather(
            *(workers.run("of_text", one) for one in texts), return_exceptions=True
        )

    workers = Workers(fingerprinter, 1, 1.0)
    try:
        results = asyncio.run(make())
    finally:
        workers.close()
    late = results.pop(2)
    assert isinstance(late, FingerprintError)
    assert late.reason == "worker_timeout"
    del texts[2]
    assert results == [fingerprinter.of_text(one) for one in texts]


def test_a_worker_killed_while_it_answers_costs_its_page_only() -> None:
    workers = Workers(Fingerprinter(CutOff()), 1, 30.0)

    results = asyncio.run(results_of(workers, ["word " * 50, "cutter " * 50, "word " * 50]))

    assert results == ["PageFingerprint", "worker_died", "PageFingerprint"]


def test_a_page_of_five_megabytes_goes_to_a_worker_and_back() -> None:
    fingerprinter = make_fingerprinter(Config(keep_text=True))
    body = f"<script>{'x' * 5_000_000}</script>{article('tides')}".encode()
    workers = Workers(fingerprinter, 1, 30.0)

    try:
        made = asyncio.run(workers.run("of_page", body, None))
    finally:
        workers.close()

    assert made == fingerprinter.of_page(body, None)
    assert made.value


def test_a_page_that_takes_too_long_costs_its_verdict_only(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("bread"), "/slow": slow_page(), "/b": article("bread")}

    done = crawl(
        urls=web.urls("/a", "/slow", "/b"),
        NEARDUP_WORKERS=1,
        NEARDUP_WORKER_TIMEOUT=0.2,
        NEARDUP_INLINE_BODY=100_000,  # the others are read here, however long that takes
        **LARGE,
    )

    assert done.skipped == {"worker_timeout": 1}
    assert (done["new"], done["duplicates"]) == (1, 1)
    assert web.url("/slow") in done.urls


class KillsAnIdleWorker(Pages):
    """Kills all workers after its first page, while they have nothing to do."""

    def parse(self, response: Response) -> Any:
        yield from super().parse(response)
        if response.url.endswith("/a"):
            for worker in multiprocessing.active_children():
                os.kill(worker.pid, signal.SIGKILL)
                worker.join()


def test_a_worker_killed_without_a_page_costs_nothing(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("tides", "/b", "/c")} | dict.fromkeys(("/b", "/c"), article("tides"))

    done = crawl(KillsAnIdleWorker, urls=web.urls("/a"), NEARDUP_WORKERS=1)

    assert done.skipped == {}
    assert (done["new"], done["duplicates"]) == (1, 2)


def test_where_all_idle_workers_were_killed_a_page_goes_to_a_new_one() -> None:
    watch = Stopwatch()
    workers = Workers(make_fingerprinter(Config()), DEATHS + 1, 30.0, watch)

    async def make() -> PageFingerprint:
        await asyncio.gather(
            *(workers.run("of_text", f"{n} {text('tides')}") for n in range(DEATHS + 1))
        )
        killed = multiprocessing.active_children()
        for worker in killed:
            worker.kill()
            worker.join()
        assert len(killed) == DEATHS + 1
        return await workers.run("of_text", text("bread"))

    try:
        assert asyncio.run(make()).value
    finally:
        workers.close()
    assert workers.deaths == 1
    assert not watch.total


def test_a_daemonic_process_which_may_have_no_children_makes_fingerprints_itself() -> None:
    """As those of multiprocessing.Pool are, and the workers of Celery."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=send_digest, args=(there, text("tides")), daemon=True)
    process.start()
    try:
        assert here.poll(30)
        assert here.recv() == make_fingerprinter(Config()).of_text(text("tides")).digest
    finally:
        process.kill()


def test_workers_and_the_process_itself_give_the_same_result(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("tides", "/b", "/c"), "/b": article("tides", edits=2)}
    web.pages["/c"] = article("bread")

    alone = crawl(urls=web.urls("/a"), NEARDUP_WORKERS=0, NEARDUP_STORE="memory:")
    workers = crawl(urls=web.urls("/a"), NEARDUP_WORKERS=2, NEARDUP_STORE="memory:")

    assert alone.urls == workers.urls == web.urls("/a", "/c")


def test_no_page_waits_for_ever_for_workers_that_were_stopped() -> None:
    begun = multiprocessing.get_context("spawn").Event()
    workers = Workers(Announced(Sleepy(), begun=begun), 1, 600.0)

    async def stop_midway() -> object:
        waiting = asyncio.ensure_future(workers.run("of_text", f"sleeper {text('bread')}"))
        assert await asyncio.to_thread(begun.wait, 30)
        workers.close()
        return (await asyncio.wait_for(asyncio.gather(waiting, return_exceptions=True), 30))[0]

    made = asyncio.run(stop_midway())

    assert isinstance(made, FingerprintError | PageFingerprint)
    assert not multiprocessing.active_children()


def of_text(workers: Workers, *texts: str) -> list[PageFingerprint]:
    async def make() -> list[PageFingerprint]:
        return [await workers.run("of_text", one) for one in texts]

    try:
        return asyncio.run(make())
    finally:
        workers.close()


def test_a_page_whose_workers_never_start_is_fingerprinted_by_the_process() -> None:
    fingerprinter = make_fingerprinter(Config())
    over = threading.Event()

    def kill_every_worker() -> None:
        while not over.wait(0.01):
            for worker in multiprocessing.active_children():
                worker.kill()

    async def make() -> PageFingerprint:
        await workers.run("of_text", "a worker answers")
        killer.start()
        wait_until(lambda: not multiprocessing.active_children(), "the worker is killed")
        return await workers.run("of_text", text("tides"))

    watch = Stopwatch()
    workers = Workers(fingerprinter, 1, 10, watch)
    killer = threading.Thread(target=kill_every_worker)
    try:
        assert asyncio.run(make()) == fingerprinter.of_text(text("tides"))
        assert watch.total > 0
    finally:
        over.set()
        killer.join()
        workers.close()


def test_workers_that_die_before_a_page_reaches_them_do_not_hold_it_for_ever() -> None:
    fingerprinter = Doomed(Combined())
    workers = Workers(fingerprinter, 1, 10)

    made = of_text(workers, text("tides"))

    assert made == [fingerprinter.of_text(text("tides"))]
    assert workers.deaths == DEATHS


@pytest.mark.parametrize("count", [0, 1])
def test_a_chain_that_fails_costs_the_page_its_verdict(
    count: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    without_segmenter = Fingerprinter(Config().make_scheme(), segmenter="none")

    with pytest.raises(FingerprintError, match="segmenter must be one of") as error:
        of_text(Workers(without_segmenter, count, 10), "一座石桥" * 20)

    assert error.value.reason == "error"


def test_a_worker_gives_what_the_process_gives() -> None:
    fingerprinter = make_fingerprinter(Config())
    texts = (text("tides"), "一座石桥" * 20, "")

    made = of_text(Workers(fingerprinter, 1, 10), *texts)

    for page, one in zip(made, texts, strict=True):
        here = fingerprinter.of_text(one)
        assert unpack_text(page.text) == unpack_text(here.text)  # Its bytes may differ.
        assert page == replace(here, text=page.text)


def test_a_page_given_up_costs_those_sent_with_it_nothing() -> None:
    fingerprinter = make_fingerprinter(Config())
    texts = [f"{number} {text('tides')}" for number in range(6)]

    async def make() -> list[PageFingerprint | BaseException]:
        waiting = [asyncio.ensure_future(workers.run("of_text", one)) for one in texts]
        await asyncio.sleep(0)
        waiting[2].cancel()
        return await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 30)

    workers = Workers(fingerprinter, 1, 10)
    try:
        results = asyncio.run(make())
    finally:
        workers.close()
    assert isinstance(results.pop(2), asyncio.CancelledError)
    del texts[2]
    assert results == [fingerprinter.of_text(one) for one in texts]


def test_where_no_worker_ever_answers_the_process_makes_the_fingerprints(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def attempts() -> list[str]:
        workers = Workers(Fingerprinter(Deadly()), 1, 10.0)
        results = []
        for _ in range(5):
            try:
                results.append(type(await workers.run("of_text", "word " * 50)).__name__)
            except FingerprintError as error:
                results.append(error.reason)
        workers.close()
        return results

    assert asyncio.run(attempts()) == ["worker_died"] * 3 + ["PageFingerprint"] * 2
    assert "3 worker processes died before any answered" in caplog.text


def test_a_call_that_ends_after_the_event_loop_has_closed_says_nothing(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    workers = Workers(Fingerprinter(Sleepy()), 1, 600.0)

    async def leave() -> None:
        await workers.run("of_text", text("tides"))
        waiting = asyncio.ensure_future(workers.run("of_text", f"sleeper {text('bread')}"))
        await asyncio.wait([waiting], timeout=0.1)

    asyncio.run(leave())
    workers.close()

    assert not caplog.records
    assert not capfd.readouterr().err
