"""Bytes to text as browsers do it.

The order is the WHATWG's: byte order mark, HTTP header, <meta> in the page's head, and the label
names are read as browsers read them (gb2312 is GB18030, and UTF-16 in a <meta> is UTF-8). Unlike
there, a label that bytes contradict does not count. Bytes beyond ASCII that are valid UTF-8 are
that, whatever a <meta> says: pages that were converted, or saved, keep the old one; and whatever
the header says, where they are so many that chance does not make them so. Bytes most of which are
no UTF-8 are not that. A page that declares nothing is UTF-8 or ISO-2022-JP where its bytes are;
else its encoding is guessed from its first kilobytes.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable

from w3lib.encoding import (
    html_body_declared_encoding,
    html_to_unicode,
    http_content_type_encoding,
    read_bom,
    resolve_encoding,
)

from dedup import native
from dedup.page.patience import need

GUESS_BYTES = 1 << 16
FEW_BYTES = 12  # beyond ASCII; fewer may be valid UTF-8 by chance: four ideographs
MOST_STRAY = 24  # broken bytes; a page in UTF-8 has fewer, or most of it is sound
FALLBACK = "cp1252"
_GUESSING = 2.5e-6  # seconds that an octet takes which the encoding is guessed from,
_DECODING = 6e-8  # and one that is decoded, at the worst: if it is an error
_UTF8 = "utf-8"
_ASCII = bytes(range(128))
_JAPANESE = "iso2022_jp"  # all in ASCII: words between an escape and one back
_ESCAPE = b"\x1b"
_ESCAPES, _BACK = (b"\x1b$B", b"\x1b$@"), b"\x1b("
_OF_PYTHON = frozenset(("punycode", "unicode-escape", "raw-unicode-escape"))  # the first: n squared
_LONG_RUN = re.compile(rb"[a-zA-Z]{100,}")  # chardet takes time by the square of such a run


def decode_html(body: bytes, content_type: str | None = None) -> str:
    """Decode a page. Never raises; undecodable bytes become U+FFFD.

    Args:
        body: the page as fetched, after content decoding (gzip and so on).
        content_type: the Content-Type header, if there was one.
    """
    return _decode(body, page_encoding(body, content_type))


def read_body(body: bytes, content_type: str | None = None) -> str | bytes:
    """As ``decode_html``, but a page in UTF-8 stays as it came: readers want it in UTF-8."""
    encoding, is_utf8 = _find_encoding(body, content_type)
    if is_utf8:
        return body.removeprefix(codecs.BOM_UTF8)
    return _decode(body, encoding)


def _decode(body: bytes, encoding: str) -> str:
    need(_DECODING * len(body))
    return html_to_unicode(f"charset={encoding}", body)[1]


def page_encoding(body: bytes, content_type: str | None) -> str:
    """Name the encoding of a page; arguments as of ``decode_html``."""
    return _find_encoding(body, content_type)[0]


def _find_encoding(body: bytes, content_type: str | None) -> tuple[str, bool]:
    """The encoding of a page, and whether it is known to be in valid UTF-8."""
    if marked := read_bom(body)[0]:
        return marked, marked == _UTF8 and native.is_utf8(body)
    named = http_content_type_encoding(content_type)
    is_ascii = body.isascii()
    if is_ascii or not native.is_utf8(body):
        named = _supported(body, (named, _encoding_in_page(body))) or guess_encoding(body)
        return named, named == _UTF8 and is_ascii
    if named is None or named == _UTF8 or _has_many_beyond_ascii(body):
        return _UTF8, True
    return named if _is_of_text(named) else _UTF8, False


def _supported(body: bytes, labels: Iterable[str | None]) -> str | None:
    """The first label of a page that its bytes do not contradict; None for none."""
    may_be_utf8 = body.isascii() or not _is_mostly_broken(body)
    for label in filter(None, labels):
        if _is_of_text(label) and (label != _UTF8 or may_be_utf8):
            return label
    return _JAPANESE if _has_escapes(body) else None


def _has_escapes(body: bytes) -> bool:
    """Whether ASCII is ISO-2022-JP: all of it can be read as that, and it comes back to ASCII."""
    if _ESCAPE not in body or not body.isascii():  # a single octet is found far sooner
        return False
    if not any(escape in body for escape in _ESCAPES) or _BACK not in body:
        return False
    need(_DECODING * len(body))
    try:
        body.decode(_JAPANESE)
    except UnicodeDecodeError:
        return False
    return True


def _has_many_beyond_ascii(body: bytes) -> bool:
    return len(body.translate(None, _ASCII)) >= FEW_BYTES


def _is_mostly_broken(body: bytes) -> bool:
    """Whether most bytes beyond ASCII, and more than a few, are no UTF-8."""
    need(_DECODING * len(body))
    broken = len(body) - len(body.decode(_UTF8, "ignore").encode())
    return broken >= MOST_STRAY and 2 * broken > len(body.translate(None, _ASCII))


def _is_of_text(encoding: str) -> bool:
    """Whether octets can be decoded by it; not by labels that only Python knows: hex, idna."""
    try:
        b"a".decode(encoding, "replace")
    except (LookupError, UnicodeError):
        return False
    return codecs.lookup(encoding).name not in _OF_PYTHON


def _encoding_in_page(body: bytes) -> str | None:
    """What a page says of itself; UTF-16 it cannot be, as its element was read."""
    named = html_body_declared_encoding(body)
    return "utf-8" if named and named.startswith(("utf-16", "utf-32")) else named


def guess_encoding(body: bytes) -> str:
    """Name the encoding of a page that declares none."""
    if native.is_utf8(body):
        return "utf-8"
    need(_GUESSING * min(len(body), GUESS_BYTES))
    import chardet  # noqa: PLC0415  (slow to import, and few pages need it)

    guess = chardet.detect(_LONG_RUN.sub(b"", body[:GUESS_BYTES]))["encoding"]
    return (resolve_encoding(guess) if guess else None) or FALLBACK
