"""Measuring in a process of its own: nothing that ran before counts, in memory or in caches."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")

MEBIBYTE = 1 << 20
SAMPLE_SECONDS = 0.1


def run_apart(
    function: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs
) -> Result:
    """Call a function in a fresh process; function, arguments and result must be picklable."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(function, *args, **kwargs).result()


def memory_mb(kind: str = "VmRSS", process: int | str = "self") -> float:
    """Memory of a process, in MiB; 0 where it is gone.

    The kind ``VmRSS`` is all that is resident. ``RssAnon`` is the same without pages of mapped
    files, which the system takes back when it needs them.
    """
    lines = (line for line in _told(process, "status").splitlines() if line.startswith(f"{kind}:"))
    return next((int(line.split()[1]) / 1024 for line in lines), 0.0)


def cpu_seconds(process: int) -> float:
    """CPU that a process has used so far, user and system; 0 where it is gone."""
    fields = _told(process, "stat").rpartition(")")[2].split()  # from the third; names hold spaces
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def _told(process: int | str, file: str) -> str:
    """What the system tells of a process in a file; empty where it is gone."""
    try:
        return Path(f"/proc/{process}/{file}").read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""


def family(process: int) -> Iterator[int]:
    """A process and all that descend from it."""
    yield process
    try:
        tasks = list(Path(f"/proc/{process}/task").iterdir())
        children = [(task / "children").read_text() for task in tasks]
    except (FileNotFoundError, ProcessLookupError):
        return
    for child in " ".join(children).split():
        yield from family(int(child))


class PeakMemory:
    """The most memory that a process and its descendants held together, in MiB.

    Pages that they share count once for each of them.
    """

    def __init__(self) -> None:
        self.mb = 0.0

    @contextmanager
    def watch(self, process: int) -> Iterator[None]:
        """Sample while the ``with`` block lasts."""
        ended = threading.Event()

        def sample() -> None:
            while not ended.is_set():
                total = sum(memory_mb("VmRSS", member) for member in family(process))
                self.mb = max(self.mb, total)
                ended.wait(SAMPLE_SECONDS)

        thread = threading.Thread(target=sample, daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()


class Cpu:
    """CPU of this process by sections, background threads included.

    What the calling thread does outside the sections is left out; what other threads of the
    process do at any time, such as compacting a database, counts.
    """

    def __init__(self) -> None:
        self._process = time.process_time()
        self._left_out = 0.0

    @contextmanager
    def leave_out(self) -> Iterator[None]:
        """What this thread does in the ``with`` block does not count."""
        started = time.thread_time()
        try:
            yield
        finally:
            self._left_out += time.thread_time() - started

    @property
    def seconds(self) -> float:
        """So far."""
        return time.process_time() - self._process - self._left_out
