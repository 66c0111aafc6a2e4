"""The main text of a page as it is kept: compressed, and of a bounded length.

page -> main text -> pack_text -> store and drop log -> unpack_text -> differences

Written by ISA-L's deflate where that is installed, in a third of the time; read by zlib.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable

try:
    from isal.isal_zlib import compress
except ImportError:
    from zlib import compress

MOST_BYTES = 1 << 16  # of a text, as UTF-8
_LEVEL = 1  # a third of the time of the default, a tenth more octets


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
