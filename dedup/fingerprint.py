"""From a page to its fingerprint, for workers, commands and benchmarks alike."""

from __future__ import annotations

from dataclasses import dataclass

from dedup.page import (
    DEFAULT_EXTRACTOR,
    NO_LINK,
    Document,
    HeadingLink,
    MainText,
    Piece,
    extract,
    from_text,
    read_body,
    read_document,
    read_piece,
)
from dedup.page.kept_text import lines_of, pack_text
from dedup.page.limits import has_too_many_lines, is_too_long
from dedup.schemes import Scheme

EXACT_SHARE = 4  # Below min_tokens / EXACT_SHARE tokens, even equal texts get no verdict.


@dataclass(frozen=True, slots=True)
class PageFingerprint:
    """The stored data of a page's text."""

    tokens: int  # Length of the text, in tokens.
    digest: bytes  # 16 bytes, of the text. If ``value`` is empty: 8 of the text, 8 of the title.
    value: bytes  # The scheme's fingerprint; empty for a short text: only an equal one repeats it.
    short: bool  # Whether the text is too short for any verdict, even on an equal text.
    text: bytes = b""  # Title and main text, packed by ``dedup.page.kept_text``; empty if not kept.
    # Why the page was not read, a word from ``dedup.page.limits.REFUSALS``; ``short`` is true then.
    # Empty otherwise.
    refused: str = ""
    heading_link: HeadingLink = NO_LINK  # In the heading above the main text, as in ``MainText``.

    @property
    def reason(self) -> str:
        """Why the page gets no verdict; empty if it gets one."""
        if not self.short:
            return ""
        return self.refused or ("short_text" if self.tokens else "no_text")


@dataclass(frozen=True, slots=True)
class Fingerprinter:
    """All steps from page to fingerprint, with their options.

    Calls are independent, in any thread or process.
    """

    scheme: Scheme  # Makes the fingerprint.
    extractor: str = DEFAULT_EXTRACTOR  # Finds the main text; see ``dedup.page.extractors``.
    segmenter: str = "jieba"  # Cuts Chinese text: jieba or chars.
    min_tokens: int = 40  # A text of fewer tokens gets no fingerprint: only equal ones repeat it.
    keep_text: bool = False  # Whether to pack the main text, too.

    def of_page(self, body: bytes, content_type: str | None = None) -> PageFingerprint:
        """Fingerprint an HTML page from its bytes and its Content-Type header."""
        return self.of_html(read_body(body, content_type))

    def of_html(self, html: str | bytes) -> PageFingerprint:
        """Fingerprint an HTML page, decoded or in UTF-8."""
        return self.of_main(self.find_text(html))

    def of_text(self, text: str, title: str = "") -> PageFingerprint:
        """Fingerprint plain text; its title is used like the title of a page."""
        if has_too_many_lines(text):
            return refuse("too_many_tags")
        return self.of_main(from_text(text, title))

    def warm_up(self) -> None:
        """Load dictionaries and models now, before the first page."""
        self.of_text("预热 warm up")

    # The steps of ``of_html``, for callers with other work between them.

    def find_text(self, html: str | bytes) -> MainText:
        return extract(html, self.extractor)

    def of_main(self, main: MainText) -> PageFingerprint:
        if main.refused or is_too_long(main):
            return refuse(main.refused or "too_long_text")
        return self.of_document(read_document(main, self.segmenter))

    def read_piece(self, piece: Piece) -> bytes:
        """Normalise a piece of a main text and cut it into tokens."""
        return read_piece(piece, self.segmenter)

    def of_document(self, document: Document) -> PageFingerprint:
        tokens = document.joined[1]
        value = self.scheme.fingerprint(document) if tokens >= max(self.min_tokens, 1) else b""
        short = not value and tokens * EXACT_SHARE < self.min_tokens
        short = short or not tokens
        text = b""
        if self.keep_text and not short:
            text = pack_text(lines_of(document.title, document.h1, document.paragraphs))
        digest = document.digest if value else document.digest_with_title
        return PageFingerprint(
            tokens, digest, value, short, text, heading_link=document.heading_link
        )


def refuse(reason: str) -> PageFingerprint:
    """The placeholder for the fingerprint of a page that was not read."""
    return PageFingerprint(0, b"", b"", short=True, refused=reason)
