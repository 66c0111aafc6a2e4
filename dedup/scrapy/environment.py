"""Where a crawl runs: the project's folder, and whether it is a crawl at all."""

from __future__ import annotations

import sys
from pathlib import Path

from scrapy.utils.conf import closest_scrapy_cfg

_LOOKING = frozenset(("shell", "fetch", "view", "parse"))


def project_root() -> Path:
    """The folder of scrapy.cfg; outside of a project the current folder.

    Relative paths in settings are taken from here, so that a crawl started in a subfolder finds
    the same store.
    """
    config = closest_scrapy_cfg()
    return Path(config).parent if config else Path.cwd()


def only_looks() -> bool:
    """Whether a command runs that shows a page or two and must leave the store alone."""
    program = Path(sys.argv[0])
    by_scrapy = program.stem == "scrapy" or program.parts[-2:] == ("scrapy", "__main__.py")
    return by_scrapy and len(sys.argv) > 1 and sys.argv[1] in _LOOKING
