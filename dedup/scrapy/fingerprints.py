"""Where and how a page's fingerprint is made.

A body seen a moment ago has the fingerprint it had. A small page is read here, on the tree that
the spider's selectors will use: that is less work than to send it away and have it parsed twice. A
page that would hold up the event loop, and every page where NEARDUP_INLINE_BODY is 0, goes to a
worker process.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import xxhash
from scrapy.http import HtmlResponse, TextResponse

from dedup.fingerprint import Fingerprinter, PageFingerprint, refuse
from dedup.page import declares_encoding
from dedup.page.limits import REFUSALS, may_have_long_tags
from dedup.scrapy.stopwatch import Stopwatch
from dedup.scrapy.workers import FingerprintError, Workers

REMEMBERED = 4_096  # bodies
MOST_TAGS = 8_000  # of a page read here: some 20 milliseconds,
LONGEST_RUN = 4_000  # and the bytes a tag of it may come to, on the average: long texts take long


class Fingerprints:
    """Makes the fingerprints of a crawl's pages."""

    def __init__(
        self,
        fingerprinter: Fingerprinter,
        workers: Workers | None,
        inline_body: int,
        stopwatch: Stopwatch,
    ) -> None:
        """Set the rules.

        Args:
            fingerprinter: the chain.
            workers: take what is not done here; None to do all here.
            inline_body: bytes up to which a page may be read here.
            stopwatch: times what is done here.
        """
        self._fingerprinter = fingerprinter
        self._workers = workers
        self._inline_body = inline_body
        self._stopwatch = stopwatch
        self._remembered: OrderedDict[bytes, PageFingerprint] = OrderedDict()
        self.reused = 0

    def warm_up(self) -> None:
        """Load what the first page would have to wait for, where pages are read here."""
        if self._inline_body or self._workers is None:
            self._fingerprinter.warm_up()

    async def of(self, response: TextResponse) -> PageFingerprint:
        """Fingerprint a page or a plain text.

        Raises:
            FingerprintError: there is none, and why.
        """
        content_type = response.headers.get(b"Content-Type") or b""
        kind = "page" if isinstance(response, HtmlResponse) else "text"
        hasher = xxhash.xxh3_128(
            b"%b %b\n" % (f"{kind} {response.encoding}".encode(), content_type)
        )
        hasher.update(response.body)
        key = hasher.digest()
        if (known := self._remembered.get(key)) is not None:
            self.reused += 1
            self._remembered.move_to_end(key)
            return _accept(known)
        fingerprint = await self._make(response, content_type.decode("latin-1") or None)
        self._remembered[key] = fingerprint
        if len(self._remembered) > REMEMBERED:
            self._remembered.popitem(last=False)
        return _accept(fingerprint)

    async def of_text(self, text: str) -> PageFingerprint:
        """Fingerprint text that is no page.

        Raises:
            FingerprintError: there is none, and why.
        """
        if self._workers is not None and len(text) > self._inline_body:
            return _accept(await self._workers.of_text(text))
        return _accept(self._here(self._fingerprinter.of_text, text))

    async def _make(self, response: TextResponse, content_type: str | None) -> PageFingerprint:
        if not isinstance(response, HtmlResponse):
            return await self.of_text(response.text)
        if self._workers is None:
            if reason := self._fingerprinter.why_refused(response.text):
                return refuse(reason)
        elif not self._is_light(response):
            return await self._workers.of_page(response.body, content_type)
        if response.encoding == "utf-8" or declares_encoding(response.body, content_type):
            return self._here(self._of_tree, response)
        return self._here(self._fingerprinter.of_page, response.body, content_type)

    def _of_tree(self, response: HtmlResponse) -> PageFingerprint:
        return self._fingerprinter.of_html(response.text, response.selector.root)

    def _is_light(self, response: HtmlResponse) -> bool:
        size = len(response.body)
        if size > self._inline_body:
            return False
        tags = response.body.count(b"<")
        if tags > MOST_TAGS or size > LONGEST_RUN * (tags + 1):
            return False
        return not may_have_long_tags(response.text)

    def _here(self, make: Any, *arguments: Any) -> PageFingerprint:
        with self._stopwatch.running():
            try:
                fingerprint: PageFingerprint = make(*arguments)
            except Exception as error:
                raise FingerprintError("error", f"{type(error).__name__}: {error}") from error
        return fingerprint


def _accept(fingerprint: PageFingerprint) -> PageFingerprint:
    if fingerprint.refused:
        raise FingerprintError(fingerprint.refused, REFUSALS[fingerprint.refused])
    return fingerprint
