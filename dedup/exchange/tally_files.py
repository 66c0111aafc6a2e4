"""Files of tallies of URL patterns alone: their lines of an export (entries.py), and no others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO

from dedup.exchange.entries import read_tally, tally_entry
from dedup.exchange.lines import AS_JSON, MOST_LINE, Lines, encode_line
from dedup.store.interface import MOST_TALLIES
from dedup.urls import Tally

NO_TALLIES = (
    "is no list of URL patterns: `scrapy neardup urls export` makes one, and exports of stores are "
    "for `scrapy neardup import`"
)


def write_tallies(out: IO[bytes], tallies: Iterable[tuple[str, Tally]]) -> int:
    """Write tallies; returns how many.

    Raises:
        OSError: the file cannot be written.
    """
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

    Raises:
        ExchangeError: a line is no tally, or there are too many patterns.
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
