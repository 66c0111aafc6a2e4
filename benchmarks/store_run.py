"""One store filled to a size, in a process of its own: CPU, latency, disk, memory, misses.

    measure -> fill in windows -> check planted near-duplicates -> close -> disk -> open again, cold

CPU is that of the whole process, with LevelDB's compaction threads, less the making of the pages.
A step is one page: look it up, then add it, through the store (``near`` and ``put``) or through the
index (``check`` and ``commit``).
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.apart import Cpu, memory_mb, run_apart
from benchmarks.stored_pages import BATCH, Pages, check_and_commit, look_and_put
from dedup import Config, open_store
from dedup.assembly import close_store, opened_store, store_folder
from dedup.index import words_reader
from dedup.schemes import Word
from dedup.store import Record, Store
from dedup.store.folder import DATABASE
from dedup.store.guard import plyvel
from dedup.store.keys import PAGES

THROUGH = {"store": look_and_put, "index": check_and_commit}
WINDOWS = 20
PROBES = 1_000  # planted near-duplicates looked up
COLD_QUERIES = 200

Steps = npt.NDArray[np.float64]  # wall microseconds of each step


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of the filling: CPU and wall microseconds, memory in MiB."""

    pages: int  # in the store at its end
    cpu_us: float
    p50_us: float
    p99_us: float
    worst_ms: float
    memory_mb: float


@dataclass(frozen=True, slots=True)
class Disk:
    """Bytes on disk: all files, the page records, and by first octet of the key."""

    total: int
    records: int
    by_key: dict[str, int]

    @property
    def beside(self) -> int:
        """What is no page record."""
        return self.total - self.records


@dataclass(frozen=True, slots=True)
class Opening:
    """A cold open: seconds until it is open, then the first look-ups, in milliseconds."""

    seconds: float
    p50_ms: float
    p90_ms: float
    worst_ms: float


@dataclass(frozen=True, slots=True)
class Filled:
    """What filling a store cost."""

    pages: int  # In the store at the end.
    cpu_us: float  # CPU a page over the last half.
    windows: tuple[Window, ...]
    growth_mb: float  # Memory at the end less memory before the store was opened, all of it.
    anonymous_mb: float  # The same without pages of mapped files.
    missed: int  # Planted near-duplicates not found, of PROBES.
    false: int  # Pages found that are not near, over all of these look-ups.
    disk: Disk  # At the end.
    opening: Opening  # Cold, in a new process.

    @property
    def worst_ms(self) -> float:
        """The longest step of all."""
        return max(window.worst_ms for window in self.windows)


def measure(config: Config, folder: Path, pages: Pages, count: int, through: str) -> Filled:
    """Fill a store in an empty folder and look at it from all sides; call it in a fresh process.

    The number of pages is a multiple of BATCH. They are put through the store or the index.
    """
    pages.fingerprints(0)  # whatever is made once
    before = memory_mb(), memory_mb("RssAnon")
    with opened_store(config, folder) as store:
        windows = tuple(_fill(THROUGH[through](config, store), pages, count))
        growth, anonymous = memory_mb() - before[0], memory_mb("RssAnon") - before[1]
        missed, false = probe(store, config, pages, count)
    half = [window.cpu_us for window in windows[len(windows) // 2 :]]
    disk = read_disk(config, folder)
    opening = run_apart(open_cold, config, folder, pages, count)
    return Filled(
        count, float(np.mean(half)), windows, growth, anonymous, missed, false, disk, opening
    )


def _fill(step: Callable[[Record], object], pages: Pages, count: int) -> list[Window]:
    batches = count // BATCH
    edges = sorted({batches * part // WINDOWS for part in range(1, WINDOWS + 1)} - {0})
    windows, first = [], 0
    for edge in edges:
        size = (edge - first) * BATCH
        wall = np.empty(size)
        cpu = Cpu()
        place = 0
        for number in range(first, edge):
            with cpu.leave_out():
                batch = pages.batch(number)
            for record in batch:
                started = time.perf_counter()
                step(record)
                wall[place] = time.perf_counter() - started
                place += 1
        windows.append(_window(edge * BATCH, cpu.seconds / size, wall))
        first = edge
    return windows


def _window(pages: int, cpu: float, wall: Steps) -> Window:
    p50, p99 = np.percentile(wall, (50, 99)) * 1e6
    worst = float(wall.max()) * 1e3
    return Window(pages, cpu * 1e6, float(p50), float(p99), worst, memory_mb())


def probe(store: Store, config: Config, pages: Pages, count: int) -> tuple[int, int]:
    """Look up PROBES words within the radius of stored ones; returns misses and false hits."""
    scheme = config.make_scheme()
    words_of = words_reader(scheme, config.scope)
    spaces = {space.name: space for space in scheme.spaces}
    chance = random.Random(pages.seed)
    missed = false = 0
    for record in _picked(pages, count, PROBES, chance):
        stored = store.find_request(record.request)
        word = chance.choice(words_of(record))
        space = spaces[word.space]
        near = flip(word, chance.randint(0, space.radius), space.bits, chance)
        found = store.near([near])
        if not found.common:
            missed += stored is None or stored.page_id not in found.page_ids
        for page_id in found.page_ids:
            other = store.get(page_id)
            false += other is None or not any(
                one.space == near.space and (one.value ^ near.value).bit_count() <= space.radius
                for one in words_of(other)
            )
    return missed, false


def flip(word: Word, flips: int, bits: int, chance: random.Random) -> Word:
    """A word that differs in so many bits."""
    mask = sum(1 << bit for bit in chance.sample(range(bits), flips))
    return Word(word.space, word.value ^ mask)


def _picked(pages: Pages, count: int, number: int, chance: random.Random) -> list[Record]:
    """Some of the first pages, from a few batches."""
    batches = min(count // BATCH, 20)
    chosen = chance.sample(range(count // BATCH), batches)
    picked = [record for batch in chosen for record in chance.sample(pages.batch(batch), 50)]
    return (picked * (number // len(picked) + 1))[:number]


def read_disk(config: Config, folder: Path) -> Disk:
    """What a closed store holds on disk; by key as far as LevelDB can tell."""
    root = store_folder(config, folder)
    assert root is not None
    with plyvel.DB(str(root / DATABASE)) as db:
        marks = [bytes((octet,)) for octet in range(256)]
        ranges = zip(marks, [*marks[1:], b"\xff\xff"], strict=True)
        sizes = {limits[0]: db.approximate_size(*limits) for limits in ranges}
    total = sum(file.stat().st_size for file in root.rglob("*") if file.is_file())
    by_key = {mark.decode("latin-1"): size for mark, size in sizes.items() if size}
    return Disk(total, sizes[PAGES], by_key)


def open_cold(config: Config, folder: Path, pages: Pages, count: int) -> Opening:
    """Open a store none of whose files are in the system's memory, and look pages up."""
    words_of = words_reader(config.make_scheme(), config.scope)
    records = pages.batch(count // BATCH)[:COLD_QUERIES]  # of pages that are not stored
    root = store_folder(config, folder)
    assert root is not None
    for file in root.rglob("*"):
        if file.is_file():
            _forget(file)
    started = time.perf_counter()
    store = open_store(config, folder)
    seconds = time.perf_counter() - started
    taken = []
    for record in records:
        started = time.perf_counter()
        store.near(words_of(record))
        taken.append(time.perf_counter() - started)
    close_store(config, folder)
    p50, p90 = np.percentile(taken, (50, 90)) * 1e3
    return Opening(seconds, float(p50), float(p90), 1e3 * max(taken))


def _forget(file: Path) -> None:
    """Have the system write a file out and drop it from memory."""
    handle = os.open(file, os.O_RDONLY)
    try:
        os.fsync(handle)
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(handle)
