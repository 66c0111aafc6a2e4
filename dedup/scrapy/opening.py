"""Before a crawl opens its store: can it write there, and has another process the store open?"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import CloseSpider

from dedup.assembly import is_locked, store_folder
from dedup.config import Config
from dedup.scrapy.droplog import why_unwritable
from dedup.scrapy.waiting import Bell

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

LOOK_AGAIN = 1.0  # seconds between two looks at a store that another process has open


def what_is_unwritable(config: Config, root: Path, log: Path) -> str:
    """Why the drop log cannot be written, and the store neither; empty if the log can.

    Args:
        config: the settings of the crawl.
        root: the folder that relative paths are taken from.
        log: the path of the drop log.
    """
    if not (problem := why_unwritable(log)):
        return ""
    message = f"NEARDUP_LOG: {log} cannot be the drop log: {problem}; name another"
    folder = store_folder(config, root)
    if folder is None or config.read_only or not (problem := why_unwritable(folder / "a file")):
        return message
    return f"{message}. NEARDUP_STORE: {folder} cannot be the store: {problem}; name another"


async def wait_until_free(crawler: Crawler, config: Config, root: Path, bell: Bell) -> float:
    """Wait until no other process has the store open; returns the seconds.

    Raises:
        CloseSpider: the crawl was stopped meanwhile.
        StoreError: the store cannot be looked at.
    """
    began = time.monotonic()
    while True:
        await bell.wait(LOOK_AGAIN)
        if not crawler.crawling:
            raise CloseSpider("shutdown")
        if not is_locked(config, root):
            return time.monotonic() - began
