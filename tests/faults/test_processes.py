"""Processes and what bounds them: a killed crawl, two at once, too few files, a clock put back."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from crawling import Web, article, crawl_apart, environment, start_apart

from dedup.assembly import make_fingerprinter
from dedup.config import Config
from dedup.index import Index, Verdict, index_spaces, words_reader
from dedup.store import MemoryStore
from tests.store.samples import open_sample, page, scattered

SECONDS = 30_000  # until a test gives up, in thousandths


def children(process: int) -> list[int]:
    """The processes that a process has started."""
    threads = Path(f"/proc/{process}/task").glob("*/children")  # each lists those that it started
    return [int(number) for path in threads for number in path.read_text().split()]


def test_the_workers_of_a_killed_crawl_end_by_themselves(folder: Path, web: Web) -> None:
    workers: list[int] = []

    def kill(number: int, path: str) -> None:
        if path == "/b":  # the first page has been to a worker
            workers.extend(os.pidfd_open(child) for child in children(process.pid))
            process.send_signal(signal.SIGKILL)

    web.pages = {"/a": article("tides", "/b"), "/b": article("bread")}
    process = start_apart(folder, web.urls("/a"), NEARDUP_WORKERS=1)
    web.on_request = kill
    process.communicate(timeout=60)

    assert workers
    for worker in workers:
        ended = select.poll()
        ended.register(worker, select.POLLIN)
        assert ended.poll(SECONDS)
        os.close(worker)


def test_of_two_crawls_on_one_store_the_first_goes_on_and_the_second_stops_if_it_is_to(
    folder: Path, web: Web
) -> None:
    web.pages = {"/a": article("tides", "/b"), "/b": article("bread", "/c")}
    web.pages["/c"] = article("bread", edits=1)
    second: list[str] = []
    store = f"leveldb:{folder / 'store'}"
    (folder / "second").mkdir()

    def start_second(number: int, path: str) -> None:
        if path == "/b":
            settings = {"NEARDUP_STORE": store, "NEARDUP_STORE_LOCKED": "stop"}
            done = crawl_apart(folder / "second", web.urls("/a"), **settings)
            second.extend((done.reason, *done.urls))

    web.on_request = start_second
    first = crawl_apart(folder, web.urls("/a"), NEARDUP_STORE=store, CONCURRENT_REQUESTS=1)

    assert second == ["neardup_store_locked"]
    assert first.urls == web.urls("/a", "/b")
    assert (first["new"], first["duplicates"]) == (2, 1)


# Pairs of processes open one store at the same moment.
RACE = """
import multiprocessing, sys, time
from dedup.assembly import close_store, open_store
from dedup.config import Config

def enter(barrier, ends, place, reset, late):
    config = Config(store=f"leveldb:{place}", reset=reset, cache_mb=8)
    barrier.wait()
    time.sleep(late)
    try:
        open_store(config)
        ends.put("open")
        barrier.wait()
        close_store(config)
    except Exception as error:
        ends.put(type(error).__name__)
        barrier.wait()

fork = multiprocessing.get_context("fork")
for number in range(40):
    place = "store" if sys.argv[1] == "reset" else f"store-{number}"
    barrier, ends = fork.Barrier(2, timeout=60), fork.SimpleQueue()
    racers = [
        fork.Process(target=enter, args=(barrier, ends, place, sys.argv[1] == "reset", late))
        for late in (0, number % 20 * 0.0002)
    ]
    for racer in racers:
        racer.start()
    print(*sorted(ends.get() for _ in racers))
    for racer in racers:
        racer.join()
"""


@pytest.mark.parametrize("kind", ["new", "reset"])
def test_of_two_processes_that_open_a_store_at_once_one_is_told_that_it_is_in_use(
    tmp_path: Path, kind: str
) -> None:
    command = [sys.executable, "-c", RACE, kind]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert Counter(done.stdout.splitlines()) == {"StoreLockedError open": 40}, done.stderr


# Opens a store with no file to spare, then with enough.
FEW_FILES = """
import os, resource, sys
from pathlib import Path
from dedup.store import StoreDamagedError, StoreError
from tests.store.samples import open_sample, page
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
open_now = len(os.listdir("/proc/self/fd"))
for spare in range(12):
    resource.setrlimit(resource.RLIMIT_NOFILE, (open_now + spare, hard))
    try:
        store = open_sample(Path(sys.argv[1]))
        print("opened", len(store), store.verify().problems)
        store.close()
        break
    except StoreDamagedError:
        print("damaged")
    except StoreError as error:
        print("Too many open files" in str(error))
"""


def test_too_many_open_files_are_no_damage_and_do_none(tmp_path: Path) -> None:
    store = open_sample(tmp_path)
    for number in range(40):
        store.put(page(number, near=[scattered(number)]))
    store.close()

    done = subprocess.run(
        [sys.executable, "-c", FEW_FILES, str(tmp_path)],
        env=environment(),
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )

    *refused, opened = done.stdout.splitlines()
    assert opened == "opened 40 []"
    assert refused
    assert set(refused) == {"True"}


def test_a_clock_that_was_ahead_does_not_keep_pages_alive_for_ever() -> None:
    config = Config(scheme="combined")
    scheme = config.make_scheme()
    store = MemoryStore(index_spaces(scheme), words_reader(scheme))
    index = Index(store, scheme, ttl=3600)
    tides = make_fingerprinter(config).of_html(article("tides"))
    stored = index.check("https://a.com/", b"a", tides)
    index.commit(stored)

    def verdict_when_seen(ahead: float) -> Verdict:
        store.put(stored.record._replace(seen=time.time() + ahead))
        claim = index.check("https://b.com/", b"b", tides)
        index.release(claim)
        return claim.verdict

    assert [verdict_when_seen(ahead) for ahead in (-3500, 3500)] == [Verdict.DUPLICATE] * 2
    assert [verdict_when_seen(ahead) for ahead in (-3700, 3700, 1e12)] == [Verdict.NEW] * 3
