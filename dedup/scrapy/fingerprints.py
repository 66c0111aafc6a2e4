"""Where and how a page's fingerprint is made.

A body seen a moment ago reuses its fingerprint. Up to NEARDUP_INLINE_BODY a page is read here,
which saves the round trip to a worker process; other tasks have a turn after each step that took
long. A page with a step that would hold up the event loop goes to a worker.

    body -> known? -> read here or in a worker -> remembered
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

import xxhash
from scrapy.http import HtmlResponse, TextResponse

from dedup.fingerprint import Fingerprinter, PageFingerprint
from dedup.lru import LRU
from dedup.page import MainText, Piece, cut, is_compiled, join_pieces, read_body
from dedup.page.limits import REFUSALS, count_sign, is_too_long
from dedup.page.patience import OutOfPatienceError, patience
from dedup.scrapy.stopwatch import Stopwatch
from dedup.scrapy.worker import FingerprintError, explain
from dedup.scrapy.workers import Workers
from dedup.text import PageText, page_text

REMEMBERED_BYTES = 16 << 20  # Memory for the fingerprints and texts of the last bodies,
ENTRY_BYTES = 600  # of which each takes this beside the two.
MOST_TAGS = 12_000  # of a page read here by Python: some 20 milliseconds,
BYTES_A_TAG = 4_000  # and of such a page, on average, at the most
MOST_COMPILED = 20_000  # tags, or references, of one that compiled code reads: 10 milliseconds
LONG_PAGE = 400_000  # octets; a shorter one has no references for 10 milliseconds
PATIENCE = 0.01  # seconds to decode a page, and for what compiled code asks Python
SKETCHING = 2e-8  # seconds an octet of a text, once spaced: 10 milliseconds for
LONG_TEXT = 600_000  # octets; longer ones go to a worker,
LONG_PIECE = 25_000  # as do those with so many characters read in one piece: 5 milliseconds

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Read(NamedTuple):
    """A page that was read: its body, and what it says."""

    body: bytes
    text: PageText


class Fingerprints:
    """Makes the fingerprints of a crawl's pages.

    Attributes:
        fingerprinter: the chain; another may take its place before there is a page.
        texts: what responses say that were read here, as long as these live.
        reused: how many fingerprints were made for an equal body before.
    """

    def __init__(
        self,
        fingerprinter: Fingerprinter,
        workers: Workers,
        inline_body: int,
        stopwatch: Stopwatch,
        remembered_bytes: int = REMEMBERED_BYTES,
    ) -> None:
        """Set the rules.

        Args:
            fingerprinter: the chain.
            workers: take what is not done here, where there are any.
            inline_body: bytes up to which a page may be read here.
            stopwatch: times what is done here.
            remembered_bytes: memory for the last fingerprints and texts.
        """
        self.fingerprinter = fingerprinter
        self._workers = workers
        self._inline_body = inline_body
        self._stopwatch = stopwatch
        self.texts: WeakKeyDictionary[TextResponse, Read] = WeakKeyDictionary()
        self._remembered: LRU[bytes, PageFingerprint] = LRU(remembered_bytes, _size)
        self.reused = 0

    def warm_up(self) -> None:
        """Load what the first page would have to wait for, where it is read."""
        if self._inline_body or not self._workers.count:
            self.fingerprinter.warm_up()
        else:
            self._workers.warm_up()

    async def of(self, response: TextResponse) -> PageFingerprint:
        """Fingerprint a page or a plain text.

        Raises:
            FingerprintError: there is none, and why.
        """
        content_type = response.headers.get(b"Content-Type") or b""
        kind = "page" if isinstance(response, HtmlResponse) else response.encoding
        hasher = xxhash.xxh3_128(b"%b %b\n" % (kind.encode(), content_type))
        hasher.update(response.body)
        key = hasher.digest()
        made = self._recall(key)
        if made is None:
            make = self._make_here if self._is_read_here(response) else self._make_elsewhere
            made = await make(response, content_type.decode("latin-1") or None)
            self._remembered.put(key, made)
        return _accept(made)

    async def of_text(self, text: str, title: str = "") -> PageFingerprint:
        """Fingerprint text that is no page, under a title if it has one.

        Raises:
            FingerprintError: there is none, and why.
        """
        if self._workers.count and len(text) > min(self._inline_body, LONG_PIECE):
            return _accept(await self._workers.of_text(text, title))
        return _accept(self._here(self.fingerprinter.of_text, text, title))

    def _recall(self, key: bytes) -> PageFingerprint | None:
        known = self._remembered.get(key)
        if known is not None:
            self.reused += 1
        return known

    async def _make_here(self, response: TextResponse, content_type: str | None) -> PageFingerprint:
        try:
            made = await self._of_page(response, content_type)
        except OutOfPatienceError:
            return await self._workers.of_page(response.body, content_type)
        except Exception as error:
            raise explain(error) from error
        return await self._workers.of_main(made) if isinstance(made, MainText) else made

    async def _make_elsewhere(
        self, response: TextResponse, content_type: str | None
    ) -> PageFingerprint:
        """Of a long page, or of what is no page."""
        if isinstance(response, HtmlResponse):
            return await self._workers.of_page(response.body, content_type)
        return await self.of_text(self._here(_decode, response))

    async def _of_page(
        self, response: TextResponse, content_type: str | None
    ) -> PageFingerprint | MainText:
        """As ``Fingerprinter.of_page``, with rests; the main text where a worker has to go on."""
        chain = self.fingerprinter
        has_workers = bool(self._workers.count)
        with self._stopwatch.running() as step:
            most = PATIENCE if has_workers else math.inf
            with patience(most):
                html = read_body(response.body, content_type)
            await step.rest()
            with patience(most):
                main = chain.find_text(html)
            if main.refused or is_too_long(main):
                return chain.of_main(main)  # which refuses it
            self.texts[response] = Read(response.body, page_text(main, html))
            pieces = cut(main)
            if has_workers and _are_long(pieces):
                return main
            spaced, length = [], 0
            for piece in pieces:
                await step.rest()
                spaced.append(chain.read_piece(piece))
                length += len(spaced[-1])
                if has_workers and length > LONG_TEXT:
                    return main
            await step.rest(ahead=SKETCHING * length)
            return chain.of_document(join_pieces(main, spaced))

    def _is_read_here(self, response: TextResponse) -> bool:
        """Whether this is a page that is not left to a worker."""
        if not isinstance(response, HtmlResponse):
            return False
        body = response.body
        return not self._workers.count or (
            len(body) <= self._inline_body and self._is_soon_read(body)
        )

    def _is_soon_read(self, body: bytes) -> bool:
        """Whether a page has so few tags that finding its main text holds nothing up."""
        tags = count_sign(body, "<")
        if is_compiled(self.fingerprinter.extractor):
            return tags <= MOST_COMPILED and (
                len(body) <= LONG_PAGE or count_sign(body, "&") <= MOST_COMPILED
            )
        return tags <= MOST_TAGS and len(body) <= BYTES_A_TAG * (tags + 1)

    def _here(self, make: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        with self._stopwatch.running():
            try:
                return make(*args, **kwargs)
            except Exception as error:
                raise explain(error) from error


def _are_long(pieces: Sequence[Piece]) -> bool:
    """Whether a step of what is made of these holds up the event loop."""
    lengths = [len(piece.text) for piece in pieces]
    return sum(lengths) > LONG_TEXT or max(lengths) > LONG_PIECE


def _decode(response: TextResponse) -> str:
    return response.text  # raises where the label is one that only Python knows, as "hex"


def _size(fingerprint: PageFingerprint) -> int:
    return ENTRY_BYTES + len(fingerprint.value) + len(fingerprint.text)


def _accept(fingerprint: PageFingerprint) -> PageFingerprint:
    if fingerprint.refused:
        raise FingerprintError(fingerprint.refused, REFUSALS[fingerprint.refused])
    return fingerprint
