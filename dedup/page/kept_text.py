"""The kept text of a page: title, <h1> and main text, compressed, of limited length.

page -> main text -> lines_of -> pack_text -> store and drop log -> unpack_text -> KeptText

The first line is the title. The second line is the <h1>; it is empty if the page has no <h1>, or
the same title.

ISA-L compresses the text where it is installed, in a third of the time. zlib reads it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from dedup.page.limits import MOST_TITLE
from dedup.page.paragraphs import Paragraph

try:
    from isal.isal_zlib import compress
except ImportError:
    from zlib import compress

VERSION = 2  # The version of the format.
MOST_BYTES = 1 << 16  # Maximum size of a text, as UTF-8.
_LEAST_WHOLE = 3 * MOST_BYTES // 4
_LEVEL = 1  # Takes a third of the default's time and gives a tenth more bytes.


class KeptText(NamedTuple):
    """The parts of a kept text; ``body`` has one paragraph per line."""

    title: str
    h1: str
    body: str

    @classmethod
    def read(cls, text: str) -> KeptText:
        """Split the result of ``unpack_text`` into its parts."""
        title, _, rest = text.partition("\n")
        h1, _, body = rest.partition("\n")
        return cls(title, h1, body)

    @property
    def shown(self) -> str:
        """The text for people: title, <h1> and paragraphs, one per line; empty parts left out."""
        return "\n".join(part for part in self if part)


def lines_of(title: str, h1: str, paragraphs: Iterable[Paragraph]) -> Iterator[str]:
    """The lines of a page's text for ``pack_text``."""
    title, h1 = (" ".join(line[:MOST_TITLE].split()) for line in (title, h1))
    yield title
    yield h1 if h1 != title else ""
    for paragraph in paragraphs:
        yield paragraph.text


def pack_text(paragraphs: Iterable[str]) -> bytes:
    """Compress paragraphs, one per line: as many whole ones as fit into ``MOST_BYTES``.

    If they are less than ``_LEAST_WHOLE``, the next paragraph is cut, to use the room.
    """
    text = "\n".join(paragraphs).encode("utf-8", "replace")
    if len(text) > MOST_BYTES:
        end = text.rfind(b"\n", 0, MOST_BYTES + 1)
        if end < _LEAST_WHOLE:
            end = len(text[:MOST_BYTES].decode("utf-8", "ignore").encode())  # Drop half characters.
        text = text[:end]
    return compress(text, _LEVEL)


def unpack_text(packed: bytes) -> str:
    """Unpack a text; at most ``MOST_BYTES``, even from hostile bytes.

    Raises ValueError if the bytes are not a packed text.
    """
    try:
        text = zlib.decompressobj().decompress(packed, MOST_BYTES)
    except zlib.error as error:
        raise ValueError(f"not a packed text: {error}") from None
    return text.decode("utf-8", "replace")
