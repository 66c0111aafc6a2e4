"""The main text of a page for its own sake: title, paragraphs, language.

    bytes or HTML -> read_body -> extract -> PageText

What is read is what fingerprints are made from, in the same time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from dedup.page import DEFAULT_EXTRACTOR, MainText, Paragraph, extract, read_body
from dedup.page.language import detect_language
from dedup.page.limits import REFUSALS

_LOOKED_AT = 1 << 16  # octets in which <html> is sought
_ROOT = re.compile(  # behind comments, a doctype and the like; nothing is tried in two ways
    rb"(?:<!--.*?-->|<(?:!(?!--)|\?)[^>]*+>|[^<]++)*+(<html(?=[\s/>])[^>]{0,4000})",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE = re.compile(
    rb"""([^\s/>=]+)(?:[ \t\r\n\f]*+=[ \t\r\n\f]*+("[^"]*+"|'[^']*+'|[^\s>]*+))?"""
)


@dataclass(frozen=True)
class PageText:
    """What a page says.

    Attributes:
        title: its <title>; empty for none.
        heading: its <h1>, which is no part of the paragraphs; empty for none.
        paragraphs: its main text in order, each with its kind and the level of the heading that it
            stands under.
        sure: whether a part of the page stands out as its main text; else the paragraphs are more
            or less all that it shows.
        declared: the language that it says it is in, a tag such as ``zh-tw``; empty for none.
        refused: what it has too much of to be read; empty where it was read.
    """

    title: str
    heading: str
    paragraphs: tuple[Paragraph, ...]
    sure: bool
    declared: str = ""
    refused: str = ""

    @property
    def text(self) -> str:
        """The paragraphs, one a line."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs)

    @cached_property
    def language(self) -> str:
        """ISO 639-1 code, ``zh-Hans`` or ``zh-Hant``; empty where the text is too short to say."""
        return detect_language(self.text, self.declared)


def read_text(
    page: str | bytes, content_type: str | None = None, extractor: str = DEFAULT_EXTRACTOR
) -> PageText:
    """Find the main text of a page.

    Args:
        page: HTML, or its bytes as they were fetched.
        content_type: the Content-Type header of bytes, if there was one.
        extractor: ``weighted_dom``, ``readability``, or ``plain`` for all that the page shows.

    Raises:
        ValueError: unknown extractor, or one that was not built.
    """
    html = read_body(page, content_type) if isinstance(page, bytes) else page
    return page_text(extract(html, extractor), html)


def page_text(main: MainText, html: str | bytes) -> PageText:
    """The text of a page whose main text was found already.

    Args:
        main: its main text.
        html: the page, for the language that it says it is in.
    """
    refused = REFUSALS[main.refused] if main.refused else ""
    return PageText(main.title, main.heading, main.paragraphs, main.sure, _find_tag(html), refused)


def _find_tag(html: str | bytes) -> str:
    """The language tag of <html>; empty for none."""
    start = (
        html[:_LOOKED_AT]
        if isinstance(html, bytes)
        else html[:_LOOKED_AT].encode("utf-8", "replace")
    )
    root = _ROOT.match(start)
    if root is None:
        return ""
    attributes = dict(reversed(_ATTRIBUTE.findall(root[1].lower())))  # of equals the first
    tag = attributes.get(b"lang") or attributes.get(b"xml:lang") or b""
    return tag.strip(b"\"' \t\r\n\f").decode("ascii", "ignore")
