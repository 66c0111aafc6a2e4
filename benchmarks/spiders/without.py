"""The default profile without near-duplicate detection."""

from settings.base import *  # noqa: F403

DOWNLOADER_MIDDLEWARES = {}
SPIDER_MIDDLEWARES = {}
ITEM_PIPELINES = {}
