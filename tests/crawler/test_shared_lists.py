"""The lists of the shared queue: which URLs come first, for one worker and for several."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Protocol

import pytest
import redis
from crawling import article
from redis_servers import Server, running_server
from scrapy import Request

from crawler.shared import RequestQueue
from crawler.shared.lists import UNSORTED, Lists
from crawler.shared.queue import DEAD_AFTER, LOOKED_AFTER
from dedup.scrapy import PostponingQueue
from dedup.scrapy.requests import MemoryRequests
from dedup.urls import Learner

LESSONS = 30  # downloads of a pattern


class Open(Protocol):
    def __call__(self, learner: Learner | None = None) -> RequestQueue: ...


@pytest.fixture(scope="module")
def running() -> Iterator[Server]:
    with running_server() as server:
        yield server


@pytest.fixture
def client(running: Server) -> Iterator[redis.Redis]:
    """Of a server that is empty."""
    with redis.Redis(port=running.port, decode_responses=True) as opened:
        opened.flushall()
        yield opened


@pytest.fixture
def time() -> list[float]:
    """What the clock of all workers shows."""
    return [0.0]


@pytest.fixture
def worker(running: Server, client: redis.Redis, time: list[float]) -> Iterator[Open]:
    """Opens the queue for one more worker."""
    with ExitStack() as stack:

        def another(learner: Learner | None = None) -> RequestQueue:
            queue = RequestQueue(running.url, clock=lambda: time[0], learner=learner)
            stack.callback(queue.close)
            return queue

        yield another


def urls_of(kind: str, count: int) -> list[str]:
    """URLs of one pattern."""
    return [f"http://site.example/{kind}/{number}" for number in range(count)]


def one_that_knows(*repeating: str) -> Learner:
    """A learner that had downloads of these kinds, which were repeats, and of one which were not.

    Of other kinds it expects what it does of the site: that half of their pages are repeats.
    """
    learner = Learner()
    for number in range(LESSONS):
        for kind in repeating:
            learner.note_nothing(urls_of(kind, LESSONS)[number], 100)
            own = f"http://site.example/own-{kind}/{number}"
            assert not learner.note_page(own, article(own).encode())
    return learner


# The order of one worker


def test_a_pattern_that_repeats_comes_last_but_for_one_url_in_32(worker: Open) -> None:
    queue = worker(one_that_knows("trap"))
    traps, pages = urls_of("trap", 20), urls_of("page", 68)
    queue.push([*traps, *pages])

    taken = [url for _ in range(72) for url in queue.take(1)]

    assert taken == [*pages[:31], traps[0], *pages[31:62], traps[1], *pages[62:], *traps[2:4]]


def test_urls_of_links_with_nofollow_come_last_but_for_one_in_32(worker: Open) -> None:
    queue = worker()
    links, pages = urls_of("page", 20), [f"{url}/more" for url in urls_of("page", 68)]
    queue.push([*links, *pages], nofollow={*links})

    assert queue.take(64) == [*pages[:31], links[0], *pages[31:62], links[1]]


def test_what_is_taken_at_once_comes_in_the_same_order(worker: Open) -> None:
    queue = worker(one_that_knows("trap"))
    traps, pages = urls_of("trap", 20), urls_of("page", 68)
    queue.push([*traps, *pages])

    assert queue.take(64) == [*pages[:31], traps[0], *pages[31:62], traps[1]]


@pytest.mark.parametrize("seed", range(10))
def test_urls_come_as_out_of_the_queue_of_one_process(seed: int, worker: Open) -> None:
    chance = random.Random(seed)
    known = chance.sample("abcdef", 3)
    plain = PostponingQueue(one_that_knows(*known), MemoryRequests())
    shared = worker(one_that_knows(*known))
    for number in range(100):
        urls = [
            f"http://site.example/{chance.choice('abcdef')}/{number}/{n}"
            for n in range(chance.randrange(4) if number else 30)  # An empty one counts anew.
        ]
        nofollow = {url for url in urls if chance.random() < 0.2}
        shared.push(urls, nofollow)
        for url in urls:
            plain.push(Request(url, meta={"neardup_nofollow": url in nofollow}))
        if chance.random() < 0.6 and len(plain):
            assert shared.take(1) == [plain.pop().url]
    rest = [plain.pop().url for _ in range(len(plain))]
    assert [url for _ in rest for url in shared.take(1)] == rest


def test_what_is_taken_at_once_of_equal_patterns_is_about_first_in_first_out(worker: Open) -> None:
    queue = worker()
    a, b = urls_of("a", 2), urls_of("b", 3)
    queue.push([*b[:2], *a, *b[2:]])

    taken = queue.take(5)

    assert (taken[:3], sorted(taken)) == ([*b[:2], a[0]], [*a, *b])


# Several workers


def test_each_worker_goes_by_what_it_has_learned_itself(worker: Open) -> None:
    knows, knows_not = worker(one_that_knows("trap")), worker()
    traps, pages = urls_of("trap", 5), urls_of("page", 5)
    knows.push([*traps, *pages])

    assert knows.take(2) == pages[:2]
    assert knows_not.take(2) == traps[:2]


def test_what_a_download_teaches_counts_for_the_patterns_that_its_finder_saw(worker: Open) -> None:
    finds, taking = Learner(), Learner()
    urls = [f"http://site.example/{chr(ord('a') + number)}" for number in range(20)]
    finder, taker = worker(finds), worker(taking)
    finder.push(urls)
    assert {*taker.take(20)} == {*urls}

    taking.note_nothing(urls[-1], 100)

    finest = [pattern for pattern, _ in taking.tallies()][-1]
    assert (finest, taking.found(urls[-1])[-1]) == ("site.example /*?", "site.example /t?")


def test_lists_that_others_fill_are_seen_a_while_later(worker: Open, time: list[float]) -> None:
    queue, other = worker(one_that_knows("trap")), worker()
    traps, pages = urls_of("trap", 5), urls_of("page", 5)
    queue.push(traps)
    assert queue.take(1) == traps[:1]
    other.push(pages)
    assert queue.take(1) == traps[1:2]

    time[0] += LOOKED_AFTER + 0.1

    assert queue.take(3) == pages[:3]


def test_lists_that_others_fill_are_seen_at_once_where_nothing_else_is(worker: Open) -> None:
    queue, other = worker(), worker()
    queue.push(urls_of("a", 2))
    assert queue.take(1) == urls_of("a", 1)
    other.push(urls_of("b", 2))
    assert other.take(1) == urls_of("a", 2)[1:]

    assert queue.take(5) == urls_of("b", 2)


def test_what_comes_back_stands_where_it_stood(worker: Open) -> None:
    urls = urls_of("a", 9)
    workers = [worker() for _ in range(4)]
    workers[0].push(urls)
    for turn in range(6):
        workers[turn % 3].take(1)
    for leaving in workers[:3]:
        leaving.close()

    assert workers[3].take(20) == urls


def test_what_several_put_in_at_the_same_time_is_in_once(worker: Open) -> None:
    urls = [url for kind in "abc" for url in urls_of(kind, 1_000)]
    workers = [worker() for _ in range(3)]
    with ThreadPoolExecutor(len(workers)) as threads:
        counts = [*threads.map(lambda queue: queue.push(urls), workers)]

    assert sum(counts) == len(urls)
    assert workers[0].count() == (len(urls), 0)


@pytest.mark.parametrize("seed", range(20))
def test_no_url_is_lost_or_given_to_two_workers_that_live(
    seed: int, worker: Open, time: list[float]
) -> None:
    crowd = Crowd(worker, time, random.Random(seed))
    for _ in range(80):
        crowd.act()
    crowd.drain()
    assert sorted(crowd.done) == sorted(crowd.numbers)


class Crowd:
    """Up to three workers who do anything; checks that each is given what it should be."""

    def __init__(self, worker: Open, time: list[float], chance: random.Random) -> None:
        self._worker = worker
        self._time = time
        self._chance = chance
        self._held: dict[RequestQueue, list[str]] = {}
        self._unheard: dict[RequestQueue, list[str]] = {}
        self._waiting: dict[str, set[int]] = {site: set() for site in "pqrs"}
        self.numbers: dict[str, int] = {}  # of all URLs
        self.done: list[str] = []

    def act(self) -> None:
        """One of them does something."""
        if len(self._held) < 3 and (not self._held or self._chance.random() < 0.2):
            queue = self._worker()
            self._held[queue], self._unheard[queue] = [], []
        queue = self._chance.choice([*self._held])
        acts = [self._push, self._take, self._take_unheard, self._finish, self._leave, self._die]
        self._chance.choices(acts, [6, 6, 1, 4, 1, 1])[0](queue)

    def drain(self) -> None:
        """Those that live do all that is left."""
        while any(self._waiting.values()) or any(self._held.values()):
            for queue in [*self._held]:
                self._take(queue)
                self._finish(queue)
        assert next(iter(self._held)).count() == (0, 0)

    def _push(self, queue: RequestQueue) -> None:
        """Put in new URLs of sites that have one pattern each, and some that are known."""
        known = self._chance.sample([*self.numbers], min(2, len(self.numbers)))
        sites = self._chance.choices([*self._waiting], k=self._chance.randrange(8))
        new = [f"http://{site}.example/{len(self.numbers) + n}" for n, site in enumerate(sites)]
        assert queue.push([*known, *new, *new]) == len(new)
        for url in new:
            self.numbers[url] = len(self.numbers)
            self._put_back(url)

    def _take(self, queue: RequestQueue) -> None:
        urls = queue.take(self._chance.randrange(6))
        unheard = self._unheard.pop(queue)
        self._unheard[queue] = []
        assert urls[: len(unheard)] == unheard
        self._note_taken(urls[len(unheard) :])
        self._held[queue] += urls

    def _take_unheard(self, queue: RequestQueue) -> None:
        """Have the server do what is asked of it, but its answer is lost."""
        ghost = self._worker()
        ghost.worker = queue.worker
        ghost._given = {*self._held[queue], *self._unheard[queue]}
        urls = ghost.take(2)
        self._note_taken(urls)
        self._unheard[queue] += urls

    def _finish(self, queue: RequestQueue) -> None:
        held = self._held[queue]
        finished = [held.pop(0) for _ in range(self._chance.randrange(len(held) + 1))]
        queue.done(finished)
        queue.done(finished)
        self.done += finished

    def _leave(self, queue: RequestQueue) -> None:
        queue.close()
        for url in (*self._held.pop(queue), *self._unheard.pop(queue)):
            self._put_back(url)

    def _die(self, queue: RequestQueue) -> None:
        """Die, and be found dead by those that live, of which one is new."""
        watching = self._worker()
        self._held[watching], self._unheard[watching] = [], []
        held, unheard = self._held.pop(queue), self._unheard.pop(queue)
        for _ in range(6):
            for alive in self._held:
                urls = alive.take(0)
                assert urls == self._unheard[alive]
                self._held[alive] += urls
                self._unheard[alive] = []
            self._time[0] += DEAD_AFTER / 4
        for url in (*held, *unheard):
            self._put_back(url)

    def _put_back(self, url: str) -> None:
        self._waiting[url[len("http://")]].add(self.numbers[url])

    def _note_taken(self, urls: list[str]) -> None:
        for url in urls:
            waiting = self._waiting[url[len("http://")]]
            assert min(waiting) == self.numbers[url], "not the first of those that wait"
            waiting.remove(self.numbers[url])


# Many patterns, and none


def test_beyond_some_number_of_lists_urls_go_to_those_of_coarser_patterns() -> None:
    lists = Lists(Learner(), most_lists=3)
    keys = [lists.key_for(f"http://site.example/{word}") for word in ("a", "b", "c", "d")]

    assert len({*keys}) == 3
    assert lists.name_of(keys[-1]) == "site.example"


def test_no_url_goes_to_the_list_of_an_earlier_version() -> None:
    lists = Lists(Learner(), most_lists=1)

    assert lists.key_for("of-no-site") != UNSORTED
    assert lists.name_of(lists.key_for("of-no-site")) == ""


def test_a_queue_of_an_earlier_version_is_worked_off(
    worker: Open, client: redis.Redis, time: list[float]
) -> None:
    urls = urls_of("a", 9)
    client.sadd("queue/crawl:seen", *urls[:7])
    client.rpush("queue/crawl:waiting", *urls[2:7])
    client.rpush("queue/crawl:taken:dead", *urls[:2])
    client.hset("queue/crawl:beats", "dead", 5)
    queue = worker()
    for _ in range(6):
        queue.take(0)
        time[0] += DEAD_AFTER / 4
    leaving = worker()
    assert leaving.take(3) == urls[:3]
    leaving.close()
    queue.push(urls)
    assert queue.count() == (9, 0)

    assert queue.take(20) == urls
    queue.done(urls)
    assert (queue.count(), queue.seen()) == ((0, 0), 9)


def test_a_queue_at_its_end_keeps_no_more_than_the_urls_it_saw(
    worker: Open, client: redis.Redis
) -> None:
    queue, leaving = worker(), worker()
    urls = [*urls_of("a", 5), *urls_of("b", 5)]
    queue.push(urls)
    leaving.take(3)
    leaving.close()
    queue.take(0)
    assert client.exists("queue/crawl:places") == 0
    queue.done(queue.take(7))
    queue.done(queue.take(7))
    queue.close()

    assert client.keys() == ["queue/crawl:seen"]


def test_urls_may_have_any_characters(worker: Open) -> None:
    urls = ["", " ", "1 x", "a\nb", "http://[bad", 'http://ü.example/"\\é?\n=%ff', "[1]"]
    queue, other = worker(), worker()
    queue.push(urls)
    assert sorted(other.take(20)) == sorted(urls)
    other.close()

    assert sorted(queue.take(20)) == sorted(urls)
