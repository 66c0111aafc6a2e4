"""Gets a page for an action: fetches it from the web, or reads it from a file."""

from __future__ import annotations

import sys
import time
import zlib
from http.client import HTTPException
from pathlib import Path
from urllib.request import Request as UrlRequest
from urllib.request import urlopen

from scrapy import Request

from dedup.config import Config
from dedup.page.limits import is_no_page
from dedup.scrapy.commands.context import STREAM, CommandError, UsageError

TIMEOUT = 30.0  # Seconds to fetch a page.
STEP = 1 << 16  # Largest number of octets per read.
CUT = "its end is missing"


def is_url(target: str) -> bool:
    """Whether a page is named by its URL, and not by a file."""
    return target.lower().startswith(("http://", "https://"))


def request_of(url: str) -> Request:
    """A request for a URL, which it has in the form of a crawl."""
    try:
        return Request(url)
    except ValueError as error:
        raise UsageError(f"{url} is no URL: {error}") from None


def read_file(target: str) -> bytes:
    """Read a file, or standard input for ``STREAM``."""
    try:
        return sys.stdin.buffer.read() if target == STREAM else Path(target).read_bytes()
    except OSError as error:
        is_none = isinstance(error, FileNotFoundError)
        hint = "; URLs begin with http:// or https://" if is_none else ""
        raise CommandError(f"{target} cannot be read: {error.strerror}{hint}") from None


def fetch(config: Config, url: str, timeout: float = TIMEOUT) -> tuple[bytes, str | None, str]:
    """Fetch a URL within some seconds: body, Content-Type or None, and URL after redirects."""
    asked = request_of(url).url
    request = UrlRequest(asked, headers={"User-Agent": "scrapy-neardup"})  # noqa: S310  (http only)
    until = time.monotonic() + timeout
    body = bytearray()
    try:
        with urlopen(request, timeout=timeout) as answer:  # noqa: S310
            length = answer.length  # None if the server does not tell it.
            while len(body) <= config.max_body and (some := answer.read1(STEP)):
                body += some
                if time.monotonic() > until:
                    raise CommandError(f"{url} cannot be fetched within {timeout:g} s")
            headers, place = answer.headers, answer.url
        if length is not None and len(body) < min(length, config.max_body + 1):
            raise CommandError(f"{url} cannot be fetched: {CUT}")
        whole = _unpack(bytes(body), headers.get("Content-Encoding", ""), config.max_body)
    except (OSError, HTTPException, ValueError, zlib.error) as error:
        raise CommandError(f"{url} cannot be fetched: {error}") from None
    if len(whole) > config.max_body:
        raise CommandError(f"{url} is larger than NEARDUP_MAX_BODY = {config.max_body} bytes")
    return whole, headers.get("Content-Type"), place


def _unpack(body: bytes, coding: str, most: int) -> bytes:
    """Decompress a body that a server compressed although this was not requested.

    A compressed body is read up to one octet more than ``most``, to show that it is too large.

    Raises:
        ValueError: the coding is unknown, or the end of the body is missing.
        zlib.error: the body is not in this coding.
    """
    coding = coding.strip().lower()
    if coding in ("", "identity"):
        return body
    if coding not in ("gzip", "x-gzip", "deflate"):
        raise ValueError(f"it is compressed as {coding!r}, though not asked to be")
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32)
    whole = unpacker.decompress(body, most + 1)
    if not unpacker.eof and len(whole) <= most:
        raise ValueError(CUT)
    return whole


def check_page(body: bytes, target: str) -> bytes:
    """Return a body if it is a page or a text; refuse others."""
    if is_no_page(body):
        raise CommandError(f"{target} is neither HTML nor plain text")
    return body
