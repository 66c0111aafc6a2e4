"""The lease of a process that writes: its pages stay in flight only while the process lives.

A process that reserves pages is an owner. Its key on the server expires LEASE_SECONDS after the
last renewal. A thread with a separate connection renews the key, so a process with a busy event
loop keeps its pages. If the key is gone, the process counts as dead. Another process that finds one
of its pages then removes it.

Each renewal checks that the index on the server is still the one that was opened. A restarted
server may have lost the index. And if a process was suspended for longer than its lease, for
example with its machine, other processes may have replaced the index. Then the lease is invalid,
and nothing is written, until a renewal succeeds.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import closing

from dedup.store.interface import StoreError, StoreLockedError, StoreMismatchError
from dedup.store.redis.key_names import Names
from dedup.store.redis.link import Link, call
from dedup.store.redis.scripts import CHANGE_OVER, ENLIST, HOLD, OCCUPY, VACATE, Script

logger = logging.getLogger(__name__)

LEASE_SECONDS = 20.0
BEATS = 4  # Renewals within one lease.
RENEWED_WITHIN = LEASE_SECONDS / BEATS + 1.0  # Seconds for all processes to renew after an outage.
CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # Also runs while the machine sleeps.
OWNER_BITS = 31  # With a counter of 32 bits, a ticket is a positive 64-bit integer.


class IndexLostError(StoreError):
    """The server has lost the index."""


class Lease:
    """The right of one process to write to one index, from the first write on."""

    def __init__(
        self,
        names: Names,
        make_link: Callable[[], Link],
        seconds: float = LEASE_SECONDS,
        index_id: bytes = b"",
    ) -> None:
        """Prepare a lease, which lasts some seconds without a renewal.

        ``make_link`` makes the connection of the thread. An index made later under the same names
        has another id.
        """
        self.owner = secrets.randbits(OWNER_BITS - 1) + 1
        self.index_id = index_id
        self._names = names
        self._make_link = make_link
        self._seconds, self._milliseconds = seconds, b"%d" % round(1000 * seconds)
        self._generation = 0
        self._renewed_at = 0.0  # Time of CLOCK.
        self._occupies = self._is_void = False
        self._renewing = threading.Lock()  # So that the thread renews nothing that was given up.
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def stands(self) -> bool:
        """Whether this process may write."""
        return self._thread is not None and not self._is_void and not self._has_run_out()

    def renew(self, link: Link, generation: int) -> None:
        """Begin to write, or begin again if the server may have lost the lease.

        Raises:
            StoreLockedError: the index is being rebuilt or deleted.
            StoreMismatchError: the index was rebuilt or replaced since it was opened.
            IndexLostError: the server has lost the index.
        """
        self._generation = generation
        self._enlist(link)
        self._start()

    def occupy(self, link: Link) -> None:
        """Prevent all other processes from writing, until ``vacate`` is called.

        Raises StoreLockedError if other processes are writing.
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
        """Raise StoreMismatchError if the index was rebuilt, replaced or lost since its opening."""
        fields = (b"generation", b"id")
        known = link.run([(b"HMGET", self._names.header, *fields)])[0]
        if (int(known[0] or 0), known[1] or b"") != (generation, self.index_id):
            raise _made_anew(link)

    def occupies(self, link: Link) -> bool:
        """Whether this process still prevents all others from writing."""
        return bool(link.run([(b"GET", self._names.rebuilding)])[0] == b"%d" % self.owner)

    def change_over(self, link: Link, last_id: int, fields: tuple[bytes, ...]) -> None:
        """Write fields of the header hash, if this process still occupies the index.

        ``last_id`` is the last page number when the rebuild began. Names and values alternate.

        Raises StoreLockedError if this process was suspended too long, and others have written.
        """
        if not self._run(link, CHANGE_OVER, b"%d" % last_id, *fields):
            raise StoreLockedError(
                f"others wrote to the store on {link.shown} while this process was suspended; "
                "run it again"
            )

    def vacate(self, link: Link) -> None:
        """Allow other processes to write again."""
        if self._occupies:
            with self._renewing:
                self._occupies = False
            self._run(link, VACATE)

    def end(self, link: Link) -> bool:
        """Give the lease up; its reservations are then void.

        Returns whether the server has lost the index under this lease. Nobody can have deleted it.
        """
        if self._thread is None:
            return False
        self._ended.set()
        self._thread.join()
        self._thread = None
        is_there = (b"HEXISTS", self._names.header, b"header")
        known, _ = link.run([is_there, (b"DEL", self._names.owner(self.owner))])
        return not (known or self._has_run_out())

    def _has_run_out(self) -> bool:
        return _now() - self._renewed_at > self._seconds

    def lost(self, link: Link) -> IndexLostError:
        """The error that says that the server has lost the index."""
        return IndexLostError(f"the server {link.shown} has lost the index {self._names.name}")

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
            raise self.lost(link)
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
        with closing(self._make_link()) as link:
            while not self._ended.wait(self._seconds / BEATS):
                try:
                    self._renew_once(link)
                except StoreError as error:  # The crawl gets the same error and reports it.
                    logger.debug("Lease not renewed: %s", error)
                except Exception:  # Without this thread the process would count as dead.
                    logger.exception("Lease not renewed; it is tried again")

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
