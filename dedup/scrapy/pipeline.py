"""The item pipelines: one drops or tags items of pages that repeat an exported page.

With the two middlewares, an item is judged with its page. If the pipeline is enabled alone, it
fingerprints the text fields of each item, and each item is a page.

CommitPipeline is for crawls whose requests come back after a process is killed.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Self
from urllib.parse import quote
from uuid import uuid4

from itemadapter import ItemAdapter
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from dedup.index import Match
from dedup.items import UnreadableError, only_value, reading
from dedup.page.plain_text import text_of, title_of
from dedup.review.clusters import ItemState
from dedup.scrapy.environment import only_looks
from dedup.scrapy.filters import set_tag_field
from dedup.scrapy.pages import Page, enter_pipelines, item_in_pipelines
from dedup.scrapy.session import Session
from dedup.scrapy.verdicts import STORE_LOCKED
from dedup.scrapy.worker import FingerprintError

LONGEST_REASON = 200  # Characters of an error in the log.
LONGEST_URL = 1 << 14  # Characters; the canonical form of a longer URL takes too long to make.


class NearDuplicateItem(DropItem):
    """An item was dropped because its page repeats an exported one."""

    def __init__(self, url: str, match: Match) -> None:
        comparison = match.comparison
        self.url = url  # The URL of the dropped page.
        self.of = match.of  # The URL of the page that it repeats, or of a plainer copy of it.
        self.of_first = match.record.url  # The URL of the page that it repeats.
        self.relation = match.relation.value  # Of the dropped page to that page.
        self.new = match.kinship.new  # The share of the dropped page that is new, 0 to 1.
        self.similarity = comparison.similarity  # Of the two pages, 0 to 1.
        self.distance = comparison.distance  # Hamming, of the fingerprints, if the scheme has one.
        super().__init__(
            f"near-duplicate of {self.of} ({self.relation}, similarity {self.similarity:.2f})",
            log_level="DEBUG",  # Scrapy logs the whole item; the logbook logs a line for people.
        )


class NearDupPipeline:
    """Item pipeline: put it before pipelines that replace items or write them somewhere."""

    def __init__(self, session: Session) -> None:
        self._session = session
        session.components.pipeline = self

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        session = Session.of(crawler)
        set_tag_field(crawler, session.config)
        return cls(session)

    async def process_item(self, item: Any) -> Any:
        """Drop or tag the item of a near-duplicate; pass every other item on.

        After any error the item is exported, so that it is not lost.

        Raises NearDuplicateItem if the item is dropped.
        """
        session, current = self._session, enter_pipelines()
        try:
            alone = session.components.items_alone
            page = await self._own_page(item) if alone else self._page(item)
            if page is None:
                return self._tagged(item)
            current.page = page
            verdict = await session.item_verdicts.of_item(page, item)
            current.claim = verdict.claim
            return self._carry_out(item, page, verdict.match)
        except NearDuplicateItem:
            raise
        except Exception as error:
            return self._unchecked(item, current.page, error)

    def _carry_out(self, item: Any, page: Page, match: Match | None) -> Any:
        """Act on the verdict on an item; raises NearDuplicateItem if it is dropped."""
        if match is None:
            return self._tagged(item, page, self._note_kept(page))
        self._session.logbook.note_repeated(page, item, match)
        if self._session.config.action == "drop":
            raise NearDuplicateItem(page.url, match)
        return self._tagged(item, page, match)

    def _unchecked(self, item: Any, page: Page | None, error: BaseException) -> Any:
        """Export an item without a verdict, because of the error that is being handled."""
        if isinstance(error, UnreadableError):
            key, name = "unread", f"An item ({type(item).__qualname__})"
            why, error = "its values cannot be read (%s)", error.__cause__ or error
        else:
            key, name = "unchecked", "An item"
            why = (
                "the store or the drop log failed (%s). See that there are room and rights "
                "(NEARDUP_STORE, NEARDUP_LOG)"
            )
        url = (page.url if page is not None else "") or "no known URL"
        self._session.reporter.count("items/unchecked")
        self._session.reporter.error(
            key, f"%s of %s is exported without a verdict: {why}", name, url, _reason_of(error)
        )
        return self._tagged(item)

    def _note_kept(self, page: Page) -> Match | None:
        """The page that an exported page is related to; this is logged once per page."""
        match = page.claim.match
        if match is None or match.relation in self._session.config.drop:
            return None
        self._session.logbook.note_kept(page, match)
        return match

    def _page(self, item: Any) -> Page | None:
        """The page of an item; None if the page has no verdict."""
        session = self._session
        page = session.pages.take(item)
        if page is None and not only_looks():  # `scrapy parse` has no pages for its items.
            session.reporter.count("items/unjoined")
            session.reporter.warn_once(
                "unjoined",
                "NearDupPipeline got an item whose page is unknown: an errback gave it, an "
                "earlier pipeline or a spider middleware below OriginMiddleware replaced it, or a "
                "callback gave the same object twice. It is exported unchecked; put "
                "NearDupPipeline first, and give a new object for each item.",
            )
        return page if page is not None and page.is_checked else None

    async def _own_page(self, item: Any) -> Page | None:
        """Make a page from the text fields of an item."""
        session = self._session
        fields = session.config.text_fields
        with reading():
            adapter = ItemAdapter(item)
            text, title = text_of(adapter, fields), title_of(adapter, fields)
        url, identity = self._identity(adapter)
        if session.without_store:
            session.verdicts.skip(STORE_LOCKED, url)
            return None
        session.open()
        try:
            page = Page(await session.fingerprints.of_text(text, title))
        except FingerprintError as error:
            session.verdicts.tell_refused(url, error)
            session.verdicts.skip(error.reason, url)
            return None
        await session.verdicts.check_when_up(page, url, identity)
        if not page.is_checked:
            return None
        session.pages.item_came(page)
        session.pages.output_ended(page)
        return page

    def _identity(self, adapter: ItemAdapter) -> tuple[str, bytes]:
        """An item's URL, and the digest of a request for that URL, by which a revisit is found.

        The URL comes from a page and goes into logs, so characters that could forge a log line are
        encoded.
        """
        session = self._session
        url = only_value(adapter.get(session.config.url_field))
        if isinstance(url, str) and len(url) <= LONGEST_URL:
            with suppress(ValueError), session.stopwatch.running():
                request = Request(url)
                fingerprint = session.crawler.request_fingerprinter.fingerprint(request)
                return _printable(request.url), fingerprint
        session.reporter.warn_once(
            "no_url",
            "Items have no usable URL in their field %r (NEARDUP_URL_FIELD), but %.100r: a later "
            "crawl cannot tell a revisit from a repetition and would drop them.",
            session.config.url_field,
            url,
        )
        return "", uuid4().bytes

    def _tagged(self, item: Any, page: Page | None = None, match: Match | None = None) -> Any:
        """The item with a tag about the page that it or its page is related to.

        If NEARDUP_ACTION is "tag", every item gets the field, because the first item decides the
        columns of a CSV feed. Else only items that have the field get it.
        """
        field, action = self._session.config.field, self._session.config.action
        if action != "tag" and not _has_field(item, field):
            return item
        try:
            ItemAdapter(item)[field] = self._tag_of(page, match) if page and match else None
        except Exception:  # No such field, frozen, no item: a class may raise anything.
            self._session.reporter.count("items/untagged")
            self._session.reporter.warn_once(
                "no_field",
                "Items of %s are exported without the near-duplicate tag: they take no field %r. "
                "Declare the field in a class that can be changed (not frozen), or name another in "
                "NEARDUP_FIELD%s.",
                type(item).__qualname__,
                field,
                ", or set NEARDUP_ACTION = 'drop'" if action == "tag" else "",
            )
        return item

    def _tag_of(self, page: Page, match: Match) -> dict[str, Any]:
        """The value of the tag field: the page that is repeated, and how similar it is."""
        config, state = self._session.config, ItemState.WITH_PAGE
        if match.kinship.of_item:
            state = ItemState.REPEATED
        elif page.several and config.items != "page" and match.relation not in config.drop:
            state = ItemState.NEW
        tag = {
            **match.urls,
            **match.measures,
            "cluster": match.record.request.hex()[:16],
            "page": page.url,
            "item": state.value or None,
        }
        return tag | {"plain": str(match.plain)} if match.plain else tag


class CommitPipeline:
    """Item pipeline: put it after all pipelines that may drop an item, before the one that writes.

    Usually a page is stored after its item is exported. If the process is killed between the two,
    a near-duplicate of the page will be exported as well. This pipeline stores the page before. If
    the process is killed then, and the queue keeps the requests in progress, the request of the
    page comes back: it is a revisit and is exported. So each cluster is exported once, whenever a
    process dies. But if a later component drops an item or fails on it, its cluster is lost.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(Session.of(crawler))

    async def process_item(self, item: Any) -> Any:
        """Store the page of an item; if the store is down, act as NEARDUP_STORE_DOWN demands."""
        page = item_in_pipelines().page
        if page is not None:
            try:
                await self._session.verdicts.store(page)
            except Exception:  # No error of a store may lose a page.
                key, message = "not_stored_before", "Not stored before its item: %s"
                self._session.reporter.error(key, message, page.url)
        return item


def _reason_of(error: BaseException) -> str:
    """The message of an error, which a value of an item may have raised."""
    try:
        text = str(error)
    except Exception:  # The class of the error is the project's.
        text = ""
    return _printable(f"{type(error).__qualname__}: {text}"[:LONGEST_REASON])


def _has_field(item: Any, field: str) -> bool:
    if type(item) is dict:
        return field in item
    try:
        return field in ItemAdapter(item).field_names()
    except Exception:  # The object is no Scrapy item, or cannot be read.
        return False


def _printable(url: str) -> str:
    """A URL with line ends and control characters encoded; Scrapy does not encode the host."""
    return "".join(c if c.isprintable() else quote(c, errors="replace") for c in url)
