"""The default profile, but pages are read in the crawl's own process."""

from settings.base import *  # noqa: F403

NEARDUP_INLINE_BODY = 2_000_000
