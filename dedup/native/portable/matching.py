"""Find the sentences of one text in another, in the same or in other words.

A sentence is old if the other text has it, or has a sentence with some of its words: with at least
``OLD`` of their weight. A word weighs more if fewer sentences have it (its inverse document
frequency): the usual words of a subject say little, and the words of this sentence say much. So a
reworded sentence is old, and a new one on the same subject is new, at any place in the text. The
search begins where the previous sentence was found, then goes by words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import log
from typing import NamedTuple

OLD, SURE = 0.3, 0.6  # Minimum shares of a sentence's weight: to be old; to end the search.
WHOLE = 0.95  # Minimum share of a sentence's words for it to be whole in the other text.
UNIT = 1024  # Weights are whole numbers of 1/UNIT.
AHEAD = (1, 2, 0)  # Steps from the last match to the first places of the next search.
# A word is used for the search only if it is in few sentences: at most COMMON, or one sentence in
# COMMON_SHARE but at most MOST_COMMON.
COMMON, COMMON_SHARE, MOST_COMMON = 8, 8, 64
CANDIDATES = 4  # Sentences found by words that are compared.


class Found(NamedTuple):
    """The place where a changed sentence was found, and the share of its words found there."""

    share: float
    at: int


NOWHERE = Found(0.0, -1)  # The sentence is new.


class _Text:
    """A text as sentences; the words of each have one space between them."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self.lines = lines
        self.places = {line: place for place, line in reversed(list(enumerate(lines)))}
        self._words: dict[int, frozenset[bytes]] = {}

    def words(self, place: int) -> frozenset[bytes]:
        words = self._words.get(place)
        if words is None:
            words = self._words[place] = frozenset(self.lines[place].split(b" "))
        return words


def match_sentences(
    our_lines: list[bytes], their_lines: list[bytes]
) -> tuple[list[tuple[int, float, int]], list[int], list[int], list[int]]:
    """Find the sentences of a later text in an earlier one.

    Args:
        our_lines: the later text, one sentence per line: words in UTF-8 with one space between.
        their_lines: the earlier text, likewise.

    Returns:
        Four lists. First, each sentence of the later text without an identical one in the earlier
        text: its place, the share of its words that was found, and where, or -1. Second, the
        places of the earlier text's sentences without an identical one in the later text. Third,
        the part of the second list that the later text lacks even in other words. Fourth, the part
        of which the later text lacks more than a few words.
    """
    ours, theirs = _Text(our_lines), _Text(their_lines)
    alone = [at for at, line in enumerate(their_lines) if line not in ours.places]
    changed = [place for place, line in enumerate(our_lines) if line not in theirs.places]
    found: dict[int, Found] = {}
    if changed:
        weights = _weigh((ours, theirs))
        wanted = frozenset().union(*map(ours.words, changed))
        found = _Finder(theirs, weights, wanted).find_all(ours)
    standing: defaultdict[int, set[bytes]] = defaultdict(set)
    for place, one in found.items():
        if one is not NOWHERE:
            standing[one.at] |= ours.words(place)
    return (
        [(place, *one) for place, one in found.items()],
        alone,
        [at for at in alone if at not in standing],
        [at for at in alone if not _is_whole(theirs.words(at), standing.get(at))],
    )


def _is_whole(words: frozenset[bytes], standing: set[bytes] | None) -> bool:
    return standing is not None and len(words & standing) >= WHOLE * len(words)


def _weigh(texts: Iterable[_Text]) -> dict[bytes, int]:
    """The weights of words, by the text that has each in the larger share of its sentences.

    They are whole numbers: their sums are equal in any order.
    """
    shares: defaultdict[bytes, float] = defaultdict(float)
    for text in texts:
        count = len(text.lines)
        for word, times in Counter(chain.from_iterable(map(text.words, range(count)))).items():
            shares[word] = max(shares[word], times / (count + 1))
    return {word: round(UNIT * -log(share)) for word, share in shares.items()}


class _Finder:
    def __init__(self, text: _Text, weights: Mapping[bytes, int], wanted: frozenset[bytes]) -> None:
        """Prepare a search in a text for ``wanted`` words; ``weights`` has those of both texts."""
        self._text, self._weights, self._wanted = text, weights, wanted
        self._by_word: dict[bytes, list[int]] | None = None

    def find_all(self, text: _Text) -> dict[int, Found]:
        """Search for all sentences without an identical one in the other text."""
        found: dict[int, Found] = {}
        last = -1
        for place, line in enumerate(text.lines):
            at = self._text.places.get(line)
            if at is None:
                one = found[place] = self._find(text.words(place), last)
                last = one.at if one is not NOWHERE else last
            else:
                last = at
        return found

    def _find(self, words: frozenset[bytes], last: int) -> Found:
        weigh = self._weights.__getitem__
        weight = sum(map(weigh, words))
        best, most = -1, 0.0
        for place in self._candidates(words, last):
            shared = sum(map(weigh, words & self._text.words(place)))
            share = shared / weight if weight else 0.0
            if share > most:
                best, most = place, share
            if share >= SURE:
                break
        if most < OLD:
            return NOWHERE
        # A sentence that is not identical has another word, or the same words in another order.
        shared = min(len(words & self._text.words(best)), len(words) - 1)
        return Found(shared / len(words), best)

    def _candidates(self, words: frozenset[bytes], last: int) -> Iterator[int]:
        """Places near the last match; then places with the most in common."""
        for step in AHEAD:
            if 0 <= last + step < len(self._text.lines):
                yield last + step
        shared: defaultdict[int, int] = defaultdict(int)
        by_word = self._look_up()
        for word in words:
            if places := by_word.get(word):
                weight = self._weights[word]
                for place in places:
                    shared[place] += weight
        yield from sorted(shared, key=lambda place: (-shared[place], place))[:CANDIDATES]

    def _look_up(self) -> dict[bytes, list[int]]:
        """The places of each wanted word that is rare enough."""
        if self._by_word is None:
            by_word: defaultdict[bytes, list[int]] = defaultdict(list)
            for place, _ in enumerate(self._text.lines):
                for word in self._text.words(place) & self._wanted:
                    by_word[word].append(place)
            most = min(max(COMMON, len(self._text.lines) // COMMON_SHARE), MOST_COMMON)
            self._by_word = {word: at for word, at in by_word.items() if len(at) <= most}
        return self._by_word
