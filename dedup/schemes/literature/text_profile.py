"""Quantised word frequencies, as in Apache Nutch's TextProfileSignature.

tokens -> counts, rounded down to a quantum -> "word count" lines, most frequent first -> MD5
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from dedup.page import Document
from dedup.schemes.exact import EqualityScheme, md5
from dedup.schemes.options import number, whole


@dataclass(frozen=True)
class TextProfile(EqualityScheme):
    """Near-duplicates are pages with the same profile: words and their rounded counts.

    Counts are rounded down to multiples of a quantum. The quantum is the share ``quantum`` of the
    highest count, and at least 2 if any word occurs twice: then words that occur once are dropped.
    Words of equal counts are sorted by spelling; Nutch does not define their order. If the profile
    is empty, the fingerprint is the digest of all tokens; in Nutch it is that of the content.

    Nutch takes words of letters and digits with more than two characters. Here words are tokens,
    and a character of a script without letter case counts as two. So Chinese words of one character
    (mostly particles) are dropped, like "of" in English, and words of two characters stay.

    Known weakness: an edit that moves one count over a multiple of the quantum changes the digest;
    long texts have many counts near a multiple.

    Options:
        quantum: the quantum as a share of the highest count.
        longest_dropped: words of this length or less are left out.
    """

    name = "text-profile"

    quantum: float = number(0.01, 0.0001, 1.0)
    longest_dropped: int = whole(2, 0, 20)

    def fingerprint(self, document: Document) -> bytes:
        lines = profile(document.tokens, self.quantum, self.longest_dropped)
        return md5("\n".join(lines)) if lines else document.digest


def profile(tokens: Iterable[str], quantum: float, longest_dropped: int) -> list[str]:
    """The profile of a text, one ``word count`` per line; options as of the scheme."""
    counts = {
        word: count for word, count in Counter(tokens).items() if _length(word) > longest_dropped
    }
    highest = max(counts.values(), default=0)
    step = max(int(highest * quantum + 0.5), 2 if highest > 1 else 1)
    rounded = [(count // step * step, word) for word, count in counts.items()]
    kept = sorted((-count, word) for count, word in rounded if count)
    return [f"{word} {-count}" for count, word in kept]


def _length(word: str) -> int:
    """The length of a word; characters of scripts without letter case count twice."""
    return sum(1 if c.islower() or c.isdigit() or c == "_" else 2 for c in word)
