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
    """One paragraph of a page.

    ``section`` is the level of the heading above it: 1 to 6, or 0 before any heading; a heading has
    its own level. ``position`` is its index among the kept paragraphs, from 0.
    """

    text: str
    kind: Kind
    section: int
    position: int


class HeadingLink(NamedTuple):
    """The link in the heading above a main text.

    ``target`` may be relative; it is empty if there is no such link. ``several`` tells whether the
    text has more headings of this level with links, so the page shows several articles.
    """

    target: str = ""
    several: bool = False


NO_LINK = HeadingLink()


@dataclass(frozen=True, slots=True)
class MainText:
    """The result of an extractor for one page.

    ``sure`` is False if no part of the page stands out as its main text (index pages, link lists,
    tiny texts); ``paragraphs`` then has nearly the whole visible text. ``title`` is the page's
    <title>, and ``heading`` its first <h1>. Compiled code skips an <h1> that is all link, as logos
    are. Unless the text is sure, its paragraphs may repeat both. ``refused`` is the reason why the
    page was not read, a word from ``dedup.page.limits.REFUSALS``; empty otherwise.
    ``heading_link`` is the link in the heading above the main text, if the heading is one link and
    nothing else, and no part of the title.
    ``likely`` has a short text that is probably the main text of a page without a sure one; or all
    text of a page that is only menus and the like. It is for readers only, because every page of a
    site may have it: no verdict depends on it. Only ``weighted_dom`` finds these two.
    """

    title: str
    paragraphs: tuple[Paragraph, ...]
    sure: bool
    heading: str = ""
    refused: str = ""
    heading_link: HeadingLink = NO_LINK
    likely: tuple[Paragraph, ...] = ()

    @property
    def text(self) -> str:
        """The paragraphs, one per line."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs)


def fold(text: str) -> str:
    """Fold every run of white space to one space and strip the ends."""
    return " ".join(text.split())
