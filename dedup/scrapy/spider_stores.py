"""Finds the spider whose store a command uses, if each spider has its own store."""

from __future__ import annotations

import glob
import re
from pathlib import Path

from dedup.config import Config
from dedup.scrapy.environment import project_name
from dedup.store import Place

_SLOT = "\0"  # Stands for the name of the spider; no path can contain it.


def spiders_with_a_store(config: Config, root: Path) -> list[str]:
    """The names of spiders that have a store, sorted; found by the pattern in NEARDUP_STORE."""
    pattern = str(_path_for(config, root.absolute(), _SLOT))
    slot = re.escape(_SLOT)
    name = re.escape(pattern).replace(slot, "(?P<spider>[^/]+)", 1).replace(slot, "(?P=spider)")
    folders = glob.glob(glob.escape(pattern).replace(_SLOT, "*"))  # noqa: PTH207
    found = {folder: re.fullmatch(name, folder) for folder in folders}
    return sorted(
        match["spider"]
        for folder, match in found.items()
        if match and config.store_kind.is_there(Path(folder))
    )


def spider_to_look_for(config: Config, root: Path, made_up: str) -> str:
    """The spider whose store is read by a command such as ``scrapy fetch`` without a spider.

    Scrapy makes up a spider for such a command. If only one spider has a store, it is used instead.
    """
    names = spiders_with_a_store(config, root) if config.store_of_each_spider else []
    return names[0] if len(names) == 1 else made_up


def store_settings(config: Config, root: Path, spider: str) -> Config:
    """The settings with one spider's store; without a name, of the only spider with a store.

    Raises ValueError if no spider has a store, or several have one; the message lists them.
    """
    if spider or not config.store_of_each_spider:
        return config.for_spider(project_name(), spider)
    names = spiders_with_a_store(config, root)
    if len(names) > 1:
        listed = ", ".join(names)
        raise ValueError(f"several spiders have a store: {listed}; choose one with --spider NAME")
    if not names:
        place = _path_for(config, root, "NAME")
        raise ValueError(
            f"no spider has a store yet: {place} would be that of a spider called NAME. A crawl "
            "makes one, unless NEARDUP_READ_ONLY is set, and so do `create` and `import` with "
            "--spider NAME"
        )
    return config.for_spider(project_name(), names[0])


def _path_for(config: Config, root: Path, spider: str) -> Path:
    """The path of a spider's store, even if it does not exist yet."""
    return Place(config.for_spider(project_name(), spider).store, root).path
