"""Exact resemblance of pages: Jaccard of their sets of 3-word shingles, the yardstick of a drop.

Tokens are those of dedup.page. A page counts by its whole visible text, or by its main text.
"""

from __future__ import annotations

from functools import lru_cache

from benchmarks.corpus import Pages
from dedup.page import Document, decode_html, extract, from_text, read_document

SHINGLE = 3
ALIKE = 0.5  # pages of a lower Jaccard are different pages
MAIN, WHOLE = "weighted_dom", "plain"  # extractors of the main and of the whole visible text

Shingles = frozenset[tuple[str, ...]]


def shingles_of(document: Document) -> Shingles:
    """The 3-word shingles of a text; a shorter text is one shingle."""
    tokens = document.tokens
    width = min(SHINGLE, len(tokens))
    return frozenset(tokens[i : i + width] for i in range(len(tokens) - width + 1) if width)


def text_shingles(text: str) -> Shingles:
    """The shingles of plain text."""
    return shingles_of(read_document(from_text(text)))


def jaccard(one: Shingles, other: Shingles) -> float:
    """Share of common shingles in all; 0 where there is none."""
    union = len(one | other)
    return len(one & other) / union if union else 0.0


class Resemblance:
    """Compares the pages of a corpus, by URL."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._shingles = lru_cache(maxsize=2048)(self._make_shingles)
        self._documents = lru_cache(maxsize=2048)(self._make_document)

    def whole(self, one: str, other: str) -> float:
        """Jaccard of the whole visible texts, navigation and all."""
        return jaccard(self._shingles(one, WHOLE), self._shingles(other, WHOLE))

    def main(self, one: str, other: str) -> float:
        """Jaccard of the main texts, as the default extractor finds them."""
        return jaccard(self._shingles(one, MAIN), self._shingles(other, MAIN))

    def document(self, url: str) -> Document:
        """The main text of a page."""
        return self._documents(url, MAIN)

    def size(self, url: str) -> int:
        """Words of the main text, Chinese counted by characters."""
        return sum(_units(token) for token in self.document(url).tokens)

    def _make_document(self, url: str, extractor: str) -> Document:
        return read_document(extract(decode_html(self._pages[url], "text/html"), extractor))

    def _make_shingles(self, url: str, extractor: str) -> Shingles:
        return shingles_of(self._documents(url, extractor))


def _units(token: str) -> int:
    return len(token) if "\u4e00" <= token[0] <= "\u9fff" else 1
