"""Learns from the URLs of a site which downloads will bring nothing new; no Scrapy, no store.

URL                     -> its patterns, from the site to the finest         patterns.py
body of a page          -> the page of its site that it repeats              repeats.py
spelling of a URL       -> whether an earlier one differs by it alone       spelling.py
declarations of a page  -> URLs that probably repeat it                      hints.py
downloads of a pattern  -> the worth of the next one                         learner.py, tally.py
URL                     -> whether it may be skipped, with the evidence      predictions.py
queues of patterns      -> the queue whose first request comes next          order.py
end of a crawl          -> patterns that repeat, and how many requests wait  traps.py
repeats with their URLs -> placeholders, such as "not found"                 placeholders.py
values of a URL         -> a made-up URL like it                             made_up.py
"""

from dedup.urls.learner import Learner
from dedup.urls.made_up import made_up
from dedup.urls.order import Order, patterns_of, queue_of
from dedup.urls.placeholders import Placeholders
from dedup.urls.predictions import Evidence, Predictions
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
