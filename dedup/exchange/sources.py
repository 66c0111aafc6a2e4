"""Sources of pages: an export, or another store."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from dedup.exchange.entries import ExportedPage
from dedup.store import Store
from dedup.urls import Tally


class Source(Protocol):
    """Pages, marks and tallies. Each call reads them from the beginning."""

    @property
    def seed(self) -> int:
        """The seed of its fingerprints; 0 for none."""
        ...

    def exempt(self) -> Iterator[bytes]:
        """The requests whose pages are marked as never duplicates."""
        ...

    def tallies(self) -> Iterator[tuple[str, Tally]]:
        """The tallies of URL patterns."""
        ...

    def pages(self) -> Iterator[ExportedPage]:
        """All pages, oldest first."""
        ...

    def __len__(self) -> int:
        """How many pages there are."""
        ...


class StoreSource:
    """An open store as a source; it is only read."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.seed = store.seed

    def exempt(self) -> Iterator[bytes]:
        """As ``Source``."""
        return self._store.exempted()

    def tallies(self) -> Iterator[tuple[str, Tally]]:
        """As ``Source``."""
        return self._store.tallies()

    def pages(self) -> Iterator[ExportedPage]:
        """As ``Source``; each page with its main text, if it is kept."""
        for record in self._store.records():
            yield ExportedPage(record, self._store.text(record.page_id) or "")

    def __len__(self) -> int:
        return len(self._store)
