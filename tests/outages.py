"""Outages of a server in the midst of a crawl: how tests begin them, and end them."""

from __future__ import annotations

import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from crawling import prepared
from redis_servers import Cluster, Server

from dedup.assembly import open_store
from dedup.config import Config
from dedup.scrapy.availability import SLOWEST_TRY
from dedup.scrapy.session import Session

WATCHED = "dedup.scrapy"
DOWN, BACK = "NEARDUP_STORE_DOWN", "answers again"


class Outage:
    """A server, or a cluster, that is killed by one thread and started again by another."""

    def __init__(self, server: Server | Cluster) -> None:
        self._server = server
        self._killed = threading.Event()
        self._ending = threading.Lock()
        self._is_away = False

    def begin(self) -> None:
        self._server.kill()
        self._is_away = True
        self._killed.set()

    def end(self) -> None:
        """Start it again, once it is killed; who comes later finds it started."""
        self._killed.wait()
        with self._ending:
            if self._is_away:
                self._server.start()
            self._is_away = False


@contextmanager
def when_told(words: str, act: Callable[[], object], logger: str = WATCHED) -> Iterator[None]:
    """Do something, in a thread, each time the crawl's log says something about its store."""
    threads: list[threading.Thread] = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if words in record.getMessage():
                threads.append(threading.Thread(target=act))
                threads[-1].start()

    handler = Handler()
    logging.getLogger(logger).addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger(logger).removeHandler(handler)
        for thread in threads:
            thread.join()


def hurried(
    tell_every: float, slowest_try: float = SLOWEST_TRY, others_need: float | None = None
) -> dict[type, int]:
    """The extensions of a crawl whose waits in an outage last some other seconds."""

    def hurry(session: Session) -> None:
        waits = session.availability
        waits.tell_every, waits.slowest_try = tell_every, slowest_try
        if others_need is not None:
            waits.others_need = others_need

    return prepared(hurry)


def stored_in(server: Server | Cluster) -> set[str]:
    """The pages of the index, which is sound."""
    store = open_store(Config(store=server.url), root=None)  # type: ignore[arg-type]
    try:
        problems = store.verify().problems
        assert not problems, problems
        return {record.url for record in store.records()}
    finally:
        store.close()


class Kills:
    """A pipeline that kills the process of the setting KILLED, with its first item."""

    def __init__(self, pid: int) -> None:
        self._pid = pid

    @classmethod
    def from_crawler(cls, crawler: Any) -> Kills:
        return cls(crawler.settings.getint("KILLED"))

    def process_item(self, item: Any) -> Any:
        os.kill(self._pid, signal.SIGKILL)
        return item
