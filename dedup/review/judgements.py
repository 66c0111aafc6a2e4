"""The users' judgements of drops: one JSON line each, beside the log, written to disk at once.

Lines are only appended. The last judgement of a record counts, and ``null`` withdraws it. A
judgement identifies its record by the log's name, the offset and both URLs. If the log has changed
since, the judgement fits no record; it is counted, and never applied to another page. In memory the
log's path replaces its name: logs of the same name in two folders have separate judgements.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from threading import Lock

from dedup.files import append_whole, open_lines
from dedup.review.records import Drop, now

RIGHT, WRONG, UNSURE = VERDICTS = ("right", "wrong", "unsure")
JUDGEMENTS, RESTORED = OWN = (".judgements.jsonl", ".restored.jsonl")  # Suffixes of files.

Key = tuple[Path | str, int, str, str]


def beside(log: Path) -> Path:
    """The file of the judgements of a log."""
    return log.with_name(log.name + JUDGEMENTS)


def key_of(drop: Drop) -> Key:
    """The key by which a judgement identifies a record."""
    return drop.log, drop.offset, drop.url, drop.of


class Judgements:
    """The judgements of some drop logs, read once and then appended to; safe for threads.

    They are in ``file``, if one is given for all logs; else each log has a file ``beside`` it.

    Raises:
        OSError: a file cannot be read.
        ValueError: the one file is for several logs of the same name, or has other content.
    """

    def __init__(self, logs: Iterable[Path], file: Path | None = None) -> None:
        self._file = file
        self._lock = Lock()
        self._verdicts: dict[Key, str] = {}
        self.damaged: list[str] = []  # Lines that are no judgements: ``FILE, line N``.
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
        """The verdict on a drop; None without one."""
        return self._verdicts.get(key_of(drop))

    def strangers(self, drops: Iterable[Drop]) -> int:
        """The number of judgements that fit none of the given drops."""
        return len(self._verdicts.keys() - map(key_of, drops))

    def judge(self, drop: Drop, verdict: str | None) -> None:
        """Store a verdict, or withdraw it with None; it is on disk when this returns.

        Raises:
            ValueError: the verdict is not one of ``VERDICTS``.
            OSError: the verdict cannot be written.
        """
        told = {name: getattr(drop, name) for name in ("offset", "url", "of", "similarity")}
        entry = {"time": now(), "log": drop.log.name, **told, "verdict": _checked(verdict)}
        line = json.dumps(entry).encode() + b"\n"
        with self._lock:
            file = open_lines(self._file or beside(drop.log))
            try:
                append_whole(file, line)
                os.fsync(file)
            finally:
                os.close(file)
            self._keep(key_of(drop), verdict)

    def _read(self, path: Path, logs: Mapping[str, Path]) -> bool:
        """Read a file, if it exists; returns whether it has any judgement."""
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
    log = logs.get(entry["log"], entry["log"])  # A name alone fits no record.
    return (log, entry["offset"], entry["url"], entry["of"]), _checked(entry["verdict"])


def _checked(verdict: str | None) -> str | None:
    if verdict is not None and verdict not in VERDICTS:
        raise ValueError(f"a verdict is one of {', '.join(VERDICTS)}, or null; got {verdict!r}")
    return verdict
