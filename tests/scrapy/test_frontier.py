"""The queue of postponed requests: the same in memory and on disk, and nothing is lost."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import Crawler as CrawlIt
from crawling import Pages, Web, article
from hypothesis import given, settings
from hypothesis import strategies as st
from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.utils.test import get_crawler

from dedup.scrapy.frontier import PostponingQueue
from dedup.scrapy.requests import FILE, DiskRequests, MemoryRequests
from dedup.urls import Learner

POSTPONED = {"SCHEDULER_PRIORITY_QUEUE": "dedup.scrapy.PostponingQueue"}
LAW = settings(derandomize=True, deadline=None, max_examples=60)
LOGGER = "dedup.scrapy.requests"
PATHS = [
    "/",
    "/wiki/Tea",
    "/wiki/Oak?action=history",
    "/wiki/Oak?action=edit",
    "/list/1",
    "/list/2",
    "/list?page=3",
]


class Tea(Spider):
    """Its callbacks are those of the requests."""

    name = "tea"

    def other(self) -> None:
        """A callback."""


def make_crawler(spider: type[Spider] = Tea) -> Crawler:
    crawler = get_crawler(spider)
    crawler.spider = spider()
    crawler.engine = crawler._create_engine()
    return crawler


@pytest.fixture
def open_queue(tmp_path: Path) -> Callable[..., PostponingQueue]:
    """Opens the queue of a crawl in the test's folder; each call is another process."""

    def open_it(most_queues: int = 100, crawler: Crawler | None = None) -> PostponingQueue:
        requests = DiskRequests(crawler or make_crawler(), tmp_path / FILE)
        return PostponingQueue(Learner(), requests, most_queues)

    return open_it


def ask(path: str, **words: Any) -> Request:
    return Request(f"http://a.example{path}", **words)


def drain(queue: PostponingQueue) -> list[str]:
    """All URLs that wait, in their order."""
    return [request.url for request in iter(queue.pop, None)]


STEPS = st.lists(st.none() | st.tuples(st.sampled_from(PATHS), st.integers(-1, 1)), max_size=120)


@LAW
@given(STEPS, st.sampled_from([1, 3, 100]))
def test_memory_and_disk_give_the_same_requests_in_the_same_order(
    steps: list[tuple[str, int] | None], most_queues: int
) -> None:
    with TemporaryDirectory() as folder:
        on_disk = DiskRequests(make_crawler(), Path(folder, FILE))
        both = [
            PostponingQueue(Learner(), kept, most_queues) for kept in (MemoryRequests(), on_disk)
        ]
        for number, step in enumerate(steps):
            if step is None:
                one, other = (queue.pop() for queue in both)
                assert (one and one.to_dict()) == (other and other.to_dict())
            else:
                for queue in both:
                    queue.push(ask(step[0], priority=step[1], meta={"number": number}))
            assert len(both[0]) == len(both[1])
        one, other = map(drain, both)
        assert one == other
        both[1].close()


@LAW
@given(STEPS, st.integers(0, 120))
def test_nothing_is_lost_or_doubled_by_closing_and_opening_again(
    steps: list[tuple[str, int] | None], closed: int
) -> None:
    pushed, popped = Counter[str](), Counter[str]()
    with TemporaryDirectory() as folder:
        path = Path(folder, FILE)
        queue = PostponingQueue(Learner(), DiskRequests(make_crawler(), path))
        for number, step in enumerate([*steps, None]):
            if number == closed:
                queue.close()
                queue = PostponingQueue(Learner(), DiskRequests(make_crawler(), path))
                assert len(queue) == sum(pushed.values()) - sum(popped.values())
            if step is not None:
                pushed[f"http://a.example{step[0]}"] += 1
                queue.push(ask(step[0], priority=step[1]))
            elif request := queue.pop():
                popped[request.url] += 1
        popped.update(drain(queue))
        queue.close()
    assert popped == pushed


@LAW
@given(st.lists(st.sampled_from(PATHS), max_size=60))
def test_a_pattern_goes_on_first_in_first_out_after_opening_again(paths: list[str]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, FILE)
        queue = PostponingQueue(Learner(), DiskRequests(make_crawler(), path))
        for number, place in enumerate(paths):
            queue.push(ask(place, meta={"number": number}))
        requests = [queue.pop() for _ in paths[::2]]
        queue.close()
        queue = PostponingQueue(Learner(), DiskRequests(make_crawler(), path))
        requests += iter(queue.pop, None)
        queue.close()
    for place in PATHS:
        url = f"http://a.example{place}"
        numbers = [one.meta["number"] for one in requests if one is not None and one.url == url]
        assert numbers == sorted(numbers)


@pytest.mark.parametrize("folder", [False, True], ids=["memory", "disk"])
def test_requests_of_higher_priority_come_first(tmp_path: Path, *, folder: bool) -> None:
    kept = DiskRequests(make_crawler(), tmp_path / FILE) if folder else MemoryRequests()
    queue = PostponingQueue(Learner(), kept)
    for priority in (0, 5, -3, 5, 2**40):
        queue.push(ask(f"/{priority}", priority=priority))
    assert [url.rpartition("/")[2] for url in drain(queue)] == [str(2**40), "5", "5", "0", "-3"]
    assert queue.pop() is None
    assert len(queue) == 0


@pytest.mark.parametrize("most", [1, 5, 20])
def test_the_number_of_queues_is_bounded(most: int) -> None:
    requests = MemoryRequests()
    queue = PostponingQueue(Learner(), requests, most)
    for number in range(200):
        queue.push(ask(f"/{'abcdefgh'[number % 8]}/{'x' * (number % 13)}?{'n' * (number % 7)}=1"))
    assert len([*requests.queues()]) <= most + 1  # and the site's own
    assert len(drain(queue)) == len(queue) + 200 == 200


FULL = """
CREATE TRIGGER full BEFORE DELETE ON requests BEGIN SELECT RAISE(ABORT, 'disk is full'); END
"""
UNKEPT = {
    "a local function": ({"meta": {"make": lambda: None}}, "pickle"),
    "another object's callback": ({"callback": print}, "not an instance method"),
    "a large priority": ({"priority": 2**70}, "too large"),
}


@pytest.mark.parametrize(("words", "reason"), UNKEPT.values(), ids=UNKEPT)
def test_a_request_that_cannot_be_written_is_refused_and_changes_nothing(
    open_queue: Callable[..., PostponingQueue], words: dict[str, Any], reason: str
) -> None:
    queue = open_queue()
    with pytest.raises(ValueError, match=reason):
        queue.push(ask("/tea", **words))
    assert len(queue) == 0
    assert queue.pop() is None
    queue.push(ask("/oak"))
    assert drain(queue) == ["http://a.example/oak"]


def test_where_the_file_cannot_be_written_the_request_is_refused(tmp_path: Path) -> None:
    queue = PostponingQueue(Learner(), DiskRequests(make_crawler(), tmp_path / FILE))
    with sqlite3.connect(tmp_path / FILE) as other:
        other.execute("DROP TABLE requests")
    with pytest.raises(ValueError, match="no such table"):
        queue.push(ask("/tea"))
    assert queue.pop() is None


def test_a_request_whose_callback_is_gone_is_told_and_waits_for_another_crawl(
    open_queue: Callable[..., PostponingQueue], caplog: pytest.LogCaptureFixture
) -> None:
    class Older(Tea):
        def gone(self) -> None:
            """A callback that the next version of the spider has no more."""

    older = make_crawler(Older)
    queue = open_queue(crawler=older)
    queue.push(ask("/tea", callback=older.spider.gone))
    queue.push(ask("/tea", callback=older.spider.other))
    queue.push(ask("/oak", callback=older.spider.gone))
    queue.close()

    queue = open_queue()
    assert drain(queue) == ["http://a.example/tea"]
    assert len(queue) == 0
    queue.close()
    told = [entry.getMessage() for entry in caplog.records if entry.name == LOGGER]
    assert len(told) == 2
    assert all(FILE in line and "gone" in line for line in told)
    assert len(open_queue(crawler=older)) == 2


def test_requests_of_a_killed_crawl_that_were_not_done_wait_again(
    open_queue: Callable[..., PostponingQueue],
) -> None:
    killed = open_queue()
    for number in range(9):
        killed.push(ask(f"/{number}"))
    taken = [killed.pop() for _ in range(5)]  # and no engine has them in hand
    killed.push(ask("/9"))

    again = drain(open_queue())
    assert len(again) == 5
    assert {*again}.isdisjoint(request.url for request in taken if request)


class Slot:
    """What Scrapy's engine has in hand."""

    def __init__(self) -> None:
        self.inprogress: set[Request] = set()
        self.scheduler: Any = None

    def remove_request(self, request: Request) -> None:
        self.inprogress.remove(request)


def test_a_request_in_hand_stays_in_the_file_until_the_engine_lets_go_of_it(
    open_queue: Callable[..., PostponingQueue],
) -> None:
    crawler, slot = make_crawler(), Slot()
    crawler.engine = SimpleNamespace(_slot=slot)
    killed = open_queue(crawler=crawler)
    for number in range(9):
        killed.push(ask(f"/{number}"))
    in_hand = []
    while (request := killed.pop()) is not None:
        slot.inprogress.add(request)
        in_hand.append(request)
    assert len(open_queue()) == len(in_hand) == 9

    for left, request in reversed([*enumerate(in_hand)]):
        slot.remove_request(request)
        assert len(open_queue()) == left


def test_where_what_is_done_cannot_leave_the_file_the_crawl_goes_on_and_tells_it_once(
    tmp_path: Path, open_queue: Callable[..., PostponingQueue], caplog: pytest.LogCaptureFixture
) -> None:
    queue = open_queue()
    with sqlite3.connect(tmp_path / FILE) as other:
        other.executescript(FULL)
    paths = [f"/{number}" for number in range(34)]
    for path in paths:
        queue.push(ask(path))
    assert len(drain(queue)) == len(paths)
    queue.push(ask("/tea"))
    queue.close()

    (told,) = [entry.getMessage() for entry in caplog.records if entry.name == LOGGER]
    assert "cannot leave" in told
    assert FILE in told
    assert "full" in told
    assert len(open_queue()) == len(paths) + 1


def test_a_full_disk_under_scrapys_own_file_loses_and_blocks_no_request(
    open_queue: Callable[..., PostponingQueue],
) -> None:
    crawler, slot = make_crawler(), Slot()
    queue = open_queue(crawler=crawler)
    with Path("/dev/full").open("w") as seen:
        slot.scheduler = SimpleNamespace(df=SimpleNamespace(file=seen))
        crawler.engine = SimpleNamespace(_slot=slot)
        for path in ("/tea", "/oak"):
            seen.write(path)
            queue.push(ask(path))
        os.dup2(os.open(os.devnull, os.O_WRONLY), seen.fileno())
    assert sorted(drain(queue)) == ["http://a.example/oak", "http://a.example/tea"]
    assert len(queue) == 0


def test_what_could_not_leave_the_file_leaves_it_later(
    tmp_path: Path, open_queue: Callable[..., PostponingQueue]
) -> None:
    queue = open_queue()
    with sqlite3.connect(tmp_path / FILE) as other:
        other.executescript(FULL)
    queue.push(ask("/tea"))
    assert len(drain(queue)) == 1
    queue.push(ask("/oak"))
    with sqlite3.connect(tmp_path / FILE) as other:
        other.execute("DROP TRIGGER full")
    queue.push(ask("/elm"))
    assert {*drain(open_queue())} == {"http://a.example/oak", "http://a.example/elm"}


DAMAGED = {
    "no database": lambda path: path.write_bytes(b"tea" * 999),
    "another database": lambda path: sqlite3.connect(path).executescript(
        "CREATE TABLE requests (tea); CREATE TABLE queues (tea);"
    ),
    "a folder": Path.mkdir,
}


@pytest.mark.parametrize("damage", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_is_refused_with_its_name_and_the_way_out(
    tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    path = tmp_path / FILE
    damage(path)
    with pytest.raises(ValueError, match="name another folder in JOBDIR") as refused:
        DiskRequests(make_crawler(), path)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


class Unkept(Pages):
    """Its requests cannot be written to disk."""

    async def start(self) -> Any:
        for number, url in enumerate(self.urls):
            yield Request(url, meta={"make": lambda: None}, priority=-number % 3)


def test_in_a_job_requests_that_cannot_be_written_wait_in_memory(crawl: CrawlIt, web: Web) -> None:
    paths = [f"/{number}" for number in range(10)]
    web.pages = {path: article(path) for path in paths}
    done = crawl(Unkept, urls=web.urls(*paths), JOBDIR="job", **POSTPONED)
    assert sorted(web.requests) == paths
    assert done.stats["scheduler/unserializable"] == len(paths)
    assert done.stats["scheduler/dequeued/memory"] == len(paths)


@pytest.mark.parametrize("job", [{}, {"JOBDIR": "job"}], ids=["memory", "disk"])
def test_pages_that_repeat_are_asked_for_last(
    crawl: CrawlIt, web: Web, job: dict[str, str]
) -> None:
    paths = [f"/{kind}/{number}" for number in range(40) for kind in ("tea", "print")]
    web.pages = {path: article(path.replace("print", "tea")) for path in paths}
    web.pages["/"] = article("front", *paths)
    crawl(urls=web.urls("/"), CONCURRENT_REQUESTS=1, **job, **POSTPONED)
    assert sorted(web.requests) == sorted(web.pages)
    half = web.requests[: len(paths) // 2 + 1]
    assert sum("tea" in path for path in half) > 1.5 * sum("print" in path for path in half)


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [entry.getMessage() for entry in caplog.records if entry.levelno >= logging.WARNING]


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize("depth", [1, "-2"])
def test_priorities_by_depth_are_warned_of_once(
    crawl: CrawlIt, web: Web, caplog: pytest.LogCaptureFixture, depth: Any, *, enabled: bool
) -> None:
    web.pages = {"/": article("front")}
    words = {"DEPTH_PRIORITY": depth, "NEARDUP_ENABLED": enabled, "JOBDIR": "job"}
    crawl(urls=web.urls("/"), **words, **POSTPONED)

    (line,) = warnings(caplog)
    assert f"DEPTH_PRIORITY = {depth} " in line
    assert "Remove DEPTH_PRIORITY" in line


@pytest.mark.parametrize(
    "settings", [POSTPONED, POSTPONED | {"DEPTH_PRIORITY": "0"}, {"DEPTH_PRIORITY": 1}]
)
def test_other_priorities_are_not_warned_of(
    crawl: CrawlIt, web: Web, caplog: pytest.LogCaptureFixture, settings: dict[str, Any]
) -> None:
    web.pages = {"/": article("front")}
    crawl(urls=web.urls("/"), **settings)
    assert warnings(caplog) == []


def test_without_the_extension_requests_come_as_they_were_found(crawl: CrawlIt, web: Web) -> None:
    paths = [f"/{number}" for number in range(20)]
    web.pages = {path: article(path) for path in paths}
    crawl(urls=web.urls(*paths), CONCURRENT_REQUESTS=1, NEARDUP_ENABLED=False, **POSTPONED)
    assert sorted(web.requests) == sorted(paths)
