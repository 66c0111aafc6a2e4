"""What a crawl exports: one item a page."""

from __future__ import annotations

import scrapy


class PageItem(scrapy.Item):
    """A fetched page.

    ``url`` is the address the page was finally found at; ``title`` and ``text`` are its title and
    main text; ``language`` is an ISO 639-1 code, ``zh-Hans`` or ``zh-Hant``, or empty where there
    is too little text; ``fetched`` is a UTC time (ISO 8601); ``depth`` is the number of links from
    the start. ``near_duplicate`` is left to the extension, which fills it when it tags pages.
    """

    url = scrapy.Field()
    title = scrapy.Field()
    text = scrapy.Field()
    language = scrapy.Field()
    fetched = scrapy.Field()
    status = scrapy.Field()
    depth = scrapy.Field()
    near_duplicate = scrapy.Field()
