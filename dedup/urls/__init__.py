"""What the URLs of a site tell before they are downloaded; no Scrapy, no store.

a URL                  -> its patterns, from the site to the finest     patterns.py
a body                 -> a sketch of the whole visible page            visible.py
a sketch               -> the page of the site that it repeats          repeats.py
downloads of a pattern -> how many brought nothing new                  tally.py, learner.py
patterns that wait     -> the one to download next                      order.py
"""

from dedup.urls.learner import Learner
from dedup.urls.order import Order
from dedup.urls.tally import Tally

__all__ = ["Learner", "Order", "Tally"]
