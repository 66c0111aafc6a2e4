"""Actions on one page, fetched from the web or read from a file: query, text."""

from __future__ import annotations

import argparse
import sys
import time
import zlib
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.request import Request as UrlRequest
from urllib.request import urlopen

from scrapy import Request

from dedup.assembly import make_fingerprinter, make_index, seeded
from dedup.config import Config
from dedup.index import Index, Match, listing_of
from dedup.page.declared import read_declared
from dedup.page.limits import REFUSALS, is_no_page
from dedup.scrapy.commands.context import STREAM, CommandError, Context, UsageError, extractor
from dedup.scrapy.commands.printing import make_table, plain, url_column
from dedup.scrapy.environment import request_fingerprinter
from dedup.store import Record
from dedup.text import PageText, read_text

TIMEOUT = 30.0  # Seconds to fetch a page.
STEP = 1 << 16  # Largest number of octets per read.
CUT = "its end is missing"

STORE, WEB = "the store", "the web"  # Origins of a page.


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


def query(context: Context) -> None:
    """Show the stored pages that a page is related to; writes nothing."""
    target = _target(context)
    with context.store() as store:  # Closed during the fetch, so that others can use it.
        config = seeded(context.config, store)
    record, source = _find(context, config, target)
    with context.store() as store:
        index = make_index(context.config, store, read_only=True)
        matches = list(index.matches(record))
        if source == WEB:  # The request of a crawl may have parts that only its spider knows.
            stored = [match.record for match in matches if match.record.url == record.url]
            if stored:
                record, source = stored[0], STORE
                matches = list(index.matches(record))
        matches.sort(key=lambda match: match.rank, reverse=True)
        if context.json:
            context.print_json(_as_json(target, source, record, matches))
        else:
            _print(context, source, record, matches, index)


def _target(context: Context) -> str:
    target: str = context.options.target
    if not target:
        raise UsageError("name a page by its URL, or a file")
    return target


def _find(context: Context, config: Config, target: str) -> tuple[Record, str]:
    """The page as a record, and its origin: the store, the web or a file.

    ``config`` has the seed of the store.
    """
    url = context.options.url
    fingerprint, fingerprinter = request_fingerprinter(context.settings), make_fingerprinter(config)
    if not is_url(target):
        request = fingerprint(request_of(url)) if url else b""
        body, source = read_file(target), target
        if context.options.text or target.endswith(".txt"):
            page = fingerprinter.of_text(body.decode("utf-8", "replace"))
        else:
            page = fingerprinter.of_page(check_page(body, target))
    else:
        if url or context.options.text:
            raise UsageError("--url and --text go with a file, not with a URL")
        asked = request_of(target)
        with context.store() as store:
            known = store.find_request(fingerprint(asked))
        if known is not None:
            return known, STORE
        (body, content_type, url), source = fetch(config, asked.url), WEB
        page = fingerprinter.of_page(check_page(body, target), content_type)
        answered = request_of(url)  # As in a crawl, the URL after redirects identifies the page.
        url, request = answered.url, fingerprint(answered)
    if page.refused:
        raise CommandError(f"{target} gets no verdict: it has {REFUSALS[page.refused]}")
    if page.short:
        raise CommandError(
            f"{target} gets no verdict: it has {page.tokens} words of text, fewer than a quarter "
            f"of NEARDUP_MIN_TOKENS = {config.min_tokens}"
        )
    url, now = url or "", time.time()
    listing = listing_of(page.heading_link, url, read_declared(body, url))
    made = Record(url, request, now, False, page.tokens, page.digest, page.value, listing=listing)
    return made, source


def _as_json(target: str, source: str, record: Record, matches: list[Match]) -> dict[str, Any]:
    return {
        "page": target,
        "from": source,
        "tokens": record.tokens,
        "related": [
            {
                "url": match.record.url,
                "page_id": match.record.page_id,
                "seen": match.record.seen,
                "exported": match.record.exported,
                **match.measures,
                "containment": match.comparison.containment,
            }
            for match in matches
        ],
    }


def _print(
    context: Context, source: str, record: Record, matches: list[Match], index: Index
) -> None:
    context.out.print(plain(f"{record.tokens} words, from {source}"))
    if not matches:
        context.out.print(f"related to none of the {len(index.store)} stored pages")
        return
    columns = ("relation", "new", "similarity", "distance", "seen (UTC)", url_column("of"))
    rows = (
        (
            match.relation.value,
            f"{match.kinship.new:.0%}",
            f"{match.comparison.similarity:.2f}",
            match.comparison.distance,
            time.strftime("%Y-%m-%d %H:%M", time.gmtime(match.record.seen)),
            match.record.url,
        )
        for match in matches
    )
    context.print_table(make_table(columns, rows))


def text(context: Context) -> None:
    """Show the main text of a page."""
    target = _target(context)
    if is_url(target):
        body, content_type, _ = fetch(context.config, target)
    else:
        body, content_type = read_file(target), None
    name = context.options.extractor or context.config.extractor
    page = read_text(check_page(body, target), content_type, name)
    if page.refused:
        raise CommandError(f"{target} is not read: it has {page.refused}")
    if context.json:
        context.print_json(_text_as_json(target, page))
    else:
        paragraphs = [paragraph.text for paragraph in page.paragraphs]
        above = [page.title] if page.title and page.title not in paragraphs[:1] else []
        for line in (*above, *paragraphs):
            context.out.print(plain(line), soft_wrap=True)
        if not paragraphs:
            context.warn(f"{target}: it shows no text")
        elif not page.sure:
            context.warn(
                f"{target}: no part clearly stands out as its main text; this is what probably "
                "is it, or else all that the page shows"
            )


def _text_as_json(target: str, page: PageText) -> dict[str, object]:
    return {
        "page": target,
        "title": page.title,
        "heading": page.heading,
        "language": page.language,
        "sure": page.sure,
        "paragraphs": [
            {"text": one.text, "kind": one.kind.value, "section": one.section}
            for one in page.paragraphs
        ],
    }


def query_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", help="a URL (stored, else fetched), an HTML or .txt file, or -")
    parser.add_argument("--url", help="the URL of the page in a file")
    parser.add_argument("--text", action="store_true", help="the file is plain text, not HTML")


def text_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="URL|FILE", help="a page; - for a page on standard input")
    parser.add_argument(
        "--extractor", type=extractor, metavar="NAME", help="the extractor (NEARDUP_EXTRACTOR)"
    )
