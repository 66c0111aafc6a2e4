"""The item pipeline: drops or tags items of pages that repeat an exported page.

With the two middlewares every item has the verdict of the page it came from. Enabled alone, it
fingerprints each item's own text fields, and an item is its own page.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from uuid import uuid4

from itemadapter import ItemAdapter
from scrapy import Request
from scrapy.exceptions import DropItem

from dedup.index import Match
from dedup.page.plain import text_of, title_of
from dedup.scrapy.environment import only_looks
from dedup.scrapy.filters import set_tag_field
from dedup.scrapy.pages import NO_ITEM, InPipelines, Page, current_item
from dedup.scrapy.session import Session
from dedup.scrapy.verdicts import STORE_LOCKED, ItemVerdict
from dedup.scrapy.worker import FingerprintError

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

LONGEST_REASON = 200  # characters of an error in the log
LONGEST_URL = 1 << 14  # characters; a longer one takes long to bring into its canonical form


class NearDuplicateItem(DropItem):
    """An item was dropped because its page repeats an exported one.

    Attributes:
        url: the dropped page.
        of: the page it repeats.
        relation: of the dropped page to it.
        new: share of the dropped page that is new, 0 to 1.
        similarity: how alike they are, 0 to 1.
        distance: Hamming distance of their fingerprints, where the scheme has one.
    """

    def __init__(self, url: str, match: Match) -> None:
        comparison = match.comparison
        self.url = url
        self.of = match.record.url
        self.relation = match.relation.value
        self.new = match.kinship.new
        self.similarity = comparison.similarity
        self.distance = comparison.distance
        super().__init__(
            f"near-duplicate of {self.of} ({self.relation}, similarity {self.similarity:.2f})",
            log_level="DEBUG",  # Scrapy adds the whole item; the line for people is our own
        )


class NearDupPipeline:
    """Item pipeline: put it before pipelines that replace items or write them somewhere."""

    def __init__(self, session: Session) -> None:
        self._session = session
        session.components.pipeline = True

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        session = Session.of(crawler)
        set_tag_field(crawler, session.config)
        return cls(session)

    async def process_item(self, item: Any) -> Any:
        """Drop or tag the item of a near-duplicate; pass every other.

        Whatever goes wrong on the way, the item is exported rather than lost.

        Raises:
            NearDuplicateItem: the item is dropped.
        """
        current_item.set(NO_ITEM)
        session = self._session
        try:
            page = self._page(item) if session.components.origins else await self._own_page(item)
            if page is None:
                return self._tagged(item, None)
            current_item.set(InPipelines(page))
            verdict = session.verdicts.of_item(page, item)
            if not isinstance(verdict, ItemVerdict):
                verdict = await verdict
            return self._carry_out(item, page, verdict)
        except NearDuplicateItem:
            raise
        except Exception as error:
            return self._unchecked(item, error)

    def _carry_out(self, item: Any, page: Page, verdict: ItemVerdict) -> Any:
        """Act on the verdict on an item.

        Raises:
            NearDuplicateItem: the item is dropped.
            OSError: the log cannot be written.
        """
        match, claim = verdict
        current_item.set(InPipelines(page, claim))
        if match is None:
            return self._tagged(item, self._note_kept(page))
        self._session.logbook.note_repeated(page, item, match)
        if self._session.config.action == "drop":
            raise NearDuplicateItem(page.url, match)
        return self._tagged(item, match)

    def _unchecked(self, item: Any, error: Exception) -> Any:
        """Export an item without a verdict, because of an error being handled."""
        page = current_item.get().page
        self._session.reporter.count("items/unchecked")
        self._session.reporter.error(
            "unchecked",
            "An item of %s is exported without a verdict: the store or the drop log failed "
            "(%s). See that there are room and rights (NEARDUP_STORE, NEARDUP_LOG)",
            (page.url if page is not None else "") or "no known URL",
            _printable(str(error)[:LONGEST_REASON]),
        )
        return self._tagged(item, None)

    def _note_kept(self, page: Page) -> Match | None:
        """The page that an exported page has to do with, noted once."""
        match = page.claim.match
        if match is None or match.relation in self._session.config.drop:
            return None
        self._session.logbook.note_kept(page, match)
        return match

    def _page(self, item: Any) -> Page | None:
        """The page an item belongs to; None where there is no verdict on it."""
        session = self._session
        page = session.pages.take(item)
        if page is None and not only_looks():  # `scrapy parse` has no page for its items
            session.reporter.count("items/unjoined")
            session.reporter.warn_once(
                "unjoined",
                "NearDupPipeline got an item whose page is unknown: an errback gave it, an "
                "earlier pipeline or a spider middleware below OriginMiddleware replaced it, or a "
                "callback gave the same object twice. It is exported unchecked; put "
                "NearDupPipeline first, and give each item as one of its own.",
            )
        return page if page is not None and page.is_checked else None

    async def _own_page(self, item: Any) -> Page | None:
        """An item as a page of its own, made from its text fields."""
        session = self._session
        adapter = ItemAdapter(item)
        fields = session.config.text_fields
        text, title = text_of(adapter, fields), title_of(adapter, fields)
        url, identity = self._identity(adapter)
        if session.without_store:
            session.verdicts.skip(STORE_LOCKED, url)
            return None
        session.open()
        try:
            page = Page(await session.fingerprints.of_text(text, title))
        except FingerprintError as error:
            logger.warning("No verdict on the item of %s: %s", url or "no URL", error)
            session.verdicts.skip(error.reason, url)
            return None
        await session.verdicts.check_when_up(page, url, identity)
        if not page.is_checked:
            return None
        session.pages.item_came(page)
        session.pages.output_ended(page)
        return page

    def _identity(self, adapter: ItemAdapter) -> tuple[str, bytes]:
        """An item's URL and what makes it a revisit: the same as its page's request would have.

        It goes into logs, and comes from a page: characters that forge lines there are encoded.
        """
        session = self._session
        url = adapter.get(session.config.url_field)
        if isinstance(url, list | tuple) and len(url) == 1:
            url = url[0]  # as an ItemLoader gives it
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

    def _tagged(self, item: Any, match: Match | None) -> Any:
        """The item with its tag, of the page that its page has to do with.

        Where pages are tagged every item gets one, as CSV columns come from the first; else those
        that have the field.
        """
        field = self._session.config.field
        if self._session.config.action != "tag" and not _has_field(item, field):
            return item
        try:
            ItemAdapter(item)[field] = tag_of(match) if match is not None else None
        except (AttributeError, KeyError, TypeError, ValueError):  # no such field, frozen, no item
            self._session.reporter.count("items/untagged")
            self._session.reporter.warn_once(
                "no_field",
                "%s takes no field %r, for the near-duplicate tag; its items are exported without. "
                "Declare the field in a class that can be changed (not frozen), name another in "
                "NEARDUP_FIELD, or set NEARDUP_ACTION = 'drop'.",
                type(item).__qualname__,
                field,
            )
        return item


def tag_of(match: Match) -> dict[str, Any]:
    """The value of the tag field: which page is repeated, and how closely."""
    return {
        "of": match.record.url,
        "relation": match.relation.value,
        "new": round(match.kinship.new, 4),
        "similarity": round(match.comparison.similarity, 4),
        "distance": match.comparison.distance,
        "cluster": match.record.request.hex()[:16],
    }


def _has_field(item: Any, field: str) -> bool:
    if type(item) is dict:
        return field in item
    try:
        return field in ItemAdapter(item).field_names()
    except TypeError:  # no item
        return False


def _printable(url: str) -> str:
    """A URL without line ends and control characters: Scrapy leaves those of the host."""
    return "".join(c if c.isprintable() else quote(c) for c in url)
