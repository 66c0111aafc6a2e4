"""A queue of URLs on a Redis server, for crawler processes that may be killed.

    queue/NAME:seen         set: every URL ever put in
    queue/NAME:waiting:KEY  list: URLs that nobody has in hand, those of one pattern, numbered
    queue/NAME:names        hash: the name of each such list that is not empty: its patterns
    queue/NAME:taken:ID     list: URLs that a worker has in hand
    queue/NAME:places       hash: of each URL in hand, its number, and the key and name of its list
    queue/NAME:beats        hash: a number for each worker, which grows as long as it lives
    queue/NAME:waiting      list: URLs without a pattern, of an earlier version; nothing is put in

No index has a slash in its name, so none has such keys, and a reset of one leaves them alone.

URLs whose pattern repeats are postponed, as ``dedup.scrapy.PostponingQueue`` does in one process:
the worker that takes URLs picks the lists by what it has learned, one URL in 32 is the one that
waits longest, and each list is first in, first out. The number of a URL is that of URLs put in up
to it. The worker that finds a URL says what its patterns are. Workers learn by themselves: of the
others' pages they know what the store had of them when they began.

A URL is in hand from the moment it is taken until it is said to be done, and a worker that dies
loses none: another moves what it had in hand back. A worker counts as dead when its number has not
grown for a period in which the server answered; so an outage of the server kills no worker. The
period is longer than a lease of the near-duplicate index: when a URL comes back, its page is not in
flight any more.

Every call is one step on the server and may be repeated if its answer was lost: what a worker took
without learning of it, it is given the next time.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from uuid import uuid4

from crawler.shared import scripts
from crawler.shared.lists import Lists
from dedup.store import show_store
from dedup.store.redis.address import ONE_SERVER, Address, parse_address
from dedup.store.redis.driver import explained, make_client, require
from dedup.urls import Learner

SETTING = "SHARED_QUEUE"
NAME = "crawl"
DEAD_AFTER = 30.0  # seconds without a beat; a lease of the index lasts 20
TIMEOUT = 2.0  # seconds to wait for the server
PUSHED = 1_000  # URLs in one call: it holds up the server for all
LOOKED_AFTER = 1.0  # seconds after which a worker looks at all lists again


class RequestQueue:
    """One worker's view of the queue.

    Every call raises StoreUnavailableError where the server cannot be asked now, and may be made
    again later; StoreError where it refuses.
    """

    def __init__(
        self,
        address: str,
        name: str = NAME,
        dead_after: float = DEAD_AFTER,
        clock: Callable[[], float] = time.monotonic,
        timeout: float = TIMEOUT,
        learner: Learner | None = None,
    ) -> None:
        """Connect with the first call.

        Args:
            address: of the server, as redis-py takes it: ``redis://HOST:PORT/DATABASE``.
            name: of the queue; its keys begin with ``queue/`` and it.
            dead_after: seconds without a beat after which a worker counts as dead.
            clock: tells the seconds.
            timeout: seconds to wait for the server.
            learner: knows how often patterns repeat; without it, nobody does.

        Raises:
            ValueError: no such address.
            StoreError: redis-py is not installed.
        """
        require()
        place = _parse(address)
        self.worker = uuid4().hex[:12]
        self.name = name
        self._shown = place.shown
        self._timeout = timeout
        self._home = f"queue/{name}:"  # a key for scripts: who has rights to the others has it, too
        self._dead_after = dead_after
        self._clock = clock
        try:
            self._server, _ = make_client(place.url, timeout, decode_responses=True)
        except ValueError as error:
            raise ValueError(f"{SETTING} = {show_store(address)!r} {error}") from None
        register = self._server.register_script
        self._push, self._look = register(scripts.PUSH), register(scripts.LOOK)
        self._take, self._done = register(scripts.TAKE), register(scripts.DONE)
        self._give_back, self._count = register(scripts.GIVE_BACK), register(scripts.COUNT)
        self._lists = Lists(learner or Learner())
        self._looked = -math.inf
        self._given: set[str] = set()  # taken, handed to the caller, and not done yet
        self._beats: dict[str, tuple[str, float]] = {}  # of each worker: its number, when it grew
        self._asked = 0.0

    def push(self, urls: Sequence[str], nofollow: Collection[str] = ()) -> int:
        """Put URLs in, those that never were; returns how many.

        Args:
            urls: the URLs.
            nofollow: those of them whose links have rel=nofollow.
        """
        parts = (urls[start : start + PUSHED] for start in range(0, len(urls), PUSHED))
        return sum(self._push_some(part, nofollow) for part in parts)

    def take(self, count: int) -> list[str]:
        """Take so many URLs in hand, or fewer, and give back what dead workers had.

        To be called every few seconds, or this worker counts as dead.
        """
        with self._explained():
            looked = count > 0 and self._clock() - self._looked > LOOKED_AFTER
            if looked:
                self._look_at_lists()
            places = self._take_from(self._lists.choose(count))
            short = count - len(places.keys() - self._given)
            if short > 0 and not looked:
                self._look_at_lists()
                if keys := self._lists.choose(short):
                    places = self._take_from(keys)
        urls = [url for url in places if url not in self._given]
        for url in urls:
            self._lists.taken(url, places[url])
        self._given.update(urls)
        return urls

    def done(self, urls: Sequence[str]) -> None:
        """Let go of URLs that nobody needs to take again."""
        if urls:
            with self._explained():
                self._done(keys=[self._home], args=[self.worker, *urls])
            self._given.difference_update(urls)

    def count(self) -> tuple[int, int]:
        """How many URLs wait, and how many are in somebody's hand."""
        with self._explained():
            waiting, taken = self._count(keys=[self._home])
        return int(waiting), int(taken)

    def seen(self) -> int:
        """How many URLs were ever put in."""
        with self._explained():
            return int(self._server.scard(f"{self._home}seen"))

    def close(self) -> None:
        """Give back what is in hand, and leave."""
        try:
            with self._explained():
                self._give_back(keys=[self._home], args=[self.worker, ""])
        finally:
            self._server.close()

    def _explained(self) -> AbstractContextManager[None]:
        return explained(self._shown, self._timeout, SETTING)

    def _push_some(self, urls: Sequence[str], nofollow: Collection[str]) -> int:
        with self._explained():
            known = self._server.smismember(f"{self._home}seen", urls)
            new = dict.fromkeys(url for url, is_old in zip(urls, known, strict=True) if not is_old)
            if not new:
                return 0
            keys = {url: self._lists.key_for(url, nofollow=url in nofollow) for url in new}
            names = {key: self._lists.name_of(key) for key in keys.values()}
            args = [json.dumps(names), *chain.from_iterable(keys.items())]
            count, heads = self._push(keys=[self._home], args=args)
        self._lists.note(heads)
        return int(count)

    def _look_at_lists(self) -> None:
        """Learn which lists are not empty, and of new ones what patterns they have."""
        heads = self._look(keys=[self._home])
        if unknown := self._lists.unknown(heads):
            names = self._server.hmget(f"{self._home}names", unknown)
            for key, name in zip(unknown, names, strict=True):
                if name is not None:  # the list is empty by now
                    self._lists.name(key, name)
        self._lists.replace(heads)
        self._looked = self._clock()

    def _take_from(self, keys: list[str]) -> dict[str, str]:
        """Take a URL from each list in hand; returns all in hand, with the names of their lists."""
        urls, places, heads, beats = self._take(keys=[self._home], args=[self.worker, *keys])
        self._lists.note(heads)
        for worker, beat in self._dead(dict(zip(beats[::2], beats[1::2], strict=True))):
            self._give_back(keys=[self._home], args=[worker, beat])
        names = (place.split(" ", 2)[-1] for place in places)
        return dict(zip(urls, names, strict=True))

    def _dead(self, beats: dict[str, str]) -> list[tuple[str, str]]:
        """The workers that have not moved for long, with the number they stopped at."""
        now = self._clock()
        if now - self._asked > self._dead_after / 2:
            self._beats = {}  # the server was away, or we were: begin to watch anew
        self._asked = now
        for worker, beat in beats.items():
            if self._beats.get(worker, ("", 0.0))[0] != beat:
                self._beats[worker] = beat, now
        return [
            (worker, beat)
            for worker, beat in beats.items()
            if now - self._beats[worker][1] > self._dead_after
        ]


def _parse(address: str) -> Address:
    """Read the address of one server.

    Raises:
        ValueError: it is none.
    """
    if not address.startswith(tuple(f"{scheme}://" for scheme in ONE_SERVER)):
        raise ValueError(
            f"{SETTING} must be redis://HOST:PORT/DATABASE, rediss://... or unix:///SOCKET, the "
            f"server of the queue; got {show_store(address)!r}. The profile of shared crawls "
            "has it: SCRAPY_PROJECT=shared scrapy crawl shared ..."
        )
    try:
        return parse_address(address)
    except ValueError as error:
        raise ValueError(f"{SETTING} = {show_store(address)!r} {error}") from None
