"""Commits that the crawl does not wait for: the same verdicts, and none is lost on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from indexing import DUPLICATE, NEW, SCHEME, check, matched, text
from redis_servers import Server, Servers

from dedup.index import Claim, Index, SharedIndex, State, Watch, index_spaces, words_reader
from dedup.store import (
    Header,
    MemoryStore,
    Store,
    StoreError,
    StoreUnavailableError,
    describe_spaces,
)
from tests.store.redis_stores import cut, open_redis

LAW = settings(derandomize=True, deadline=None, max_examples=60)
SPACES, WORDS_OF = index_spaces(SCHEME), words_reader(SCHEME)
PAGES = st.tuples(
    st.sampled_from("abcd"), st.sampled_from(["tea", "milk"]), st.sampled_from([0, 5, 150])
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("check"), PAGES),
        st.tuples(st.sampled_from(["commit", "release"]), st.integers(0, 20)),
        st.tuples(st.just("flush"), st.just(0)),
    ),
    max_size=30,
)


def open_store(address: str, timeout: float = 2.0) -> Store:
    header = Header({"scheme": "combined"}, describe_spaces(SPACES, "blocks", 1000))
    return open_redis(address, header, SPACES, WORDS_OF, timeout=timeout)


class Crawled:
    """An index, and the claims of a crawl."""

    def __init__(
        self, store: Store, asking: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> None:
        self.lost: list[Claim] = []
        self.expected = 0  # how often answers were to be read a moment later
        watch = Watch(asking, self.lost.append, self.expect)
        shared = not isinstance(store, MemoryStore)
        self.index = SharedIndex(store, SCHEME, watch=watch) if shared else Index(store, SCHEME)
        self.claims: list[Claim] = []

    def expect(self) -> None:
        self.expected += 1

    def take(self, step: str, given: tuple[str, str, int] | int) -> None:
        if isinstance(given, tuple):
            host, name, changed = given
            self.claims.append(check(self.index, f"{host}.com/", text(name, changed)))
        elif step == "flush":
            self.index.flush()
        elif given < len(self.claims):
            getattr(self.index, step)(self.claims[given])

    @property
    def verdicts(self) -> list[tuple[str, str | None]]:
        return [(claim.verdict.value, matched(claim)) for claim in self.claims]


@LAW
@given(STEPS)
def test_posted_commits_give_the_verdicts_of_commits_made_at_once(
    servers: Servers, steps: list[tuple[str, tuple[str, str, int] | int]]
) -> None:
    with closing(open_store(servers.address("redis"))) as store:
        posted, at_once = Crawled(store), Crawled(MemoryStore(SPACES, WORDS_OF))
        for step, given in steps:
            posted.take(step, given)
            at_once.take(step, given)
            assert posted.verdicts == at_once.verdicts
        for crawled in (posted, at_once):
            crawled.index.close()
            assert crawled.lost == []
        assert [claim.state for claim in posted.claims] == [c.state for c in at_once.claims]
        assert {(page.url, page.digest) for page in store.records()} == {
            (page.url, page.digest) for page in at_once.index.store.records()
        }
        assert [c.record.page_id > 0 for c in posted.claims] == [
            c.record.page_id > 0 for c in at_once.claims
        ]


@pytest.fixture
def crawled(server: Server) -> Iterator[Crawled]:
    with closing(open_store(server.url)) as store:
        yield Crawled(store)


def test_of_several_fetches_of_one_request_none_is_posted(crawled: Crawled) -> None:
    """Else the commits of the second could overtake that of the first."""
    first, second = (check(crawled.index, "a.com/", text("tea", changed)) for changed in (0, 150))
    assert [first.alone, second.alone] == [False, False]
    for claim in (first, second):
        crawled.index.commit(claim)
        assert claim.state is State.COMMITTED


def test_a_commit_that_nobody_waits_for_is_answered_with_the_next_check(crawled: Crawled) -> None:
    first = check(crawled.index, "a.com/", text("tea"))
    crawled.index.commit(first)
    assert first.state is State.OPEN

    repeated = check(crawled.index, "b.com/", text("tea"))

    assert first.state is State.COMMITTED
    assert first.record.page_id > 0
    assert repeated.match is not None
    assert repeated.match.certain


def test_a_commit_is_answered_a_moment_later_where_nothing_else_is_asked(crawled: Crawled) -> None:
    claims = [check(crawled.index, page, text(page)) for page in ("a.com/", "b.com/")]
    for claim in claims:
        crawled.index.commit(claim)
    assert [claim.state for claim in claims] == [State.OPEN] * 2
    assert crawled.expected == len(claims)

    crawled.index.flush()

    assert [claim.state for claim in claims] == [State.COMMITTED] * 2


def test_a_commit_that_somebody_waits_for_is_made_at_once(crawled: Crawled) -> None:
    first = check(crawled.index, "a.com/", text("tea"))
    states: list[State] = []
    first.on_settled(lambda: states.append(first.state))

    crawled.index.commit(first)

    assert states == [State.COMMITTED]
    assert first.record.page_id > 0


def test_a_posted_page_is_committed_once_however_often_it_is_told(crawled: Crawled) -> None:
    first = check(crawled.index, "a.com/", text("tea"))
    crawled.index.commit(first)
    crawled.index.commit(first)
    crawled.index.release(first)
    assert first.state is State.OPEN

    crawled.index.commit(first, wait=True)

    assert first.state is State.COMMITTED
    assert len(crawled.index.store) == 1


def test_a_commit_whose_answer_was_lost_is_made_again(server: Server, crawled: Crawled) -> None:
    first = check(crawled.index, "a.com/", text("tea"))
    server.hang()
    crawled.index.commit(first)
    server.kill()
    with pytest.raises(StoreUnavailableError):
        crawled.index.flush()
    crawled.index.release(first)  # its callback ended: it is to be stored all the same
    server.start()

    crawled.index.recover()

    assert (first.state, crawled.lost) == (State.COMMITTED, [])
    assert [page.url for page in crawled.index.store.records()] == ["https://a.com/"]
    assert check(crawled.index, "b.com/", text("tea")).verdict is DUPLICATE


def test_a_commit_lost_with_a_release_that_nobody_waits_for_is_made_again(
    server: Server, crawled: Crawled
) -> None:
    first, second = (check(crawled.index, page, text(page)) for page in ("a.com/", "b.com/"))
    server.hang()
    crawled.index.commit(first)
    server.kill()
    crawled.index.release(second)
    server.start()

    repeated = check(crawled.index, "c.com/", text("a.com/"))
    crawled.index.flush()

    assert (repeated.verdict, matched(repeated)) == (DUPLICATE, "a.com/")
    assert [first.state, second.state] == [State.COMMITTED, State.RELEASED]
    assert len(crawled.index.store) == 1


def test_a_page_whose_request_came_meanwhile_is_stored_in_the_place_of_that(
    crawled: Crawled,
) -> None:
    store = crawled.index.store
    first = check(crawled.index, "a.com/", text("tea"))
    store.put(first.record._replace(digest=b"other" * 3 + b"!", fingerprint=text("milk").value))
    crawled.index.commit(first)

    repeated = check(crawled.index, "b.com/", text("tea"))
    assert (repeated.verdict, matched(repeated)) == (DUPLICATE, "a.com/")
    crawled.index.flush()

    assert first.state is State.COMMITTED
    assert [page.digest for page in store.records()] == [first.record.digest]


def test_a_commit_that_is_refused_as_it_is_sent_is_retried_a_moment_later(servers: Servers) -> None:
    with closing(open_store(servers.address("redis cluster"), timeout=30.0)) as store:
        crawled = Crawled(store)
        first = check(crawled.index, "a.com/", text("tea"))
        store.put(first.record._replace(digest=b"other" * 3 + b"!"))

        crawled.index.commit(first)

        assert (first.state, crawled.expected) == (State.OPEN, 1)
        crawled.index.flush()
        assert first.state is State.COMMITTED


def unavailable_once_down() -> Callable[[], AbstractContextManager[None]]:
    """As ``Availability.asking``: who knows of an outage asks no more."""
    down: list[StoreUnavailableError] = []

    @contextmanager
    def asking() -> Iterator[None]:
        if down:
            raise down[0]
        try:
            yield
        except StoreUnavailableError as error:
            down.append(error)
            raise

    return asking


def test_a_commit_that_is_never_answered_is_told(server: Server, crawled: Crawled) -> None:
    crawled = Crawled(crawled.index.store, unavailable_once_down())
    first, second, third = (check(crawled.index, page, text(page)) for page in "abc")
    server.hang()
    crawled.index.commit(first)
    server.kill()
    with pytest.raises(StoreUnavailableError):
        crawled.index.flush()
    crawled.index.commit(second)
    crawled.index.release(third)

    crawled.index.close()

    assert crawled.lost == [first, second]
    server.start()  # for the store to be closed


def test_a_commit_that_the_server_refuses_is_told_and_the_page_given_up(crawled: Crawled) -> None:
    store = crawled.index.store
    first, second = (check(crawled.index, page, text(page)) for page in ("a.com/", "b.com/"))
    store.link.run([(b"HSET", store._names.header, b"last", b"no number")])
    crawled.index.commit(first)

    crawled.index.flush()

    assert (crawled.lost, first.state) == ([first], State.RELEASED)
    store.link.run([(b"HDEL", store._names.header, b"last")])
    crawled.index.commit(second)
    crawled.index.flush()
    assert (second.state, crawled.lost) == (State.COMMITTED, [first])
    assert check(crawled.index, "c.com/", text("a.com/")).verdict is NEW


def test_closing_asks_once_more_where_the_last_answer_came_too_late(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_store(server.url, timeout=2.0)) as store:
        crawled = Crawled(store)
        first = check(crawled.index, "a.com/", text("tea"))
        renew = store.renew
        monkeypatch.setattr(store, "renew", lambda: server.go_on() or renew())
        server.hang()  # until it is asked once more
        crawled.index.commit(first)
        crawled.index.close()
        assert (first.state, crawled.lost) == (State.COMMITTED, [])


def test_what_was_told_at_the_end_is_made_no_more(
    crawled: Crawled, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = crawled.index.store
    first = check(crawled.index, "a.com/", text("tea"))
    store.link.run([(b"SCRIPT", b"FLUSH")])
    crawled.index.commit(first)

    def refuse() -> None:
        raise StoreError("the index was made anew")

    monkeypatch.setattr(store, "renew", refuse)
    crawled.index.close()
    monkeypatch.undo()
    crawled.index.flush()

    assert (crawled.lost, first.state, len(store)) == ([first], State.RELEASED, 0)


def test_a_page_posted_before_others_made_the_index_anew_spoils_nothing(
    server: Server, crawled: Crawled
) -> None:
    store = crawled.index.store
    first, second = (check(crawled.index, page, text(page)) for page in ("a.com/", "b.com/"))
    with closing(open_store(server.url)) as other:
        cut(store, server.url)
        crawled.index.commit(first)  # into a connection that is no more
        other.link.run([(b"DEL", store._names.owner(store._lease.owner))])  # as if it had run out
        other.rebuild()
        crawled.index.release(second)
        crawled.index.close()

        assert crawled.lost == [first]
        assert [first.state, second.state] == [State.RELEASED] * 2
        assert other.verify().problems == []


def test_a_text_kept_is_stored_before_a_newer_one_of_the_same_page(
    server: Server, crawled: Crawled
) -> None:
    old = check(crawled.index, "a.com/", text("tea"))
    cut(crawled.index.store, server.url)
    crawled.index.commit(old)
    new = check(crawled.index, "a.com/", text("milk"))

    crawled.index.commit(new)
    crawled.index.flush()

    assert [old.state, new.state] == [State.COMMITTED] * 2
    assert [page.digest for page in crawled.index.store.records()] == [new.record.digest]


def test_one_page_not_taken_costs_no_question_about_the_others(
    crawled: Crawled, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = crawled.index.store
    pages = [f"{number}.com/" for number in range(20)]
    first, *_ = (check(crawled.index, page, text(page)) for page in pages)
    store.put(first.record._replace(digest=b"other" * 3 + b"!"))  # so its post is not taken
    trips = []
    exchange = store.link._exchange
    monkeypatch.setattr(
        store.link, "_exchange", lambda given: trips.append(given) or exchange(given)
    )

    crawled.index.commit(first)
    crawled.index.flush()

    assert first.state is State.COMMITTED
    assert len(trips) < len(pages) / 2


def test_a_release_waits_once_for_a_server_that_hangs(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_store(server.url, timeout=2.0)) as store:
        crawled = Crawled(store)
        first, second = (check(crawled.index, page, text(page)) for page in ("a.com/", "b.com/"))
        trips = []
        exchange = store.link._exchange
        monkeypatch.setattr(
            store.link, "_exchange", lambda given: trips.append(given) or exchange(given)
        )
        server.hang()
        crawled.index.commit(first)
        crawled.index.release(second)
        assert len(trips) == 1
        server.go_on()
        crawled.index.flush()
        assert [first.state, second.state] == [State.COMMITTED, State.RELEASED]
