"""An open store as a source of pages; an export is one, too (``ExportFile``)."""

from __future__ import annotations

from collections.abc import Iterator

from dedup.assembly import placed
from dedup.exchange.entries import ExportedPage
from dedup.store import Store
from dedup.urls import Tally


class StoreSource:
    """Pages, marks and tallies of a store, which is only read, each time from the beginning."""

    def __init__(self, store: Store, shown: str) -> None:
        """Read nothing yet; ``shown`` is the store in messages."""
        self._store, self._shown = store, shown
        self.seed = store.seed  # Of its fingerprints; 0 for none.

    def exempt(self) -> Iterator[bytes]:
        """The requests whose pages are marked as never duplicates."""
        return self._store.exempted()

    def tallies(self) -> Iterator[tuple[str, Tally]]:
        """The tallies of URL patterns."""
        return self._store.tallies()

    def pages(self) -> Iterator[ExportedPage]:
        """All pages, oldest first, with their main texts, if these are kept.

        Raises StoreDamagedError if a record is damaged.
        """
        with placed(self._shown):
            for record in self._store.records():
                yield ExportedPage(record, self._store.text(record.page_id) or "")

    def __len__(self) -> int:
        return len(self._store)
