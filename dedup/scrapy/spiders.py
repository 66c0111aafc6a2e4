"""Which spider's store a command is for, where each spider has a store of its own."""

from __future__ import annotations

import glob
import re
from pathlib import Path

from dedup.config import Config
from dedup.scrapy.environment import project_name
from dedup.store.folder import MARKER

_SLOT = "\0"  # stands for the name of the spider; no path has it


def spiders_with_a_store(config: Config, root: Path) -> list[str]:
    """The spiders that have a store, by the folders that NEARDUP_STORE may name, sorted."""
    filled = config.for_spider(project_name(), _SLOT).store.removeprefix("leveldb:")
    pattern = str(root.absolute() / Path(filled).expanduser())
    name = re.escape(pattern).replace(re.escape(_SLOT), "([^/]+)", 1)
    named = re.compile(name.replace(re.escape(_SLOT), r"\1"))
    folders = glob.glob(glob.escape(pattern).replace(_SLOT, "*"))  # noqa: PTH207
    found = {folder: named.fullmatch(folder) for folder in folders}
    return sorted(
        match[1] for folder, match in found.items() if match and Path(folder, MARKER).exists()
    )


def spider_to_look_for(config: Config, root: Path, spider: str) -> str:
    """The spider whose store a command such as ``scrapy fetch`` looks at.

    Its own spider, which may be one that Scrapy made up for the page; then the only one that has a
    store, if there is one.
    """
    names = spiders_with_a_store(config, root) if config.store_of_each_spider else []
    return names[0] if len(names) == 1 else spider


def store_settings(config: Config, root: Path, spiders: list[str]) -> Config:
    """The settings with one spider's store.

    Args:
        config: the settings.
        root: the folder that relative paths are taken from.
        spiders: the names given; where there is none, the only spider that has a store is meant.

    Raises:
        ValueError: no spider has a store, or several could be meant; the message lists them.
    """
    names = spiders or [""]
    if config.store_of_each_spider and not spiders:
        names = spiders_with_a_store(config, root)
    if len(set(names)) > 1:
        raise ValueError(
            f"each spider has a store of its own: name one with --spider, of {', '.join(names)}"
        )
    if not names:
        place = root / config.for_spider(project_name(), "NAME").store.removeprefix("leveldb:")
        raise ValueError(
            f"no spider has a store in {place} yet, where NAME is the spider's: a crawl makes one, "
            "unless NEARDUP_READ_ONLY is set; name the spider with --spider, or set NEARDUP_STORE"
        )
    return config.for_spider(project_name(), names[0])
