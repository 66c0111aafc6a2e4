"""One record of a stored collection: as a line of JSON, and what would have requested it."""

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
    """One record of a collection.

    Attributes:
        place: in its file.
        fields: its content; None where it cannot be read.
        line: the record as it stands in the file, of JSON lines.
        content_type: header of a page that is octets.
    """

    place: int
    fields: Mapping[str, Any] | None
    line: bytes = b""
    content_type: str | None = None

    def as_json(self, pages: Collection[str]) -> str | None:
        """The record as one line of JSON; None where it cannot be read.

        Args:
            pages: the fields whose octets are decoded as HTML where they are a page; all others
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
    """A value as JSON has it: there is neither NaN nor infinity, nor are there octets."""
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
    """The digest that Scrapy gives a plain request of a URL; one of its own where there is none."""
    data: dict[str, Any] = {"page": page}
    if url:
        with suppress(ValueError):  # no URL at all
            data = {"method": "GET", "url": canonicalize_url(url), "body": "", "headers": {}}
    return hashlib.sha1(json.dumps(data, sort_keys=True).encode(), usedforsecurity=False).digest()
