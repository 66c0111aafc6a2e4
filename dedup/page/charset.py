"""Decode the bytes of a page as browsers do.

The order is that of the WHATWG: byte order mark, HTTP header, <meta> in the page's head. Labels
mean the same as in browsers: gb2312 is GB18030, and UTF-16 in a <meta> is UTF-8. Unlike the WHATWG
rules, a label is ignored if the bytes contradict it:

- Valid UTF-8 beyond ASCII is UTF-8, even against a <meta>: converted or saved pages keep an old
  <meta>. It is UTF-8 even against the header, if the bytes are too many for chance.
- If most bytes beyond ASCII are invalid UTF-8, the page is not UTF-8.
- In UTF-16 each tag has a NUL beside each character. That tells the order of the octets, whatever
  the label says. A page with fewer NUL than tags is not in UTF-16.
- ASCII with escapes of ISO-2022-JP is ISO-2022-JP, if all of it is valid and a switch back to ASCII
  follows.

A page without any label is UTF-8 if its bytes are valid. Otherwise the encoding is guessed from the
first kilobytes of text beyond ASCII.
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

GUESS_BYTES = 1 << 12  # More take longer, and are guessed no better.
SEARCHED_BYTES = 1 << 20  # The part of a page that is searched for text beyond ASCII.
FEW_BYTES = 12  # Fewer bytes beyond ASCII (four ideographs) may be valid UTF-8 by chance.
MOST_STRAY = 24  # Invalid bytes; a page in UTF-8 has fewer, or most of its bytes are valid.
FALLBACK = "cp1252"
_GUESSING = 8e-6  # Seconds per byte to guess the encoding.
_SEARCHING = 3e-7  # Seconds per byte to search, in the worst case: each second byte ends a run.
_DECODING = 6e-8  # Seconds per byte to decode, in the worst case: each byte is an error.
_UTF8 = "utf-8"
_ASCII = bytes(range(128))
_JAPANESE = "iso2022_jp"  # All bytes are ASCII; words stand between two escape sequences.
_ESCAPE = b"\x1b"
_ESCAPES, _BACK = (b"\x1b$B", b"\x1b$@"), b"\x1b("
# Codecs that only Python has; punycode takes quadratic time.
_OF_PYTHON = frozenset(("punycode", "unicode-escape", "raw-unicode-escape"))
_CLOSING_TAG = b"</"
_MARKUP = b'<p class="a">+1</p>'
_RUN = re.compile(rb"[^<>\n]+")
_LONG_RUN = re.compile(rb"[a-zA-Z]{100,}")  # chardet takes quadratic time for such a run.


def decode_html(body: bytes, content_type: str | None = None) -> str:
    """Decode a page. Never raises; undecodable bytes become U+FFFD.

    ``body`` is the page as fetched, after content decoding (gzip and so on).
    """
    return _decode(body, page_encoding(body, content_type))


def read_body(body: bytes, content_type: str | None = None) -> str | bytes:
    """Like ``decode_html``, but a page in UTF-8 stays bytes, because extractors read UTF-8."""
    encoding, is_utf8 = _find_encoding(body, content_type)
    if is_utf8:
        return body.removeprefix(codecs.BOM_UTF8)
    return _decode(body, encoding)


def _decode(body: bytes, encoding: str) -> str:
    need(_DECODING * len(body))
    return html_to_unicode(f"charset={encoding}", body)[1]


def page_encoding(body: bytes, content_type: str | None) -> str:
    """The name of a page's encoding; arguments as for ``decode_html``."""
    return _find_encoding(body, content_type)[0]


def _find_encoding(body: bytes, content_type: str | None) -> tuple[str, bool]:
    """The encoding of a page, and whether the page is certainly valid UTF-8."""
    if marked := read_bom(body)[0]:
        return marked, marked == _UTF8 and native.is_utf8(body)
    named = http_content_type_encoding(content_type)
    is_ascii = body.isascii()
    if is_ascii and _has_escapes(body):
        return _JAPANESE, False
    if is_ascii or not native.is_utf8(body):
        named = _supported(body, (named, _encoding_in_page(body))) or guess_encoding(body)
        return named, named == _UTF8 and is_ascii
    if named is None or named == _UTF8 or len(body.translate(None, _ASCII)) >= FEW_BYTES:
        return _UTF8, True
    return _read_label(named, body) or _UTF8, False


def _supported(body: bytes, labels: Iterable[str | None]) -> str | None:
    """The first label that fits the bytes of a page; None if no label fits."""
    may_be_utf8 = body.isascii() or not _is_mostly_broken(body)
    for label in filter(None, labels):
        if (encoding := _read_label(label, body)) and (encoding != _UTF8 or may_be_utf8):
            return encoding
    return None


def _read_label(label: str, body: bytes) -> str:
    """The encoding that a label means; empty if it is none of text, or not that of the page."""
    if label.startswith("utf-16"):
        return _order_of(body)
    return label if _is_of_text(label) else ""


def _order_of(body: bytes) -> str:
    """The encoding of a page labelled UTF-16, without a byte order mark; empty if it is another."""
    first, second = (body[start::2].count(0) for start in (0, 1))
    if max(first, second) <= body.count(_CLOSING_TAG):  # In UTF-16, a NUL stands between the two.
        return ""
    return "utf-16-be" if first > second else "utf-16-le"


def _has_escapes(body: bytes) -> bool:
    """Whether ASCII bytes are ISO-2022-JP: they decode, and they switch back to ASCII.

    Other text between two escapes fails to decode at its first space.
    """
    if _ESCAPE not in body:  # A search for one byte is much faster.
        return False
    if not any(escape in body for escape in _ESCAPES) or _BACK not in body:
        return False
    need(_DECODING * len(body))
    try:
        body.decode(_JAPANESE)
    except UnicodeDecodeError:
        return False
    return True


def _is_mostly_broken(body: bytes) -> bool:
    """Whether most bytes beyond ASCII, and ``MOST_STRAY`` or more, are invalid UTF-8."""
    need(_DECODING * len(body))
    broken = len(body) - len(body.decode(_UTF8, "ignore").encode())
    return broken >= MOST_STRAY and 2 * broken > len(body.translate(None, _ASCII))


def _is_of_text(encoding: str) -> bool:
    """Whether markup in an encoding is ASCII, as in all that browsers read beside UTF-16.

    False for labels of Python only (hex, idna), for UTF-32, and for EBCDIC (cp037): a browser reads
    such a page in another encoding, and shows other signs.
    """
    try:
        is_ascii = _MARKUP.decode(encoding, "replace") == _MARKUP.decode()
    except (LookupError, UnicodeError):
        return False
    return is_ascii and codecs.lookup(encoding).name not in _OF_PYTHON


def _encoding_in_page(body: bytes) -> str | None:
    """The encoding in the page's <meta>.

    UTF-16 and UTF-32 mean UTF-8 here: a page in those could not be searched for its <meta>.
    """
    named = html_body_declared_encoding(body)
    return "utf-8" if named and named.startswith(("utf-16", "utf-32")) else named


def guess_encoding(body: bytes) -> str:
    """Guess the encoding of a page without any label."""
    if native.is_utf8(body):
        return "utf-8"
    need(_SEARCHING * min(len(body), SEARCHED_BYTES))
    text = _beyond_ascii(body)
    need(_GUESSING * len(text))
    import chardet  # noqa: PLC0415  (slow to import; few pages need it)

    guess = chardet.detect(text)["encoding"]
    return (resolve_encoding(guess) if guess else None) or FALLBACK


def _beyond_ascii(body: bytes) -> bytes:
    """The first runs of text with bytes beyond ASCII. Only these tell one encoding from another."""
    runs, size = [], 0
    for run in _RUN.finditer(body, 0, SEARCHED_BYTES):
        if size >= GUESS_BYTES:
            break
        if not run[0].isascii():
            runs.append(_LONG_RUN.sub(b"", run[0])[:GUESS_BYTES])
            size += len(runs[-1]) + 1
    return b"\n".join(runs)[:GUESS_BYTES]
