"""The lease of a process that writes: its pages in flight are so for as long as it lives.

A process that reserves pages is an owner. Its key on the server expires LEASE_SECONDS after it was
last renewed; a thread with a connection of its own renews it, so that a busy event loop keeps its
pages. Where the key is gone the process is taken for dead, and whoever meets one of its pages
removes it.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable

from dedup.store.interface import StoreError, StoreLockedError, StoreMismatchError
from dedup.store.redis.link import Link, call
from dedup.store.redis.names import Names
from dedup.store.redis.scripts import ENLIST, OCCUPY

logger = logging.getLogger(__name__)

LEASE_SECONDS = 20.0
BEATS = 4  # renewals within one lease
RENEWED_WITHIN = LEASE_SECONDS / BEATS + 1.0  # seconds after a server is back, of all who live
OWNER_BITS = 31  # with 32 bits of a counter a ticket is a positive integer of 64 bits


class Lease:
    """One process's right to write to one index, from its first use on."""

    def __init__(
        self, names: Names, make_link: Callable[[], Link], seconds: float = LEASE_SECONDS
    ) -> None:
        """Prepare a lease.

        Args:
            names: of the index.
            make_link: makes the connection of the thread.
            seconds: how long it lasts without being renewed.
        """
        self.owner = secrets.randbits(OWNER_BITS - 1) + 1
        self._names = names
        self._make_link = make_link
        self._seconds = seconds
        self._renewed = [names.owner(self.owner)]
        self._renewing = threading.Lock()  # a key taken off the list is renewed no more
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def take(self, link: Link, generation: int) -> None:
        """Begin to write; nothing to do where that is so.

        Raises:
            StoreLockedError: the index is being made anew, or deleted.
            StoreMismatchError: it was made anew since it was opened.
        """
        if self._thread is None:
            self.renew(link, generation)
            self._start()

    def renew(self, link: Link, generation: int) -> None:
        """Begin anew where the server may have forgotten it; raises as ``take`` does."""
        arguments = (b"%d" % self.owner, self._milliseconds)
        answer = link.run([call(ENLIST, (self._names.home,), arguments)])[0]
        if answer is None:
            raise StoreLockedError(
                f"the index of the store on {link.shown} is being made anew or deleted "
                "(`scrapy neardup rebuild` or `reset`); wait for that to end"
            )
        if int(answer) != generation:
            raise StoreMismatchError(
                f"the index of the store on {link.shown} was made anew meanwhile; start again"
            )

    def occupy(self, link: Link) -> None:
        """Keep all others from writing; ``vacate`` lets them again.

        Raises:
            StoreLockedError: others are writing.
        """
        arguments = (b"%d" % self.owner, self._milliseconds)
        others = link.run([call(OCCUPY, (self._names.home,), arguments)])[0]
        if others:
            raise StoreLockedError(
                f"{others} other process(es) use the store on {link.shown}; wait for them to end "
                f"(one that was killed counts for {self._seconds:g} s)"
            )
        self._renewed.append(self._names.rebuilding)
        self._start()

    def vacate(self, link: Link) -> None:
        """Let others write again."""
        if self._names.rebuilding in self._renewed:
            with self._renewing:
                self._renewed.remove(self._names.rebuilding)
            link.run([(b"DEL", self._names.rebuilding)])

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
            link.run([(b"SET", key, b"", b"PX", self._milliseconds) for key in self._renewed])
