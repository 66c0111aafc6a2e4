"""Quantised word frequencies, as Apache Nutch's TextProfileSignature has them.

tokens -> counts, rounded down to a quantum -> "word count" lines, most frequent first -> MD5
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from dedup.page import Document
from dedup.schemes.equality import EqualityScheme, md5
from dedup.schemes.options import number, whole


@dataclass(frozen=True)
class TextProfile(EqualityScheme):
    """Pages of the same profile: which words stand in them how often, roughly.

    Counts are rounded down to multiples of a quantum: the share ``quantum`` of the highest count,
    and at least 2 where any word stands twice, so that words of one occurrence drop out. Words of
    equal counts are sorted by spelling, where Nutch leaves their order open. A text that leaves no
    profile goes by the digest of all its tokens, as Nutch's goes by its content.

    Nutch takes words of letters and digits longer than two; ours are tokens, and a character of a
    script without letter case counts as two, so that of Chinese words those of one character
    (mostly particles) drop out as "of" does, and those of two stay.

    Known weakness: an edit that takes one count over a multiple of the quantum changes the digest;
    long texts have many counts near one.

    Options:
        quantum: share of the highest count that counts are rounded to.
        longest_dropped: words of this length or less are left out.
    """

    name = "text-profile"

    quantum: float = number(0.01, 0.0001, 1.0)
    longest_dropped: int = whole(2, 0, 20)

    def fingerprint(self, document: Document) -> bytes:
        lines = profile(document.tokens, self.quantum, self.longest_dropped)
        return md5("\n".join(lines)) if lines else document.digest


def profile(tokens: Iterable[str], quantum: float, longest_dropped: int) -> list[str]:
    """The profile of a text, one ``word count`` a line.

    Args:
        tokens: its words.
        quantum: share of the highest count.
        longest_dropped: as the scheme's option.
    """
    counts = {
        word: count for word, count in Counter(tokens).items() if _length(word) > longest_dropped
    }
    highest = max(counts.values(), default=0)
    step = max(int(highest * quantum + 0.5), 2 if highest > 1 else 1)
    rounded = [(count // step * step, word) for word, count in counts.items()]
    kept = sorted((-count, word) for count, word in rounded if count)
    return [f"{word} {-count}" for count, word in kept]


def _length(word: str) -> int:
    """Characters of a word, those of scripts without letter case twice."""
    return sum(1 if c.islower() or c.isdigit() or c == "_" else 2 for c in word)
