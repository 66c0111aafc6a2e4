"""One digest of a text's heaviest words that are no stop words, in lexical order."""

from __future__ import annotations

from dataclasses import dataclass

from dedup.page import Document
from dedup.schemes.equality import EqualityScheme, md5
from dedup.schemes.keywords import IdfScheme, heaviest_keywords
from dedup.schemes.options import number, whole


@dataclass(frozen=True)
class FeatureString(IdfScheme, EqualityScheme):
    """Pages of the same heaviest words: MD5 of those words, sorted and joined.

    A rule of Chinese search engines. Weights are count times nidf. The words are sorted so that
    their order by weight does not matter; equal fingerprints sort together. A text of stop words
    only goes by the digest of all its tokens.

    Known weakness: the lightest of the words depend on single edits, and different pages on one
    narrow subject may have the same heaviest words.

    Options:
        idf: model of how rare words are.
        features: heaviest words that count.
        stop: nidf below which a word is a stop word.
    """

    name = "feature-string"

    features: int = whole(8, 1, 1000)
    stop: float = number(0.2, 0.0, 0.99)

    def fingerprint(self, document: Document) -> bytes:
        heaviest = heaviest_keywords(document.tokens, self.model, self.features, self.stop)
        words = sorted(keyword.word for keyword in heaviest)
        return md5(" ".join(words)) if words else document.digest
