"""The flooded profile, over a site some of whose pages read otherwise in the next edition."""

from benchmarks.spiders.flooded import *  # noqa: F403

DOWNLOAD_HANDLERS = {"http": "benchmarks.spiders.soak.EditionHandler"}
