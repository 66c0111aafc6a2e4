"""Sizes of the LevelDB store's batches and sweeps. They change speed and memory, never results."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is written at once.

    Attributes:
        sweep_pages: least number of pages in a sweep. An open after a kill indexes the pages of
            two sweeps again.
        sweep_share: a sweep of a large store has the pages of the store divided by this number.
        largest_sweep: greatest number of pages in a sweep of a large store.
        sweep_bytes: memory for the entries of a sweep. Pages with many words reach this limit
            before ``sweep_pages``.
        fold: about how many parts a bucket has before they are merged.
        buckets: buckets in a batch when a whole sweep is written at once.
        records: records in a batch when many are put or indexed.
        deletions: keys in a batch when a generation is deleted.
        slow_open: pages indexed again on open before the log explains the delay.
    """

    sweep_pages: int = 65_536
    sweep_share: int = 4
    largest_sweep: int = 4 * 65_536
    sweep_bytes: int = 64 << 20
    fold: int = 32
    buckets: int = 1_000
    records: int = 4_096
    deletions: int = 10_000
    slow_open: int = 10_000


USUAL = Sizes()
