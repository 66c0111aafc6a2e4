"""Refuses a JOBDIR whose postponed requests would stay behind, because another queue is set."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from scrapy.settings import BaseSettings

from dedup.scrapy.environment import load_named, show_class
from dedup.scrapy.requests import unreadable

FOLDER = "requests.queue"  # The folder of Scrapy's scheduler, below JOBDIR.
FILE = "postponing.sqlite"  # The file of PostponingQueue in this folder.
_SETTING = "SCHEDULER_PRIORITY_QUEUE"


def check_job(settings: BaseSettings) -> None:
    """Check that the queue of a crawl reads the requests that PostponingQueue left in its JOBDIR.

    A queue that reads them has ``FILE`` as its attribute ``file``.

    Raises:
        ValueError: the crawl would end without these requests, or they cannot be counted.
        SettingError: the queue cannot be loaded.
    """
    path = Path(settings.get("JOBDIR") or "", FOLDER, FILE)
    if not settings.get("JOBDIR") or not path.is_file():
        return
    queue = settings[_SETTING]
    if getattr(load_named(queue, _SETTING), "file", "") == FILE:
        return
    if left := count_requests(path):
        raise ValueError(
            f"{_SETTING} = {show_class(queue)} does not read the {left} requests in {path}: the "
            f"crawl would end without them. Set {_SETTING} = 'dedup.scrapy.PostponingQueue' to go "
            "on with them; or name another folder in JOBDIR; or delete the file to give them up"
        )


def count_requests(path: Path) -> int:
    """The number of requests in a file of PostponingQueue, with those that were skipped.

    Raises:
        ValueError: the file cannot be read.
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
        raise unreadable(path, error) from None
