"""Sizes of the LevelDB store's batches and sweeps. They change speed and memory, never results."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is written at once."""

    # Least number of pages in a sweep. An open after a kill indexes the pages of two sweeps again.
    sweep_pages: int = 65_536
    # A sweep of a large store has the pages of the store divided by this number.
    sweep_share: int = 4
    largest_sweep: int = 4 * 65_536  # Greatest number of pages in a sweep of a large store.
    # Memory for the entries of a sweep. Pages with many words reach this limit before
    # ``sweep_pages``.
    sweep_bytes: int = 64 << 20
    fold: int = 32  # About how many parts a bucket has before they are merged.
    buckets: int = 1_000  # Buckets in a batch when a whole sweep is written at once.
    records: int = 4_096  # Records in a batch of a rebuild; many are put in groups of so many, too.
    deletions: int = 10_000  # Keys in a batch when a generation is deleted.
    slow_open: int = 10_000  # Pages indexed again on open before the log explains the delay.


USUAL = Sizes()
