"""A filter of duplicates whose process dies at the worst moment."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from scrapy import Request
from scrapy.dupefilters import RFPDupeFilter

AT = 30  # requests that are new
DIED = Path("died")  # in the folder of the crawl; it dies once


class Doomed(RFPDupeFilter):
    """Its process is killed between the mark of a request and the request's way into the queue."""

    new = 0

    def request_seen(self, request: Request) -> bool:
        seen = super().request_seen(request)
        self.new += not seen
        if self.new == AT and not DIED.exists():
            DIED.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return seen
