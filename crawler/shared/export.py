"""Items written so that a killed process loses none of them: one line, at once, each its own."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler


class ExportPipeline:
    """Item pipeline, the last: appends each item to the JSON lines file SHARED_ITEMS names.

    ``%(worker)s`` in the name is the machine and the process. Scrapy's feeds keep some kilobytes
    in memory, which a kill would take along.
    """

    def __init__(self, path: str) -> None:
        self._path = Path(path % {"worker": f"{socket.gethostname()}-{os.getpid()}"})
        self._file: int | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler.settings["SHARED_ITEMS"])

    def process_item(self, item: Any) -> Any:
        """Hand a line to the operating system in one write."""
        line = json.dumps(ItemAdapter(item).asdict(), ensure_ascii=False, default=str)
        if self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
            size = os.fstat(self._file).st_size
            if size and os.pread(self._file, 1, size - 1) != b"\n":
                os.write(self._file, b"\n")  # a kill cut the last line short
        data = f"{line}\n".encode()
        if os.write(self._file, data) < len(data):
            raise OSError(f"{self._path}: no room for a whole line")
        return item

    def close_spider(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)
