"""Old pages leave a store: records -> those not seen for long -> removed, then disk given back."""

from __future__ import annotations

from dedup.store.interface import PROGRESS_STEP, Progress, Store


def prune(
    store: Store, before: float, progress: Progress | None = None, *, dry_run: bool = False
) -> int:
    """Remove every page last seen before a time; returns how many there are.

    If interrupted, some pages are gone and the store is sound; prune it again.

    Args:
        store: an open store that nobody else changes.
        before: seconds since the epoch.
        progress: called with the number of pages looked at, now and then.
        dry_run: count, and remove none.
    """
    pruned = 0
    for looked_at, record in enumerate(store.records(), start=1):
        if record.seen < before:
            pruned += 1
            if not dry_run:
                store.remove(record.page_id)
        if progress is not None and looked_at % PROGRESS_STEP == 0:
            progress(looked_at)
    if pruned and not dry_run:
        store.compact()
    return pruned
