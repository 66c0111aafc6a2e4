"""The near-duplicate detection of one crawl: makes, opens and closes its parts, and counts.

Each crawler has one session. The first component of the extension makes it. It opens the store when
the spider opens, and closes everything after the spider has closed.
"""

from __future__ import annotations

import gc
import logging
import math
import time
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import cache
from typing import Any

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider, DontCloseSpider, NotConfigured
from scrapy.utils.asyncio import call_later
from scrapy.utils.spider import DefaultSpider

from dedup import native
from dedup.assembly import (
    close_store,
    make_fingerprinter,
    make_index,
    open_store,
    seeded,
    store_folder,
    store_place,
)
from dedup.config import Config
from dedup.index import Claim, Index, State, Watch
from dedup.scrapy import messages
from dedup.scrapy.availability import FINISH_REASON, Availability
from dedup.scrapy.changing_fields import ChangingFields
from dedup.scrapy.components import Components
from dedup.scrapy.environment import only_looks, project_name, project_root, show_class
from dedup.scrapy.fingerprints import Fingerprints
from dedup.scrapy.item_verdicts import ItemVerdicts
from dedup.scrapy.jsonlog import JsonLog
from dedup.scrapy.lessons import UrlLessons
from dedup.scrapy.log_paths import skip_log
from dedup.scrapy.logbook import Logbook
from dedup.scrapy.pages import Page, Pages, item_in_pipelines
from dedup.scrapy.placeholders import PlaceholderNames
from dedup.scrapy.probing import Probing
from dedup.scrapy.reporter import Reporter
from dedup.scrapy.requests import check_job, is_postponing
from dedup.scrapy.skipping import Skipping
from dedup.scrapy.spider_stores import spider_to_look_for
from dedup.scrapy.stopwatch import Stopwatch
from dedup.scrapy.verdicts import Verdicts
from dedup.scrapy.workers import Workers
from dedup.store import Record, Store, StoreError, StoreLockedError, show_store
from dedup.urls import Learner

logger = logging.getLogger(__name__)

ANSWERED_WITHIN = 1.0  # Seconds after which the answers to deferred writes are read.
# Seconds that another process may use the store before NEARDUP_STORE_LOCKED applies. Commands on a
# store take less, and so does the end of a crawl.
LOCKED_FOR = 5.0
LOOKS_EVERY = 1.0  # Seconds between two looks at a store that another process uses.
# Signal of an item's outcome -> its name in the stats.
OUTCOMES = {
    signals.item_scraped: "exported",
    signals.item_dropped: "dropped",
    signals.item_error: "errors",
}
# Only the first crawl of a process freezes. A later one would freeze the garbage of earlier ones,
# and the collector would never find it.
_freeze_once = cache(gc.freeze)
_ATTRIBUTE = "_neardup_session"  # Attribute of the crawler, so that both are freed together.


class Session:
    """The near-duplicate detection of one crawl. Use ``Session.of(crawler)``."""

    def __init__(self, crawler: Crawler, config: Config) -> None:
        self.crawler = crawler
        self.config = config
        self.root = project_root()
        spider = _spider_name(crawler)
        components = self.components = Components()
        reporter = self.reporter = Reporter(crawler)
        stopwatch = self.stopwatch = Stopwatch()
        pages = self.pages = Pages(self._page_settled, self._not_stored, stopwatch.running)
        kind, place = config.store_kind, store_place(config)
        availability = self.availability = Availability(
            reporter,
            config.store_down,
            lambda: kind.ping(place),
            self._recover,
            kind.renewed_within,
        )
        learner = self.learner = Learner()
        names = PlaceholderNames(learner.placeholders, config.drop, components)
        parts = (config, components, pages, availability, reporter, stopwatch, names)
        self.verdicts, self.item_verdicts = Verdicts(*parts), ItemVerdicts(*parts)
        self.logbook = Logbook(config, self.root, spider, reporter, stopwatch, self._stored)
        self.changing_fields = ChangingFields(config.naming, reporter)
        self.skipping: Skipping | None = None
        if config.skip_predicted:
            skips = JsonLog(skip_log(self.logbook.path))
            self.skipping = Skipping(learner, skips, spider, reporter)
        self.lessons = UrlLessons(
            learner, reporter, stopwatch, availability, config.statuses, self.skipping
        )
        fingerprinter = make_fingerprinter(config)
        self.workers = Workers(fingerprinter, config.workers, config.worker_timeout, stopwatch)
        self.fingerprints = Fingerprints(self.workers, config.most_inline)
        self.probing: Probing | None = None
        if config.probe and not only_looks():
            self.probing = Probing(crawler, learner, self.fingerprints, names, reporter)
        self.locked_for, self.looks_every = LOCKED_FOR, LOOKS_EVERY  # Tests replace these.
        self.without_store = False  # Another process uses the store, so pages get no verdict.
        self._opened = False
        self._flushes_soon = False
        connect = crawler.signals.connect
        connect(self._spider_opened, signals.spider_opened)
        for signal in OUTCOMES:
            connect(self._item_went, signal)
        connect(self._spider_idle, signals.spider_idle)
        connect(self._spider_closed, signals.spider_closed)

    @classmethod
    def of(cls, crawler: Crawler) -> Session:
        """The session of a crawler, made at the first call.

        Raises:
            NotConfigured: NEARDUP_ENABLED is False.
            ValueError: a bad setting, or a JOBDIR with requests that the queue does not read.
        """
        session = cls.known(crawler)
        if session is None:
            if not Config.is_enabled(crawler.settings):
                raise NotConfigured  # No message: the user wants this, so Scrapy must not warn.
            config, spider = Config.from_settings(crawler.settings), _spider_name(crawler)
            if only_looks() and issubclass(crawler.spidercls, DefaultSpider):
                spider = spider_to_look_for(config, project_root(), spider)
            if not only_looks():
                check_job(crawler.settings)
            session = cls(crawler, config.for_spider(project_name(), spider))
            setattr(crawler, _ATTRIBUTE, session)
        return session

    @classmethod
    def known(cls, crawler: Crawler) -> Session | None:
        """The session of a crawler; None if none was made."""
        return getattr(crawler, _ATTRIBUTE, None)

    @property
    def has_begun(self) -> bool:
        """Whether the store is open, or the crawl runs without it; no page is followed before."""
        return self.pages.index is not None or self.without_store

    def open(self) -> None:
        """Open the store if it is not open; an item may come before the spider_opened signal.

        Raises StoreError if the store cannot be opened.
        """
        if self._opened:
            return
        self._opened = True
        looks = only_looks()
        if looks:
            store = self._store_to_look_at()
        else:
            create = not self.config.read_only
            store = open_store(self.config, self.root, create=create, any_seed=True)
        with ExitStack() as undo:
            undo.callback(self._close_store)
            self.config = seeded(self.config, store)
            self.workers.fingerprinter = make_fingerprinter(self.config)
            watch = Watch(self.availability.asking, self._not_stored, self._flush_later)
            self.pages.index = make_index(self.config, store, read_only=looks, watch=watch)
            undo.pop_all()
        self.lessons.open(store, read_only=looks or self.config.read_only)

    # Items

    def _item_went(self, item: Any, response: Any, signal: object) -> None:
        """Settle an item; Scrapy sends these signals in the context of the item's pipelines."""
        current = item_in_pipelines()
        page = current.page
        if not self.components.items_alone:
            page = page or self.pages.of(response)
            self.pages.leave(item, page)
        if page is None or not page.is_checked or self.pages.index is None:
            return
        # The page may be settled already: a middleware may give items for a callback that failed.
        is_open, exported = page in self.pages, signal is signals.item_scraped
        if not is_open and self.components.items_alone:
            return
        if not (exported and is_open):  # Exported items are counted when the page is settled.
            self.reporter.count(f"items/{OUTCOMES[signal]}")
        claim = current.claim
        if claim is not None and claim.state is State.OPEN:
            if exported:
                page.items[claim.digest] = None
            # The only item of a page is no evidence about items of other pages.
            remember = page.several or self.components.items_alone
            self.pages.index.given.settle(claim, exported=exported, remember=remember)
        self.pages.item_went(page, exported=exported)
        if not is_open:
            self.logbook.note_settled(page)

    def _page_settled(self, page: Page) -> None:
        """Count the items of a page, and log the dropped items of a page of several."""
        for name, number in (("items", page.given), ("items/exported", page.exported)):
            if number:
                self.reporter.count(name, number)
        if 0 < page.gone < page.given:
            self.reporter.count("pages_in_part")
        if page.several:
            self.changing_fields.note(page)
        self.logbook.note_settled(page)

    # The store

    def _stored(self, record: Record) -> Record:
        """The stored record of a page; the same record if it is not stored yet, or an error."""
        if record.page_id:
            return record
        # A kind of store of another package may raise anything.
        with suppress(Exception), self.availability.asking(), self.stopwatch.running():
            return self.pages.open_index.store.find_request(record.request) or record
        return record

    def _not_stored(self, claim: Claim) -> None:
        self.reporter.count("not_stored")
        self.reporter.error(
            "not_stored",
            "Page not stored: %s. It was exported, and is new again in the next crawl; see that "
            "NEARDUP_STORE (%s) has room and can be written",
            claim.record.url,
            show_store(self.config.store),
        )

    def _flush_later(self) -> None:
        if not self._flushes_soon:
            self._flushes_soon = True
            call_later(ANSWERED_WITHIN, self._flush)

    def _flush(self) -> None:
        self._flushes_soon = False
        if self.pages.index is not None:
            with suppress(StoreError), self.stopwatch.running():  # The next call handles it.
                self.pages.index.flush()

    def _recover(self) -> None:
        self.pages.open_index.recover()

    def _store_to_look_at(self) -> Store:
        """The existing store; an empty one if there is none or a crawl has it open."""
        try:
            return open_store(self.config, self.root, create=False, any_seed=True)
        except StoreError as error:
            logger.info("Pages are checked without the store: %s", error)
            return open_store(replace(self.config, store="memory:"))

    async def _spider_opened(self) -> None:
        self.components.check(self.crawler, tags=self.config.action == "tag")
        if self.skipping is not None:
            self._warn_if_nothing_is_skipped()
        if not only_looks() and (problem := self.logbook.why_unwritable()):
            logger.error("%s", problem)
            raise CloseSpider("neardup_misconfigured")
        try:
            await self._open_when_free()
        except CloseSpider:
            raise
        except StoreError as error:
            logger.error("%s", error)  # noqa: TRY400  (the message is complete)
            if isinstance(error, StoreLockedError):
                raise CloseSpider("neardup_store_locked") from error
            raise CloseSpider("neardup_store_unusable") from error
        except Exception as error:  # Scrapy would log it and crawl on without an index.
            logger.exception("The store %r cannot be opened", show_store(self.config.store))
            raise CloseSpider("neardup_store_unusable") from error
        self.fingerprints.warm_up()
        if not native.is_compiled:
            logger.info("%s", native.MISSING)
        gc.callbacks.append(self.stopwatch.note_collection)
        _freeze_once()  # Existing objects live as long as the crawl; the collector skips them.

    def _warn_if_nothing_is_skipped(self) -> None:
        if self.components.items_alone:
            why = "the two middlewares are not enabled"
        elif not self.lessons.counts:
            settings = self.crawler.settings
            # A scheduler such as that of scrapy-redis has queues of its own.
            name = "SCHEDULER" if is_postponing(settings) else "SCHEDULER_PRIORITY_QUEUE"
            why = f"{name} is {show_class(settings[name])}"
        else:
            return
        self.reporter.log(logging.WARNING, messages.SKIPS_NOTHING, why)

    async def _open_when_free(self) -> None:
        """Open the store; if another process uses it, act as NEARDUP_STORE_LOCKED demands.

        Raises:
            StoreError: the store cannot be opened, or is in use and the crawl must end.
            CloseSpider: the crawl was stopped while it waited.
        """
        began = time.monotonic()
        is_shared = self.config.store_kind.is_shared  # Such a store is locked only for a reset.
        locked = await self._try_to_open(0.0 if is_shared else self.locked_for)
        if locked is None:
            return
        policy = self.config.store_locked
        if is_shared or policy == "stop":
            raise locked
        self.reporter.count("store_locked")
        store = store_folder(self.config, self.root) or show_store(self.config.store)
        self.reporter.log(logging.WARNING, "%s", messages.locked(store, policy))
        if policy == "pass":
            self.without_store = True
            return
        try:
            await self._try_to_open(math.inf)
        finally:
            seconds = time.monotonic() - began
            self.reporter.count("store_locked_seconds", round(seconds, 1))
        logger.info("The store is free after %.1f seconds; the crawl begins", seconds)

    async def _try_to_open(self, seconds: float) -> StoreLockedError | None:
        """Open the store as soon as it is free; returns the error if it is not within a time.

        Raises:
            StoreError: the store cannot be opened for another reason.
            CloseSpider: the crawl was stopped meanwhile.
        """
        end, locked = time.monotonic() + seconds, None
        kind, place = self.config.store_kind, store_place(self.config, self.root)
        while True:
            if locked is None or not kind.is_locked(place):
                self._opened = self.pages.index is not None  # An earlier try may have failed.
                try:
                    self.open()
                except StoreLockedError as error:
                    locked = error
                else:
                    return None
            if time.monotonic() >= end:
                return locked
            await self.availability.bell.wait(self.looks_every)
            if not self.crawler.crawling:
                raise CloseSpider("shutdown")

    def _spider_idle(self) -> None:
        """Read the last answers of the store while the crawl can still wait for them."""
        self._flush()
        if self.availability.is_paused:
            raise DontCloseSpider
        if self.availability.is_ending:
            raise CloseSpider(FINISH_REASON)

    def _spider_closed(self) -> None:
        with ExitStack() as last:  # Runs in reverse order; each step runs even if others fail.
            last.callback(self.reporter.sum_up)
            last.callback(gc.unfreeze)
            if self.stopwatch.note_collection in gc.callbacks:
                last.callback(gc.callbacks.remove, self.stopwatch.note_collection)
            last.callback(self.logbook.close)
            if self.skipping is not None:
                last.callback(self.skipping.log.close)
            if self.pages.index is not None:
                last.callback(self._close_store)
                last.callback(self._count_at_end, self.pages.index)
                last.callback(self.pages.index.close)
                last.callback(self.lessons.close)
            last.callback(self._sum_up)  # After the pages: each page that is settled is logged.
            last.callback(self.pages.close)
            last.callback(self.workers.close)
            last.callback(self.availability.close)
        self.pages.index = None

    def _sum_up(self) -> None:
        self.logbook.sum_up()
        self.changing_fields.sum_up()
        is_open = self.pages.index is not None  # Not without a store, nor if it never opened.
        is_kept = is_open and self.config.store_kind.keeps and not self.config.read_only
        self.lessons.sum_up(kept_for=_spider_name(self.crawler) if is_kept else "")
        if self.skipping is not None:
            self.skipping.sum_up()

    def _close_store(self) -> None:
        try:
            close_store(self.config, self.root)
        except StoreError as error:
            logger.warning("The store was not closed cleanly: %s", error)

    def _count_at_end(self, index: Index) -> None:
        count = self.reporter.set
        with suppress(StoreError), self.availability.asking():
            count("store_pages", len(index.store))
        count("common_words", index.common_words)
        count("crowded", index.crowded)
        count("fingerprints_reused", self.fingerprints.reused)
        count("swallowed_hosts", self.verdicts.watch.hosts)
        count("swallowed_across", self.verdicts.watch.across)
        count("worker_deaths", self.workers.deaths)
        count("loop_seconds", round(self.stopwatch.total, 3))
        count("longest_block_ms", round(1000 * self.stopwatch.longest, 1))


def _spider_name(crawler: Crawler) -> str:
    return crawler.spider.name if crawler.spider is not None else crawler.spidercls.name
