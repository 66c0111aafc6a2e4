"""One record of a stored collection: its form as a line of JSON, and the digest of its request."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import isfinite
from typing import Any

from w3lib.url import canonicalize_url

from dedup.page import decode_html
from dedup.page.limits import is_no_page


@dataclass(frozen=True, slots=True)
class Stored:
    """One record of a collection."""

    place: int  # Its place in the file.
    fields: Mapping[str, Any] | None  # Its content; None if it cannot be read.
    line: bytes = b""  # The record as in its file of JSON lines; empty for other formats.
    content_type: str | None = None  # The Content-Type header of a page in bytes.

    def as_json(self, pages: Collection[str]) -> str | None:
        """The record as one line of JSON; None if it cannot be read.

        In the fields ``pages``, bytes are decoded as HTML if they are a page. All other bytes
        become Base64.
        """
        if self.fields is None:
            return None
        if self.line:
            return self.line.decode("utf-8-sig", "replace")
        fields = {
            name: decode_html(value, self.content_type)
            if name in pages and isinstance(value, bytes) and not is_no_page(value)
            else _as_json(value)
            for name, value in self.fields.items()
        }
        return json.dumps(fields, ensure_ascii=False, default=str)


def _as_json(value: Any) -> Any:
    """A value in a form for JSON: bytes become Base64; NaN and infinity become None."""
    if isinstance(value, bytes):
        return b64encode(value).decode()
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {name: _as_json(of) for name, of in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(of) for of in value]
    return value


def request_of(url: str, page: int) -> bytes:
    """Scrapy's digest of a plain request for a URL; without a URL, a digest of the page number."""
    data: dict[str, Any] = {"page": page}
    if url:
        with suppress(ValueError):  # Not a valid URL.
            data = {"method": "GET", "url": canonicalize_url(url), "body": "", "headers": {}}
    return hashlib.sha1(json.dumps(data, sort_keys=True).encode(), usedforsecurity=False).digest()
