"""The default profile, but pages are read in a worker process."""

from settings.base import *  # noqa: F403

NEARDUP_INLINE_BODY = 0
