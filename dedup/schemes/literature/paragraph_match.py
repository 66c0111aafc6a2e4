"""Paragraph fingerprints: pages match if enough of their paragraphs match, in any order.

    page -> passages (about a paragraph each) -> the heaviest -> a 128-bit SimHash and a weight each

The words of a SimHash are weighted by tf-idf and by the long sentences that they are in:

    sentence weight = 0.3 length + 0.3 position + 0.4 closeness to the page's topic
    word weight     = ln(1 + sum of the weights of the sentences it is in) x idf, at most 1/8 of all

Length is relative to the longest sentence of the passage. Position is 1 for the first and the last
sentence, and 0.5 for all others. Closeness is the number of keywords in the sentence, divided by
the number of its words or of all keywords, whichever is smaller. Keywords are the words of the
title and the heaviest words of the page by tf-idf. If the passage has sentences of at least 20
characters, only these count. Without the limit of 1/8, the word for the topic would outweigh all
others in a short passage. Then all passages on one topic would be near each other.

Every stored passage is a word of one space with a radius, so one common passage makes a page a
candidate. Then the weights decide. Besides the resemblance of two pages, the containment of the
smaller page in the larger one is measured: a repost within other text, or an excerpt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from heapq import nlargest

import numpy as np
import numpy.typing as npt

from dedup.native.portable.hashes import Hashes
from dedup.native.portable.votes import UNIT, Weights, weighted_signs
from dedup.page import Document
from dedup.schemes.hashing import token_hashes_128
from dedup.schemes.idf import Idf
from dedup.schemes.interface import Comparison, Space, Word
from dedup.schemes.keywords import IdfScheme, heaviest_keywords
from dedup.schemes.literature.passages import Passage, Piece, cut_passages, split_piece
from dedup.schemes.options import number, whole

LONG = 20  # Minimum characters of a long sentence.
KEYWORDS = 10  # Number of heaviest words of a page that are keywords.
LENGTH, POSITION, TOPIC = 0.3, 0.3, 0.4  # Parts of a sentence's weight.
INSIDE = 0.5  # Position of a sentence between the first and the last.
LARGEST_SHARE = 1 / 8  # Maximum share of one word in the weight of a passage.
LEAST_IDF = 0.02  # For words that are in every document, so that each passage has features.
HEADED = 1.25  # Weight factor of a passage below a heading.
FIRST, LAST = 1.25, 1.0  # Weight factors of a passage at the very beginning and at the end.

_STORED = np.dtype([("simhash", "<u8", 2), ("size", "<u2"), ("weight", "<u2")])
_LARGEST = 0xFFFF // 2  # Maximum stored size of a passage, in tokens.
_CUT, _WHOLE = b"\0", b"\1"  # The first byte: whether passages were left out.
_ONE_TOKEN = b"\1\0\1\0"  # Size 1 and weight 1.

Stored = npt.NDArray[np.void]
Keywords = frozenset[str]


@dataclass(frozen=True)
class Paragraphs(IdfScheme):
    """Similarity is the share of the two pages' weight in passages that match.

    Passages match within ``distance`` bits. The weight of a passage is its number of tokens, plus
    up to a quarter each for an early place and for a heading above. If a page has more than
    ``paragraphs`` passages, the longest are kept, and passages shorter than these are not compared.

    A page is found by any passage within ``radius`` bits. This is much smaller than ``distance``,
    because two versions of a page usually have one common passage that is hardly changed.

    Options:
        distance: maximum different bits of matching passages, of 128.
        radius: maximum different bits of a passage that finds a page.
        min_similarity: minimum share of the weight at which pages of different hosts are
            duplicates.
        min_similarity_same_host: the same for pages of one host.
        min_containment: minimum share of the smaller page at which it is contained in the larger;
            only for different hosts, because pages of one host share standard passages.
        min_passages: minimum matching passages of a contained page; one may be a quotation.
        paragraphs: maximum passages kept per page.
        common: a passage on more pages than this finds nothing.
        idf: ``builtin``, or the path of a file made by ``scrapy neardup build-idf``.

    Known weakness: many short passages on one subject are near each other. Heavily edited passages
    stop matching, the shorter ones first. The topic depends on the text around, and so does the
    weight of sentences. Lists, verse and chats have few distinctive passages.
    """

    name = "paragraphs"

    distance: int = whole(24, 0, 48, judges=True)
    radius: int = whole(7, 0, 15, judges=True)
    min_similarity: float = number(0.3, 0.05, 1.0, judges=True)
    min_similarity_same_host: float = number(0.8, 0.05, 1.0, judges=True)
    min_containment: float = number(0.8, 0.05, 1.0, judges=True)
    min_passages: int = whole(2, 1, 100, judges=True)
    paragraphs: int = whole(64, 1, 1000)
    common: int = whole(20, 1, 100_000, judges=True)

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        return (Space("paragraph", 128, self.radius, self.common),)

    def fingerprint(self, document: Document) -> bytes:
        """Fingerprint the longest passages; a page without any has only its digest."""
        passages = cut_passages(document)
        if not passages:
            return _WHOLE + document.digest + _ONE_TOKEN
        kept = nlargest(self.paragraphs, passages, key=lambda passage: passage.size)
        stored = np.empty(len(kept), dtype=_STORED)
        stored["simhash"] = passage_simhashes(document, kept, self.model)
        stored["size"] = [min(passage.size, _LARGEST) for passage in kept]
        stored["weight"] = [_weight(passage, len(document.tokens)) for passage in kept]
        return (_CUT if len(kept) < len(passages) else _WHOLE) + stored.tobytes()

    def words(self, fingerprint: bytes) -> list[Word]:
        halves = _read(fingerprint)["simhash"].tolist()
        return [Word("paragraph", value) for value in {low | high << 64 for low, high in halves}]

    def compare(self, one: bytes, other: bytes) -> Comparison:
        a, b = _comparable(one, other)
        differing = a["simhash"][:, None, :] ^ b["simhash"][None, :, :]
        matching = np.bitwise_count(differing).sum(axis=2) <= self.distance
        in_a, in_b = matching.any(axis=1), matching.any(axis=0)
        all_a, all_b = int(a["weight"].sum()), int(b["weight"].sum())
        if not all_a or not all_b:  # Forged: real pages have passages, with weights.
            return Comparison(0.0)
        both_a, both_b = int(a["weight"][in_a].sum()), int(b["weight"][in_b].sum())
        _, share, matched = min(
            (all_a, -both_a / all_a, int(in_a.sum())), (all_b, -both_b / all_b, int(in_b.sum()))
        )
        containment = -share if matched >= self.min_passages else None
        return Comparison((both_a + both_b) / (all_a + all_b), None, containment)

    def accepts(self, comparison: Comparison, *, same_host: bool) -> bool:
        """Whether enough of both pages matches or, on different hosts, of the smaller one."""
        if same_host:
            return comparison.similarity >= self.min_similarity_same_host
        contained = (comparison.containment or 0.0) >= self.min_containment
        return contained or comparison.similarity >= self.min_similarity


def _weight(passage: Passage, tokens: int) -> int:
    """The size of a passage in tokens, raised if it is early or below a heading."""
    place = FIRST + (LAST - FIRST) * passage.start / tokens
    return round(min(passage.size, _LARGEST) * place * (HEADED if passage.headed else 1.0))


@lru_cache(maxsize=256)
def _read(fingerprint: bytes) -> Stored:
    return np.frombuffer(fingerprint[1:], dtype=_STORED)


def _comparable(one: bytes, other: bytes) -> tuple[Stored, Stored]:
    """The passages of two pages that are long enough to be kept for both pages."""
    a, b = _read(one), _read(other)
    least = max(_least(one, a), _least(other, b))
    return a[a["size"] >= least], b[b["size"] >= least]


def _least(fingerprint: bytes, stored: Stored) -> int:
    return int(stored["size"].min()) if fingerprint[:1] == _CUT else 0


def passage_simhashes(document: Document, passages: Sequence[Passage], idf: Idf) -> Hashes:
    """128-bit SimHashes of passages of a page, the low half first; shape (n, 2)."""
    keywords = find_keywords(document, idf)
    places: dict[str, int] = {}  # Each word is hashed and weighted once per page.
    features = [_term_weights(passage, keywords, places) for passage in passages]
    hashes = token_hashes_128(places)
    rarity = np.maximum(idf.weights(places), LEAST_IDF) * UNIT
    signs = [
        weighted_signs(hashes[words], _bound(np.log1p(tf) * rarity[words]))
        for words, tf in features
    ]
    return np.frombuffer(b"".join(signs), dtype="<u8").reshape(-1, 2)


def find_keywords(document: Document, idf: Idf) -> Keywords:
    """The topic of a page: the words of its title, and its heaviest words by tf-idf."""
    heaviest = heaviest_keywords(document.tokens, idf, KEYWORDS)
    return frozenset(heaviest).union(document.title_words)


def weigh_sentences(passage: Passage, keywords: Keywords) -> list[tuple[Piece, float]]:
    """The sentences of a passage that count for its features, and their weights, 0 to 1."""
    sentences = [
        sentence for piece in passage.pieces for sentence in split_piece(piece) if sentence.tokens
    ]
    long = [sentence for sentence in sentences if len(sentence.text.strip()) >= LONG]
    counted = long or sentences
    longest = max(len(sentence.text) for sentence in counted)
    last = len(counted) - 1
    return [
        (
            sentence,
            LENGTH * len(sentence.text) / longest
            + POSITION * (1.0 if place in (0, last) else INSIDE)
            + TOPIC * _closeness(sentence, keywords),
        )
        for place, sentence in enumerate(counted)
    ]


def _term_weights(
    passage: Passage, keywords: Keywords, places: dict[str, int]
) -> tuple[list[int], Weights]:
    """The words of a passage, as places, and for each the sum of its sentences' weights."""
    sums: dict[int, float] = {}
    for sentence, weight in weigh_sentences(passage, keywords):
        for word in sentence.tokens:
            place = places.setdefault(word, len(places))
            sums[place] = sums.get(place, 0.0) + weight
    return list(sums), np.fromiter(sums.values(), np.float64, len(sums))


def _bound(weights: Weights) -> Weights:
    bounded: Weights = np.ceil(np.minimum(weights, weights.sum() * LARGEST_SHARE))
    return bounded


def _closeness(sentence: Piece, keywords: Keywords) -> float:
    words = set(sentence.tokens)
    return len(words & keywords) / max(min(len(words), len(keywords)), 1)
