"""A pool of workers that breaks at the worst moment."""

from __future__ import annotations

import multiprocessing

from pebble import ProcessPool

from dedup.scrapy import workers


class ForgetfulPool(ProcessPool):
    """Breaks just before a call is put in: nobody takes the call up, nobody fails it."""

    def _check_pool_status(self) -> None:
        super()._check_pool_status()
        while self.active:
            for worker in multiprocessing.active_children():
                worker.kill()


class ForgetfulPools:
    """An extension: every pool of the process is such a one."""

    def __init__(self) -> None:
        workers.ProcessPool = ForgetfulPool  # type: ignore[misc]
