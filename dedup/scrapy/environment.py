"""Where a crawl runs: the project's folder, whether it is a crawl at all, how it names requests."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import scrapy
from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.settings import Settings
from scrapy.utils.conf import closest_scrapy_cfg
from scrapy.utils.misc import build_from_crawler, load_object

_LOOKING = frozenset(("bench", "check", "fetch", "parse", "shell", "view"))


class SettingError(ValueError):
    """A setting of Scrapy's names a class that cannot be loaded; the message says which."""


def project_root() -> Path:
    """The folder of scrapy.cfg; outside of a project the current folder.

    Relative paths in settings are taken from here, so that a crawl started in a subfolder finds
    the same store.
    """
    config = closest_scrapy_cfg()
    return Path(config).parent if config else Path.cwd()


def project_name() -> str:
    """The project as Scrapy's commands and Scrapyd name it in SCRAPY_PROJECT; else "default"."""
    return os.environ.get("SCRAPY_PROJECT") or "default"


def request_fingerprinter(settings: Settings) -> Callable[[Request], bytes]:
    """What gives requests their digests in a crawl of the project: its fingerprinter's method."""
    fingerprinter: Any = build_from_crawler(
        load_named(settings["REQUEST_FINGERPRINTER_CLASS"], "REQUEST_FINGERPRINTER_CLASS"),
        Crawler(Spider, settings),
    )
    fingerprint: Callable[[Request], bytes] = fingerprinter.fingerprint
    return fingerprint


def load_named(name: Any, setting: str) -> Any:
    """The class that a setting names.

    Raises:
        SettingError: it cannot be loaded.
    """
    try:
        return load_object(name)
    except (ImportError, NameError, TypeError, ValueError) as error:
        raise SettingError(f"{setting} = {name!r} cannot be loaded: {error}") from None


def only_looks() -> bool:
    """Whether a command runs that shows a page or two and must leave the store alone.

    Scrapy takes the command out of ``sys.argv``; the interpreter's own copy keeps it.
    """
    program = Path(sys.argv[0])
    if program.name != "scrapy" and program.parent != Path(scrapy.__file__).parent:
        return False  # a script that starts crawls
    words = sys.orig_argv[-len(sys.argv) :]
    return next((word for word in words if not word.startswith("-")), "") in _LOOKING
