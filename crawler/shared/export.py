"""Items written so that a killed process loses none: each one line, in one write, at once."""

from __future__ import annotations

import json
import os
import re
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter

from dedup.files import append_whole, open_lines

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

_NAME = re.compile(r"(?:[^%]|%%|%\(worker\)s)+", re.DOTALL)


class ExportPipeline:
    """Item pipeline, the last: appends each item to the JSON lines file SHARED_ITEMS names.

    ``%(worker)s`` in the name is the machine and the process. Scrapy's feeds keep some kilobytes
    in memory, which a kill would lose.
    """

    def __init__(self, path: str) -> None:
        """Make nothing yet.

        Raises:
            ValueError: it is no name of a file.
        """
        if not str(path or "").strip() or Path(path).is_dir():
            raise ValueError(f"SHARED_ITEMS must name a file; got {path!r}")
        if not _NAME.fullmatch(str(path)):
            blanks = "with %(worker)s for machine and process, %% for a percent sign and no other"
            raise ValueError(f"SHARED_ITEMS must name a file, {blanks}; got {path!r}")
        self._path = Path(str(path) % {"worker": f"{socket.gethostname()}-{os.getpid()}"})
        self._file: int | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler.settings.get("SHARED_ITEMS", ""))

    def process_item(self, item: Any) -> Any:
        """Hand a line to the operating system in one write.

        Raises:
            OSError: there is no room for it; the file is as it was.
        """
        line = json.dumps(ItemAdapter(item).asdict(), ensure_ascii=False, default=str)
        try:
            if self._file is None:
                self._file = open_lines(self._path)
            append_whole(self._file, f"{line}\n".encode(errors="backslashreplace"))
        except OSError as error:
            error.filename = str(self._path)
            raise
        return item

    def close_spider(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)
