"""The main text of a response, for spiders: read once, for its fingerprint and for its item."""

from __future__ import annotations

from scrapy.crawler import Crawler
from scrapy.http import TextResponse

from dedup.page import DEFAULT_EXTRACTOR
from dedup.scrapy.session import Session
from dedup.text import PageText, read_text


def text_of(response: TextResponse, crawler: Crawler) -> PageText:
    """The main text of a page.

    Most pages are read in this process for the near-duplicate check. Such a page is not read again.
    Any thread may call this. The crawler is that of the spider; the extension need not be enabled.
    """
    session = Session.known(crawler)
    read = session.fingerprints.texts.get(response) if session else None
    if read is not None:
        return read
    content_type = (response.headers.get(b"Content-Type") or b"").decode("latin-1") or None
    extractor = session.config.extractor if session else DEFAULT_EXTRACTOR
    return read_text(response.body, content_type, extractor)
