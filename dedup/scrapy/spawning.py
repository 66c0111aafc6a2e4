"""Processes that begin without the program that spawns them.

A spawned process first imports the main module of its parent, in case it is to call what is defined
there. Scripts that start crawls mostly do so without ``if __name__ == "__main__"``: imported, they
crawl again, each worker for itself and into the same feeds. Workers need nothing of them. Nor do
they need the threads that NumPy's linear algebra starts, one a processor, as it is imported.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Lock
from types import ModuleType

_LOCK = Lock()  # each worker is started in a thread of its own
_NOWHERE = {"__spec__": None, "__file__": None}  # by these multiprocessing finds the main module
_THREADS = "OPENBLAS_NUM_THREADS"


class _Process(SpawnProcess):
    def start(self) -> None:
        with _LOCK, _hidden_main(), _one_thread():
            super().start()


class Spawn(SpawnContext):
    """As ``multiprocessing.get_context("spawn")``, but its processes import no main module."""

    Process = _Process


@contextmanager
def _hidden_main() -> Iterator[None]:
    """Show a main module that is nowhere; the program's own, which may be running, stays as it is.

    What is defined there can be pickled all the while. A debugger's has no ``__spec__``, which
    multiprocessing asks for.
    """
    main = sys.modules["__main__"]
    shown = ModuleType("__main__")
    vars(shown).update(vars(main) | _NOWHERE)
    sys.modules["__main__"] = shown
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextmanager
def _one_thread() -> Iterator[None]:
    """Have a process that begins meanwhile start no threads of NumPy's, unless the user says."""
    if _THREADS in os.environ:
        yield
        return
    os.environ[_THREADS] = "1"
    try:
        yield
    finally:
        del os.environ[_THREADS]
