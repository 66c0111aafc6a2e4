"""The shape of extracted text: paragraphs in document order, and the main text they make up."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """What a paragraph is in its page's structure."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list-item"
    QUOTE = "quote"
    CODE = "code"
    CELL = "cell"
    TEXT = "text"  # a block with no more telling element: div, section, body


class Paragraph(NamedTuple):
    """One paragraph of a page.

    ``section`` is the level of the heading it stands under (1 to 6, 0 above any heading; a heading
    has its own level). ``position`` is its place among the paragraphs kept, from 0.
    """

    text: str
    kind: Kind
    section: int
    position: int


@dataclass(frozen=True, slots=True)
class MainText:
    """What an extractor found in a page.

    ``sure`` is False where no part of the page stands out as its main text (index pages, link
    lists, tiny texts); ``paragraphs`` is then more or less the whole visible text, not a guess.
    ``title`` is the page's <title>, ``heading`` its <h1>, which is no part of the main text.
    ``refused`` is why the page was not read, a word from ``dedup.page.limits.REFUSALS``.
    """

    title: str
    paragraphs: tuple[Paragraph, ...]
    sure: bool
    heading: str = ""
    refused: str = ""

    @property
    def text(self) -> str:
        """The paragraphs, one a line."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs)


def fold(text: str) -> str:
    """Fold every run of white space to one space and strip the ends."""
    return " ".join(text.split())
