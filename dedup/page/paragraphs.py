"""Extracted text: paragraphs in document order, and the main text of these paragraphs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """The kind of a paragraph, by its element."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list-item"
    QUOTE = "quote"
    CODE = "code"
    CELL = "cell"
    TEXT = "text"  # A block of a general element: div, section, body.


class Paragraph(NamedTuple):
    """One paragraph of a page."""

    text: str
    kind: Kind
    # The level of the heading above it: 1 to 6, or 0 before any; a heading has its own level.
    section: int
    position: int  # Its index among the kept paragraphs, from 0.


class HeadingLink(NamedTuple):
    """The link in the heading above a main text."""

    target: str = ""  # It may be relative; empty if there is no such link.
    # Whether the text has more headings of this level with links: the page shows several articles.
    several: bool = False


NO_LINK = HeadingLink()


@dataclass(frozen=True, slots=True)
class MainText:
    """The result of an extractor for one page."""

    title: str  # The page's <title>.
    # Unless the text is sure, nearly the whole visible text, which may repeat title and heading.
    paragraphs: tuple[Paragraph, ...]
    # Whether a part of the page stands out as its main text, unlike in index pages, link lists and
    # tiny texts.
    sure: bool
    # The first <h1>. Compiled code skips an <h1> that is all link, as logos are. ``weighted_dom``
    # adds the <h1> of the main text, if it has another one. Without an <h1> it takes the heading
    # of the main text, below a vague title.
    heading: str = ""
    # Why the page was not read, a word from ``dedup.page.limits.REFUSALS``; empty otherwise.
    refused: str = ""
    # The link in the heading above the main text, if the heading is one link and nothing else, and
    # no part of the title. Only ``weighted_dom`` finds this and the next.
    heading_link: HeadingLink = NO_LINK
    # A short text that is probably the main text of a page without a sure one; or else the text of
    # the page without rows of short links; or all text of a page that is only menus and the like.
    # It is for readers only, because every page of a site may have it: no verdict depends on it.
    likely: tuple[Paragraph, ...] = ()

    @property
    def text(self) -> str:
        """The paragraphs, one per line."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs)


def fold(text: str) -> str:
    """Fold every run of white space to one space and strip the ends."""
    return " ".join(text.split())
