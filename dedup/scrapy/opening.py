"""Opens a crawl's store: checks that files are writable, and waits for another process."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import CloseSpider

from dedup.assembly import is_locked, store_folder
from dedup.config import Config
from dedup.scrapy.droplog import why_unwritable
from dedup.scrapy.waiting import Bell
from dedup.store import StoreLockedError

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


@dataclass(frozen=True, slots=True)
class Patience:
    """How a crawl waits for a store that another process uses.

    Attributes:
        seconds: how long the store may be in use before NEARDUP_STORE_LOCKED applies. A command on
            the store takes less than the default, and so does the end of a crawl.
        look_again: seconds between two looks at the store.
    """

    seconds: float = 5.0
    look_again: float = 1.0


def what_is_unwritable(config: Config, root: Path, log: Path) -> str:
    """An error message if the drop log cannot be written; else empty.

    The message also names the store if the store cannot be written either.

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


async def open_when_free(
    open_store: Callable[[], None],
    config: Config,
    root: Path,
    seconds: float,
    look_again: float,
    crawler: Crawler,
    bell: Bell,
) -> StoreLockedError | None:
    """Open a store as soon as no other process uses it.

    Args:
        open_store: opens it; raises StoreLockedError while another process uses it.
        config: the settings, which name the store.
        root: the folder that relative paths are taken from.
        seconds: how long to try.
        look_again: seconds between two looks at the store.
        crawler: the crawl; if it is stopped, the waiting ends.
        bell: ends a wait early when it rings.

    Returns:
        None if the store is open now; else the error of the last try.

    Raises:
        CloseSpider: the crawl was stopped meanwhile.
        StoreError: the store cannot be opened for another reason.
    """
    end = time.monotonic() + seconds
    locked: StoreLockedError | None = None
    while locked is None or time.monotonic() < end:
        if locked is not None:
            await bell.wait(look_again)
            if not crawler.crawling:
                raise CloseSpider("shutdown")
            if is_locked(config, root):
                continue
        try:
            open_store()
        except StoreLockedError as error:
            locked = error
        else:
            return None
    return locked
