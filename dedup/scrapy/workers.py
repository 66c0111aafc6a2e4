"""Makes fingerprints in worker processes, off the event loop.

Each worker process has a thread here. The thread starts the process, sends it a page, waits for the
answer, and starts another process after a death or a timeout. All threads take pages from one
queue. A thread is added if a page comes and no thread is idle.

If a worker dies or hangs, only its own page gets no verdict. The process pools of
concurrent.futures and of pebble cannot guarantee that. Their processes share one pipe: if one is
killed while it sends an answer, the pool waits for the rest forever. Here each process has its own
pipe, and its death closes the other end.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize
from queue import SimpleQueue
from types import ModuleType
from typing import Any, Literal, TypeAlias

from scrapy.utils.asyncio import is_asyncio_available
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from dedup.fingerprint import Fingerprinter, PageFingerprint
from dedup.scrapy.stopwatch import Stopwatch
from dedup.scrapy.worker import Answer, Call, FingerprintError, answer, explain, serve

logger = logging.getLogger(__name__)

# Processes tried for one page, and deaths before the first answer that end the use of workers.
DEATHS = 3
START_UP = 60.0  # Seconds that a process may take until it is ready.
SIGNALS = {signal.SIGINT, signal.SIGTERM}  # Blocked in workers; the crawl ends its workers itself.
_SPAWN = multiprocessing.get_context("spawn")  # A fork would share the reactor and LevelDB's files.
_SPAWNING = threading.Lock()  # Several threads, of several crawls, start processes.
_THREADS = "OPENBLAS_NUM_THREADS"

Method: TypeAlias = Literal["of_page", "of_text", "of_main"]  # Of ``Fingerprinter``.
_OnLoop: TypeAlias = Callable[..., object]  # Calls a function on the event loop, from any thread.
_Taken: TypeAlias = tuple[Call, Deferred[Answer], _OnLoop]


class WorkerDiedError(Exception):
    """The process died while it worked on a page."""


class NoWorkerError(Exception):
    """No process took the page: the process did not start, or died before."""


@dataclass(eq=False)
class Workers:
    """Makes fingerprints in ``count`` processes, or in this process if ``count`` is 0."""

    fingerprinter: Fingerprinter  # It may be replaced before the first page.
    count: int  # It becomes 0 if no worker can live here, and by ``close``.
    timeout: float  # Seconds that a page may take in a worker.
    stopwatch: Stopwatch = field(default_factory=Stopwatch)  # Times what is done here.
    start_up: float = START_UP  # Seconds that a process may take until it is ready.

    def __post_init__(self) -> None:
        # A daemonic process, such as one of multiprocessing.Pool, may have no children.
        if multiprocessing.current_process().daemon:
            self.count = 0
        self.deaths = 0  # Worker processes that died or could not start.
        self._answered = False
        self._calls: SimpleQueue[_Taken | None] = SimpleQueue()
        self._idle = threading.Semaphore(0)  # The number of idle threads, or a little more.
        self._threads: dict[threading.Thread, Worker] = {}
        self._at_exit: Finalize | None = None

    def warm_up(self) -> None:
        """Start one worker before the first page; the others start when they are needed."""
        if self.count and not self._threads:
            with suppress(NoWorkerError):  # The first page tries again.
                self._add_thread()
                self._idle.release()

    async def run(self, method: Method, *arguments: Any) -> PageFingerprint:
        """Call a method of the fingerprinter in a worker; in this process if there is no worker.

        Raises FingerprintError if there is no fingerprint; the error has the reason.
        """
        call, made = (method, arguments), None
        if self.count:
            try:
                made = await self._in_worker(call)
                self._answered = True
            except TimeoutError:
                message = f"no fingerprint within {self.timeout:g} seconds"
                raise FingerprintError("worker_timeout", message) from None
            except WorkerDiedError as error:
                self._count_death(error)
                raise FingerprintError("worker_died", f"a worker process died: {error}") from None
            except NoWorkerError as error:
                self._count_death(error)
            except Exception as error:
                raise explain(error) from error
        if made is None:
            with self.stopwatch.running():
                made = answer(self.fingerprinter, call)
        if isinstance(made, FingerprintError):
            raise made
        return made

    def close(self) -> None:
        """Kill all workers; pages that wait or still come are read in this process."""
        self.count = 0
        if self._at_exit is not None:
            self._at_exit.cancel()
        for worker in self._threads.values():
            worker.close()
            self._calls.put(None)
        for thread in self._threads:
            thread.join()

    async def _in_worker(self, call: Call) -> Answer:
        """Queue a call for the threads, and wait for its answer without blocking a thread."""
        if not self._idle.acquire(blocking=False) and len(self._threads) < self.count:
            self._add_thread()
        answered: Deferred[Answer] = Deferred()
        self._calls.put((call, answered, _caller_from_threads()))
        return await maybe_deferred_to_future(answered)

    def _add_thread(self) -> None:
        worker = Worker(self.fingerprinter, self.start_up)
        thread = threading.Thread(
            target=self._serve, args=(worker,), name="neardup-worker", daemon=True
        )
        try:
            thread.start()
        except RuntimeError as error:  # The system has no room for another thread.
            raise NoWorkerError(str(error)) from None
        if not self._threads:
            self._at_exit = Finalize(None, self.close, exitpriority=0)  # For aborted crawls.
        self._threads[thread] = worker

    def _serve(self, worker: Worker) -> None:
        """Let a worker answer calls until the pool is closed; runs in a thread."""
        with suppress(Exception):  # The first call tries again.
            worker.start()
        while (taken := self._calls.get()) is not None:
            call, answered, on_loop = taken
            settle: tuple[Callable[..., object], object]
            try:
                settle = answered.callback, self._try(worker, call, on_loop)
            except Exception as error:
                settle = answered.errback, error
            self._idle.release()
            with suppress(RuntimeError):  # The event loop is closed, so nobody waits.
                on_loop(*settle)
            del taken, call, answered, settle  # Frees the page and its fingerprint.
        worker.end()

    def _try(self, worker: Worker, call: Call, on_loop: _OnLoop) -> Answer:
        """Send a call, up to DEATHS times: a process may die for reasons other than the page."""
        for _ in range(DEATHS - 1):
            try:
                return worker.answer(call, self.timeout)
            except NoWorkerError as error:
                if not self.count:
                    raise
                on_loop(self._count_death, error)
        return worker.answer(call, self.timeout)

    def _count_death(self, error: Exception) -> None:
        self.deaths += 1
        if self.deaths >= DEATHS and self.count and not self._answered:
            logger.warning(
                "%d worker processes died before any answered, the last with: %s; this process "
                "makes the fingerprints from now on. What they died of may stand in stderr; "
                "NEARDUP_WORKERS=0 asks for no workers.",
                self.deaths,
                error,
            )
            self.count = 0


class Worker:
    """A worker process and its successors; other threads may call ``close`` only."""

    def __init__(self, fingerprinter: Fingerprinter, start_up: float = START_UP) -> None:
        """Start no process yet; the arguments are those of ``Workers``."""
        self._fingerprinter = fingerprinter
        self._start_up = start_up
        self._lock = threading.Lock()  # One thread at a time starts, kills or ends a process.
        self._running: tuple[BaseProcess, Connection] | None = None
        self._is_ready = False
        self._closed = False

    def answer(self, call: Call, timeout: float) -> Answer:
        """Send a call to the process and wait for the answer.

        The timeout, in seconds, is counted from the moment when the process is ready.

        Raises:
            NoWorkerError: the call reached no process; it may be sent again.
            WorkerDiedError: the process died during the call.
            TimeoutError: the process took longer and was killed.
        """
        try:
            pipe = self.start()
            if not self._is_ready:
                self._is_ready = bool(_receive(pipe, self._start_up))
            pipe.send(call)
        except (EOFError, OSError, RuntimeError) as error:
            raise NoWorkerError(f"{error}; {self.end()}".strip("; ")) from None
        try:
            made: Answer = _receive(pipe, timeout)
        except TimeoutError:
            self.end()
            raise
        except (EOFError, OSError):
            raise WorkerDiedError(self.end()) from None
        except BaseException:  # The answer cannot be read.
            self.end()
            raise
        return made

    def start(self) -> Connection:
        """Start a process if there is none, which may not be ready yet; returns its pipe.

        Raises:
            NoWorkerError: the worker is closed.
            OSError: there is no room for another process, or for its files.
        """
        with self._lock:
            if self._closed:
                raise NoWorkerError("closed")
            if self._running is None:
                self._running = _spawn(self._fingerprinter)
                self._is_ready = False
            return self._running[1]

    def close(self) -> None:
        """Kill the process and allow no other; this wakes the thread that waits for an answer."""
        with self._lock:
            self._closed = True
            if self._running is not None:
                self._running[0].kill()

    def end(self) -> str:
        """End the process, if there is one; returns how it ended."""
        with self._lock:
            if self._running is None:
                return ""
            (process, pipe), self._running = self._running, None
            pipe.close()
            process.kill()
            process.join()
        return f"exit code {process.exitcode}"


def _receive(pipe: Connection, timeout: float) -> Any:
    """Receive the next message.

    Raises:
        TimeoutError: no message came within ``timeout`` seconds.
        EOFError, OSError: the other end is closed.
    """
    if not pipe.poll(timeout):
        raise TimeoutError(f"no message within {timeout:g} seconds")
    return pipe.recv()


def _spawn(fingerprinter: Fingerprinter) -> tuple[BaseProcess, Connection]:
    """Start a process that serves the other end of a pipe."""
    here, there = _SPAWN.Pipe()
    with there:
        process = _SPAWN.Process(target=serve, args=(there, fingerprinter), daemon=True)
        resource_tracker.ensure_running()  # Its start unblocks signals in Python 3.11.
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # The process inherits the block.
        try:
            with apart():
                process.start()
        except BaseException:
            here.close()
            raise
    return process, here


@contextmanager
def apart() -> Iterator[None]:
    """Keep a process that is spawned in this context from importing the main module.

    A spawned process imports the main module of its parent. Most scripts that start crawls have no
    ``if __name__ == "__main__"``. An import of such a script would crawl again, into the same
    feeds. So the process gets a copy of the main module without a file; the real one stays
    unchanged. NumPy's linear algebra runs in one thread in the process, unless the user set a
    number of threads.
    """
    with _SPAWNING:
        main, has_number = sys.modules["__main__"], _THREADS in os.environ
        shown = ModuleType("__main__")
        vars(shown).update(vars(main) | {"__spec__": None, "__file__": None})
        sys.modules["__main__"] = shown
        os.environ.setdefault(_THREADS, "1")
        try:
            yield
        finally:
            sys.modules["__main__"] = main
            if not has_number:
                del os.environ[_THREADS]


def _caller_from_threads() -> _OnLoop:
    if is_asyncio_available():
        return asyncio.get_running_loop().call_soon_threadsafe
    from twisted.internet import reactor  # noqa: PLC0415  (the import chooses one)

    call: _OnLoop = reactor.callFromThread
    return call
