"""A store under churn, in a process of its own: windows of steps, then a look at all that is left.

    churn -> fingerprint -> index -> store on disk -> prune after each window
          -> compact -> verify -> every page found again? -> a fresh store of the same pages

Time and CPU are those of index and store, LevelDB's threads included; the making of pages and of
their fingerprints is left out.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.apart import MEBIBYTE, Cpu, memory_mb
from benchmarks.soak_churn import Churn, Page, Visit
from benchmarks.store_run import Disk, read_disk
from dedup import Config, PageFingerprint, make_fingerprinter, make_index, open_store
from dedup.assembly import close_store
from dedup.index import Verdict, words_reader
from dedup.store.pruning import prune

DAY = 86_400.0
TTL = 30 * DAY
LONG_AGO = 60 * DAY
CACHE_MB = 8  # full early, so that what else grows shows
NOTES = ("LOG", "LOG.old")  # of LevelDB: a few lines each compaction
SAMPLES = 10  # of memory and disk in a window
LIVING = 8  # steps for each page that may live at a time


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of steps: rates, microseconds a step, the most memory and disk in MiB."""

    steps: int  # so far, at its end
    live: int
    removed: int  # one by one, for want of room
    pruned: int
    pages_s: float
    cpu_us: float
    p50_us: float
    p99_us: float
    own_mb: float
    disk_mb: float
    pruned_mb: float  # of disk, right after pruning


@dataclass(frozen=True, slots=True)
class Soaked:
    """What a run came to."""

    windows: tuple[Window, ...]
    counts: Mapping[str, int]  # Steps by kind; ``removed``, ``pruned``.
    wrong: int  # Steps whose verdict was another than is true, and pages pruned or kept wrongly.
    problems: int  # Found by ``verify``.
    lost: int  # Pages that live and are not found by their request and by their words.
    live: int  # Number of pages at the end.
    disk: Disk  # The store at the end, compacted.
    fresh: Disk  # A store of the same pages that knew no others.


def soak(folder: Path, steps: int, windows: int, seconds: float | None, seed: int) -> Soaked:
    """Let pages come and go in an empty folder; call it in a fresh process.

    The visits to pages are cut into windows. If ``seconds`` are given, it goes on for so long,
    window by window. The size of windows and the number of living pages still follow from
    ``steps``, the visits in all.
    """
    run = _Run(folder, max(10, steps // LIVING), seed)
    started = time.monotonic()
    done = 0
    while done < windows if seconds is None else time.monotonic() - started < seconds:
        run.window(steps * (done + 1) // windows - steps * done // windows)
        done += 1
    return run.end()


class _Run:
    """One store and what it goes through."""

    def __init__(self, folder: Path, living: int, seed: int) -> None:
        self._folder = folder
        self._config = Config(
            store="leveldb:store",
            cache_mb=CACHE_MB,
            expected_pages=max(1_000, living),
            keep_text=False,
            ttl=TTL,
        )
        self._fingerprinter = make_fingerprinter(self._config)
        self._churn = Churn(living, seed)
        self._store = open_store(self._config, folder)
        self._index = make_index(self._config, self._store)
        self._windows: list[Window] = []
        self._counts: Counter[str] = Counter()
        self._wrong = 0
        self._steps = 0

    def window(self, steps: int) -> None:
        """Make so many steps, then prune."""
        wall, cpu = np.empty(steps), Cpu()
        own, disk, others = [], [], 0.0
        removed = self._counts["removed"]
        for step in range(steps):
            with cpu.leave_out():
                visit = self._churn.visit()
                page = self._fingerprint(visit.page)
            others += self._make_room(visit)
            started = time.perf_counter()
            self._take(visit, page)
            wall[step] = time.perf_counter() - started
            if step % max(1, steps // SAMPLES) == 0:
                own.append(memory_mb("RssAnon"))
                disk.append(_on_disk(self._folder) / MEBIBYTE)
        started = time.perf_counter()
        pruned = prune(self._store, TTL, time.time())
        others += time.perf_counter() - started
        self._wrong += abs(pruned - self._churn.forget_old())
        self._counts["pruned"] += pruned
        self._steps += steps
        p50, p99 = np.percentile(wall, (50, 99)) * 1e6
        self._windows.append(
            Window(
                self._steps,
                len(self._store),
                self._counts["removed"] - removed,
                pruned,
                steps / (float(wall.sum()) + others),
                cpu.seconds / steps * 1e6,
                float(p50),
                float(p99),
                max(own),
                max(disk),
                _on_disk(self._folder) / MEBIBYTE,
            )
        )

    def end(self) -> Soaked:
        """Look at the store from all sides, and make a fresh one to compare it with."""
        store = self._store
        store.compact()
        check = store.verify()
        live, lost = len(store), abs(self._churn.count - len(store)) + self._lost()
        config = replace(self._config, store="leveldb:fresh")
        fresh = open_store(config, self._folder)
        fresh.put_many(store.records())
        fresh.compact()
        for opened in (config, self._config):
            close_store(opened, self._folder)
        return Soaked(
            tuple(self._windows),
            dict(self._counts),
            self._wrong,
            check.errors,
            lost,
            live,
            disk=self._read("store", self._config),
            fresh=self._read("fresh", config),
        )

    def _read(self, name: str, config: Config) -> Disk:
        disk = read_disk(config, self._folder)
        return replace(disk, total=_on_disk(self._folder / name))

    def _make_room(self, visit: Visit) -> float:
        """Remove a page where that is asked for; returns the seconds it took."""
        if visit.removed is None:
            return 0.0
        started = time.perf_counter()
        known = self._store.find_request(visit.removed.request)
        self._wrong += known is None or not self._store.remove(known.page_id)
        self._counts["removed"] += 1
        return time.perf_counter() - started

    def _take(self, visit: Visit, page: PageFingerprint) -> None:
        claim = self._index.check(visit.page.url, visit.page.request, page)
        self._counts[visit.kind] += 1
        self._wrong += claim.verdict is not visit.verdict
        if visit.old:
            claim.record = claim.record._replace(seen=claim.record.seen - LONG_AGO)
        self._index.commit(claim)
        if visit.verdict is not Verdict.DUPLICATE:
            self._churn.stored(visit)

    def _fingerprint(self, page: Page) -> PageFingerprint:
        return self._fingerprinter.of_text(self._churn.text(page))

    def _lost(self) -> int:
        """How many of the pages that live are not found as they read now."""
        words_of = words_reader(self._config.make_scheme(), self._config.scope)
        lost = 0
        for page in self._churn.pages():
            record = self._store.find_request(page.request)
            if record is None or record.digest != self._fingerprint(page).digest:
                lost += 1
            else:
                lost += record.page_id not in self._store.near(words_of(record)).page_ids
        return lost


def _on_disk(folder: Path) -> int:
    """Bytes of all files of a folder but LevelDB's notes for people; some may go meanwhile."""
    total = 0
    for file in folder.rglob("*"):
        if file.name not in NOTES:
            with suppress(FileNotFoundError):
                total += file.stat().st_size
    return total
