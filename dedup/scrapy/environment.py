"""Where a crawl runs: the project's folder, whether it is a crawl at all, how it names requests."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.settings import Settings
from scrapy.utils.conf import closest_scrapy_cfg
from scrapy.utils.misc import build_from_crawler, load_object

_PROGRAMS = frozenset(("scrapy", "scrapy.cmdline"))
_LOOKING = frozenset(("check", "fetch", "parse", "shell", "view"))


def project_root() -> Path:
    """The folder of scrapy.cfg; outside of a project the current folder.

    Relative paths in settings are taken from here, so that a crawl started in a subfolder finds
    the same store.
    """
    config = closest_scrapy_cfg()
    return Path(config).parent if config else Path.cwd()


def request_fingerprinter(settings: Settings) -> Callable[[Request], bytes]:
    """What gives requests their digests in a crawl of the project: its fingerprinter's method."""
    fingerprinter: Any = build_from_crawler(
        load_object(settings["REQUEST_FINGERPRINTER_CLASS"]), Crawler(Spider, settings)
    )
    fingerprint: Callable[[Request], bytes] = fingerprinter.fingerprint
    return fingerprint


def only_looks() -> bool:
    """Whether a command runs that shows a page or two and must leave the store alone.

    Scrapy takes the command out of ``sys.argv``; the interpreter's own copy keeps it.
    """
    line = sys.orig_argv[1:]
    for place, word in enumerate(line):
        if Path(word).name in _PROGRAMS and (place == 0 or line[place - 1] == "-m" or "/" in word):
            command = next((other for other in line[place + 1 :] if not other.startswith("-")), "")
            return command in _LOOKING
    return False
