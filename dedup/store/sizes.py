"""Sizes of the LevelDB store's batches and sweeps: they decide speed and memory, and no answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is written at once.

    Attributes:
        sweep_pages: pages in a sweep, at least; an open after a kill indexes two sweeps again.
        sweep_share: a large store takes its pages divided by this into a sweep.
        largest_sweep: pages in a sweep of such a store, at most.
        sweep_bytes: memory for the words of a sweep; pages with many words fill it first.
        fold: parts of a bucket, about, that a reader has to put together.
        buckets: buckets in a batch, if a whole sweep is written at once.
        records: records in a batch, if many are put or indexed.
        deletions: keys in a batch, if a generation is deleted.
        slow_open: pages indexed again on open before the log explains the wait.
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
