"""Rebuild the buckets of an index on a server from its records; delete keys."""

from __future__ import annotations

import logging

from dedup.chunks import chunks
from dedup.store.interface import PROGRESS_STEP, Progress, Record, StoreDamagedError
from dedup.store.redis.link import Link
from dedup.store.redis.writing import ServerIndex, change_commands, count_page

logger = logging.getLogger(__name__)

BULK = 256  # Pages or keys in one round trip when all are processed.


def index_records(link: Link, index: ServerIndex, last_id: int, progress: Progress | None) -> int:
    """Fill the buckets of an empty generation; returns the number of pages.

    ``last_id`` is the largest page number given so far. ``progress`` is called now and then with
    the number of pages indexed.
    """
    count = 0
    for numbers in chunks(range(1, last_id + 1), BULK):
        records = _readable(link, index, numbers)
        changes = (
            change_commands(record.page_id, index.additions(record), single=link.single)
            for record in records
        )
        link.run([command for commands in changes for command in commands])
        if not link.single:
            there = {record.page_id for record in records}
            link.run([count_page(index.names, n, is_there=n in there) for n in numbers])
        before, count = count, count + len(records)
        if progress is not None and count // PROGRESS_STEP > before // PROGRESS_STEP:
            progress(count)
    return count


def _readable(link: Link, index: ServerIndex, numbers: list[int]) -> list[Record]:
    """The records of some pages; unreadable ones are put aside."""
    names, records = index.names, []
    for number, data in index.packed(link, numbers):
        try:
            records.append(index.read(number, data))
        except StoreDamagedError as error:
            logger.warning("Put aside: %s", error)
            link.run([(b"SET", names.aside(number), data)])
            link.run([(b"DEL", names.record(number))])
    return records


def delete_keys(link: Link, pattern: bytes, spared: bytes = b"") -> None:
    """Delete all keys that match a pattern, except ``spared``."""
    for keys in chunks(link.scan(pattern), BULK):
        link.run([(b"UNLINK", key) for key in keys if key != spared])
