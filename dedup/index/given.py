"""Items that were exported: which page gave one; and those on their way.

Those of stored pages are words of their records. Those of pages that are not stored yet are known
to the process that exported them, and so are those that are on their way through its pipelines:
another page with such an item waits for what becomes of it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from dedup.index.claims import Settling, State
from dedup.index.words import item_word
from dedup.lru import LRU
from dedup.schemes import Word
from dedup.store import Record, Store
from dedup.store.pruning import is_expired

REMEMBERED = 50_000  # Items exported by this process; of more, the store has the others.


@dataclass(slots=True, eq=False)
class ItemClaim(Settling):
    """An item on its way, of a page."""

    digest: bytes
    giver: Record
    word: Word


class GivenItems:
    """The items that pages of a store, and of this process, have given."""

    def __init__(self, store: Store, scope: str = "global", ttl: float = 0.0) -> None:
        """Set where they are looked up.

        Args:
            store: holds the pages.
            scope: the scope within which pages repeat each other.
            ttl: seconds after which a stored page counts no more; 0 for never.
        """
        self._store, self._scope, self._ttl = store, scope, ttl
        self._here: LRU[Word, Record] = LRU(REMEMBERED)
        self._under_way: dict[Word, ItemClaim] = {}

    def find(self, item: bytes, url: str) -> Record | ItemClaim | None:
        """A page that gave an item and exported it, in the scope of the page of a URL.

        Where the item is on its way from another page its claim; None for a new item.
        """
        word = item_word(item, url, self._scope)
        here = self._here.get(word)
        if here is not None and not (self._ttl and is_expired(here, self._ttl, time.time())):
            return here
        return self._under_way.get(word) or self._find(word)

    def claim(self, item: bytes, giver: Record) -> ItemClaim:
        """Note a new item of a page, which will be settled."""
        word = item_word(item, giver.url, self._scope)
        claim = self._under_way[word] = ItemClaim(item, giver, word)
        return claim

    def settle(self, claim: ItemClaim, *, exported: bool, several: bool) -> None:
        """Note what became of an item, and tell who waits for it.

        Args:
            claim: the item.
            exported: whether it was.
            several: whether its page gives others, too: an only item says nothing of others.
        """
        if self._under_way.get(claim.word) is claim:
            del self._under_way[claim.word]
        if exported and several:
            self._here.put(claim.word, claim.giver)
        claim.settle(State.COMMITTED if exported else State.RELEASED)

    def note(self, item: bytes, giver: Record) -> None:
        """Note an item that was exported before its page gave another."""
        self._here.put(item_word(item, giver.url, self._scope), giver)

    def _find(self, word: Word) -> Record | None:
        """The oldest stored page that has the word of an item."""
        found = self._store.near((word,)).page_ids
        if not found:
            return None
        now = time.time()
        pages = filter(None, map(self._store.get, sorted(found)))
        valid = (page for page in pages if not (self._ttl and is_expired(page, self._ttl, now)))
        return next((page for page in valid if page.exported), None)
