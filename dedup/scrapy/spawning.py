"""Processes that begin without the program that spawns them.

A spawned process first imports the main module of its parent, in case it is to call what is defined
there. Scripts that start crawls mostly do so without ``if __name__ == "__main__"``: imported, they
crawl again, each worker for itself and into the same feeds. Workers need nothing of them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Lock

_LOCK = Lock()  # pools replace their workers in threads
_WHERE = ("__spec__", "__file__")  # attributes of the main module that multiprocessing finds it by


class _Process(SpawnProcess):
    def start(self) -> None:
        with _hidden_main():
            super().start()


class Spawn(SpawnContext):
    """As ``multiprocessing.get_context("spawn")``, but its processes import no main module."""

    Process = _Process


@contextmanager
def _hidden_main() -> Iterator[None]:
    with _LOCK:
        main = vars(sys.modules["__main__"])
        kept = {name: main[name] for name in _WHERE if name in main}
        try:
            main.update(dict.fromkeys(kept))
            yield
        finally:
            main.update(kept)
