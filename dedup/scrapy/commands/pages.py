"""Actions on one page: query."""

from __future__ import annotations

import argparse
import sys
import time
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.request import Request as UrlRequest
from urllib.request import urlopen

from rich.box import SIMPLE
from rich.table import Table
from scrapy import Request
from scrapy.utils.request import fingerprint

from dedup.assembly import make_fingerprinter, make_index
from dedup.config import Config
from dedup.fingerprint import PageFingerprint
from dedup.index import Index, Match
from dedup.scrapy.commands.context import Action, CommandError, Context, plain, url_column
from dedup.store import Record, Store

TIMEOUT = 30.0  # seconds to fetch a page


def query(context: Context) -> int:
    """Say which stored pages a page repeats. Writes nothing."""
    target = context.options.target
    with context.store() as store:
        record, source = _find(context, store, target)
        index = make_index(context.config, store, read_only=True)
        matches = sorted(index.matches(record), key=lambda match: match.rank, reverse=True)
        if context.json:
            context.print_json(_as_json(target, source, record, matches))
        else:
            _print(context, source, record, matches, index)
    return 0


def _find(context: Context, store: Store, target: str) -> tuple[Record, str]:
    """A page as a record, and where it is from: the store, the web, a file."""
    if target.startswith(("http://", "https://")):
        request = fingerprint(Request(target))
        known = store.find_request(request)
        if known is not None:
            return known, "the store"
        body, content_type = _fetch(context.config, target)
        page = make_fingerprinter(context.config).of_page(body, content_type)
        return _record(target, request, page), "the web"
    page, source = _read(context, target)
    return _record(context.options.url or "", b"", page), source


def _fetch(config: Config, url: str) -> tuple[bytes, str | None]:
    request = UrlRequest(url, headers={"User-Agent": "scrapy-neardup"})  # noqa: S310  (http only)
    try:
        with urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310
            body: bytes = answer.read(config.max_body + 1)
            content_type: str | None = answer.headers.get("Content-Type")
    except (OSError, HTTPException, ValueError) as error:
        raise CommandError(f"{url} cannot be fetched: {error}") from None
    if len(body) > config.max_body:
        raise CommandError(f"{url} is larger than NEARDUP_MAX_BODY = {config.max_body} bytes")
    return body, content_type


def _read(context: Context, target: str) -> tuple[PageFingerprint, str]:
    try:
        body = sys.stdin.buffer.read() if target == "-" else Path(target).read_bytes()
    except OSError as error:
        raise CommandError(f"{target} cannot be read: {error.strerror}") from None
    fingerprinter = make_fingerprinter(context.config)
    if context.options.text or target.endswith(".txt"):
        return fingerprinter.of_text(body.decode("utf-8", "replace")), target
    return fingerprinter.of_page(body), target


def _record(url: str, request: bytes, page: PageFingerprint) -> Record:
    if page.short:
        raise CommandError(
            f"the page has {page.tokens} words of text, too few for a verdict (NEARDUP_MIN_TOKENS)"
        )
    return Record(url, request, time.time(), False, page.tokens, page.digest, page.value)


def _as_json(target: str, source: str, record: Record, matches: list[Match]) -> dict[str, Any]:
    return {
        "page": target,
        "from": source,
        "tokens": record.tokens,
        "repeats": [
            {
                "url": match.record.url,
                "page_id": match.record.page_id,
                "seen": match.record.seen,
                "exported": match.record.exported,
                "similarity": round(match.comparison.similarity, 4),
                "distance": match.comparison.distance,
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
        context.out.print(f"repeats none of the {len(index.store)} pages stored")
        return
    table = Table("similarity", "distance", "seen", url_column("repeats"), box=SIMPLE)
    for match in matches:
        seen = time.strftime("%Y-%m-%d %H:%M", time.localtime(match.record.seen))
        table.add_row(
            f"{match.comparison.similarity:.2f}",
            plain(match.comparison.distance),
            seen,
            plain(match.record.url),
        )
    context.print_table(table)


def _query_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", help="a URL (stored, else fetched), an HTML or .txt file, or -")
    parser.add_argument("--url", help="the URL a file stands for, to know its host")
    parser.add_argument("--text", action="store_true", help="the file is plain text, not HTML")


ACTIONS = (Action("query", "say which stored pages a page repeats", _query_options, query),)
