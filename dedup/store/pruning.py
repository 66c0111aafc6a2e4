"""Old pages leave a store: records -> those not seen for long -> removed, then disk given back."""

from __future__ import annotations

from dedup.store.interface import PROGRESS_STEP, Progress, Record, Store


def is_expired(record: Record, ttl: float, now: float) -> bool:
    """Whether a page was seen so long ago that it repeats nothing; never with a ``ttl`` of 0.

    Args:
        record: the page.
        ttl: seconds.
        now: seconds since the epoch.
    """
    # A page from the future was seen by a clock that has since been put back.
    return bool(ttl) and abs(now - record.seen) > ttl


def prune(
    store: Store,
    ttl: float,
    now: float,
    progress: Progress | None = None,
    *,
    dry_run: bool = False,
) -> int:
    """Remove every page that is expired; returns how many there are.

    One that is stored anew meanwhile stays. If interrupted, some pages are gone and the store is
    sound; prune it again.

    Args:
        store: an open store.
        ttl: seconds.
        now: seconds since the epoch.
        progress: called with the number of pages looked at, now and then.
        dry_run: count, and remove none.
    """
    pruned = 0
    for looked_at, record in enumerate(store.records(), start=1):
        if is_expired(record, ttl, now):
            pruned += dry_run or store.remove(record.page_id, record)
        if progress is not None and looked_at % PROGRESS_STEP == 0:
            progress(looked_at)
    if pruned and not dry_run:
        store.compact()
    return pruned
