"""The features of a passage: the words of its long sentences, weighted.

    sentence weight = 0.3 length + 0.3 position + 0.4 closeness to the page's topic
    word weight     = ln(1 + sum of the weights of the sentences it is in) x idf, at most 1/8 of all

Length is relative to the longest sentence of the passage. Position is 1 for the first and the last
sentence, and 0.5 for all others. Closeness is the number of keywords in the sentence, divided by
the number of its words or of all keywords, whichever is smaller. Keywords are the words of the
title and the heaviest words of the page by tf-idf. If the passage has sentences of at least 20
characters, only these count.

Without the limit of 1/8, the word for the topic would outweigh all others in a short passage. Then
all passages on one topic would be near each other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dedup.native.portable.hashes import Hashes
from dedup.native.portable.votes import UNIT, Weights, weighted_signs
from dedup.page import Document
from dedup.schemes.hashing import token_hashes_128
from dedup.schemes.idf import Idf
from dedup.schemes.keywords import heaviest_keywords
from dedup.schemes.literature.passages import Passage, Piece, split_piece

LONG = 20  # Minimum characters of a long sentence.
KEYWORDS = 10  # Number of heaviest words of a page that are keywords.
LENGTH, POSITION, TOPIC = 0.3, 0.3, 0.4  # Parts of a sentence's weight.
INSIDE = 0.5  # Position of a sentence between the first and the last.
LARGEST_SHARE = 1 / 8  # Maximum share of one word in the weight of a passage.
LEAST_IDF = 0.02  # For words that are in every document, so that each passage has features.

Keywords = frozenset[str]


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
    return frozenset(keyword.word for keyword in heaviest).union(document.title_words)


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
