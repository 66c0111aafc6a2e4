"""Several crawler processes on one queue and one index; one is killed, the server restarted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from time import monotonic

import pytest
import redis
from redis_servers import require_redis, running_server

from benchmarks.shared_crawl import report_on
from benchmarks.shared_crawl_run import Outcome, Site, crawl, make_site
from crawler.shared import RequestQueue
from dedup.store import StoreError, StoreUnavailableError
from tests.store.redis_stores import delete_redis, opened
from tests.store.samples import page

SOON = {"SHARED_DEAD_AFTER": 21}  # a lease of the index lasts 20 seconds


def test_three_crawlers_export_each_cluster_once_whatever_is_killed(tmp_path: Path) -> None:
    require_redis()
    site = make_site(300, 0.3)

    outcome = crawl(site, 3, tmp_path, settings=SOON)

    assert report_on(site, 3, outcome).good, outcome
    assert outcome.left == 0
    assert outcome.pauses >= 1


SITE = Site({}, {"a": 1, "b": 1, "c": 2})


@pytest.mark.parametrize(
    ("outcome", "missed"),
    [
        (Outcome(["a", "c"], ["b"], 1.0), []),
        (Outcome(["a", "a", "c"], ["b"], 1.0), []),
        (Outcome(["a", "b", "c"], [], 1.0), ["clusters exported twice"]),
        (Outcome(["a"], ["b", "c"], 1.0), ["clusters lost"]),
        (Outcome(["a", "c"], [], 1.0), ["pages neither exported nor dropped"]),
        (Outcome(["a", "c"], ["b"], 1.0, left=1), ["URLs left in the queue"]),
    ],
)
def test_the_report_finds_what_was_lost_or_doubled(outcome: Outcome, missed: list[str]) -> None:
    report = report_on(SITE, 1, outcome)

    assert [bar.name for bar in report.bars if not bar.met] == missed


# The queue


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running_server() as server:
        yield server.url


@pytest.fixture
def queue(address: str, request: pytest.FixtureRequest) -> Iterator[RequestQueue]:
    opened = RequestQueue(address, request.node.name)
    yield opened
    opened.close()


def another(
    address: str, request: pytest.FixtureRequest, clock: Callable[[], float] = monotonic
) -> RequestQueue:
    return RequestQueue(address, request.node.name, clock=clock)


def test_a_url_is_taken_once_however_often_it_is_put_in(
    queue: RequestQueue, address: str, request: pytest.FixtureRequest
) -> None:
    queue.push(["/a", "/b", "/a"])
    other = another(address, request)
    other.push(["/b"])

    assert (queue.take(1), other.take(5), queue.take(5)) == (["/a"], ["/b"], [])
    assert queue.count() == (0, 2)


def test_what_was_taken_in_an_answer_that_was_lost_is_given_with_the_next(
    queue: RequestQueue, address: str, request: pytest.FixtureRequest
) -> None:
    queue.push(["/a", "/b", "/c"])
    queue.take(1)
    unheard = another(address, request)
    unheard.worker = queue.worker
    unheard.take(1)

    assert queue.take(2) == ["/b", "/c"]
    assert queue.take(0) == []


@pytest.mark.parametrize("name", ["news", "news:p", "{news}:h"])
def test_a_queue_stays_when_the_index_of_its_name_is_reset(address: str, name: str) -> None:
    index = f"{address}?prefix=news"
    with opened(index) as store, closing(RequestQueue(address, name)) as queue:
        store.put(page(1, near=[5]))
        store.close()
        queue.push(["/a", "/b"])
        queue.take(1)
        assert delete_redis(index) is True
        assert (queue.count(), queue.seen()) == ((1, 1), 2)


def test_what_is_done_is_gone(queue: RequestQueue) -> None:
    queue.push(["/a", "/b"])
    queue.take(2)
    queue.done(["/a"])
    queue.done(["/a"])

    assert (queue.count(), queue.seen()) == ((0, 1), 2)


def test_who_leaves_gives_back_what_it_has_in_hand(
    queue: RequestQueue, address: str, request: pytest.FixtureRequest
) -> None:
    queue.push(["/a", "/b", "/c"])
    leaving = another(address, request)
    leaving.take(2)
    leaving.close()

    assert queue.take(5) == ["/a", "/b", "/c"]


@pytest.fixture
def time() -> list[float]:
    """What the clock shows."""
    return [0.0]


def test_what_a_dead_worker_had_in_hand_is_taken_by_another(
    queue: RequestQueue, address: str, request: pytest.FixtureRequest, time: list[float]
) -> None:
    queue.push(["/a", "/b", "/c"])
    dead, watching = another(address, request), another(address, request, lambda: time[0])
    dead.take(2)
    for time[0] in (0.0, 10.0, 20.0, 30.0):
        assert watching.take(0) == []
    assert watching.count() == (1, 2)

    time[0] = 31.0
    watching.take(0)

    assert watching.take(5) == ["/a", "/b", "/c"]


def test_a_worker_that_moves_stays_alive(
    queue: RequestQueue, address: str, request: pytest.FixtureRequest, time: list[float]
) -> None:
    queue.push(["/a"])
    moving, watching = another(address, request), another(address, request, lambda: time[0])
    moving.take(1)
    for time[0] in range(0, 100, 10):
        watching.take(0)
        moving.take(0)

    assert watching.count() == (0, 1)


def test_an_outage_of_the_server_kills_no_worker(
    queue: RequestQueue, address: str, request: pytest.FixtureRequest, time: list[float]
) -> None:
    queue.push(["/a"])
    other, watching = another(address, request), another(address, request, lambda: time[0])
    other.take(1)
    for time[0] in (0.0, 10.0, 60.0, 70.0):  # nobody could ask in between
        watching.take(0)

    assert watching.count() == (0, 1)


def test_rights_to_the_keys_of_a_queue_are_enough_to_use_it() -> None:
    with running_server() as server:
        with redis.Redis(port=server.port) as client:
            client.execute_command("ACL SETUSER", "me", "on", ">secret", "~queue/crawl:*", "+@all")
        with closing(RequestQueue(server.url.replace("//", "//me:secret@"))) as queue:
            queue.push(["/a", "/b"])
            queue.done(queue.take(1))
            assert (queue.count(), queue.seen()) == ((1, 0), 2)


def test_a_server_that_is_away_is_told_as_such() -> None:
    with running_server() as server:
        queue = RequestQueue(server.url)
        server.kill()
        with pytest.raises(StoreUnavailableError, match="start it, or correct SHARED_QUEUE"):
            queue.take(1)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"maxmemory": "1"}, "has no memory left for this: raise its maxmemory"),
        ({"min-replicas-to-write": "1"}, "cannot be used now: NOREPLICAS"),
        ({"replicaof": "127.0.0.1 1"}, "is a replica, which cannot be written; name its master in"),
    ],
)
def test_a_server_that_cannot_write_now_may_do_it_later(
    settings: dict[str, str], told: str
) -> None:
    options = [word for name, value in settings.items() for word in (f"--{name}", *value.split())]
    with running_server(*options) as server:
        queue = RequestQueue(server.url)
        with pytest.raises(StoreUnavailableError, match=told):
            queue.push(["/a"])


def test_a_server_with_too_many_clients_is_told_as_such() -> None:
    with running_server() as server, redis.Redis(port=server.port) as client:
        client.config_set("maxclients", "1")
        with pytest.raises(StoreUnavailableError, match="now: max number of clients"):
            RequestQueue(server.url).push(["/a"])


def test_a_server_that_does_not_answer_is_waited_for_as_long_as_is_said() -> None:
    with running_server() as server:
        queue = RequestQueue(server.url, timeout=0.1)
        server.hang()
        with pytest.raises(StoreUnavailableError, match=r"within 0.1 s.*SHARED_QUEUE_TIMEOUT"):
            queue.take(1)
        server.go_on()


def test_a_server_that_refuses_is_told_from_one_that_is_away() -> None:
    with running_server() as server:
        with redis.Redis(port=server.port) as client:
            client.config_set("requirepass", "x")
        queue = RequestQueue(server.url)
        with pytest.raises(StoreError, match="check user and password in SHARED_QUEUE") as error:
            queue.push(["/a"])
        assert not isinstance(error.value, StoreUnavailableError)
