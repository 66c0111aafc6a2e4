"""What the URLs of a site tell before they are downloaded; no Scrapy, no store.

a URL                  -> its patterns, from the site to the finest     patterns.py
the body of a page     -> the page of its site that it repeats          repeats.py
what a page declares   -> URLs that probably repeat it                  hints.py
downloads of a pattern -> what the next one is worth                    learner.py, tally.py
a URL                  -> whether it may be skipped, and why            predictions.py
the end of a crawl     -> patterns that repeat, and what waits          traps.py
repeats by their URLs  -> placeholders, such as "not found"      placeholders.py
values of a URL        -> a made-up URL like it                  made_up.py
queues of patterns     -> the one whose first request comes next        queues.py, order.py
"""

from dedup.urls.learner import Learner
from dedup.urls.made_up import made_up
from dedup.urls.order import Order
from dedup.urls.placeholders import Placeholders
from dedup.urls.predictions import Evidence, Predictions
from dedup.urls.queues import patterns_of, queue_of
from dedup.urls.tally import Tally

__all__ = [
    "Evidence",
    "Learner",
    "Order",
    "Placeholders",
    "Predictions",
    "Tally",
    "made_up",
    "patterns_of",
    "queue_of",
]
