"""A queue of URLs on a Redis server, for crawler processes that may be killed.

    queue/NAME:seen      set: every URL ever put in
    queue/NAME:waiting   list: URLs that nobody has in hand
    queue/NAME:taken:ID  list: URLs that a worker has in hand
    queue/NAME:beats     hash: a number for each worker, which grows as long as it lives

No index has a slash in its name, so none has such keys, and a reset of one leaves them alone.

A URL is in hand from the moment it is taken until it is said to be done, and a worker that dies
loses none: another moves what it had in hand back. A worker counts as dead when its number has not
grown for a period in which the server answered; so an outage of the server kills no worker. The
period is longer than a lease of the near-duplicate index: when a URL comes back, its page is not in
flight any more.

Every call is one step on the server and may be repeated if its answer was lost: what a worker took
without learning of it, it is given the next time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from uuid import uuid4

from dedup.store import show_store
from dedup.store.redis import ONE_SERVER, Address, parse_address
from dedup.store.redis.driver import explained, make_client, require

SETTING = "SHARED_QUEUE"
NAME = "crawl"
DEAD_AFTER = 30.0  # seconds without a beat; a lease of the index lasts 20
TIMEOUT = 2.0  # seconds to wait for the server
PUSHED = 1_000  # URLs in one call: it holds up the server for all

_PUSH = """
local count = 0
for _, url in ipairs(ARGV) do
  if redis.call('SADD', KEYS[1] .. 'seen', url) == 1 then
    redis.call('RPUSH', KEYS[1] .. 'waiting', url)
    count = count + 1
  end
end
return count
"""
_TAKE = """
local taken = KEYS[1] .. 'taken:' .. ARGV[1]
redis.call('HINCRBY', KEYS[1] .. 'beats', ARGV[1], 1)
for _ = 1, tonumber(ARGV[2]) do
  if not redis.call('LMOVE', KEYS[1] .. 'waiting', taken, 'LEFT', 'RIGHT') then break end
end
return {redis.call('LRANGE', taken, 0, -1), redis.call('HGETALL', KEYS[1] .. 'beats')}
"""
_GIVE_BACK = """
local taken = KEYS[1] .. 'taken:' .. ARGV[1]
if ARGV[2] ~= '' and redis.call('HGET', KEYS[1] .. 'beats', ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1] .. 'beats', ARGV[1])
local count = 0
while redis.call('LMOVE', taken, KEYS[1] .. 'waiting', 'RIGHT', 'LEFT') do count = count + 1 end
return count
"""
_COUNT = """
local waiting = redis.call('LLEN', KEYS[1] .. 'waiting')
local taken = 0
for _, worker in ipairs(redis.call('HKEYS', KEYS[1] .. 'beats')) do
  taken = taken + redis.call('LLEN', KEYS[1] .. 'taken:' .. worker)
end
return {waiting, taken}
"""


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
    ) -> None:
        """Connect with the first call.

        Args:
            address: of the server, as redis-py takes it: ``redis://HOST:PORT/DATABASE``.
            name: of the queue; its keys begin with ``queue/`` and it.
            dead_after: seconds without a beat after which a worker counts as dead.
            clock: tells the seconds.
            timeout: seconds to wait for the server.

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
        self._push, self._take, self._give_back, self._count = map(
            self._server.register_script, (_PUSH, _TAKE, _GIVE_BACK, _COUNT)
        )
        self._given: set[str] = set()  # taken, handed to the caller, and not done yet
        self._beats: dict[str, tuple[str, float]] = {}  # of each worker: its number, when it grew
        self._asked = 0.0

    def push(self, urls: Sequence[str]) -> int:
        """Put URLs in, those that never were; returns how many."""
        count = 0
        for start in range(0, len(urls), PUSHED):
            with self._explained():
                count += self._push(keys=[self._home], args=urls[start : start + PUSHED])
        return count

    def take(self, count: int) -> list[str]:
        """Take so many URLs in hand, or fewer, and give back what dead workers had.

        To be called every few seconds, or this worker counts as dead.
        """
        with self._explained():
            taken, beats = self._take(keys=[self._home], args=[self.worker, count])
            for worker, beat in self._dead(dict(zip(beats[::2], beats[1::2], strict=True))):
                self._give_back(keys=[self._home], args=[worker, beat])
        urls = [url for url in taken if url not in self._given]
        self._given.update(urls)
        return urls

    def done(self, urls: Sequence[str]) -> None:
        """Let go of URLs that nobody needs to take again."""
        if urls:
            with self._explained(), self._server.pipeline() as pipeline:
                for url in urls:
                    pipeline.lrem(f"{self._home}taken:{self.worker}", 1, url)
                pipeline.execute()
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
