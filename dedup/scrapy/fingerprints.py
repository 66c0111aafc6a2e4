"""Makes the fingerprints of pages, in this process or in a worker process.

    body -> cached? -> read here or in a worker -> cache

A body that equals a recent one reuses its fingerprint. A page up to NEARDUP_INLINE_BODY is read
here, which saves the call of a worker process. After each long step, other tasks of the event loop
get a turn. A page with a step that would block the event loop goes to a worker.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import xxhash
from scrapy.http import TextResponse

from dedup.fingerprint import PageFingerprint
from dedup.lru import LRU
from dedup.page import MainText, Piece, cut, is_compiled, join_pieces, read_body
from dedup.page.limits import REFUSALS, count_sign, is_too_long
from dedup.page.patience import OutOfPatienceError, patience
from dedup.scrapy.responses import is_html
from dedup.scrapy.worker import FingerprintError, explain
from dedup.scrapy.workers import Workers
from dedup.text import PageText, page_text

REMEMBERED_BYTES = 16 << 20  # Size of the cache of recent fingerprints and texts.
ENTRY_BYTES = 600  # Bytes of a cache entry besides its fingerprint and text.
MOST_TAGS = 12_000  # Tags of a page that Python reads in this process: about 20 milliseconds.
BYTES_A_TAG = 4_000  # Bytes per tag, on average, of a page that Python reads in this process.
# Tags, or references, of a page that compiled code reads in this process: 10 milliseconds.
MOST_COMPILED = 20_000
LONG_PAGE = 400_000  # Octets; the references of a shorter page take less than 10 milliseconds.
PATIENCE = 0.01  # CPU seconds to decode a page, and for calls from compiled code into Python.
SKETCHING = 2e-8  # Seconds per octet to make a fingerprint of a segmented text.
# Octets of a segmented text: about 10 milliseconds. A longer text goes to a worker.
LONG_TEXT = 600_000
# Characters of a piece of text: about 5 milliseconds. A text with a longer piece goes to a worker.
LONG_PIECE = 25_000


@dataclass(eq=False)
class Fingerprints:
    """Makes the fingerprints of a crawl's pages."""

    workers: Workers  # They read the pages that are not read here, if there are any workers.
    inline_body: int  # The largest body, in bytes, that may be read here.
    remembered_bytes: int = REMEMBERED_BYTES  # The size of the cache of fingerprints and texts.

    def __post_init__(self) -> None:
        # The main texts of responses that were read here, as long as the responses live.
        self.texts: WeakKeyDictionary[TextResponse, PageText] = WeakKeyDictionary()
        self.reused = 0  # Fingerprints that came from the cache.
        self._remembered: LRU[bytes, PageFingerprint] = LRU(self.remembered_bytes, _size)
        self._seed = secrets.randbits(64)  # Without it a body with the hash of another can be made.

    def warm_up(self) -> None:
        """Load in advance what the first page needs, in the process that will read it."""
        if self.inline_body or not self.workers.count:
            self.workers.fingerprinter.warm_up()
        else:
            self.workers.warm_up()

    async def of(self, response: TextResponse) -> PageFingerprint:
        """Fingerprint a page or a plain text.

        Raises FingerprintError if the response gets no fingerprint; the error has the reason.
        """
        content_type = response.headers.get(b"Content-Type") or b""
        kind = "page" if is_html(response) else response.encoding
        hasher = xxhash.xxh3_128(b"%b %b\n" % (kind.encode(), content_type), self._seed)
        hasher.update(response.body)
        key = hasher.digest()
        made = self._remembered.get(key)
        if made is not None:
            self.reused += 1
        else:
            with _explained():
                made = await self._make(response, content_type.decode("latin-1") or None)
            self._remembered.put(key, made)
        return _accept(made)

    async def of_text(self, text: str, title: str = "") -> PageFingerprint:
        """Fingerprint text that is no page, with its title if it has one.

        Raises FingerprintError if the text gets no fingerprint; the error has the reason.
        """
        if self.workers.count and len(text) > min(self.inline_body, LONG_PIECE):
            return _accept(await self.workers.run("of_text", text, title))
        with _explained(), self.workers.stopwatch.running():
            made = self.workers.fingerprinter.of_text(text, title)
        return _accept(made)

    async def _make(self, response: TextResponse, content_type: str | None) -> PageFingerprint:
        if not is_html(response):
            with self.workers.stopwatch.running():
                text = response.text  # Raises for an encoding that only Python has, such as "hex".
            return await self.of_text(text)
        if self._is_read_here(response.body):
            with suppress(OutOfPatienceError):
                made = await self._of_page(response, content_type)
                if isinstance(made, MainText):
                    made = await self.workers.run("of_main", made)
                return made
        return await self.workers.run("of_page", response.body, content_type)

    async def _of_page(
        self, response: TextResponse, content_type: str | None
    ) -> PageFingerprint | MainText:
        """As ``Fingerprinter.of_page``, with pauses; the main text if a worker must go on."""
        chain = self.workers.fingerprinter
        has_workers = bool(self.workers.count)
        with self.workers.stopwatch.running() as step:
            most = PATIENCE if has_workers else math.inf
            with patience(most):
                html = read_body(response.body, content_type)
            await step.rest()
            with patience(most):
                main = chain.find_text(html)
            if main.refused or is_too_long(main):
                return chain.of_main(main)  # The fingerprinter refuses it.
            self.texts[response] = page_text(main, html)
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

    def _is_read_here(self, body: bytes) -> bool:
        """Whether a page is read here, because no step would block the event loop."""
        if not self.workers.count:
            return True
        if len(body) > self.inline_body:
            return False
        tags = count_sign(body, "<")
        if is_compiled(self.workers.fingerprinter.extractor):
            return tags <= MOST_COMPILED and (
                len(body) <= LONG_PAGE or count_sign(body, "&") <= MOST_COMPILED
            )
        return tags <= MOST_TAGS and len(body) <= BYTES_A_TAG * (tags + 1)


@contextmanager
def _explained() -> Iterator[None]:
    """Raise FingerprintError for any failure."""
    try:
        yield
    except FingerprintError:
        raise
    except Exception as error:
        raise explain(error) from error


def _are_long(pieces: Sequence[Piece]) -> bool:
    """Whether one of the steps on these pieces would block the event loop."""
    lengths = [len(piece.text) for piece in pieces]
    return sum(lengths) > LONG_TEXT or max(lengths) > LONG_PIECE


def _size(fingerprint: PageFingerprint) -> int:
    return ENTRY_BYTES + len(fingerprint.value) + len(fingerprint.text)


def _accept(fingerprint: PageFingerprint) -> PageFingerprint:
    if fingerprint.refused:
        raise FingerprintError(fingerprint.refused, REFUSALS[fingerprint.refused])
    return fingerprint
