"""One digest of a text's heaviest words without stop words, in alphabetical order."""

from __future__ import annotations

from dataclasses import dataclass

from dedup.page import Document
from dedup.schemes.exact import EqualityScheme, md5
from dedup.schemes.keywords import IdfScheme, heaviest_keywords
from dedup.schemes.options import number, whole


@dataclass(frozen=True)
class FeatureString(IdfScheme, EqualityScheme):
    """Near-duplicates are pages with the same heaviest words: MD5 of those words, sorted.

    A rule of Chinese search engines. The weight of a word is its count times its nidf. The words
    are sorted, so their order by weight does not matter. The fingerprint of a text of only stop
    words is the digest of all its tokens.

    Known weakness: single edits change the lightest of the words, and different pages on one narrow
    subject may have the same heaviest words.

    Options:
        idf: model of the rarity of words.
        features: number of heaviest words in the digest.
        stop: a word with a lower nidf is a stop word.
    """

    name = "feature-string"

    features: int = whole(8, 1, 1000)
    stop: float = number(0.2, 0.0, 0.99)

    def fingerprint(self, document: Document) -> bytes:
        words = sorted(heaviest_keywords(document.tokens, self.model, self.features, self.stop))
        return md5(" ".join(words)) if words else document.digest
