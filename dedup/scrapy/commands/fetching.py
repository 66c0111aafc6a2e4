"""A page for an action: fetched from the web as a crawl would, or read from a file."""

from __future__ import annotations

import sys
import time
import zlib
from http.client import HTTPException
from pathlib import Path
from urllib.request import Request as UrlRequest
from urllib.request import urlopen

from dedup.config import Config
from dedup.page.limits import is_no_page
from dedup.scrapy.commands.context import CommandError

TIMEOUT = 30.0  # seconds to fetch a page
STEP = 1 << 16  # octets to a read, at the most
STDIN = "-"


def read_file(target: str) -> bytes:
    """The content of a file, or of standard input."""
    try:
        return sys.stdin.buffer.read() if target == STDIN else Path(target).read_bytes()
    except OSError as error:
        only = "; only http and https are fetched" if "://" in target else ""
        raise CommandError(f"{target} cannot be read: {error.strerror}{only}") from None


def fetch(config: Config, url: str, timeout: float = TIMEOUT) -> tuple[bytes, str | None, str]:
    """The body of a page, its Content-Type, and the URL that it was redirected to.

    Args:
        config: has the largest body that is read.
        url: of http or https.
        timeout: seconds, for all of it.

    Raises:
        CommandError: it cannot be fetched, and why.
    """
    request = UrlRequest(url, headers={"User-Agent": "scrapy-neardup"})  # noqa: S310  (http only)
    until = time.monotonic() + timeout
    body = bytearray()
    try:
        with urlopen(request, timeout=timeout) as answer:  # noqa: S310
            while len(body) <= config.max_body and (some := answer.read1(STEP)):
                body += some
                if time.monotonic() > until:
                    raise CommandError(f"{url} cannot be fetched within {timeout:g} s")
            headers, place = answer.headers, answer.url
        whole = _unpack(bytes(body), headers.get("Content-Encoding", ""), config.max_body)
    except (OSError, HTTPException, ValueError, zlib.error) as error:
        raise CommandError(f"{url} cannot be fetched: {error}") from None
    if len(whole) > config.max_body:
        raise CommandError(f"{url} is larger than NEARDUP_MAX_BODY = {config.max_body} bytes")
    return whole, headers.get("Content-Type"), place


def _unpack(body: bytes, coding: str, most: int) -> bytes:
    """A body without the coding that a server gave it unasked; not much more than ``most`` of it.

    Raises:
        ValueError: another coding.
        zlib.error: the body is not in it.
    """
    coding = coding.strip().lower()
    if coding in ("", "identity"):
        return body
    if coding not in ("gzip", "x-gzip", "deflate"):
        raise ValueError(f"it is compressed as {coding!r}, though not asked to be")
    return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(body, most + 1)


def check_page(body: bytes, target: str) -> bytes:
    """A body, where it is a page or a text."""
    if is_no_page(body):
        raise CommandError(f"{target} is neither HTML nor plain text")
    return body
