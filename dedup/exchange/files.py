"""Exports: a store, or its URL patterns alone, in a file of JSON lines.

The export of a store is refused if it is incomplete:

    {"what": "scrapy-neardup export", "format": 1, "fingerprint": {...}}    from the store's header
    {"exempt": "REQUEST"}                                   never a duplicate; one request a line
    {"pattern": ..., "tally": [...], ...}                   of a URL pattern (entries.py)
    {"url": ..., "request": ..., "seen": ..., ...}          a page (entries.py), oldest first
    {"end": {"exempt": N, "pages": N, "xxh3_128": ...}}     counts, and a checksum of all before

The end has ``tallies``, too, if there are any. An export of URL patterns alone has only their
lines: neither a first line nor an end.

A file may come from an untrusted source, packed by gzip or not. So the length of lines is limited,
types and ranges are checked, and the whole file is read once before its pages are used.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from reprlib import repr as short_repr
from typing import IO, Any

from xxhash import xxh3_128

from dedup.assembly import placed
from dedup.exchange.entries import (
    ExchangeError,
    ExportedPage,
    page_entry,
    read_field,
    read_page,
    read_request,
    read_tally,
    tally_entry,
    wrong,
)
from dedup.files import is_packed
from dedup.store import (
    PROGRESS_STEP,
    Store,
)
from dedup.store.headers import seed_of
from dedup.store.interface import MOST_TALLIES, Progress, counted
from dedup.urls import Tally

MOST_LINE = 1 << 24  # Bytes of a line: a page of five megabytes makes a line of one megabyte.
AS_JSON = "backslashreplace"  # Writes lone surrogates as JSON does.
_CUT_PACKED = (EOFError, zlib.error, gzip.BadGzipFile)
_UNREADABLE = (ValueError, RecursionError)  # Errors of the JSON parser.
WHAT = "scrapy-neardup export"
FORMAT = 1
CHECKSUM = "xxh3_128"
NO_EXPORT = "is no export of a store; `scrapy neardup export` makes one"
NO_TALLIES = (
    "is no list of URL patterns: `scrapy neardup urls export` makes one, and exports of stores are "
    "for `scrapy neardup import`"
)


# The content of a line: a page, a tally, or an exempt request.
Content = ExportedPage | tuple[str, Tally] | bytes


def _has_strings(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(one, str) for one in value.values())


def encode_line(entry: Mapping[str, Any], surrogates: str) -> bytes:
    """A JSON object as a line; ``surrogates`` is the error handler for lone surrogates."""
    return json.dumps(entry, ensure_ascii=False).encode("utf-8", surrogates) + b"\n"


class Lines:
    def __init__(
        self, file: IO[bytes], name: str, missing: str, most_line: int = MOST_LINE
    ) -> None:
        """Read nothing yet of a seekable file, whose name is for messages.

        ``missing`` is the message, after the name, if the file does not begin with an object.
        ``most_line`` is the greatest length of a line, in bytes.
        """
        self._file = file
        self._name = name
        self._missing = missing
        self._most_line = most_line

    def read(self) -> Iterator[tuple[int, bytes]]:
        """All lines from the beginning, each with its number.

        Raises:
            ExchangeError: a line is too long or cut short, or the file is another kind of file.
        """
        packed = is_packed(self._file)
        lines: Any = gzip.GzipFile(fileobj=self._file) if packed else self._file
        number = 0
        try:
            while line := lines.readline(self._most_line + 1):
                number += 1
                if number == 1 and not line.startswith(b"{"):
                    raise self.missing()
                if len(line) > self._most_line:
                    raise self.error(number, f"is longer than {self._most_line} bytes")
                if not line.endswith(b"\n"):
                    raise self.error(number, "is cut short; copy the file again")
                yield number, line
        except _CUT_PACKED as error:
            problem = f"is cut short, or damaged: {error}; copy the file again"
            raise self.error(number + 1, problem) from None

    def entry(self, number: int, line: bytes) -> dict[str, Any]:
        """The JSON object in a line. Raises ExchangeError if there is none."""
        try:
            entry = json.loads(line.decode())
        except _UNREADABLE as error:
            raise self.error(number, f"no JSON: {error}") from None
        if not isinstance(entry, dict):
            raise self.error(number, str(wrong("an entry", entry, "an object")))
        return entry

    def error(self, number: int, problem: str) -> ExchangeError:
        return ExchangeError(f"{self._name}, line {number}: {problem}")

    def missing(self) -> ExchangeError:
        """The error for another kind of file."""
        return ExchangeError(f"{self._name} {self._missing}")


class StoreSource:
    """Pages, marks and tallies of a store, which is only read, each time from the beginning."""

    def __init__(self, store: Store, shown: str) -> None:
        """Read nothing yet; ``shown`` is the store in messages."""
        self._store, self._shown = store, shown
        self.seed = store.seed  # Of its fingerprints; 0 for none.

    def exempt(self) -> Iterator[bytes]:
        """The requests whose pages are marked as never duplicates."""
        return self._store.exempted()

    def tallies(self) -> Iterator[tuple[str, Tally]]:
        """The tallies of URL patterns."""
        return self._store.tallies()

    def pages(self) -> Iterator[ExportedPage]:
        """All pages, oldest first, with their main texts, if these are kept.

        Raises StoreDamagedError if a record is damaged.
        """
        with placed(self._shown):
            for record in self._store.records():
                yield ExportedPage(record, self._store.text(record.page_id) or "")

    def __len__(self) -> int:
        return len(self._store)


def write_export(
    out: IO[bytes],
    source: StoreSource,
    fingerprint: Mapping[str, str],
    progress: Progress | None = None,
    most_line: int = MOST_LINE,
) -> Counter[str]:
    """Write an export; returns the numbers of exempt requests, pages and tallies written.

    ``fingerprint`` are the settings that determine its fingerprints, from a store's header.
    ``progress`` is called now and then with the number of pages written. A line may have
    ``most_line`` bytes.

    Raises:
        ExchangeError: the line of a page is too long.
        OSError: the file cannot be written.
    """
    digest, written = xxh3_128(), Counter[str]()

    def write(entry: Mapping[str, Any], surrogates: str = "replace") -> None:
        line = encode_line(entry, surrogates)
        if len(line) > most_line:
            raise ExchangeError(
                f"{entry.get('url')} makes a line of {len(line)} bytes; {most_line} are allowed"
            )
        digest.update(line)
        out.write(line)

    write({"what": WHAT, "format": FORMAT, "fingerprint": dict(fingerprint)})
    for request in source.exempt():
        write({"exempt": request.hex()})
        written["exempt"] += 1
    for pattern, tally in source.tallies():
        write(tally_entry(pattern, tally), AS_JSON)
        written["tallies"] += 1
    for page in counted(source.pages(), progress):
        write(page_entry(page))
        written["pages"] += 1
    write({"end": _end(written, digest)})
    return written


class ExportFile:
    """An export that is open for reading; call ``check`` before use."""

    def __init__(self, file: IO[bytes], name: str, most_line: int = MOST_LINE) -> None:
        """Read the first line; the other arguments are as for ``Lines``.

        Raises ExchangeError if the file is no export, or has another format.
        """
        self._file = file
        self._name = name
        self._lines = Lines(file, name, NO_EXPORT, most_line)
        self._pages = 0
        self.fingerprint = self._read_header()
        self.seed = seed_of(self.fingerprint)

    def check(self, check_fingerprint: Callable[[bytes], None], progress: Progress) -> None:
        """Read the whole file, and make sure that it is complete and valid.

        ``check_fingerprint`` raises ValueError for an invalid fingerprint. ``progress`` is called
        now and then with the number of octets read from the file.

        Raises ExchangeError if the file is cut, changed or damaged; the message contains the line.
        """
        pages = 0
        for number, content in self._contents():
            if isinstance(content, ExportedPage):
                pages += 1
                try:
                    check_fingerprint(content.record.fingerprint)
                except ValueError as error:
                    raise self._lines.error(number, str(error)) from None
            if number % PROGRESS_STEP == 0:
                progress(self._file.tell())
        self._pages = pages

    def exempt(self) -> Iterator[bytes]:
        """As in ``StoreSource``."""
        return (content for content in self._before_pages() if isinstance(content, bytes))

    def tallies(self) -> Iterator[tuple[str, Tally]]:
        """As in ``StoreSource``."""
        return (content for content in self._before_pages() if isinstance(content, tuple))

    def pages(self) -> Iterator[ExportedPage]:
        """As in ``StoreSource``. Raises ExchangeError if the file was changed since the check."""
        for _, content in self._contents():
            if isinstance(content, ExportedPage):
                yield content

    def __len__(self) -> int:
        return self._pages

    def _read_header(self) -> dict[str, str]:
        first = next(self._lines.read(), None)
        header = self._lines.entry(*first) if first else {}
        if header.get("what") != WHAT:
            raise self._lines.missing()
        try:
            read_field(header, "format", str(FORMAT), lambda value: value == FORMAT)
            made_with = read_field(header, "fingerprint", "an object of strings", _has_strings)
        except ValueError as error:
            raise self._lines.error(1, str(error)) from None
        return dict(made_with)

    def _before_pages(self) -> Iterator[Content]:
        for _, content in self._contents():
            if isinstance(content, ExportedPage):
                return
            yield content

    def _contents(self) -> Iterator[tuple[int, Content]]:
        """The exempt requests and tallies, then the pages, each with its line number."""
        digest, read = xxh3_128(), Counter[str]()
        lines = self._lines.read()
        for number, line in lines:
            entry = self._lines.entry(number, line)
            if "end" in entry:
                end, counts = entry["end"], _end(read, digest)
                if end != counts:
                    problem = f"this line says {short_repr(end)}, and there is {counts}"
                    message = f"the file was changed: {problem}; copy it again"
                    raise self._lines.error(number, message)
                if next(lines, None) is not None:
                    raise self._lines.error(number + 1, "stands after the end of the export")
                return
            digest.update(line)
            if number == 1:
                continue
            content = self._content(number, entry)
            if isinstance(content, ExportedPage):
                read["pages"] += 1
            elif read["pages"]:
                raise self._lines.error(number, "what is no page stands after the first page")
            elif isinstance(content, tuple):
                read["tallies"] += 1
            else:
                read["exempt"] += 1
            yield number, content
        raise ExchangeError(f"{self._name} is cut short: its last line is missing; copy it again")

    def _content(self, number: int, entry: dict[str, Any]) -> Content:
        try:
            if "pattern" in entry:
                return read_tally(entry)
            return read_request(entry, "exempt") if "exempt" in entry else read_page(entry)
        except ValueError as error:
            raise self._lines.error(number, str(error)) from None


def _end(counts: Counter[str], digest: xxh3_128) -> dict[str, Any]:
    """The content of the last line, after lines of a checksum."""
    names = ("exempt", "pages", *(["tallies"] if counts["tallies"] else []))
    return {name: counts[name] for name in names} | {CHECKSUM: digest.hexdigest()}


def write_tallies(out: IO[bytes], tallies: Iterable[tuple[str, Tally]]) -> int:
    """Write tallies; returns how many. Raises OSError if the file cannot be written."""
    count = 0
    for pattern, tally in tallies:
        out.write(encode_line(tally_entry(pattern, tally), AS_JSON))
        count += 1
    return count


def read_tallies(
    file: IO[bytes], name: str, *, most: int = MOST_TALLIES, most_line: int = MOST_LINE
) -> dict[str, Tally]:
    """Read the whole file; the tallies of a pattern that it has several times are added up.

    It may have ``most`` patterns. The other arguments are as for ``Lines``.

    Raises ExchangeError if a line is no tally, or there are too many patterns.
    """
    found: dict[str, Tally] = {}
    lines = Lines(file, name, NO_TALLIES, most_line)
    for number, line in lines.read():
        entry = lines.entry(number, line)
        if number == 1 and "pattern" not in entry:
            raise lines.missing()
        try:
            pattern, tally = read_tally(entry)
        except ValueError as error:
            raise lines.error(number, str(error)) from None
        found[pattern] = found.get(pattern, Tally()).plus(tally)
        if len(found) > most:
            raise lines.error(number, f"is one pattern too many: a store keeps {most}")
    return found
