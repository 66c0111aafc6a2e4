"""Workers that die at the worst moment."""

from __future__ import annotations

from dedup.scrapy import workers
from dedup.scrapy.worker import Answer, Call, Worker


class Doomed(Worker):
    """Its process is ready, and dies just before a batch is sent to it."""

    def _take(self, calls: list[Call], timeout: float) -> list[Answer]:
        if self._channel is None:
            self._start()
        assert self._process is not None
        self._process.kill()
        self._process.join()
        return super()._take(calls, timeout)


class AllDoomed:
    """An extension: every worker of the process is such a one."""

    def __init__(self) -> None:
        workers.Worker = Doomed  # type: ignore[misc]
