"""How users judged drops: one JSON line per judgement, beside the log, on disk at once.

A file only grows; of several judgements of a record the last one counts, and ``null`` withdraws it.
A judgement names its record by the log's name, offset and both URLs, so that one of a log changed
since then fits no record, and is counted instead of applied to another page. In memory the log's
path stands for its name: logs of one name in two folders have judgements of their own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

from dedup.files import append_whole, open_lines
from dedup.review.records import Drop

RIGHT, WRONG, UNSURE = VERDICTS = ("right", "wrong", "unsure")
JUDGEMENTS, RESTORED = OWN = (".judgements.jsonl", ".restored.jsonl")  # files beside a log

Key = tuple[Path | str, int, str, str]


def beside(log: Path) -> Path:
    """The file of the judgements of a log."""
    return log.with_name(log.name + JUDGEMENTS)


def key_of(drop: Drop) -> Key:
    """What a judgement names a record by."""
    return drop.log, drop.offset, drop.url, drop.of


class Judgements:
    """The judgements of some logs, read once and then appended to; safe among threads.

    Args:
        logs: the drop logs.
        file: one file for all of them; by default each has its own, ``beside`` it.

    Attributes:
        damaged: lines that are no judgement, as ``FILE, line N``.

    Raises:
        OSError: a file cannot be read.
        ValueError: one file for several logs of one name, or that holds something else.
    """

    def __init__(self, logs: Iterable[Path], file: Path | None = None) -> None:
        self._file = file
        self._lock = Lock()
        self._verdicts: dict[Key, str] = {}
        self.damaged: list[str] = []
        names: dict[str, Path] = {}
        for log in dict.fromkeys(logs):
            if file is None:
                self._read(beside(log), {log.name: log})
            elif names.setdefault(log.name, log) != log:
                raise ValueError(
                    f"{file} cannot hold the judgements of {names[log.name]} and {log}: two logs "
                    "of one name; review them one by one, or keep judgements beside each log"
                )
        if file is not None and not self._read(file, names) and self.damaged:
            raise ValueError(f"{file} holds no judgement: name a file of them, or a new one")

    def __len__(self) -> int:
        return len(self._verdicts)

    def of(self, drop: Drop) -> str | None:
        """The verdict on a drop, if it has one."""
        return self._verdicts.get(key_of(drop))

    def strangers(self, drops: Iterable[Drop]) -> int:
        """How many judgements fit none of some drops."""
        return len(self._verdicts.keys() - map(key_of, drops))

    def judge(self, drop: Drop, verdict: str | None) -> None:
        """Store a verdict, or with None take it back; it is on disk when this returns.

        Raises:
            ValueError: it is none of ``VERDICTS``.
            OSError: it cannot be written.
        """
        entry = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "log": drop.log.name,
            "offset": drop.offset,
            "url": drop.url,
            "of": drop.of,
            "similarity": drop.similarity,
            "verdict": _checked(verdict),
        }
        with self._lock:
            _append(self._file or beside(drop.log), json.dumps(entry))
            self._keep(key_of(drop), verdict)

    def _read(self, path: Path, logs: Mapping[str, Path]) -> bool:
        """Whether a line is a judgement."""
        found = False
        if not path.exists():
            return found
        with path.open(encoding="utf-8", errors="replace") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    self._keep(*_parse(line, logs))
                    found = True
                except (ValueError, KeyError, TypeError, RecursionError):
                    self.damaged.append(f"{path}, line {number}")
        return found

    def _keep(self, key: Key, verdict: str | None) -> None:
        if verdict is None:
            self._verdicts.pop(key, None)
        else:
            self._verdicts[key] = verdict


def _parse(line: str, logs: Mapping[str, Path]) -> tuple[Key, str | None]:
    entry = json.loads(line)
    log = logs.get(entry["log"], entry["log"])  # a name fits no record
    return (log, entry["offset"], entry["url"], entry["of"]), _checked(entry["verdict"])


def _checked(verdict: str | None) -> str | None:
    if verdict is not None and verdict not in VERDICTS:
        raise ValueError(f"a verdict is one of {', '.join(VERDICTS)}, or null; got {verdict!r}")
    return verdict


def _append(path: Path, line: str) -> None:
    """Add a line for good."""
    file = open_lines(path)
    try:
        append_whole(file, line.encode() + b"\n")
        os.fsync(file)
    finally:
        os.close(file)
