"""Find the page that gave an item: exported items, and items in the pipelines.

The items of stored pages are words of their records. The process itself remembers the exported
items of pages that are not stored yet, and its items in the pipelines. If another page gives an
item that is in the pipelines, it waits for the outcome of that item.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from dedup.index.claims import Settling, State
from dedup.index.words import digests_of, item_word
from dedup.lru import LRU
from dedup.schemes import Word
from dedup.store import Record, Store
from dedup.store.pruning import is_expired

REMEMBERED = 50_000  # Exported items in memory; older ones are found in the store.


@dataclass(slots=True, eq=False)
class ItemClaim(Settling):
    """An item of a page, in the pipelines."""

    digest: bytes
    giver: Record
    word: Word


class GivenItems:
    """The items of the pages in a store and of the pages of this process."""

    def __init__(self, store: Store, scope: str, ttl: float) -> None:
        """Use the scope within which pages repeat each other; ``ttl`` as for ``is_expired``."""
        self._store, self._scope, self._ttl = store, scope, ttl
        self._here: LRU[Word, Record] = LRU(REMEMBERED)
        self._under_way: dict[Word, ItemClaim] = {}

    def find(self, item: bytes, url: str) -> Record | ItemClaim | None:
        """The page that gave an item before, or the claim of the item in the pipelines; or None."""
        word = item_word(item, url, self._scope)
        here = self._here.get(word)
        if here is not None and not is_expired(here, self._ttl, time.time()):
            return here
        return self._under_way.get(word) or self._find(word)

    def before(self, request: bytes) -> dict[bytes, Record]:
        """The items that the page of a request exported at an earlier visit, each with the page."""
        page = self._store.find_request(request)
        if page is None or not page.exported or is_expired(page, self._ttl, time.time()):
            return {}
        return dict.fromkeys(digests_of(page.items), page)

    def claim(self, item: bytes, giver: Record) -> ItemClaim:
        """Register a new item of a page; ``settle`` must follow."""
        word = item_word(item, giver.url, self._scope)
        claim = self._under_way[word] = ItemClaim(item, giver, word)
        return claim

    def settle(self, claim: ItemClaim, *, exported: bool, remember: bool) -> None:
        """Set the outcome of an item, and call all waiting functions.

        With ``remember``, later items may repeat an exported one.
        """
        if self._under_way.get(claim.word) is claim:
            del self._under_way[claim.word]
        if exported and remember:
            self._here.put(claim.word, claim.giver)
        claim.settle(State.COMMITTED if exported else State.RELEASED)

    def note(self, item: bytes, giver: Record) -> None:
        """Note an item that was exported before its page gave another."""
        self._here.put(item_word(item, giver.url, self._scope), giver)

    def _find(self, word: Word) -> Record | None:
        """The oldest stored page that is exported, not expired, and has the word of an item."""
        found = self._store.near((word,)).page_ids
        if not found:  # So it is with most items.
            return None
        now = time.time()
        pages = filter(None, map(self._store.get, sorted(found)))
        valid = (page for page in pages if not is_expired(page, self._ttl, now))
        return next((page for page in valid if page.exported), None)
