"""The drop log: one JSON line a verdict, complete enough to undo it.

A line is written and handed to the operating system before the item is dropped, so that a killed
crawl loses at most the line being written. JSON escapes line breaks, so one record is one line
whatever a page contains.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any, TextIO

from itemadapter import ItemAdapter
from scrapy.utils.python import global_object_name

from dedup.index import Match
from dedup.scope import host_of
from dedup.store import Record

VERSION = 1


class DropLog:
    """Appends records to a file, made with its folder at the first record."""

    def __init__(self, path: Path, spider: str) -> None:
        self.path = path
        self._spider = spider
        self._file: TextIO | None = None

    def write(self, action: str, item: Any, record: Record, match: Match) -> None:
        """Append one verdict.

        Raises:
            OSError: the file cannot be written.
        """
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("a", encoding="utf-8")
        entry = make_entry(self._spider, action, item, record, match)
        self._file.write(json.dumps(entry, default=_encode) + "\n")  # ASCII holds any character
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None


def make_entry(spider: str, action: str, item: Any, record: Record, match: Match) -> dict[str, Any]:
    """One record of the log; docs/drop-log.md explains each field."""
    original = match.claim.record if match.claim else match.record
    return {
        "version": VERSION,
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "spider": spider,
        "action": action,
        "url": record.url,
        "of": original.url,
        "of_page_id": original.page_id,
        "of_seen": datetime.fromtimestamp(original.seen, UTC).isoformat(timespec="seconds"),
        "similarity": round(match.comparison.similarity, 4),
        "distance": match.comparison.distance,
        "containment": match.comparison.containment,
        "same_host": host_of(record.url) == host_of(original.url),
        "tokens": record.tokens,
        "of_tokens": original.tokens,
        "fingerprint": base64.b64encode(record.fingerprint).decode(),
        "of_fingerprint": base64.b64encode(original.fingerprint).decode(),
        "item_type": global_object_name(type(item)),
        "item": _with_text_keys(ItemAdapter(item).asdict()),
    }


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of a drop log: its entry, or what is wrong with it."""

    path: Path
    number: int
    entry: dict[str, Any] | None
    problem: str = ""


def read_logs(paths: Iterable[Path]) -> Iterator[LogLine]:
    """Read drop logs line by line; a damaged line is reported, not raised."""
    for path in paths:
        with path.open(encoding="utf-8", errors="replace") as lines:
            for number, line in enumerate(lines, start=1):
                yield _read_line(path, number, line)


def _read_line(path: Path, number: int, line: str) -> LogLine:
    try:
        entry = json.loads(line)
    except ValueError as error:
        return LogLine(path, number, None, f"not JSON: {error}")
    if not isinstance(entry, dict) or entry.get("version") != VERSION:
        return LogLine(path, number, None, f"not a record of version {VERSION}")
    return LogLine(path, number, entry)


def _with_text_keys(value: Any) -> Any:
    """A value in which every key is one that JSON has a form for."""
    if isinstance(value, dict):
        return {
            key if isinstance(key, str | int | float | None) else repr(key): _with_text_keys(inner)
            for key, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [_with_text_keys(inner) for inner in value]
    return value


def _encode(value: Any) -> Any:
    """What JSON has no form for, marked with its type so that it can be read back."""
    if isinstance(value, datetime | date | time):
        return {f"${type(value).__name__}": value.isoformat()}
    if isinstance(value, Decimal):
        return {"$Decimal": str(value)}
    if isinstance(value, bytes | bytearray):
        return {"$bytes": base64.b64encode(value).decode()}
    if isinstance(value, set | frozenset):
        return {"$set": sorted(value, key=repr)}
    if ItemAdapter.is_item(value):
        return _with_text_keys(ItemAdapter(value).asdict())
    return {"$repr": repr(value)}
