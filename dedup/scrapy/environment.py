"""The environment of a crawl: project folder, running command, fingerprints of requests."""

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
from scrapy.utils.python import global_object_name

_LOOKING = frozenset(("bench", "check", "fetch", "parse", "shell", "view"))


class SettingError(ValueError):
    """A setting of Scrapy names a class that cannot be loaded; the message contains both."""


def project_root() -> Path:
    """The folder of scrapy.cfg; outside of a project, the current folder.

    Relative paths in settings start here, so that a crawl started in a subfolder finds the same
    store.
    """
    config = closest_scrapy_cfg()
    return Path(config).parent if config else Path.cwd()


def project_name() -> str:
    """The project's name: SCRAPY_PROJECT, set by Scrapy's commands and Scrapyd, or "default"."""
    return os.environ.get("SCRAPY_PROJECT") or "default"


def request_fingerprinter(settings: Settings) -> Callable[[Request], bytes]:
    """The function that makes the digests of requests in a crawl of the project."""
    fingerprinter: Any = build_from_crawler(
        load_named(settings["REQUEST_FINGERPRINTER_CLASS"], "REQUEST_FINGERPRINTER_CLASS"),
        Crawler(Spider, settings),
    )
    fingerprint: Callable[[Request], bytes] = fingerprinter.fingerprint
    return fingerprint


def load_named(name: Any, setting: str) -> Any:
    """Load the class that a setting names. Raises SettingError if the class cannot be loaded."""
    try:
        return load_object(name)
    except (ImportError, NameError, TypeError, ValueError) as error:
        raise SettingError(f"{setting} = {name!r} cannot be loaded: {error}") from None


def show_class(value: object) -> str:
    """The class in a setting, as it is written there or by its path."""
    return value if isinstance(value, str) else global_object_name(value)


def only_looks() -> bool:
    """Whether the running command only shows a few pages, so that it must not change the store.

    Scrapy removes the command from ``sys.argv``. The interpreter's copy still contains it.
    """
    program = Path(sys.argv[0])
    if program.name != "scrapy" and program.parent != Path(scrapy.__file__).parent:
        return False  # A script that starts crawls.
    words = sys.orig_argv[-len(sys.argv) :]
    return next((word for word in words if not word.startswith("-")), "") in _LOOKING
