"""The two middlewares: one sees every page, the other every item and the page it came from."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable
from typing import TYPE_CHECKING, Any

from scrapy import Request, signals
from scrapy.http import HtmlResponse, TextResponse
from scrapy.http.request import NO_CALLBACK
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from dedup.index import State, Verdict
from dedup.scrapy.ledger import PageInFlight
from dedup.scrapy.session import META_KEY, Session
from dedup.scrapy.workers import FingerprintError

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)


class FingerprintMiddleware:
    """Downloader middleware (545): fingerprints each page and leaves the verdict in its meta.

    At 545 responses are decompressed and final: retries (550) and redirects (600) lie behind. It
    never drops a page: what becomes of a near-duplicate is decided where its items are.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        session.parts.fingerprints = True

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(Session.of(crawler))

    def process_request(self, request: Request) -> None:
        """Clear a verdict that leaked in with another page's meta."""
        request.meta.pop(META_KEY, None)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Check the page and leave the result in ``request.meta["neardup"]``."""
        if request.callback is NO_CALLBACK:  # robots.txt, media: no spider asked for it
            return response
        reason = self._reason_to_skip(request, response)
        if reason is None:
            try:
                request.meta[META_KEY] = await self._check(request, response)
            except FingerprintError as error:
                reason = error.reason
                logger.warning("No verdict on %s: %s", response.url, error)
            except Exception:  # whatever a store does, no page is lost by it
                reason = "store_error"
                logger.exception("No verdict on %s", response.url)
        if reason is not None:
            self._session.skip(reason)
            request.meta[META_KEY] = {"verdict": Verdict.SKIPPED.value, "reason": reason}
        return response

    def _reason_to_skip(self, request: Request, response: Response) -> str | None:
        config = self._session.config
        if request.meta.get("neardup_skip"):
            return "asked"
        if response.status not in config.statuses:
            return "status"
        if not isinstance(response, HtmlResponse) and not _is_plain_text(response):
            return "not_html"
        if len(response.body) > config.max_body:
            return "too_large"
        return None

    async def _check(self, request: Request, response: Response) -> dict[str, Any]:
        session = self._session
        if isinstance(response, HtmlResponse):
            header = response.headers.get(b"Content-Type")
            content_type = header.decode("latin-1") if header else None
            fingerprint = await session.workers.of_page(response.body, content_type)
        else:
            fingerprint = await session.workers.of_text(response.text)
        identity = session.crawler.request_fingerprinter.fingerprint(request)
        return describe(session.check(response.url, identity, fingerprint))


def describe(page: PageInFlight) -> dict[str, Any]:
    """The result left in meta: plain values only, so that requests can be stored."""
    claim = page.claim
    result: dict[str, Any] = {"verdict": claim.verdict.value, "page": page.token}
    if claim.reason:
        result["reason"] = claim.reason
    if claim.match is not None:
        result["of"] = claim.match.record.url
        result["similarity"] = round(claim.match.comparison.similarity, 4)
        result["distance"] = claim.match.comparison.distance
        result["pending"] = claim.match.claim is not None
    return result


class OriginMiddleware(BaseSpiderMiddleware):
    """Spider middleware (10): ties each item to its page, and sees a callback's output end.

    Nearest to the engine, so that it sees what really leaves the spider and its middlewares.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._session = Session.of(crawler)
        self._session.parts.origins = True
        connect = crawler.signals.connect
        connect(self._item_exported, signals.item_scraped)
        connect(self._item_lost, signals.item_dropped)
        connect(self._item_lost, signals.item_error)
        connect(self._callback_failed, signals.spider_error)

    def process_spider_output(  # type: ignore[override]  # the deprecated spider argument
        self, response: Response | None, result: Iterable[Any]
    ) -> Iterable[Any]:
        """Pass the output on; note its end."""
        page = self._page_of(response)
        failed = True
        try:
            for output in result:
                if (processed := self._get_processed(output, response)) is not None:
                    yield processed
            failed = False
        finally:
            self._output_ended(page, failed=failed)

    async def process_spider_output_async(  # type: ignore[override]
        self, response: Response | None, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        """Pass the output on; note its end."""
        page = self._page_of(response)
        failed = True
        try:
            async for output in result:
                if (processed := self._get_processed(output, response)) is not None:
                    yield processed
            failed = False
        finally:
            self._output_ended(page, failed=failed)

    def get_processed_item(self, item: Any, response: Response | None) -> Any:
        """Tie an item to the page it came from."""
        page = self._page_of(response)
        if page is not None and self._session.ledger is not None:
            self._session.ledger.item_came(page)
            self._session.count("items")
        if self._session.parts.pipeline:
            self._session.origins[id(item)] = (item, page)
        return item

    def get_processed_request(self, request: Request, response: Response | None) -> Request | None:
        """Leave out the links of near-duplicates where NEARDUP_FOLLOW_DUPLICATES is False."""
        if self._session.config.follow_duplicates:
            return request
        page = self._page_of(response)
        if page is None or page.claim.verdict is not Verdict.DUPLICATE:
            return request
        other = page.claim.match.claim if page.claim.match else None
        if other is not None and other.state is not State.COMMITTED:
            return request  # its original may still fail
        self._session.count("links_not_followed")
        logger.debug("Not followed from near-duplicate %s: %s", page.claim.record.url, request.url)
        return None

    def _page_of(self, response: Any) -> PageInFlight | None:
        """The page of a response that is still in flight; failures and start items have none."""
        request = getattr(response, "request", None)
        ledger = self._session.ledger
        if request is None or ledger is None:
            return None
        result = request.meta.get(META_KEY)
        return ledger.get(result.get("page")) if isinstance(result, dict) else None

    def _output_ended(self, page: PageInFlight | None, *, failed: bool) -> None:
        if page is not None and self._session.ledger is not None:
            self._session.ledger.output_ended(page, failed=failed)

    def _callback_failed(self, response: Any) -> None:
        self._output_ended(self._page_of(response), failed=True)

    def _item_exported(self, item: Any, response: Any) -> None:
        self._item_went(item, response, "exported")

    def _item_lost(self, item: Any, response: Any, **kwargs: Any) -> None:
        lost = "dropped" if kwargs.get("exception") is not None else "errors"
        self._item_went(item, response, lost)

    def _item_went(self, item: Any, response: Any, outcome: str) -> None:
        self._session.origins.pop(id(item), None)
        page = self._page_of(response)
        if page is not None and self._session.ledger is not None:
            self._session.count(f"items/{outcome}")
            self._session.ledger.item_went(page, exported=outcome == "exported")


def _is_plain_text(response: Response) -> bool:
    return (
        isinstance(response, TextResponse)
        and (response.headers.get(b"Content-Type") or b"").split(b";")[0].strip() == b"text/plain"
    )
