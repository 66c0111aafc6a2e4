"""Items that were exported: which page gave one.

Those of stored pages are words of their records. Those of pages that are not stored yet are known
to the process that exported them.
"""

from __future__ import annotations

import time
from collections import OrderedDict

from dedup.index.words import item_word
from dedup.schemes import Word
from dedup.store import Record, Store
from dedup.store.pruning import is_expired

REMEMBERED = 50_000  # items exported by this process; of more, the first are left to the store


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
        self._here: OrderedDict[Word, Record] = OrderedDict()

    def note(self, item: bytes, giver: Record) -> None:
        """Note that an item of a page was exported."""
        self._here[item_word(item, giver.url, self._scope)] = giver
        if len(self._here) > REMEMBERED:
            self._here.popitem(last=False)

    def giver_of(self, item: bytes, url: str) -> Record | None:
        """A page that gave an item and exported it, in the scope of the page of a URL."""
        word = item_word(item, url, self._scope)
        return self._here.get(word) or self._find(word)

    def _find(self, word: Word) -> Record | None:
        """The oldest stored page that has the word of an item."""
        pages = filter(None, map(self._store.get, sorted(self._store.near([word]).page_ids)))
        now = time.time()
        valid = (page for page in pages if not (self._ttl and is_expired(page, self._ttl, now)))
        return next((page for page in valid if page.exported), None)
