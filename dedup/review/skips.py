"""Read logs of skipped requests: one line of JSON for each; docs/urls.md explains the fields."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dedup.review.records import Damage

VERSION = 1
SKIP = "skip"  # The action of each record.
_TEXTS = ("time", "spider", "url", "pattern", "example", "example_of")
_NUMBERS = ("downloads", "hits")


@dataclass(frozen=True, slots=True)
class Skip:
    """One record of such a log."""

    time: str
    spider: str
    url: str
    pattern: str
    downloads: int
    hits: int
    example: str
    example_of: str


def read_skips(path: Path) -> Iterator[Skip | Damage]:
    """Read a log line by line; yields a Damage for a damaged line.

    Raises:
        OSError: the log cannot be read.
    """
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                yield _read(json.loads(line))
            except (ValueError, RecursionError) as error:
                yield Damage(path, number, str(error))


def _read(entry: Any) -> Skip:
    """Check one record.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(entry, dict) or entry.get("action") != SKIP:
        raise ValueError("no record of a skipped request")
    if entry.get("version") != VERSION:
        raise ValueError(f"version {entry.get('version')!r}; this release reads {VERSION}")
    kinds = dict.fromkeys(_TEXTS, str) | dict.fromkeys(_NUMBERS, int)
    wrong = [name for name, kind in kinds.items() if type(entry.get(name)) is not kind]
    if wrong:
        raise ValueError(f"{wrong[0]} is missing, or of another kind")
    url = entry["url"]
    if not url.isprintable() or url.split() != [url]:  # It is printed on a line of its own.
        raise ValueError("url is no URL")
    return Skip(**{name: entry[name] for name in (*_TEXTS, *_NUMBERS)})
