"""Workers that die at the worst moment."""

from __future__ import annotations

from dedup.scrapy import workers
from dedup.scrapy.worker import Answer, Call


class Doomed(workers.Worker):
    """Its process dies just before a call is sent to it."""

    def answer(self, call: Call, timeout: float) -> Answer:
        self.start()
        assert self._process is not None
        self._process.kill()
        self._process.join()
        return super().answer(call, timeout)


class AllDoomed:
    """An extension: every worker of the process is such a one."""

    def __init__(self) -> None:
        workers.Worker = Doomed  # type: ignore[misc]
