"""A log of JSON lines, plain or compressed while it is written.

A line is written with one system call. JSON escapes line breaks, so one record is always one line.
If a write fails midway, for example on a full disk, it is undone.
"""

from __future__ import annotations

import errno
import json
import os
import zlib
from itertools import count
from pathlib import Path
from typing import Any

from dedup.files import append_whole, open_lines
from dedup.review.records import MOST_LINE, PACKED
from dedup.scrapy.log_paths import numbered

_GZIP = 31  # The wbits value of zlib for the gzip format with the largest window.


class TooLongError(OSError):
    """A record has too many bytes for one line."""


class JsonLog:
    """Appends JSON lines to a file; the first line makes the file and its folder.

    A log with a name in ``.gz`` is compressed while it is written. An existing compressed log is
    never appended to, because its end may be cut off. The new log gets a number in its name then.

    If somebody deletes or renames the file of a long crawl, the next line makes it again. If its
    end is cut off, the next line begins on a line of its own, or in a new compressed log.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None
        self._end = 0  # The place in the file behind the last line.
        self._packer = _packer(path)

    def append(self, entry: dict[str, Any]) -> None:
        """Append a line.

        Raises:
            TooLongError: no command could read the line; nothing is written.
            OSError: the file cannot be written.
        """
        line = json.dumps(entry).encode() + b"\n"  # JSON in ASCII can contain any character.
        if len(line) > MOST_LINE:
            told = f"a record of {len(line):,} bytes is longer than {MOST_LINE:,}"
            raise TooLongError(errno.EFBIG, told, str(self.path))
        file = self.open()  # It may begin a new file, with a new packer.
        if self._packer is None:
            append_whole(file, line)
        else:
            packer = self._packer.copy()  # If the write fails, the original goes on.
            append_whole(file, packer.compress(line) + packer.flush(zlib.Z_SYNC_FLUSH))
            self._packer = packer
        self._end = os.lseek(file, 0, os.SEEK_CUR)

    def open(self) -> int:
        """Open or make the file if it is not open, was taken away or cut; returns its descriptor.

        Raises OSError if the file cannot be made.
        """
        if self._file is not None and not _is_at(self._file, self.path, self._end):
            try:
                self.close()
            finally:
                self._packer = _packer(self.path)
        if self._file is None:
            if self._packer is not None:
                self.path = take_name(self.path)
            self._file, self._end = open_lines(self.path), 0
        return self._file

    def close(self) -> None:
        if self._file is not None:
            try:
                if self._packer is not None:
                    append_whole(self._file, self._packer.flush())
            finally:
                os.close(self._file)
                self._file = None


def _packer(path: Path) -> zlib._Compress | None:
    return zlib.compressobj(wbits=_GZIP) if path.suffix == PACKED else None


def _is_at(file: int, path: Path, end: int) -> bool:
    """Whether a path still leads to an open file that is at least so long."""
    try:
        opened = os.fstat(file)
        return opened.st_size >= end and os.path.samestat(opened, path.stat())
    except OSError:
        return False


def take_name(path: Path) -> Path:
    """Make an empty packed log; if its name is taken, use the first free name with a number.

    Two processes that call this at the same moment get two different names.

    Raises OSError if the file cannot be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    name = path
    for number in count(2):
        try:
            name.touch(exist_ok=False)
            break
        except FileExistsError:
            name = numbered(path, number)
    return name
