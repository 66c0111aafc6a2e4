"""The drop log: one JSON line per verdict, with all data that is needed to undo it.

verdict -> DropLog.write -> a line -> one write -> the file; dedup.review.records reads it

A line is written with one system call before the item is dropped, so a killed crawl loses at most
the line being written, and the lines of unfinished pages with several items. JSON escapes line
breaks, so one record is always one line. If a write fails midway, for example on a full disk, it is
undone.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from dedup.config import PROJECT, SPIDER, file_name
from dedup.files import append_whole, open_lines
from dedup.index import Match
from dedup.review.records import KEPT, PACKED, VERSION, now
from dedup.scope import host_of
from dedup.scrapy.messages import new_words
from dedup.scrapy.values import Encoded, to_base64
from dedup.store import Record

KEPT_PREFIX = "kept-"
MOST_PASSAGES, LONGEST_PASSAGE = 20, 500  # New passages in a record, and characters of each.
_BLANKS = re.compile(r"%(?:%|\(project\)s|\(name\)s|\(time\)s)?")
_GZIP = 31  # The wbits value of zlib for the gzip format with the largest window.


class JsonLog:
    """Appends JSON lines to a file; the first line makes the file and its folder.

    A log with a name in ``.gz`` is compressed while it is written. An existing compressed log is
    never appended to, because its end may be cut off. The new log gets a number in its name then.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None
        self._packer = zlib.compressobj(wbits=_GZIP) if path.suffix == PACKED else None

    def append(self, entry: dict[str, Any]) -> None:
        """Append a line.

        Raises:
            OSError: the file cannot be written.
        """
        line = json.dumps(entry).encode() + b"\n"  # JSON in ASCII can contain any character.
        file = self.open()
        if self._packer is None:
            append_whole(file, line)
        else:
            packer = self._packer.copy()  # If the write fails, the original goes on.
            append_whole(file, packer.compress(line) + packer.flush(zlib.Z_SYNC_FLUSH))
            self._packer = packer

    def open(self) -> int:
        """Open or make the file if it is not open; returns its descriptor.

        Raises:
            OSError: the file cannot be made.
        """
        if self._file is None:
            if self._packer is not None:
                self.path = take_name(self.path)
            self._file = open_lines(self.path)
        return self._file

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            try:
                if self._packer is not None:
                    append_whole(self._file, self._packer.flush())
            finally:
                os.close(self._file)
                self._file = None


class DropLog(JsonLog):
    """Appends the verdicts of one crawl of a spider."""

    def __init__(self, path: Path, spider: str, job: str = "") -> None:
        super().__init__(path)
        self._spider = spider
        self._crawl = {"crawl": now()} | ({"job": job} if job else {})

    def write(
        self,
        action: str,
        items: Sequence[Encoded],
        record: Record,
        match: Match,
        text: bytes = b"",
        given: int = 1,
    ) -> None:
        """Append the verdict on a page; docs/drop-log.md explains each field.

        Args:
            action: ``drop`` or ``tag``; ``keep`` for a page that was exported.
            items: the dropped or tagged items of the page; empty for an exported page.
            record: the page.
            match: the page that it repeats.
            text: the packed main text of the page; empty if it is not kept.
            given: the number of items that the page gave.

        Raises:
            OSError: the file cannot be written.
        """
        found, kept = match.kinship.text, action == KEPT
        new = found.passages[:MOST_PASSAGES] if found is not None else ()
        passages = [passage[:LONGEST_PASSAGE] for passage in new]
        (item_type, fields), *more = items or [("", {})]
        light = {
            "version": VERSION,
            "time": now(),
            "spider": self._spider,
            "action": action,
            **_pages(record, match),
            "items_dropped": len(items),
            "items_given": given,
            **({"plain": match.plain} if match.plain else {}),
            **({"by_items": True} if match.kinship.of_item else {}),
        }
        bulk = {  # Last, so that dedup.review.records can skip it.
            "item_type": item_type,
            "item": fields,
            **({"more_items": more} if more else {}),
            **({"text": to_base64(text)} if text and not kept else {}),
            **({"passages": passages} if passages else {}),
        }
        if not kept:
            bulk["fingerprint"] = to_base64(record.fingerprint)
            bulk["of_fingerprint"] = to_base64(match.original.fingerprint)
        self.append(light | self._crawl | bulk)


def _pages(record: Record, match: Match) -> dict[str, Any]:
    """The fields on a page and the page that it repeats."""
    original = match.original
    return {
        **match.measures,
        "url": record.url,
        "request": record.request.hex(),
        **match.urls,
        "of_page_id": original.page_id,
        "of_seen": datetime.fromtimestamp(original.seen, UTC).isoformat(timespec="seconds"),
        "containment": match.comparison.containment,
        "new_words": new_words(match, record),
        "confirmed": match.kinship.text is not None,
        "same_host": host_of(record.url) == host_of(original.url),
        "tokens": record.tokens,
        "of_tokens": original.tokens,
    }


def fill_in(log: str, project: str, name: str, time: str) -> str:
    """Replace the placeholders in NEARDUP_LOG by the project, the spider and the time.

    Raises:
        ValueError: there is a percent sign outside of ``%(project)s``, ``%(name)s``, ``%(time)s``
            and ``%%``.
    """
    values = {PROJECT: file_name(project), SPIDER: file_name(name), "%(time)s": time, "%%": "%"}

    def value(found: re.Match[str]) -> str:
        if found[0] not in values:
            raise ValueError(f"a percent sign alone in {log!r}")
        return values[found[0]]

    return _BLANKS.sub(value, log)


def why_unwritable(log: Path) -> str:
    """The reason why a log cannot be written, if there is one that shows in advance; else empty."""
    if os.path.isdir(log):  # noqa: PTH112  (is_dir may raise)
        return "it is a folder"
    place = next(path for path in (log, *log.parents) if os.path.lexists(path))
    if place != log and not os.path.isdir(place):  # noqa: PTH112
        return f"{place} is no folder"
    return "" if os.access(place, os.W_OK) else f"{place} cannot be written"


def kept_log(log: Path) -> Path:
    """The path of the log of pages that were exported although they are related to another page.

    ``drops-pages.jsonl`` becomes ``kept-drops-pages.jsonl``.
    """
    return log.with_name(f"{KEPT_PREFIX}{log.name}")


def take_name(path: Path) -> Path:
    """Make an empty packed log; if its name is taken, use the first free name with a number.

    Two processes that call this at the same moment get two different names.

    Raises:
        OSError: the file cannot be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    stem, _, suffixes = path.name.partition(".")
    name = path
    for number in count(2):
        try:
            name.touch(exist_ok=False)
            break
        except FileExistsError:
            name = path.with_name(f"{stem}-{number}.{suffixes}")
    return name
