"""The default profile without near-duplicate detection."""

from settings.base import *  # noqa: F403

DOWNLOADER_MIDDLEWARES: dict[str, int] = {}
SPIDER_MIDDLEWARES: dict[str, int] = {}
ITEM_PIPELINES: dict[str, int] = {}
