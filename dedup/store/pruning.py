"""Remove old pages from a store: records -> expired records -> removed -> disk space freed."""

from __future__ import annotations

from dedup.store.interface import Progress, Record, Store, counted


def is_expired(record: Record, ttl: float, now: float) -> bool:
    """Whether a page is too old to count as an original.

    Pages expire at the age ``ttl`` in seconds, 0 for never; ``now`` is seconds since the epoch.
    """
    # A page far in the future expires too: the clock has been set back since.
    return bool(ttl) and abs(now - record.seen) > ttl


def prune(
    store: Store, ttl: float, now: float, progress: Progress | None = None, *, dry_run: bool = False
) -> int:
    """Remove every expired page, by ``is_expired``; returns their number.

    A page that is stored again meanwhile stays. If this is interrupted, some pages are removed and
    the store is sound; prune it again. ``progress`` is called now and then with the number of
    pages examined. With ``dry_run``, expired pages are only counted.
    """
    pruned = 0
    for record in counted(store.records(), progress):
        if is_expired(record, ttl, now):
            pruned += dry_run or store.remove(record.page_id, record)
    if pruned and not dry_run:
        store.compact()
    return pruned
