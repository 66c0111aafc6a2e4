"""The text of a page as it is kept: title, <h1> and main text, compressed, of a bounded length.

page -> main text -> lines_of -> pack_text -> store and drop log -> unpack_text -> KeptText

The first line is the title and the second the <h1>, empty where it is the same or there is none.

Written by ISA-L's deflate where that is installed, in a third of the time; read by zlib.
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

VERSION = 2  # of the form of a kept text
MOST_BYTES = 1 << 16  # of a text, as UTF-8
_LEVEL = 1  # a third of the time of the default, a tenth more octets


class KeptText(NamedTuple):
    """A kept text, taken apart; ``body`` has one paragraph a line."""

    title: str
    h1: str
    body: str

    @classmethod
    def read(cls, text: str) -> KeptText:
        """Take apart what ``unpack_text`` gives."""
        title, _, rest = text.partition("\n")
        h1, _, body = rest.partition("\n")
        return cls(title, h1, body)

    @property
    def shown(self) -> str:
        """The text for people: title, <h1> and paragraphs, one a line, no empty line first."""
        return "\n".join(part for part in self if part)


def lines_of(title: str, h1: str, paragraphs: Iterable[Paragraph]) -> Iterator[str]:
    """The lines of a page's text, to be packed."""
    title, h1 = (" ".join(line[:MOST_TITLE].split()) for line in (title, h1))
    yield title
    yield h1 if h1 != title else ""
    for paragraph in paragraphs:
        yield paragraph.text


def pack_text(paragraphs: Iterable[str]) -> bytes:
    """Compress paragraphs, one a line, as far as whole ones fit into ``MOST_BYTES``.

    A first paragraph that is longer than that is cut.
    """
    text = "\n".join(paragraphs).encode("utf-8", "replace")
    if len(text) > MOST_BYTES:
        text, line_end, rest = text[: MOST_BYTES + 1].rpartition(b"\n")
        if not line_end:
            text = rest[:MOST_BYTES].decode("utf-8", "ignore").encode()  # no half a character
    return compress(text, _LEVEL)


def unpack_text(packed: bytes) -> str:
    """The text again; never more than ``MOST_BYTES`` of it, whatever the bytes are.

    Raises:
        ValueError: these bytes are no packed text.
    """
    try:
        text = zlib.decompressobj().decompress(packed, MOST_BYTES)
    except zlib.error as error:
        raise ValueError(f"not a packed text: {error}") from None
    return text.decode("utf-8", "replace")
