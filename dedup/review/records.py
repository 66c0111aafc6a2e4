"""Drop logs, read: one record a verdict, light enough to hold a hundred thousand.

A record leaves the dropped item and the texts in the log, where ``read_entry`` finds them again.
The writer puts them last in a line, behind a key that no JSON string before it can contain, so
what stands before them is read without them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

VERSION = 1
_BULK = b', "item_type": '  # from here on a line is read only when asked for


@dataclass(frozen=True, slots=True)
class Drop:
    """One record of a drop log, without its item and texts; docs/drop-log.md explains the fields.

    ``log`` and ``offset`` (octets from the start of the file) name it for good.
    """

    log: Path
    offset: int
    time: datetime
    spider: str
    action: str
    reason: str
    url: str
    of: str
    of_page_id: int
    similarity: float
    distance: int | None
    containment: float | None
    same_host: bool
    tokens: int
    of_tokens: int


@dataclass(frozen=True, slots=True)
class Damage:
    """A line of a drop log that is no record, and why."""

    log: Path
    line: int
    problem: str


def read_drops(paths: Iterable[Path]) -> Iterator[Drop | Damage]:
    """Read drop logs, line by line; what is damaged is told, not raised."""
    for path in paths:
        offset = 0
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                yield _read(path, number, offset, line)
                offset += len(line)


def read_entry(drop: Drop) -> dict[str, Any]:
    """The whole record of a drop, item and all.

    Raises:
        OSError: the log is gone.
        ValueError: it was changed since.
    """
    with drop.log.open("rb") as lines:
        lines.seek(drop.offset)
        entry: dict[str, Any] = json.loads(lines.readline())
    return entry


def _read(path: Path, number: int, offset: int, line: bytes) -> Drop | Damage:
    head, found, _ = line.partition(_BULK)
    try:
        entry = json.loads(head + b"}" if found else line)
        if entry["version"] != VERSION:
            return Damage(path, number, f"not a record of version {VERSION}")
        return Drop(
            log=path,
            offset=offset,
            time=datetime.fromisoformat(entry["time"]),
            spider=str(entry["spider"]),
            action=str(entry["action"]),
            reason=str(entry.get("reason", "near-duplicate")),
            url=str(entry["url"]),
            of=str(entry["of"]),
            of_page_id=int(entry["of_page_id"]),
            similarity=float(entry["similarity"]),
            distance=entry["distance"],
            containment=entry["containment"],
            same_host=bool(entry["same_host"]),
            tokens=int(entry["tokens"]),
            of_tokens=int(entry["of_tokens"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        return Damage(path, number, f"no record: {type(error).__name__}: {error}")
