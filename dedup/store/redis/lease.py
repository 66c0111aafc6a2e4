"""The lease of a process that writes: its pages stay in flight only as long as it lives.

A process that reserves pages is an owner. Its key on the server expires LEASE_SECONDS after it was
last renewed; a thread with a connection of its own renews it, so that a busy event loop keeps its
pages. If the key is gone, the process counts as dead, and whoever meets one of its pages removes
it.

Each renewal asks whether the index is still the one that was opened. It may be another: a restarted
server may have lost it, and a process suspended for longer than its lease, say with its machine,
may find that others replaced it. Until that is settled the lease is not valid, and nothing is
written.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable

from dedup.store.interface import StoreError, StoreLockedError, StoreMismatchError
from dedup.store.redis.key_names import Names
from dedup.store.redis.link import Link, call
from dedup.store.redis.lua import Script
from dedup.store.redis.scripts import CHANGE_OVER, ENLIST, HOLD, OCCUPY, VACATE

logger = logging.getLogger(__name__)

LEASE_SECONDS = 20.0
BEATS = 4  # renewals within one lease
RENEWED_WITHIN = LEASE_SECONDS / BEATS + 1.0  # seconds after a server is back, of all who live
CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # goes on while the machine sleeps
OWNER_BITS = 31  # with 32 bits of a counter a ticket is a positive integer of 64 bits


class IndexLostError(StoreError):
    """The server has no index where there was one."""


class Lease:
    """One process's right to write to one index, from its first use on."""

    def __init__(
        self,
        names: Names,
        make_link: Callable[[], Link],
        seconds: float = LEASE_SECONDS,
        index_id: bytes = b"",
    ) -> None:
        """Prepare a lease.

        Args:
            names: of the index.
            make_link: makes the connection of the thread.
            seconds: how long it lasts without being renewed.
            index_id: tells the index from one made later under the same names.
        """
        self.owner = secrets.randbits(OWNER_BITS - 1) + 1
        self.index_id = index_id
        self._names = names
        self._make_link = make_link
        self._seconds = seconds
        self._generation = 0
        self._renewed_at = 0.0  # on CLOCK
        self._occupies = self._is_void = False
        self._renewing = threading.Lock()  # what is given up is renewed no more
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def stands(self) -> bool:
        """Whether this process may write."""
        run_out = _now() - self._renewed_at > self._seconds
        return self._thread is not None and not self._is_void and not run_out

    def renew(self, link: Link, generation: int) -> None:
        """Begin to write, or begin anew where the server may have forgotten it.

        Raises:
            StoreLockedError: the index is being made anew, or deleted.
            StoreMismatchError: it was made anew since it was opened.
            IndexLostError: the server has none.
        """
        self._generation = generation
        self._enlist(link)
        self._start()

    def occupy(self, link: Link) -> None:
        """Keep all others from writing; ``vacate`` lets them write again.

        Raises:
            StoreLockedError: others are writing.
        """
        others = self._run(link, OCCUPY, self._milliseconds)
        if others:
            raise StoreLockedError(
                f"{others} other process(es) use the store on {link.shown}; wait for them to end "
                f"(one that was killed counts for {self._seconds:g} s)"
            )
        self._occupies = True
        self._start()

    def check(self, link: Link, generation: int) -> None:
        """Make sure that the index is still the one that was opened, whose tables these are.

        Raises:
            StoreMismatchError: it was made anew since, or lost.
        """
        fields = (b"generation", b"id")
        known = link.run([(b"HMGET", self._names.header, *fields)])[0]
        if (int(known[0] or 0), known[1] or b"") != (generation, self.index_id):
            raise _made_anew(link)

    def occupies(self, link: Link) -> bool:
        """Whether this process still keeps all others from writing."""
        return bool(link.run([(b"GET", self._names.rebuilding)])[0] == b"%d" % self.owner)

    def change_over(self, link: Link, last_id: int, fields: tuple[bytes, ...]) -> None:
        """Write fields of the header, if this process still occupies the index.

        Args:
            link: the way to the server.
            last_id: the last page number there was when the index began to be made anew.
            fields: names and values.

        Raises:
            StoreLockedError: it slept too long, and others were let in.
        """
        if not self._run(link, CHANGE_OVER, b"%d" % last_id, *fields):
            raise StoreLockedError(
                f"others wrote to the store on {link.shown} while this process was suspended; "
                "run it again"
            )

    def vacate(self, link: Link) -> None:
        """Let others write again."""
        if self._occupies:
            with self._renewing:
                self._occupies = False
            self._run(link, VACATE)

    def end(self, link: Link) -> None:
        """Give the lease up: what is reserved under it counts no more."""
        if self._thread is None:
            return
        self._ended.set()
        self._thread.join()
        self._thread = None
        link.run([(b"DEL", self._names.owner(self.owner))])

    @property
    def _milliseconds(self) -> bytes:
        return b"%d" % round(1000 * self._seconds)

    def _enlist(self, link: Link) -> None:
        asked = _now()
        opened = [self.index_id, b"%d" % self._generation]
        answer = self._run(link, ENLIST, self._milliseconds, *opened)
        self._is_void = True
        if answer is None:
            raise StoreLockedError(
                f"the index of the store on {link.shown} is being rebuilt or deleted "
                "(`scrapy neardup rebuild` or `reset`); wait for that to end"
            )
        if answer == [b"", b""]:
            raise IndexLostError(f"the server {link.shown} has lost the index {self._names.name}")
        if answer != opened:
            raise _made_anew(link)
        self._renewed_at, self._is_void = asked, False

    def _run(self, link: Link, script: Script, *arguments: bytes) -> object:
        command = call(script, (self._names.home,), (b"%d" % self.owner, *arguments))
        answer: object = link.run([command])[0]
        return answer

    def _start(self) -> None:
        if self._thread is None:
            self._ended.clear()
            self._thread = threading.Thread(target=self._renew, name="neardup-lease", daemon=True)
            self._thread.start()

    def _renew(self) -> None:
        link = self._make_link()
        try:
            while not self._ended.wait(self._seconds / BEATS):
                try:
                    self._renew_once(link)
                except StoreError as error:  # the crawl meets it too, and says what to do
                    logger.debug("Lease not renewed: %s", error)
        finally:
            link.close()

    def _renew_once(self, link: Link) -> None:
        with self._renewing:
            if self._occupies:
                self._run(link, HOLD, self._milliseconds)
            else:
                self._enlist(link)


def _made_anew(link: Link) -> StoreMismatchError:
    return StoreMismatchError(
        f"the index of the store on {link.shown} was replaced meanwhile; start again"
    )


def _now() -> float:
    return time.clock_gettime(CLOCK)
