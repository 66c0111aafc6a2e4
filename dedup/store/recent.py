"""Records read a moment ago: pages of one site are found by each other's words again and again."""

from __future__ import annotations

from collections import OrderedDict

from dedup.store.interface import Record

MOST_BYTES = 4 << 20
RECORD_BYTES = 700  # what a record costs beside its URL and its fingerprint


class RecentRecords:
    """The records last read, up to a number of bytes, as they are on disk.

    Whoever changes or removes a page there drops its record here first.
    """

    def __init__(self) -> None:
        self._records: OrderedDict[int, Record] = OrderedDict()
        self._size = 0

    def get(self, page_id: int) -> Record | None:
        """The record of a page, if it is here."""
        record = self._records.get(page_id)
        if record is not None:
            self._records.move_to_end(page_id)
        return record

    def put(self, record: Record) -> None:
        """Take a record in that is not here."""
        self._records[record.page_id] = record
        self._size += _cost(record)
        while self._size > MOST_BYTES:
            _, oldest = self._records.popitem(last=False)
            self._size -= _cost(oldest)

    def drop(self, page_id: int) -> None:
        """Let go of a record, if it is here."""
        record = self._records.pop(page_id, None)
        if record is not None:
            self._size -= _cost(record)

    def clear(self) -> None:
        """Let go of all."""
        self._records.clear()
        self._size = 0


def _cost(record: Record) -> int:
    return RECORD_BYTES + len(record.url) + len(record.fingerprint)
