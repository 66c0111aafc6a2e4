"""The pages of a crawl, from the response to the store: one object per page, in one table.

    read      its response came in; it has a fingerprint, or a reason for none
    checked   its response reached the spider; it is looked up, and reserved if it is new
    waiting   its callback still runs, or its items are in the pipelines
    settled   it is committed or released

A page is committed as soon as its item is exported, or when its callback's output ends without any
item. It is released when the output has ended and all its items failed or were dropped, or when the
callback failed before it gave an item. A page of several items is committed at its end, with the
items that were exported.

A page is found by its response, or by its request where another component replaced the response. A
pipeline gets an item alone, so an item in the pipelines is found by its identity.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from scrapy import Request
from scrapy.http import Response

from dedup.fingerprint import PageFingerprint
from dedup.index import Claim, Index, ItemClaim, Match, Verdict
from dedup.items import Identity, Sample, pack_samples
from dedup.page.declared import Declared
from dedup.scrapy.values import Encoded
from dedup.store import MOST_ITEMS, MOST_SAMPLES, Record

MOST_SAMPLED = 32  # Items of a page that are sampled; a record has room for fewer with 5 fields.
MOST_ITEMS_KNOWN = 100_000  # Items in the pipelines; a component may lose some silently.


@dataclass(slots=True, eq=False)
class Page:
    """One response and its items."""

    fingerprint: PageFingerprint | None = None  # None after the check.
    reason: str = ""  # Why it gets no verdict.
    body: bytes = b""  # The body that was read; empty after the check.
    teaches: bool = False  # Whether the end of its output teaches what its URL brings.
    canonical: bool = False  # Whether its URL is declared as canonical.
    canonical_url: str = ""  # The URL that it declares as canonical, as a request has it.
    named: Sequence[bytes] = ()  # Requests of the pages that it is said to be the same as.
    declared: Declared = field(default_factory=Declared)  # The URLs that it declares.
    given: int = 0  # Items that the callback gave.
    waiting: int = 0  # Items that are in the pipelines.
    exported: int = 0  # Items that were exported.
    unexported: int = 0  # Items that failed or were dropped.
    ended: bool = False  # Whether the output of its callback has ended.
    failed: bool = False  # Whether the output ended with an exception.
    several: bool = False  # Whether it gives more than one item.
    repeats: Match | None = None  # The page that it repeats, if it counts as new for an item.
    first: Identity | None = None  # The identity of its first item.
    carried: frozenset[str] = frozenset()  # The values in its request.
    requested: Sequence[str] = ()  # The URLs that were requested for it.
    deadline: float | None = None  # The end of the wait for the outcome of another page.
    told: bool = False  # Whether its verdict was logged, with the text that is lost with it.
    # Its items: identity -> hashes of all fields.
    seen: dict[bytes, set[int]] = field(default_factory=dict)
    items: dict[bytes, None] = field(default_factory=dict)  # Identities of its exported items.
    # Those of short items that it gave, and that the page it repeats had given before.
    shared: dict[bytes, None] = field(default_factory=dict)
    samples: dict[int, Sample] = field(default_factory=dict)  # Of some of its items, by key.
    before: dict[bytes, Record] | None = None  # Its items of an earlier visit; None until asked.
    gone: int = 0  # Items of a page of several that were dropped or tagged.
    repeated: list[tuple[Encoded, Match]] = field(default_factory=list)  # Not logged yet.
    _claim: Claim | None = None
    _in_pipelines: int = 0
    _ids: set[int] = field(default_factory=set)  # Of items that may be remembered.

    @property
    def needs_check(self) -> bool:
        """Whether it was read and is not looked up yet."""
        return self.fingerprint is not None

    @property
    def is_checked(self) -> bool:
        """Whether it was looked up, or is followed only for its items."""
        return self._claim is not None

    @property
    def claim(self) -> Claim:
        """The claim that the index returned. Raises LookupError if the page is not checked."""
        if self._claim is None:
            raise LookupError("the page is not checked")
        return self._claim

    @property
    def url(self) -> str:
        """Its URL; empty if it is not known."""
        return self._claim.record.url if self._claim is not None else ""

    @property
    def urls(self) -> tuple[str, ...]:
        """All URLs that are known to be its own."""
        declared = self.declared
        return (self.url, *self.requested, declared.canonical, *declared.versions)

    def note_sample(self, sample: Sample) -> None:
        """Keep the sample of an item; of items that differ under one URL no field is kept.

        Else one of them would be taken for the other if their order has changed.
        """
        if self.samples.setdefault(sample.key, sample) != sample:
            self.samples[sample.key] = sample._replace(hashes=b"")

    @property
    def is_settled(self) -> bool:
        """Whether its output has ended and none of its items is in the pipelines."""
        return self.ended and not self.waiting

    @property
    def is_kept(self) -> bool:
        """Whether the page is to be committed: an item was exported, or nothing was lost."""
        return bool(self.exported) or not (self.failed or self.unexported)

    def see(self, item: Identity) -> None:
        """Note that the page gave an item."""
        self.seen.setdefault(item.digest, set()).add(item.whole)


@dataclass(slots=True)
class InPipelines:
    """The item that is in a pipeline now: its page, and its claim if it is new."""

    page: Page | None = None
    claim: ItemClaim | None = None


# Scrapy runs the items of a response in a few tasks, one item after the other in each, and sends
# the signals of an item in its task. So each item gets its own object. Setting the variable is
# slow: it is set once per item, and then the object changes.
_current_item: ContextVar[InPipelines | None] = ContextVar("current_item", default=None)


def enter_pipelines() -> InPipelines:
    """Begin with the next item of this task."""
    item = InPipelines()
    _current_item.set(item)
    return item


def item_in_pipelines() -> InPipelines:
    """The item that this task has in the pipelines; empty if the pipeline has seen none."""
    return _current_item.get() or InPipelines()


@dataclass(eq=False)
class Pages:
    """All pages of one crawl."""

    settled: Callable[[Page], object]  # Is called with each page that is settled.
    # Is called, while the exception is handled, for an exported page that will not be stored.
    not_stored: Callable[[Claim], object]
    timing: Callable[[], AbstractContextManager[object]]  # Around calls of the store.
    most_items: int = MOST_ITEMS_KNOWN  # Items in the pipelines that are remembered.
    index: Index | None = None  # Commits and releases pages; None until the store is open.

    def __post_init__(self) -> None:
        self._by_request: WeakKeyDictionary[Request, Page] = WeakKeyDictionary()
        # A request that is made again, as the same object, may have several responses in flight.
        self._by_response: WeakKeyDictionary[Response, Page] = WeakKeyDictionary()
        self._in_flight: set[Page] = set()
        self._by_item: dict[int, tuple[Any, Page]] = {}
        self._without_response = Page()  # The page of the items that a spider starts with.

    @property
    def open_index(self) -> Index:
        """The index. Raises RuntimeError if the store is not open yet."""
        if self.index is None:
            raise RuntimeError("the near-duplicate store is not open")
        return self.index

    def __contains__(self, page: object) -> bool:
        """Whether a page is checked and not settled."""
        return page in self._in_flight

    # The table

    def begin(self, request: Request, response: Response) -> Page:
        """Make the page of a response that came in for a request."""
        page = self._by_request[request] = self._by_response[response] = Page()
        return page

    def forget(self, request: Request) -> None:
        """Take the page of an earlier response to a request out of the table."""
        self._by_request.pop(request, None)

    def of(self, response: Response | None) -> Page:
        """The page of a response, made if it is missing; without a response, one common page."""
        if response is None or response.request is None:
            return self._without_response
        page = self._by_response.get(response)
        if page is None:
            page = self._by_response[response] = self.of_request(response.request) or Page()
        return page

    def of_request(self, request: Request) -> Page | None:
        """The page of a request, if there is one."""
        return self._by_request.get(request)

    def enter(self, item: Any, page: Page) -> None:
        """Note that an item of a page goes into the pipelines."""
        page._in_pipelines += 1
        page._ids.add(id(item))
        self._by_item[id(item)] = (item, page)
        if len(self._by_item) > self.most_items:
            del self._by_item[next(iter(self._by_item))]

    def take(self, item: Any) -> Page | None:
        """Return the page of an item that reached the pipeline, and forget the item."""
        known = self._by_item.pop(id(item), None)
        if known is None:
            return None
        known[1]._ids.discard(id(item))  # A page without an end may give any number of items.
        return known[1]

    def leave(self, item: Any, page: Page) -> None:
        """Note that an item of a page left the pipelines.

        Items that another pipeline replaced are forgotten with the last item of their page.
        """
        self._by_item.pop(id(item), None)
        page._ids.discard(id(item))
        page._in_pipelines = max(0, page._in_pipelines - 1)
        if not page._in_pipelines:
            for number in page._ids:  # Another item may have the id of a lost one by now.
                if number in self._by_item and self._by_item[number][1] is page:
                    del self._by_item[number]
            page._ids.clear()

    # The way of a page

    def follow(self, page: Page, claim: Claim) -> None:
        """Follow a page that was checked, until it is settled."""
        page.fingerprint, page._claim = None, claim
        self._in_flight.add(page)

    def item_came(self, page: Page) -> None:
        """Note that the callback gave an item."""
        page.given += 1
        page.waiting += 1

    def item_went(self, page: Page, *, exported: bool) -> None:
        """Note that an item was exported, was dropped or failed."""
        page.waiting = max(0, page.waiting - 1)
        page.exported += exported
        page.unexported += not exported
        if exported and not page.several and page in self._in_flight:
            with self.timing():
                self._commit(page)  # Pages that wait for this one need not wait for its callback.
        self._settle(page)

    def output_ended(self, page: Page, *, failed: bool = False) -> None:
        """Note that the callback's output ended, by an exception if ``failed``."""
        page.ended = True
        page.failed = page.failed or failed
        self._settle(page)

    def close(self) -> None:
        """Settle all pages when the crawl ends; an unfinished page counts as failed."""
        for page in list(self._in_flight):
            page.failed = page.failed or not page.is_settled
            page.given -= page.waiting  # A component that lost these items has counted none.
            page.ended, page.waiting = True, 0
            self._settle(page)

    def _settle(self, page: Page) -> None:
        if not page.is_settled or page not in self._in_flight:
            return
        self._in_flight.remove(page)
        with self.timing():
            if page.is_kept:
                self._commit(page)
            self.open_index.release(page.claim)  # Does nothing if the page was committed.
        self.settled(page)

    def _commit(self, page: Page) -> None:
        claim = page.claim
        if page.several:
            # Shared items are no news at its next visit, but no reason to store a page.
            shared = page.shared if claim.verdict is not Verdict.DUPLICATE else {}
            claim.record = claim.record._replace(
                items=b"".join([*(shared | page.items)][-MOST_ITEMS:]),
                samples=pack_samples(page.samples.values(), MOST_SAMPLES),
            )
        try:
            self.open_index.commit(claim, exported=bool(page.exported))
        except Exception:  # For example a full disk: the page is new again in the next crawl.
            if page not in self._in_flight:
                self.not_stored(claim)  # A page in flight is committed again when it is settled.
