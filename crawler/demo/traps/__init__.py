"""A site of traps for crawlers: 163 real pages among URLs without end.

Each URL shows the same page always. `content_of` says which one, `real_urls` has the real ones.
"""

from crawler.demo.traps.server import TrapServer
from crawler.demo.traps.site import content_of, real_urls, space_of

__all__ = ["TrapServer", "content_of", "real_urls", "space_of"]
