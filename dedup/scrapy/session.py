"""What the parts of the extension share during one crawl.

One session a crawler: the settings, the open store and its index, the workers, the pages in
flight, the drop log and the counts. It is made when the first part is, opens the store when the
spider opens, and closes everything after the spider has closed.
"""

from __future__ import annotations

import gc
import logging
import math
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from contextvars import ContextVar
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from scrapy import Request, signals
from scrapy.exceptions import CloseSpider, DontCloseSpider, NotConfigured
from scrapy.http import Response
from scrapy.utils.spider import DefaultSpider

from dedup import native
from dedup.assembly import (
    close_store,
    make_fingerprinter,
    make_index,
    open_store,
    ping_store,
    seeded,
    store_folder,
)
from dedup.config import Config
from dedup.fingerprint import PageFingerprint
from dedup.index import Claim, Index, ItemClaim, Match, State, Verdict
from dedup.review.records import KEPT
from dedup.review.summary import Summary
from dedup.review.swallowed import SwallowWatch
from dedup.scrapy import opening, telling
from dedup.scrapy.availability import FINISH_REASON, Availability
from dedup.scrapy.droplog import DropLog, fill_in, kept_log
from dedup.scrapy.environment import only_looks, project_name, project_root
from dedup.scrapy.fingerprints import Fingerprints, Read
from dedup.scrapy.items import ItemJudge, as_kin
from dedup.scrapy.ledger import Ledger, PageInFlight
from dedup.scrapy.origins import Origins
from dedup.scrapy.parts import Parts
from dedup.scrapy.postponed import Outcomes
from dedup.scrapy.spiders import spider_to_look_for
from dedup.scrapy.stopwatch import Stopwatch
from dedup.scrapy.values import Encoded, encode_item
from dedup.scrapy.waiting import Later
from dedup.scrapy.workers import Workers
from dedup.store import (
    Store,
    StoreError,
    StoreLockedError,
    StoreUnavailableError,
    show_store,
)
from dedup.verdict import Relation

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

META_KEY = "neardup"
STORE_DOWN, STORE_LOCKED = "store_down", "store_locked"  # why a page was skipped
NO_URL = "(no URL)"  # in the log, of an item that names none
MOST_TOGETHER = 1_000  # items of a page that gather before they are logged
ANSWERED_WITHIN = 1.0  # seconds after which a store is waited for that was told to commit a page
_ATTRIBUTE = "_neardup_session"  # of a crawler: the two are freed together, started or not
page_of_item: ContextVar[PageInFlight | None] = ContextVar("page_of_item", default=None)
claim_of_item: ContextVar[ItemClaim | None] = ContextVar("claim_of_item", default=None)
COUNTED = {
    Verdict.NEW: "new",
    Verdict.DUPLICATE: "duplicates",
    Verdict.REVISIT: "revisits",
}


class Session:
    """One crawl's near-duplicate detection. Use ``Session.of(crawler)``."""

    def __init__(self, crawler: Crawler, config: Config) -> None:
        self.crawler = crawler
        self.config = config
        self.root = project_root()
        self.parts = Parts()
        self._increase: Any = None  # a stat: the method of the collector
        # From one middleware to the other; what lies in meta is stored with requests made anew.
        self.made: WeakKeyDictionary[Request, PageFingerprint] = WeakKeyDictionary()
        self.texts: WeakKeyDictionary[Request, Read] = WeakKeyDictionary()  # for spiders
        self.pages: WeakKeyDictionary[Response, PageInFlight] = WeakKeyDictionary()
        self.origins = Origins()
        self.item_judge = ItemJudge(config)
        self.stopwatch = Stopwatch()
        fingerprinter = make_fingerprinter(config)
        self.workers = Workers(fingerprinter, config.workers, config.worker_timeout, self.stopwatch)
        self.fingerprints = Fingerprints(
            fingerprinter, self.workers, config.most_inline, self.stopwatch, self._count_in_flight
        )
        self.availability = Availability(
            crawler,
            config.store_down,
            lambda: ping_store(config),
            self._recover,
            config.store_kind.renewed_within,
        )
        self.index: Index | None = None
        self.ledger: Ledger | None = None
        self._outcomes: Outcomes | None = None
        self._answers = Later(ANSWERED_WITHIN, self._receive_at_last)
        self._log: DropLog | None = None
        self._kept_log: DropLog | None = None
        self._log_at: Path | None = None
        self._summary = Summary()
        self._opened = False
        self.without_store = False  # another process uses it: pages get no verdict
        self._swallow_watch = SwallowWatch()
        self._told: set[str] = set()
        connect = crawler.signals.connect
        connect(self._spider_opened, signals.spider_opened)
        connect(self._item_exported, signals.item_scraped)
        connect(self._item_dropped, signals.item_dropped)
        connect(self._item_failed, signals.item_error)
        connect(self._spider_idle, signals.spider_idle)
        connect(self._spider_closed, signals.spider_closed)

    @classmethod
    def of(cls, crawler: Crawler) -> Session:
        """The session of a crawler, made at the first call.

        Raises:
            NotConfigured: NEARDUP_ENABLED is False.
            ValueError: a bad setting.
        """
        session = getattr(crawler, _ATTRIBUTE, None)
        if session is None:
            if not Config.is_enabled(crawler.settings):
                raise NotConfigured  # without a message: it was asked for, and is no warning
            config, spider = Config.from_settings(crawler.settings), _spider_name(crawler)
            if only_looks() and issubclass(crawler.spidercls, DefaultSpider):
                spider = spider_to_look_for(config, project_root(), spider)
            session = cls(crawler, config.for_spider(project_name(), spider))
            setattr(crawler, _ATTRIBUTE, session)
        assert isinstance(session, Session)
        return session

    @classmethod
    def known(cls, crawler: Crawler) -> Session | None:
        """The session of a crawler, where one was made."""
        session = getattr(crawler, _ATTRIBUTE, None)
        return session if isinstance(session, Session) else None

    # Counting and telling

    def count(self, name: str, number: float = 1) -> None:
        """Add to the stat ``neardup/<name>``."""
        if self._increase is None and self.crawler.stats is not None:
            self._increase = self.crawler.stats.inc_value  # which is looked up once
        if self._increase is not None:
            self._increase(f"neardup/{name}", number)

    def warn_once(self, key: str, message: str, *values: object) -> None:
        """Log a warning the first time something happens."""
        self._tell_once(key, logging.WARNING, message, *values)

    def error(self, key: str, message: str, *values: object) -> None:
        """Log an error being handled, the first time with its traceback."""
        first = key not in self._told
        self._told.add(key)
        logger.error(message, *values, exc_info=first, extra={"crawler": self.crawler})

    def _tell_once(self, key: str, level: int, message: str, *values: object) -> None:
        if key not in self._told:
            self._told.add(key)
            logger.log(level, message, *values, extra={"crawler": self.crawler})

    # The way of a page

    @property
    def has_begun(self) -> bool:
        """Whether the store is open, or the crawl goes on without; before that none has a page."""
        return self.index is not None or self.without_store

    def ready(self) -> tuple[Index, Ledger]:
        """The open index; opened here where an item comes before the spider_opened signal."""
        self._open()
        if self.index is None or self.ledger is None:
            raise RuntimeError("the near-duplicate store is not open")
        return self.index, self.ledger

    def check(self, url: str, request: bytes, fingerprint: PageFingerprint) -> PageInFlight:
        """Look a page up, reserve it where it is new, and follow it from here on.

        Raises:
            StoreUnavailableError: the server of the store does not answer.
        """
        index, ledger = self.ready()
        with self.availability.asking(), self.stopwatch.running():
            claim = index.check(url, request, fingerprint)
        if claim.verdict is Verdict.SKIPPED:
            self.skip(claim.reason, url)
        else:
            self.count("checked")
            self.count(COUNTED[claim.verdict])
            self._watch(claim)
        return ledger.open(claim)

    def item_came(self, page: PageInFlight) -> None:
        """Follow an item of a page; it is counted with its page, unless that is settled."""
        if self.ledger is not None:
            if page not in self.ledger:
                self.count("items")
            self.ledger.item_came(page)

    def follow_items(self, request: Request, response: Response, reason: str) -> None:
        """Follow a response that is no page, so that each of several items of it is judged."""
        if self.without_store:
            return
        try:
            index, ledger = self.ready()
            identity = self.crawler.request_fingerprinter.fingerprint(request)
            self.pages[response] = ledger.open(index.unread(response.url, identity, reason))
        except Exception:  # whatever a store does, no item is lost by it
            self.error("store_error", "Items of %s are not judged: the store failed", response.url)

    def receive(self) -> None:
        """Learn whether the store has the pages that were committed.

        Raises:
            StoreUnavailableError: the server of the store does not answer.
        """
        if self._outcomes is not None:
            with self.stopwatch.running():
                self._outcomes.receive()

    def skip(self, reason: str, url: str, response: Response | None = None) -> None:
        """Count a page that gets no verdict; the log tells of the first for a reason."""
        self.count("checked")
        self.count(f"skipped/{reason}")
        level, line = telling.why_skipped(
            reason, url, self.config, response, own=not self.parts.origins
        )
        self._tell_once(f"skipped/{reason}", level, "%s", line)

    def page_of(self, response: Any) -> PageInFlight | None:
        """The page in flight that came with a response, where one did."""
        return self.pages.get(response) if isinstance(response, Response) else None

    def may_repeat(self, page: PageInFlight, item: Any) -> bool:
        """Whether the first item of a page may have been exported, as far as is known at once."""
        if page.claim.verdict is Verdict.DUPLICATE:
            return True
        if self.index is None:
            return False
        try:
            with self.availability.asking(), self.stopwatch.running():
                return self.item_judge.may_be_known(self.index, page, item)
        except Exception:  # the verdict meets it, too, and can act on it
            return False

    def note_repeated(self, item: Any, page: PageInFlight, match: Match) -> None:
        """Log that an item is dropped or tagged; of a page that gives several once it has ended.

        Raises:
            OSError: the drop log cannot be written.
        """
        encoded = encode_item(item)
        if page.several:
            self._drop_log().open()  # else the item is exported
            if len(page.repeated) >= MOST_TOGETHER:
                self._log_repeated(page)
            page.repeated.append((encoded, match))
            page.gone += 1
        else:
            self._write_log(page, match, [encoded])

    def _write_log(self, page: PageInFlight, match: Match, items: Sequence[Encoded]) -> None:
        """Put the verdict on a page into the drop log, and one line into the crawl's own log."""
        log, action, claim = self._drop_log(), self.config.action, page.claim
        with self.stopwatch.running():
            log.write(action, items, claim.record, match, claim.text, page.given)
        if self.crawler.stats is not None:
            self.crawler.stats.set_value("neardup/drop_log", str(log.path))
        loss = telling.loss_of(match, claim.record)
        for number, _ in enumerate(items):
            self._summary.add(claim.record.url, match, 0 if number or page.told else loss.words)
        page.told = True
        self._tell_verdict(action, claim, match, loss.told)

    def _page_settled(self, page: PageInFlight) -> None:
        """Count the items of a page; of several of which some went, log these."""
        for name, number in (("items", page.given), ("items/exported", page.exported)):
            if number:
                self.count(name, number)
        if 0 < page.gone < page.given:
            self.count("pages_in_part")
        try:
            self._log_repeated(page)
        except OSError:
            self.error(
                "log_failed",
                "The drop log cannot be written: %d items of %s are dropped and not in it",
                len(page.repeated),
                page.claim.record.url,
            )

    def _log_repeated(self, page: PageInFlight) -> None:
        """Log the items of a page of several that were dropped or tagged so far.

        Raises:
            OSError: the drop log cannot be written.
        """
        if not page.repeated:
            return
        items, matches = zip(*page.repeated, strict=True)
        match = page.claim.match or as_kin(matches[0], Relation.OVERLAP)
        if page.gone < page.given:  # what is new of it was not lost
            match = replace(match, kinship=replace(match.kinship, new=0.0, text=None))
        self._write_log(page, match, items)
        page.repeated.clear()

    def write_kept(self, page: PageInFlight, match: Match) -> None:
        """Log and count that a page is exported although it has to do with another.

        Raises:
            OSError: the log cannot be written.
        """
        if self._kept_log is None:
            self._kept_log = self._open_log(kept_log(self._log_path()))
        with self.stopwatch.running():
            self._kept_log.write(KEPT, (), page.claim.record, match, given=page.given)
        page.told = True
        self.count(f"kept/{match.relation}")
        if self.crawler.settings.get("LOG_LEVEL") in ("DEBUG", logging.DEBUG):
            loss = telling.loss_of(match, page.claim.record)
            self._tell_verdict(KEPT, page.claim, match, loss.told, logging.DEBUG)

    def _drop_log(self) -> DropLog:
        if self._log is None:
            self._log = self._open_log(self._log_path())
        return self._log

    def _open_log(self, path: Path) -> DropLog:
        return DropLog(
            path, _spider_name(self.crawler), str(self.crawler.settings.get("JOBDIR") or "")
        )

    def _tell_verdict(
        self, action: str, claim: Claim, match: Match, loss: str, level: int | None = None
    ) -> None:
        logger.log(
            logging.getLevelNamesMapping()[self.config.log_level] if level is None else level,
            "Near-duplicate (%s): %s is %s, of %s (similarity %.2f; %s)",
            action,
            claim.record.url or NO_URL,
            match.relation,
            match.record.url or NO_URL,
            match.comparison.similarity,
            loss,
            extra={"crawler": self.crawler},
        )

    # Inside

    def _count_in_flight(self) -> int:
        """How many pages the downloader has in hand."""
        with suppress(RuntimeError):  # a crawler that was not started has no engine
            engine = self.crawler.engine
            return len(engine.downloader.active) if engine is not None else 0
        return 0

    def _watch(self, claim: Claim) -> None:
        """Warn of a page that most pages of a host repeat, or that swallows pages of others."""
        repeats = claim.match if claim.verdict is Verdict.DUPLICATE else None
        of = repeats.record.url if repeats is not None else None
        similarity = repeats.comparison.similarity if repeats is not None else 1.0
        swallowed = self._swallow_watch.note(claim.record.url, of, similarity)
        if swallowed is not None:
            logger.warning("%s", swallowed.warning, extra={"crawler": self.crawler})

    def _not_stored(self, claim: Claim) -> None:
        self.count("not_stored")
        self.error(
            "not_stored",
            "Page not stored: %s. It was exported, and is new again in the next crawl; see that "
            "NEARDUP_STORE (%s) has room and can be written",
            claim.record.url,
            show_store(self.config.store),
        )

    def _item_exported(self, item: Any, response: Any) -> None:
        self._item_went(item, response, "exported")

    def _item_dropped(self, item: Any, response: Any) -> None:
        self._item_went(item, response, "dropped")

    def _item_failed(self, item: Any, response: Any) -> None:
        self._item_went(item, response, "errors")

    def _item_went(self, item: Any, response: Any, outcome: str) -> None:
        """Settle an item; Scrapy sends its signals in the context it processed the item in."""
        self.origins.went(item, response)
        page = self.page_of(response) if self.parts.origins else page_of_item.get()
        if page is None or self.ledger is None:
            return
        # A middleware's output for a callback that broke comes when its page is settled.
        is_open, exported = page in self.ledger, outcome == "exported"
        if self.parts.origins or is_open:
            if not (exported and is_open):  # else it is counted with its page
                self.count(f"items/{outcome}")
            self._settle_item(page, exported=exported)
            self.ledger.item_went(page, exported=exported)

    def _settle_item(self, page: PageInFlight, *, exported: bool) -> None:
        claim = claim_of_item.get()
        if claim is not None and claim.state is State.OPEN and self.index is not None:
            if exported:
                page.items[claim.digest] = None
            self.index.given.settle(claim, exported=exported, several=page.several)

    def _open(self) -> None:
        if self._opened:
            return
        self._opened = True
        config, looks = self.config, only_looks()
        if looks:
            store = self._store_to_look_at()
        else:
            store = open_store(config, self.root, create=not config.read_only, any_seed=True)
        self.config = seeded(config, store)
        self.workers.fingerprinter = self.fingerprints.fingerprinter = make_fingerprinter(
            self.config
        )
        self.index = make_index(self.config, store, read_only=looks)
        self._outcomes = Outcomes(
            self.index,
            self.availability.asking,
            self._not_stored,
            self._answers.ask,
        )
        self.ledger = Ledger(self._outcomes, self._page_settled, self.stopwatch.running)

    def _receive_at_last(self) -> None:
        with suppress(StoreError):  # the next caller meets it, too, and can act on it
            self.receive()

    def _recover(self) -> None:
        """After an outage: make the pages in flight known again, store what could not be stored."""
        if self.index is not None and self._outcomes is not None:
            self.index.renew()
            self._outcomes.retry()

    def _store_to_look_at(self) -> Store:
        """The store as it is; an empty one where there is none, or a crawl has it open."""
        try:
            return open_store(self.config, self.root, create=False, any_seed=True)
        except StoreError as error:
            logger.info("Pages are checked without the store: %s", error)
            return open_store(replace(self.config, store="memory:"))

    async def _spider_opened(self) -> None:
        self.parts.check(self.crawler)
        if problem := opening.what_is_unwritable(self.config, self.root, self._log_path()):
            logger.error("%s", problem)
            raise CloseSpider("neardup_misconfigured")
        try:
            await self._open_when_free()
        except CloseSpider:
            raise
        except StoreLockedError as error:
            logger.error("%s", error)  # noqa: TRY400  (the message says all there is to say)
            raise CloseSpider("neardup_store_locked") from error
        except StoreError as error:
            logger.error("%s", error)  # noqa: TRY400
            raise CloseSpider("neardup_store_unusable") from error
        except Exception as error:  # Scrapy would log it, and crawl on without an index
            logger.exception("The store %r cannot be opened", show_store(self.config.store))
            raise CloseSpider("neardup_store_unusable") from error
        self.fingerprints.warm_up()
        if not native.is_compiled:
            logger.info("%s", native.MISSING)
        gc.callbacks.append(self.stopwatch.note_collection)
        gc.freeze()  # what is there lives as long as the crawl: cycles are looked for elsewhere

    async def _open_when_free(self) -> None:
        """Open the store; while another process uses it, do as NEARDUP_STORE_LOCKED says.

        Raises:
            StoreError: it cannot be opened, or the crawl is to end because it is in use.
            CloseSpider: the crawl was stopped while it waited.
        """
        if self.config.store_kind.is_shared:  # in use there means that a reset was refused
            self._open()
            return
        policy = self.config.store_locked
        if (error := await self._try_to_open(opening.PATIENCE)) is None:
            return
        if policy == "stop":
            raise error
        self.count("store_locked")
        store = store_folder(self.config, self.root) or show_store(self.config.store)
        told = telling.locked(store, policy)
        logger.warning("%s", told, extra={"crawler": self.crawler})
        if policy == "pass":
            self.without_store = True
            return
        began = time.monotonic()
        try:
            await self._try_to_open(math.inf)
        finally:
            seconds = time.monotonic() - began
            self.count("store_locked_seconds", round(seconds, 1))
        logger.info("The store is free after %.1f seconds; the crawl begins", seconds)

    async def _try_to_open(self, seconds: float) -> StoreLockedError | None:
        def open_store() -> None:
            self._opened = False
            self._open()

        bell = self.availability.bell
        return await opening.open_when_free(
            open_store, self.config, self.root, seconds, self.crawler, bell
        )

    def _spider_idle(self) -> None:
        """Learn what became of the last pages, while the crawl can still wait for the store."""
        with suppress(StoreUnavailableError):
            self.receive()
        if self.availability.stands:
            raise DontCloseSpider
        if self.availability.ends:
            raise CloseSpider(FINISH_REASON)

    def _spider_closed(self) -> None:
        with ExitStack() as last:  # in reverse order, each regardless of the others
            last.callback(gc.unfreeze)
            if self.stopwatch.note_collection in gc.callbacks:
                last.callback(gc.callbacks.remove, self.stopwatch.note_collection)
            for log in (self._log, self._kept_log):
                if log is not None:
                    last.callback(log.close)
            if self.index is not None:
                last.callback(self._close_store)
                last.callback(self._count_at_end, self.index)
            if self._outcomes is not None:
                last.callback(self._outcomes.close)
            if self.ledger is not None:
                last.callback(self.ledger.close)
            last.callback(self.workers.close)
            last.callback(self.availability.close)
            self._tell_summary()
        self.index = self.ledger = self._outcomes = self._log = self._kept_log = None

    def _close_store(self) -> None:
        try:
            close_store(self.config, self.root)
        except StoreError as error:
            logger.warning("The store was not closed cleanly: %s", error)

    def _count_at_end(self, index: Index) -> None:
        if self.crawler.stats is not None:
            set_value = self.crawler.stats.set_value
            with suppress(StoreError), self.availability.asking():
                set_value("neardup/store_pages", len(index.store))
            set_value("neardup/common_words", index.common_words)
            set_value("neardup/crowded", index.crowded)
            set_value("neardup/fingerprints_reused", self.fingerprints.reused)
            set_value("neardup/swallowed_hosts", self._swallow_watch.hosts)
            set_value("neardup/swallowed_across", self._swallow_watch.across)
            set_value("neardup/worker_deaths", self.workers.deaths)
            set_value("neardup/loop_seconds", round(self.stopwatch.total, 3))
            set_value("neardup/longest_block_ms", round(1000 * self.stopwatch.longest, 1))

    def _tell_summary(self) -> None:
        for line in self._summary.lines():
            logger.info("%s", line, extra={"crawler": self.crawler})
        for name, number in self._summary.stats():
            self.count(name, number)

    def _log_path(self) -> Path:
        if self._log_at is None:
            self._log_at = self._name_log()
        return self._log_at

    def _name_log(self) -> Path:
        started = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S")
        try:
            path = fill_in(self.config.log, project_name(), _spider_name(self.crawler), started)
        except ValueError:
            path = self.config.log
            self.warn_once(
                "log",
                "NEARDUP_LOG = %r is used unchanged: write a percent sign as %%%%; only "
                "%%(project)s, %%(name)s and %%(time)s are replaced",
                path,
            )
        return self.root / Path(path).expanduser()


def _spider_name(crawler: Crawler) -> str:
    return crawler.spider.name if crawler.spider is not None else crawler.spidercls.name
