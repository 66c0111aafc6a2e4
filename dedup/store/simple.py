"""What a store need not write itself: one call after the other, and nothing to tidy up."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from dedup.schemes import Word
from dedup.store.interface import Candidates, Progress, Record


class SimpleStore(ABC):
    """Defaults for some methods of ``Store``, which has the contract of each."""

    @abstractmethod
    def put(self, record: Record, text: bytes = b"") -> Record:
        """Add a record, or replace the one of the same request."""

    @abstractmethod
    def near(self, words: Iterable[Word]) -> Candidates:
        """Find pages by words."""

    def put_many(self, records: Iterable[Record], progress: Progress | None = None) -> int:
        """Put many records, one after the other."""
        count = sum(1 for _ in map(self.put, records))
        if progress is not None:
            progress(count)
        return count

    def near_many(self, queries: Iterable[Iterable[Word]]) -> list[Candidates]:
        """Find pages for many lists of words, one after the other."""
        return [self.near(words) for words in queries]

    def compact(self) -> None:  # noqa: B027
        """Nothing to do."""

    def sync(self) -> None:  # noqa: B027
        """Nothing to do."""

    def close(self) -> None:  # noqa: B027
        """Nothing to do."""
