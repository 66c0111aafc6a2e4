"""The requests that wait: in memory, or in a file that survives the crawl."""

from __future__ import annotations

import json
import logging
import pickle
import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeAlias

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings
from scrapy.utils.request import request_from_dict

from dedup.scrapy.environment import load_named, show_class

logger = logging.getLogger(__name__)

FOLDER = "requests.queue"  # The folder of Scrapy's scheduler, below JOBDIR.
FILE = "postponing.sqlite"  # The file of PostponingQueue in this folder.
STATE = "active.json"  # The file of Scrapy's scheduler there: what its queue returned at its end.
_SETTING = "SCHEDULER_PRIORITY_QUEUE"
_TABLES = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = OFF;
CREATE TABLE IF NOT EXISTS queues (queue INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL);
CREATE TABLE IF NOT EXISTS requests (
    priority INTEGER NOT NULL, queue INTEGER NOT NULL, number INTEGER NOT NULL,
    request BLOB NOT NULL, PRIMARY KEY (priority, queue, number)
) WITHOUT ROWID;
DELETE FROM queues WHERE queue NOT IN (SELECT queue FROM requests);
"""


class MemoryRequests:
    """Requests in memory, which are lost at the end of the crawl.

    Requests wait by priority and queue. In a queue their numbers increase.
    """

    def __init__(self) -> None:
        self.last = 0  # The largest number of a request.
        self._queues: dict[tuple[int, str], deque[tuple[int, Request]]] = {}
        self._count = 0

    def __len__(self) -> int:
        """The number of requests that wait."""
        return self._count

    def queues(self) -> Iterator[tuple[int, str, int, int]]:
        """Each queue that is not empty: its priority, its name, its first number, its length."""
        for (priority, name), queue in self._queues.items():
            yield priority, name, queue[0][0], len(queue)

    def add(self, priority: int, queue: str, request: Request) -> None:
        """Add a request at the end of a queue, with the number after ``last``.

        Raises ValueError if the request cannot be kept.
        """
        self.last += 1
        self._queues.setdefault((priority, queue), deque()).append((self.last, request))
        self._count += 1

    def take(self, priority: int, queue: str) -> tuple[Request | None, int | None]:
        """Remove the first request of a queue; returns it, and the number of the next one.

        The request is None if it cannot be read. It is logged then, and kept.
        """
        waiting = self._queues[priority, queue]
        _, request = waiting.popleft()
        self._count -= 1
        if waiting:
            return request, waiting[0][0]
        del self._queues[priority, queue]
        return request, None

    def close(self) -> None:
        """End: no request is added or taken any more."""


class DiskRequests:
    """As ``MemoryRequests``, in an SQLite file. After a kill, requests in progress wait again.

    A request is in progress until its page is done: its callback has ended, and the pipelines have
    its items. The request leaves the file at that moment. To wait for the next request would be too
    late, because no request is taken while all connections are in use.

    Every change is one transaction. A kill of the process loses none; a power cut may lose the last
    ones. Scrapy's own file of requests that were seen is flushed after each request here. If it had
    a request that is missing here, the next crawl would never download this request.
    """

    def __init__(self, crawler: Crawler, path: Path) -> None:
        """Open the file, or make it; the spider of the crawler has the callbacks of the requests.

        Raises ValueError if the file cannot be used.
        """
        self._crawler = crawler
        self._path = path
        try:
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.executescript(_TABLES)
            rows = self._db.execute("SELECT name, queue FROM queues")
            self._queues: dict[str, int] = dict(rows.fetchall())
            count = "SELECT count(*), coalesce(max(number), 0) FROM requests"
            self._count: int
            self._count, self.last = self._db.execute(count).fetchone()
        except sqlite3.Error as error:
            if hasattr(self, "_db"):
                self._db.close()
            raise _unreadable(path, error) from None
        self._taken: dict[Request, tuple[int, int, int]] = {}
        self._is_stuck = False  # Whether the last removal of done requests failed.
        self._watch()
        self._latest: dict[tuple[int, int], int] = {}  # Priority and queue -> last number taken.

    def __len__(self) -> int:
        return self._count

    def queues(self) -> Iterator[tuple[int, str, int, int]]:
        names = {number: name for name, number in self._queues.items()}
        rows = (
            "SELECT priority, queue, min(number), count(*) FROM requests GROUP BY priority, queue"
        )
        for priority, queue, number, waiting in self._db.execute(rows).fetchall():
            yield priority, names[queue], number, waiting

    def add(self, priority: int, queue: str, request: Request) -> None:
        try:
            packed = pickle.dumps(request.to_dict(spider=self._crawler.spider), protocol=4)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise ValueError(str(error)) from error
        try:
            if queue not in self._queues:
                made = self._db.execute("INSERT INTO queues (name) VALUES (?)", (queue,))
                self._queues[queue] = made.lastrowid or 0
            row = (priority, self._queues[queue], self.last + 1, packed)
            self._db.execute("INSERT INTO requests VALUES (?, ?, ?, ?)", row)
        except (sqlite3.Error, OverflowError) as error:
            raise ValueError(f"{self._path}: {error}") from error
        self._write_marks()
        self.last += 1
        self._count += 1
        self._drop_done()  # Last, because a skipped request was taken and is added again here.

    def take(self, priority: int, queue: str) -> tuple[Request | None, int | None]:
        self._drop_done()
        place = priority, self._queues[queue]
        rows = (
            "SELECT number, request FROM requests "
            "WHERE priority = ? AND queue = ? AND number > ? ORDER BY number LIMIT 2"
        )
        waiting = self._db.execute(rows, (*place, self._latest.get(place, 0))).fetchall()
        number, packed = waiting[0]
        self._latest[place] = number
        self._count -= 1
        request = self._unpack(packed)
        if request is not None:
            self._taken[request] = (*place, number)
        return request, waiting[1][0] if len(waiting) > 1 else None

    def close(self) -> None:
        self._drop_done()
        self._taken.clear()
        self._db.close()

    def _slot(self) -> Any:
        """The engine's requests in progress and its scheduler; None before the spider is opened."""
        engine = self._crawler.engine
        return None if engine is None else engine._slot

    def _write_marks(self) -> None:
        """Flush the file of Scrapy's filter of duplicate requests."""
        seen = getattr(getattr(self._slot(), "scheduler", None), "df", None)
        marks = getattr(seen, "file", None)
        if marks is not None:
            # On a full disk they stay in memory for the next flush. The request is kept anyway.
            with suppress(OSError):
                marks.flush()

    def _watch(self) -> None:
        """Remove each request from the file as soon as Scrapy has finished it."""
        slot = self._slot()
        if slot is None:
            return
        remove = slot.remove_request

        def remove_and_drop(request: Request) -> None:
            remove(request)
            self._drop_done()

        slot.remove_request = remove_and_drop

    def _drop_done(self) -> None:
        """Remove the requests from the file that Scrapy has finished."""
        slot = self._slot()
        in_hand = slot.inprogress if slot is not None else ()
        done = [request for request in self._taken if request not in in_hand]
        if not done:
            return
        gone = "DELETE FROM requests WHERE priority = ? AND queue = ? AND number = ?"
        try:
            with self._db:  # Commits, or rolls back.
                self._db.execute("BEGIN")
                self._db.executemany(gone, map(self._taken.__getitem__, done))
        except sqlite3.Error as error:
            if not self._is_stuck:
                logger.warning("Requests that are done cannot leave %s yet (%s)", self._path, error)
            self._is_stuck = True
            return
        self._is_stuck = False
        for request in done:
            del self._taken[request]

    def _unpack(self, packed: bytes) -> Request | None:
        try:
            unpacked = pickle.loads(packed)  # noqa: S301  (from the crawl's own folder)
            return request_from_dict(unpacked, spider=self._crawler.spider)
        except Exception as error:  # A pickle of a class that has changed may raise anything.
            logger.error(  # noqa: TRY400  (the message is complete)
                "A request in %s cannot be read (%s); it waits there for a crawl with the spider "
                "that made it",
                self._path,
                error,
            )
            return None


Requests: TypeAlias = MemoryRequests | DiskRequests


def check_job(settings: BaseSettings) -> None:
    """Check that the queue of a crawl reads the requests that PostponingQueue left in its JOBDIR.

    If it does, a damaged state of Scrapy's scheduler there is removed.

    Raises:
        ValueError: the crawl would end without these requests, or they cannot be counted.
        SettingError: the queue cannot be loaded.
    """
    path = Path(settings.get("JOBDIR") or "", FOLDER, FILE)
    if not settings.get("JOBDIR") or not path.is_file():
        return
    if is_postponing(settings):
        _remove_torn(path.with_name(STATE))
        return
    if left := count_requests(path):
        raise ValueError(
            f"{_SETTING} = {show_class(settings[_SETTING])} does not read the {left} requests in "
            f"{path}: the crawl would end without them. Set {_SETTING} = "
            "'dedup.scrapy.PostponingQueue' to go on with them; or name another folder in JOBDIR; "
            "or delete the file to give them up"
        )


def _remove_torn(state: Path) -> None:
    """Remove the state of Scrapy's scheduler if it is no JSON, which would end the crawl.

    A kill or a full disk leaves it so. PostponingQueue has no use for it.
    """
    with suppress(OSError):  # It is missing; or the scheduler meets the same error.
        try:
            json.loads(state.read_bytes())
        except ValueError:
            logger.warning("%s was cut off by a kill or a full disk, and is removed", state)
            state.unlink()


def is_postponing(settings: BaseSettings) -> bool:
    """Whether the queue that the settings name is PostponingQueue: its attribute ``file`` tells.

    Raises SettingError if the queue cannot be loaded.
    """
    return getattr(load_named(settings[_SETTING], _SETTING), "file", "") == FILE


def count_requests(path: Path) -> int:
    """The number of requests in a file of PostponingQueue, with those that were skipped.

    Raises ValueError if the file cannot be read.
    """
    tables = "SELECT count(*) FROM sqlite_master WHERE name = 'requests'"
    try:
        with closing(sqlite3.connect(path)) as db:
            (is_made,) = db.execute(tables).fetchone()
            if not is_made:  # A kill may leave an empty file.
                return 0
            count: int
            (count,) = db.execute("SELECT count(*) FROM requests").fetchone()
            return count
    except sqlite3.Error as error:
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: Exception) -> ValueError:
    """The error that a file of requests cannot be read, with the way out."""
    return ValueError(
        f"the requests in {path} cannot be read ({error}): see that there are room and rights; or "
        "name another folder in JOBDIR; or delete this one to begin anew"
    )
