"""One worker process, and the thread that talks to it.

The thread starts the process, sends it calls, waits for the answers, and starts another where one
died or took too long. So the event loop neither writes to a worker nor waits for it, and a batch
of pages takes two turns of one thread. A process ends with its channel: those of a killed
crawl end by themselves.
"""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing, suppress
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeAlias

from dedup.fingerprint import Fingerprinter, PageFingerprint
from dedup.scrapy.channel import Channel
from dedup.scrapy.spawning import Spawn

START_UP = 60.0  # seconds until a process is ready, at the most
PAUSE = 0.05  # seconds without a page, in which a process loads what one may need later


class FingerprintError(Exception):
    """A page got no fingerprint; ``reason`` is the word it is counted under."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message


class WorkerDiedError(Exception):
    """The process died with calls in hand."""


class NoWorkerError(Exception):
    """There was no process to take the calls up: it could not start, or died before."""


Call: TypeAlias = tuple[str, tuple[Any, ...]]  # a method of Fingerprinter, its arguments
Answer: TypeAlias = PageFingerprint | FingerprintError
_Batch: TypeAlias = tuple[list[Call], float, Future[list[Answer]]]


class Worker:
    """A process that makes fingerprints, one batch after the other; for the use of one thread."""

    def __init__(self, fingerprinter: Fingerprinter) -> None:
        """Start nothing yet; the first batch does."""
        self._fingerprinter = fingerprinter
        self._batches: SimpleQueue[_Batch | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="neardup-worker", daemon=True)
        self._lock = Lock()  # a process is started, killed or ended by one thread at a time
        self._process: BaseProcess | None = None
        self._channel: Channel | None = None
        self._closed = False

    def answers(self, calls: list[Call], timeout: float) -> Future[list[Answer]]:
        """Have calls answered, after those sent before; an empty list starts the process only.

        Args:
            calls: methods of the fingerprinter, with their arguments.
            timeout: seconds for all of them, from when the process is ready.

        Returns:
            The answers in their order, or why there are none: TimeoutError, WorkerDiedError, or,
            where the calls may be sent again, NoWorkerError.
        """
        future: Future[list[Answer]] = Future()
        if (failure := self._start_thread()) is None:
            self._batches.put((calls, timeout, future))
        else:
            future.set_exception(failure)
        return future

    def close(self) -> None:
        """End the process, whatever it is doing, and the thread."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()  # which wakes the thread
        self._batches.put(None)
        if self._thread.ident:
            self._thread.join()

    def _start_thread(self) -> NoWorkerError | None:
        if self._closed:
            return NoWorkerError("closed")
        try:
            if not self._thread.ident:
                self._thread.start()
        except RuntimeError as error:  # the system has no room for another
            return NoWorkerError(str(error))
        return None

    def _run(self) -> None:
        while (batch := self._batches.get()) is not None:
            calls, timeout, future = batch
            try:
                future.set_result(self._take(calls, timeout))
            except Exception as error:
                future.set_exception(error)
            del batch, calls, future  # pages and what became of them
        self._end()

    def _take(self, calls: list[Call], timeout: float) -> list[Answer]:
        channel = self._channel or self._start()
        if not calls:
            return []
        try:
            channel.send(calls)
        except OSError:
            raise NoWorkerError(self._end()) from None
        try:
            answers: list[Answer] = channel.receive(timeout)
        except TimeoutError:
            self._end()
            raise
        except (EOFError, OSError):
            raise WorkerDiedError(self._end()) from None
        except BaseException:  # out of step with what it sends
            self._end()
            raise
        return answers

    def _start(self) -> Channel:
        """Start a process, and wait until it is ready."""
        try:
            channel = self._spawn()
            channel.receive(START_UP)
        except TimeoutError:
            raise NoWorkerError(f"not ready within {START_UP:g} seconds; {self._end()}") from None
        except (EOFError, OSError, RuntimeError) as error:
            raise NoWorkerError(f"{error}; {self._end()}".strip("; ")) from None
        return channel

    def _spawn(self) -> Channel:
        with self._lock:
            if self._closed:
                raise NoWorkerError("closed")
            # Ctrl-C is not for the process. Python 3.11 lifts the block as the tracker starts.
            resource_tracker.ensure_running()
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            end, there = socket.socketpair()
            here = Channel(end)
            with there:
                process = Spawn().Process(
                    target=_serve, args=(there, self._fingerprinter), daemon=True
                )
                try:
                    process.start()
                except BaseException:
                    here.close()
                    raise
            self._process, self._channel = process, here
        return here

    def _end(self) -> str:
        """End the process, if there is one, and say how it ended."""
        with self._lock:
            process, self._process = self._process, None
            channel, self._channel = self._channel, None
            if process is None or channel is None:
                return ""
            channel.close()
            process.kill()
            process.join()
        return f"exit code {process.exitcode}"


def answer(fingerprinter: Fingerprinter, call: Call) -> Answer:
    """Do what a call asks for."""
    method, arguments = call
    function: Callable[..., PageFingerprint] = getattr(fingerprinter, method)
    try:
        return function(*arguments)
    except Exception as error:
        return explain(error)


def explain(error: Exception) -> FingerprintError:
    """What a failure of the chain is to its page."""
    return FingerprintError("error", f"{type(error).__name__}: {error}")


def _serve(end: socket.socket, fingerprinter: Fingerprinter) -> None:
    """All that a worker process does, from when it is ready to the end of its crawl.

    The first page waits for no dictionary but those it needs.
    """
    warm = False
    with closing(Channel(end)) as channel, suppress(EOFError, OSError):  # the crawl has ended
        channel.send("ready")
        while True:
            try:  # in one expression, which holds no page when it is done
                made = [answer(fingerprinter, c) for c in channel.receive(None if warm else PAUSE)]
            except TimeoutError:
                fingerprinter.warm_up()
                warm = True
            else:
                channel.send(made)
                del made
