"""The profile that tags, in a hurry, with a log of all downloads."""

from settings.tag import *  # noqa: F403
from settings.tag import DOWNLOADER_MIDDLEWARES, SPIDER_MIDDLEWARES

DOWNLOADER_MIDDLEWARES = {**DOWNLOADER_MIDDLEWARES, "benchmarks.downloads_log.Downloads": 950}
SPIDER_MIDDLEWARES = {**SPIDER_MIDDLEWARES, "benchmarks.downloads_log.Texts": 900}
DOWNLOAD_DELAY = 0
AUTOTHROTTLE_ENABLED = False
CONCURRENT_REQUESTS_PER_DOMAIN = 4
