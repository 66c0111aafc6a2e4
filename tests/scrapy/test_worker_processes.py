"""Worker processes: when they start, how many there are, how they end."""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest
from crawling import text
from in_workers import AnswersUnreadably, NeverReady

from dedup import Config
from dedup.assembly import make_fingerprinter
from dedup.fingerprint import Fingerprinter, PageFingerprint
from dedup.schemes import Combined
from dedup.scrapy.worker import READY, serve
from dedup.scrapy.workers import Worker, Workers
from tests.crawler.sites import run_apart
from tests.waiting import wait_until


def test_a_worker_starts_before_there_is_a_page_and_takes_the_first() -> None:
    workers = Workers(make_fingerprinter(Config()), 2, 10.0)

    async def make() -> list[int | None]:
        workers.warm_up()
        wait_until(multiprocessing.active_children, "there is a worker")
        early = multiprocessing.active_children()
        await workers.run("of_text", text("tides"))
        return [child.pid for child in early + multiprocessing.active_children()]

    try:
        before, after = asyncio.run(make())
    finally:
        workers.close()
    assert before == after
    assert not multiprocessing.active_children()


def test_pages_that_come_at_once_start_no_more_workers_than_there_may_be() -> None:
    workers = Workers(make_fingerprinter(Config()), 1, 10.0)

    async def make() -> int:
        await asyncio.gather(
            *(workers.run("of_text", f"{number} {text('tides')}") for number in range(20))
        )
        return len(multiprocessing.active_children())

    try:
        assert asyncio.run(make()) == 1
    finally:
        workers.close()


def test_a_page_that_comes_after_the_end_starts_no_worker() -> None:
    fingerprinter = make_fingerprinter(Config())
    workers = Workers(fingerprinter, 1, 10.0)

    async def come_late() -> PageFingerprint:
        await workers.run("of_text", "a worker answers")
        workers.close()
        return await workers.run("of_text", text("tides"))

    assert asyncio.run(come_late()) == fingerprinter.of_text(text("tides"))
    assert not multiprocessing.active_children()


BLOCKED = """
import asyncio, multiprocessing, signal
from pathlib import Path
from dedup import Config
from dedup.assembly import make_fingerprinter
from dedup.scrapy.workers import Workers

async def blocked():
    workers = Workers(make_fingerprinter(Config()), 1, 30.0)
    await workers.run("of_text", "one page")
    (worker,) = multiprocessing.active_children()
    status = Path(f"/proc/{worker.pid}/status").read_text()
    workers.close()
    mask = int(status.partition("SigBlk:")[2].split()[0], 16)
    return [mask >> (number - 1) & 1 for number in (signal.SIGINT, signal.SIGTERM)]

print(asyncio.run(blocked()), signal.pthread_sigmask(signal.SIG_BLOCK, []))
"""


def test_workers_do_not_see_the_signals_that_end_a_crawl(tmp_path: Path) -> None:
    done = run_apart(tmp_path, [sys.executable, "-c", BLOCKED])  # its first worker is the one
    assert done.stdout == "[1, 1] set()\n", done.stderr


HANGS = """
import pathlib, time
from dedup.schemes import Combined

class Hangs(Combined):
    def fingerprint(self, document):
        pathlib.Path("hanging").touch()
        time.sleep(600)
"""
BROKEN_OFF = """
import asyncio, multiprocessing, os, signal, sys
from hangs import Hangs
from dedup.fingerprint import Fingerprinter
from dedup.scrapy.workers import Workers

async def leave():
    workers = Workers(Fingerprinter(Hangs(), min_tokens=1), 1, 600.0)
    pages = [asyncio.ensure_future(workers.run("of_text", "one page")) for _ in range(5)]
    while not os.path.exists("hanging"):
        await asyncio.sleep(0.02)
    print(*(worker.pid for worker in multiprocessing.active_children()), flush=True)
    if sys.argv[1] == "killed":
        os.kill(os.getpid(), signal.SIGKILL)

if sys.argv[1] == "process":
    process = multiprocessing.get_context("fork").Process(target=lambda: asyncio.run(leave()))
    process.start()
    process.join()
else:
    asyncio.run(leave())
"""


@pytest.mark.parametrize("how", ["ended", "killed", "process"])
def test_a_crawl_that_is_broken_off_leaves_no_worker_even_where_a_page_hangs(
    tmp_path: Path, how: str
) -> None:
    (tmp_path / "hangs.py").write_text(HANGS)

    done = run_apart(tmp_path, [sys.executable, "-c", BROKEN_OFF, how])

    (worker,) = done.stdout.split()
    wait_until(lambda: not Path(f"/proc/{worker}").exists(), "the worker has ended")
    assert not done.stderr


class Recorded(Fingerprinter):
    """Notes the calls that it gets."""

    calls: ClassVar[list[str]] = []

    def of_text(self, text: str, title: str = "") -> PageFingerprint:
        self.calls.append(text)
        return super().of_text(text, title)

    def warm_up(self) -> None:
        self.calls.append("warm up")


def test_a_page_that_waits_for_a_worker_does_not_wait_for_dictionaries() -> None:
    here, there = multiprocessing.Pipe()
    thread = Thread(target=serve, args=(there, Recorded(Combined())))
    thread.start()

    here.send(("of_text", ("a page",)))
    assert here.recv() == READY
    assert isinstance(here.recv(), PageFingerprint)
    here.close()
    thread.join()

    assert Recorded.calls == ["a page"]


def test_workers_that_hang_before_they_are_ready_hold_no_page_for_ever() -> None:
    fingerprinter = NeverReady(Combined())
    workers = Workers(fingerprinter, 1, 10.0, start_up=0.1)

    async def make() -> PageFingerprint:
        return await asyncio.wait_for(workers.run("of_text", text("tides")), 30)

    try:
        assert asyncio.run(make()) == fingerprinter.of_text(text("tides"))
    finally:
        workers.close()
    assert workers.deaths == 3


SHORT_OF_FILES = """
import asyncio, os, resource
from dedup.fingerprint import Fingerprinter
from dedup.schemes import Combined
from dedup.scrapy.workers import Workers
from scrapy.utils.reactor import install_reactor

async def make():
    fingerprinter = Fingerprinter(Combined(), min_tokens=1)
    fingerprinter.of_text("one page")  # all modules are imported now
    workers = Workers(fingerprinter, 1, 30.0)
    resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))
    held = []
    try:
        while True:
            held.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        first = await workers.run("of_text", "one page")  # no file is left to start a worker with
    for file in held:
        os.close(file)
    second = await workers.run("of_text", "one page")
    workers.close()
    return first == second

install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
print(asyncio.get_event_loop().run_until_complete(make()))
"""


def test_where_no_worker_can_be_started_no_page_waits_for_one(tmp_path: Path) -> None:
    done = run_apart(tmp_path, [sys.executable, "-c", SHORT_OF_FILES])
    assert done.stdout == "True\n", done.stderr
    assert "Too many open files" in done.stderr


def test_a_worker_whose_answer_cannot_be_read_is_replaced() -> None:
    worker = Worker(AnswersUnreadably(Combined()))
    # A thread that starts a worker blocks signals, and the processes that it starts inherit that.
    with ThreadPoolExecutor(1) as thread:
        try:
            for _ in range(2):
                answer = thread.submit(worker.answer, ("of_text", ("a page",)), 30.0)
                with pytest.raises(ValueError, match="not to be read"):
                    answer.result()
                assert not multiprocessing.active_children()
        finally:
            worker.close()
