"""The main text of a page for other uses: title, paragraphs, language.

    bytes or HTML -> read_body -> extract -> PageText

Fingerprints are made from the same text, which takes the same time to read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from dedup.page import DEFAULT_EXTRACTOR, MainText, Paragraph, extract, read_body
from dedup.page.language import detect_language
from dedup.page.limits import REFUSALS, is_no_page

_NO_PAGE = "neither HTML nor plain text"  # Why such octets have no text.
_LOOKED_AT = 1 << 16  # Octets at the start of a page that are searched for <html>.
# The <html> tag after comments, a doctype and the like. The possessive quantifiers prevent
# backtracking, which could take very long.
_ROOT = re.compile(
    rb"(?:<!--.*?-->|<(?:!(?!--)|\?)[^>]*+>|[^<]++)*+(<html(?=[\s/>])[^>]{0,4000})",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE = re.compile(
    rb"""([^\s/>=]+)(?:[ \t\r\n\f]*+=[ \t\r\n\f]*+("[^"]*+"|'[^']*+'|[^\s>]*+))?"""
)


@dataclass(frozen=True)
class PageText:
    """The main text of a page."""

    title: str  # The <title> of the page; empty if there is none.
    # The first <h1> of the page, without one that is all link, as logos are; and the <h1> of the
    # main text, if that has another one. Without an <h1>, the heading of the main text, if the
    # title is vague. Else empty. Unless the text is sure, the paragraphs may repeat it.
    heading: str
    # In order. Each paragraph has its kind and the level of the heading above it.
    paragraphs: tuple[Paragraph, ...]
    # Whether one part of the page is clearly its main text. If not, the paragraphs are the short
    # text that is probably the main text, or else nearly all visible text of the page.
    sure: bool
    declared: str = ""  # The language tag that the page declares, such as ``zh-tw``; or empty.
    # Why the page was not read: what it has too much of, or that it is no page; or empty.
    refused: str = ""

    @property
    def text(self) -> str:
        """The paragraphs, one per line."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs)

    @cached_property
    def language(self) -> str:
        """An ISO 639-1 code, ``zh-Hans`` or ``zh-Hant``; empty if the text is too short."""
        return detect_language(self.text, self.declared)


def read_text(
    page: str | bytes, content_type: str | None = None, extractor: str = DEFAULT_EXTRACTOR
) -> PageText:
    """Find the main text of a page; pictures, PDFs, archives, JSON and feeds have none.

    Args:
        page: HTML as a string, or the bytes of the body as they were fetched.
        content_type: the Content-Type header of the response, if there was one; used for bytes.
        extractor: ``weighted_dom``, ``readability``, or ``plain`` for all visible text.

    Raises:
        ValueError: the extractor is unknown, or was not built.
    """
    if isinstance(page, bytes) and is_no_page(page):
        return PageText("", "", (), sure=False, refused=_NO_PAGE)
    html = read_body(page, content_type) if isinstance(page, bytes) else page
    return page_text(extract(html, extractor), html)


def page_text(main: MainText, html: str | bytes) -> PageText:
    """Make a PageText from a main text that was extracted from a page, and the page's language."""
    refused = REFUSALS[main.refused] if main.refused else ""
    paragraphs = main.likely or main.paragraphs
    return PageText(main.title, main.heading, paragraphs, main.sure, _find_tag(html), refused)


def _find_tag(html: str | bytes) -> str:
    """The language tag of <html>; empty if there is none."""
    start = (
        html[:_LOOKED_AT]
        if isinstance(html, bytes)
        else html[:_LOOKED_AT].encode("utf-8", "replace")
    )
    root = _ROOT.match(start)
    if root is None:
        return ""
    # Reversed, because the first of two equal attributes counts.
    attributes = dict(reversed(_ATTRIBUTE.findall(root[1].lower())))
    tag = attributes.get(b"lang") or attributes.get(b"xml:lang") or b""
    return tag.strip(b"\"' \t\r\n\f").decode("ascii", "ignore")
