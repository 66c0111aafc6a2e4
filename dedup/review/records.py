"""Read drop logs: one small record per verdict, so that a hundred thousand fit into memory.

A record does not contain the dropped item and the texts; ``read_entry`` reads them from the log.
They are at the end of a line, after a key that cannot occur in an earlier JSON string. So the start
of the line is read without them. ``Choice`` selects records.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from base64 import b64decode
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import IO, Any

from dedup.page.kept_text import unpack_text
from dedup.scope import host_of
from dedup.verdict import Relation

VERSION = 3
READABLE = (1, 2, 3)
RECORD = b'{"version": '  # The start of each line.
PACKED = ".gz"
MOST_LINE = 1 << 27  # Bytes of a line: a packed log may come from anywhere, and unpack to a lot.
PIECE = 1 << 20  # Bytes that are read at a time, if they are not kept.
LARGEST = (1 << 63) - 1  # Largest page number, and largest number of words.
MOST_APART = 65_536  # Largest distance; no fingerprint has so many bits or hashes.
YEARS = range(1990, 2200)  # Valid years of a record's time.
KEPT = "keep"  # The action on a page that is related to another page, but was exported.
_WITH_TITLES = 3  # Since this version a kept text begins with title and <h1>.
_BULK = b', "item_type": '  # The rest of the line, from here on, is read only on demand.
_UNREADABLE = (EOFError, zlib.error, gzip.BadGzipFile)  # A compressed log is cut or damaged.

_AGO = re.compile(r"(\d+)\s*([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


@dataclass(frozen=True, slots=True)
class Drop:
    """One record of a drop log, without its item and texts; docs/drop-log.md explains the fields.

    ``log`` and ``offset`` (bytes from the start of the uncompressed file) identify it.
    """

    log: Path
    offset: int
    time: datetime
    spider: str
    action: str
    relation: Relation
    url: str
    of: str
    of_page_id: int
    similarity: float
    distance: int | None
    containment: float | None
    same_host: bool
    tokens: int
    of_tokens: int
    new: float | None = None
    new_words: int | None = None
    confirmed: bool = False
    items_dropped: int = 1
    items_given: int = 1
    request: str = ""
    job: str = ""
    crawl: str = ""
    of_first: str = ""
    plain: str = ""
    by_items: bool = False

    @property
    def page(self) -> str:
        """The identity of the dropped page: its request; in version 1, its URL."""
        return self.request or self.url

    @property
    def name(self) -> str:
        """The name of the dropped page, for people: its URL; without a URL, its request."""
        return self.url or f"(no URL) {self.request}"

    @property
    def original(self) -> str:
        """The URL under which the repeated page was exported."""
        return self.of_first or self.of

    @property
    def of_name(self) -> str:
        """The name of the repeated page, for people: its URL; without a URL, its number."""
        return self.of or nameless(self.of_page_id)

    @property
    def original_name(self) -> str:
        """The name under which the repeated page was exported, for people; it never changes."""
        return self.original or nameless(self.of_page_id)


@dataclass(frozen=True, slots=True)
class Damage:
    """A line of a drop log that cannot be read, and the reason."""

    log: Path
    line: int
    problem: str


def nameless(page_id: int) -> str:
    """The name, for people, of a page without a URL."""
    return f"(no URL) page {page_id}"


def now() -> str:
    """The time, for a line of a log."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def read_time(text: str) -> datetime:
    """Read a time in ISO 8601; without a zone it is UTC.

    Raises ValueError if the text is no time.
    """
    time = datetime.fromisoformat(text)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def read_drops(path: Path) -> Iterator[Drop | Damage]:
    """Read a drop log line by line; yields a Damage for a damaged line."""
    offset, number = 0, 0
    with _open(path) as lines:
        try:
            while line := lines.readline(MOST_LINE + 1):
                number += 1
                start, offset = offset, offset + len(line)
                if len(line) <= MOST_LINE:
                    yield _read(path, number, start, line)
                    continue
                while line and not line.endswith(b"\n"):
                    line = lines.readline(PIECE)
                    offset += len(line)
                yield Damage(path, number, f"longer than {MOST_LINE:,} bytes")
        except EOFError:
            cut = "cut short: a crawl still writes the log, or it was killed"
            yield Damage(path, number + 1, cut)
        except _UNREADABLE as error:
            yield Damage(path, number + 1, f"damaged, or no gzip: {error}")


def read_entry(drop: Drop) -> dict[str, Any]:
    """The whole record of a drop, with items and texts.

    Raises:
        OSError: the log cannot be opened.
        ValueError: the log was changed since.
    """
    return next(read_entries([drop]))


def read_entries(drops: Iterable[Drop]) -> Iterator[dict[str, Any]]:
    """The whole records of many drops, in their order; fastest in the order of the logs.

    Raises:
        OSError: a log cannot be opened.
        ValueError: a log was changed since.
    """
    for log, group in groupby(drops, lambda drop: drop.log):
        with _open(log) as lines:
            for drop in group:
                try:
                    lines.seek(drop.offset)
                    entry = json.loads(lines.readline(MOST_LINE))
                except _UNREADABLE as error:
                    raise ValueError(f"{log} is cut short: {error}") from None
                except (ValueError, RecursionError) as error:
                    number = _count_lines(lines, drop.offset) + 1
                    told = f"the record of {drop.url} is damaged: {error}"
                    raise ValueError(f"{log}, line {number}: {told}; remove the line") from None
                if not isinstance(entry, dict) or entry.get("url") != drop.url:
                    raise ValueError(f"{log} was changed: no record of {drop.url} where it was")
                yield entry


def items_of(entry: dict[str, Any]) -> list[tuple[str, Any]]:
    """The items dropped with a page: class name and fields of each item.

    Raises ValueError if the record has no items, or damaged ones.
    """
    more = entry.get("more_items", [])
    if "item" not in entry or not isinstance(more, list):
        raise ValueError("no item")
    items = [(str(entry.get("item_type")), entry["item"])]
    for one in more:
        if not isinstance(one, list) or len(one) != 2:
            raise ValueError(f"{one!r} is no item")
        items.append((str(one[0]), one[1]))
    return items


def text_of(entry: dict[str, Any]) -> str | None:
    """The kept text of the dropped page; None if the record has none.

    Raises ValueError if the text is damaged.
    """
    packed = entry.get("text")
    if not isinstance(packed, str | None):
        raise ValueError(f"not a packed text: {packed!r}")  # noqa: TRY004  (a damaged value)
    if not packed:
        return None
    text = unpack_text(b64decode(packed))
    return text if entry.get("version", 0) >= _WITH_TITLES else f"\n\n{text}"


def passages_of(entry: dict[str, Any]) -> list[str]:
    """The new passages of the dropped page, as far as they are in the record."""
    passages = entry.get("passages")
    return [str(passage) for passage in passages] if isinstance(passages, list) else []


def _open(path: Path) -> gzip.GzipFile | IO[bytes]:
    return gzip.open(path) if path.suffix == PACKED else path.open("rb")


def _count_lines(lines: gzip.GzipFile | IO[bytes], end: int) -> int:
    """The number of line ends before a place."""
    lines.seek(0)
    starts = range(0, end, PIECE)
    return sum(lines.read(min(PIECE, end - start)).count(b"\n") for start in starts)


def _read(path: Path, number: int, offset: int, line: bytes) -> Drop | Damage:
    head, found, _ = line.partition(_BULK)
    is_whole = line.endswith(b"}\n")  # Else the whole line is parsed, as a check.
    try:
        entry = json.loads(f"{head.decode()}}}" if found and is_whole else line)
        if not isinstance(entry, dict):
            return Damage(path, number, "no record: it is no JSON object")
        if entry["version"] not in READABLE:
            return Damage(path, number, f"version {entry['version']}; this one reads {READABLE}")
        return Drop(
            log=path,
            offset=offset,
            time=_moment(entry["time"]),
            spider=_text(entry["spider"]),
            action=_text(entry["action"]),
            relation=_relation(entry),
            url=_text(entry["url"]),
            of=_text(entry["of"]),
            of_page_id=_whole(entry["of_page_id"]),
            similarity=_share(entry["similarity"]),
            distance=None if entry["distance"] is None else _whole(entry["distance"], MOST_APART),
            containment=None if entry["containment"] is None else _share(entry["containment"]),
            same_host=bool(entry["same_host"]),
            tokens=_whole(entry["tokens"]),
            of_tokens=_whole(entry["of_tokens"]),
            new=None if entry.get("new") is None else _share(entry["new"]),
            new_words=None if entry.get("new_words") is None else _whole(entry["new_words"]),
            confirmed=bool(entry.get("confirmed")),
            items_dropped=_whole(entry.get("items_dropped", 1)),
            items_given=_whole(entry.get("items_given", 1)),
            request=_text(entry.get("request", "")),
            job=_text(entry.get("job", "")),
            crawl=_text(entry.get("crawl", "")),
            of_first=_text(entry.get("of_first", "")),
            plain=_text(entry.get("plain", "")),
            by_items=entry.get("by_items") is True,
        )
    except KeyError as error:
        return Damage(path, number, f"no field {error}; not a drop log of this extension")
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        return Damage(path, number, f"no record: {type(error).__name__}: {error}")


def _relation(entry: dict[str, Any]) -> Relation:
    if "relation" in entry:
        return Relation(_text(entry["relation"]))
    # Logs of version 0.1.0 have one of two reasons.
    return Relation.EQUAL if entry.get("reason") == "equal-text" else Relation.EDITED


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _whole(value: object, most: int = LARGEST) -> int:
    number = int(str(value))
    if not 0 <= number <= most:
        raise ValueError(f"{value} is not from 0 to {most}")
    return number


def _share(value: object) -> float:
    share = float(str(value))
    if not 0 <= share <= 1:
        raise ValueError(f"{value} is not from 0 to 1")
    return share


def _moment(text: str) -> datetime:
    """A time in UTC, of a year in ``YEARS``."""
    moment = read_time(text)
    if moment.year not in YEARS:
        raise ValueError(f"{text} is not in the years {YEARS[0]} to {YEARS[-1]}")
    return moment.astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Choice:
    """The conditions for a drop; by default all drops fit."""

    # The host of the dropped page, or of the page it repeats, is one of these.
    hosts: Collection[str] = ()
    urls: Collection[str] = ()  # The dropped page is one of these.
    of: Collection[str] = ()  # The repeated page is one of these.
    relation: str = ""  # The name of the relation of the two pages.
    action: str = ""  # ``drop`` or ``tag``.
    spiders: Collection[str] = ()  # Its spider is one of these.
    # Bounds of the similarity, 0 to 1, both inclusive.
    least: float = 0.0
    most: float = 1.0
    # Bounds of the time of the verdict; ``until`` is exclusive.
    since: datetime | None = None
    until: datetime | None = None

    def takes(self, drop: Drop) -> bool:
        """Whether a drop fits all conditions."""
        return (
            (not self.urls or drop.url in self.urls)
            and (not self.of or drop.of in self.of or drop.original in self.of)
            and self.relation in ("", drop.relation)
            and self.action in ("", drop.action)
            and (not self.spiders or drop.spider in self.spiders)
            and self.least <= drop.similarity <= self.most
            and (self.since is None or drop.time >= self.since)
            and (self.until is None or drop.time < self.until)
            and (
                not self.hosts
                or any(host_of(url) in self.hosts for url in (drop.url, drop.of, drop.original))
            )
        )


def read_moment(text: str, now: datetime) -> datetime:
    """A time in a form for people: ISO 8601 (UTC without a zone), or 2d, 3h, 30m before ``now``.

    Raises ValueError if the text has another form.
    """
    if ago := _AGO.fullmatch(text.strip()):
        try:
            return now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        except OverflowError:
            raise ValueError(f"{text!r} is before all time") from None
    try:
        return read_time(text)
    except ValueError:
        raise ValueError(
            f"a time must be like 2026-11-21, 2026-11-21T08:30 or 2d, 3h, 30m; got {text!r}"
        ) from None
