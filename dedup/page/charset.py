"""Bytes to text as browsers do it.

The order is the WHATWG's: byte order mark, HTTP header, <meta> in the page's head, and the label
names are read as browsers read them (gb2312 is GB18030). A page that declares nothing is UTF-8
where its bytes are valid UTF-8; else its encoding is guessed from its first kilobytes.
"""

from __future__ import annotations

import re

import chardet
from w3lib.encoding import (
    html_body_declared_encoding,
    html_to_unicode,
    http_content_type_encoding,
    read_bom,
    resolve_encoding,
)

GUESS_BYTES = 1 << 16
FALLBACK = "cp1252"
_LONG_RUN = re.compile(rb"[a-zA-Z]{100,}")  # chardet takes time by the square of such a run


def decode_html(body: bytes, content_type: str | None = None) -> str:
    """Decode a page. Never raises; undecodable bytes become U+FFFD.

    Args:
        body: the page as fetched, after content decoding (gzip and so on).
        content_type: the Content-Type header, if there was one.
    """
    try:
        _, text = html_to_unicode(content_type, body, auto_detect_fun=guess_encoding)
    except (LookupError, UnicodeError):  # a label that only Python knows: hex, idna, undefined
        text = body.decode(guess_encoding(body), "replace")
    return text


def declares_encoding(body: bytes, content_type: str | None) -> bool:
    """Whether a page names its encoding: then a response is decoded as ``decode_html`` does it."""
    return bool(
        read_bom(body)[0]
        or http_content_type_encoding(content_type)
        or html_body_declared_encoding(body)
    )


def guess_encoding(body: bytes) -> str:
    """Name the encoding of a page that declares none."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        guess = chardet.detect(_LONG_RUN.sub(b"", body[:GUESS_BYTES]))["encoding"]
        return (resolve_encoding(guess) if guess else None) or FALLBACK
    return "utf-8"
