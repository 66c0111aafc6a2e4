"""Read logs of skipped requests: one line of JSON for each; docs/urls.md explains the fields."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_type_hints

from dedup.review.records import LARGEST, Damage

VERSION = 1
SKIP = "skip"  # The action of each record.


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
    size: int


@dataclass(frozen=True, slots=True)
class SkippedPattern:
    """The URLs that were skipped for a pattern, and its latest evidence."""

    pattern: str
    skipped: int  # The number of different URLs.
    size: int  # The estimated size of their answers, in bytes.
    downloads: int
    hits: int
    example: str
    example_of: str


_KINDS = get_type_hints(Skip)


def read_skips(path: Path) -> Iterator[Skip | Damage]:
    """Read a log line by line; yields a Damage for a damaged line.

    Raises OSError if the log cannot be read.
    """
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                yield _read(json.loads(line))
            except (ValueError, RecursionError) as error:
                yield Damage(path, number, str(error))


def latest_skips(skips: Iterable[Skip]) -> list[Skip]:
    """The latest record of each URL, in the order of the records."""
    found: dict[str, Skip] = {}
    for skip in skips:
        found.pop(skip.url, None)
        found[skip.url] = skip
    return list(found.values())


def group_skips(skips: Iterable[Skip]) -> list[SkippedPattern]:
    """The patterns of records of different URLs; the patterns with most URLs come first."""
    groups: defaultdict[str, list[Skip]] = defaultdict(list)
    for skip in skips:
        groups[skip.pattern].append(skip)
    patterns = []
    for pattern, group in groups.items():
        size, last = sum(skip.size for skip in group), group[-1]
        evidence = last.downloads, last.hits, last.example, last.example_of
        patterns.append(SkippedPattern(pattern, len(group), size, *evidence))
    return sorted(patterns, key=lambda found: (-found.skipped, found.pattern))


def _read(entry: Any) -> Skip:
    """One record, checked. Raises ValueError if it is none."""
    if not isinstance(entry, dict) or entry.get("action") != SKIP:
        raise ValueError("no record of a skipped request")
    if entry.get("version") != VERSION:
        raise ValueError(f"version {entry.get('version')!r}; this release reads {VERSION}")
    for name, kind in _KINDS.items():
        if type(entry.get(name)) is not kind:
            raise ValueError(f"{name} is missing, or of another kind")
    url = entry["url"]
    if not url.isprintable() or url.split() != [url]:  # It is printed on a line of its own.
        raise ValueError("url is no URL")
    for name in ("downloads", "hits", "size"):
        if not 0 <= entry[name] <= LARGEST:
            raise ValueError(f"{name} is not from 0 to {LARGEST}")
    return Skip(**{name: entry[name] for name in _KINDS})
