"""The way from a page to what schemes read: main text, normalised paragraphs, tokens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import xxhash

from dedup.page import normalisation, plain, readability, segmentation, weighted_dom
from dedup.page.paragraphs import MainText, Paragraph
from dedup.page.tree import Tree

EXTRACTORS: dict[str, Callable[[str, Tree | None], MainText]] = {
    "weighted_dom": weighted_dom.extract,
    "readability": readability.extract,
    "plain": plain.extract,
}
_VERSIONS = {
    "weighted_dom": weighted_dom.VERSION,
    "readability": readability.VERSION,
    "plain": plain.VERSION,
}


@dataclass(frozen=True)
class Document:
    """A page as schemes read it.

    ``words`` holds the tokens of each paragraph, parallel to ``paragraphs``; ``title_words`` those
    of the page's <title> and <h1>.
    """

    paragraphs: tuple[Paragraph, ...]
    words: tuple[tuple[str, ...], ...]
    sure: bool
    title_words: tuple[str, ...] = ()

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """All tokens in order."""
        return tuple(chain.from_iterable(self.words))

    @cached_property
    def digest(self) -> bytes:
        """xxh3-128 of the tokens, 16 bytes: equal for texts that read the same."""
        return xxhash.xxh3_128_digest(" ".join(self.tokens).encode("utf-8", "replace"))


def extract(html: str, extractor: str = "weighted_dom", tree: Tree | None = None) -> MainText:
    """Find the main text of a page.

    Args:
        html: the page, decoded.
        extractor: a name from EXTRACTORS.
        tree: what a selector made of the page, where it is parsed already.

    Raises:
        ValueError: unknown extractor.
    """
    try:
        find = EXTRACTORS[extractor]
    except KeyError:
        names = ", ".join(EXTRACTORS)
        raise ValueError(f"extractor must be one of {names}; got {extractor!r}") from None
    return find(html, tree)


def read_document(main: MainText, segmenter: str = "jieba") -> Document:
    """Normalise and segment extracted text, paragraph by paragraph."""

    def words(text: str) -> tuple[str, ...]:
        return tuple(segmentation.segment(normalisation.normalise(text), segmenter))

    return Document(
        main.paragraphs,
        tuple(words(paragraph.text) for paragraph in main.paragraphs),
        main.sure,
        words(f"{main.title} {main.heading}"),
    )


def versions(extractor: str, segmenter: str) -> dict[str, str]:
    """Name the steps a text goes through and their versions, for a store's header."""
    return {
        "extractor": f"{extractor}/{_VERSIONS[extractor]}",
        "segmenter": f"{segmenter}/{segmentation.VERSION}",
        "normaliser": f"{normalisation.VERSION}",
    }
