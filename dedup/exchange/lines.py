"""Lines of JSON objects in a file that may come from anywhere, packed by gzip or not.

The length of lines is limited. An error has the name of the file and the number of the line.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from typing import IO, Any

from dedup.exchange.entries import ExchangeError, wrong
from dedup.files import is_packed

MOST_LINE = 1 << 24  # Bytes of a line: a page of five megabytes makes a line of one megabyte.
AS_JSON = "backslashreplace"  # Writes lone surrogates as JSON does.
_CUT_PACKED = (EOFError, zlib.error, gzip.BadGzipFile)
_UNREADABLE = (ValueError, RecursionError)  # Errors of the JSON parser.


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
