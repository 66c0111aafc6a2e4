"""The default profile, flooded with made pages."""

from settings.base import *  # noqa: F403

SPIDER_MODULES = ["benchmarks.spiders.flood"]
DOWNLOAD_HANDLERS = {"http": "benchmarks.spiders.flood.Handler"}
EXTENSIONS = {"benchmarks.spiders.flood.Sampler": 500}
AUTOTHROTTLE_ENABLED = False
ROBOTSTXT_OBEY = False
