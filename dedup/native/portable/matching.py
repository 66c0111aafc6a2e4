"""Find the sentences of one text in another, in the same or in other words.

A sentence is old if the other text has it, or has most of its words: at least ``OLD`` of their
weight is in one sentence of the other text and the two beside that. A word that is rarer in both
texts weighs more. So a reworded sentence is old, and a sentence on another subject is new, at any
place in the text. The search begins where the previous sentence was found, then goes by words. A
sentence in the place of a missing one needs less in common: it is a replacement, not an addition.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import log
from typing import NamedTuple

# Minimum shares of a sentence's weight: to be old; to be old in the place of a missing sentence; to
# end the search for a better place.
OLD, REPLACED, SURE = 0.45, 0.25, 0.6
WHOLE = 0.95  # Minimum share of a sentence's words for it to be whole in the other text.
UNIT = 1024  # Weights are whole numbers of 1/UNIT.
AHEAD = (1, 2, 0)  # Steps from the last match to the first places of the next search.
# A word is used for the search only if it is in few sentences: at most COMMON, or one sentence in
# COMMON_SHARE but at most MOST_COMMON.
COMMON, COMMON_SHARE, MOST_COMMON = 8, 8, 64
CANDIDATES = 4  # Sentences found by words that are compared.


class Found(NamedTuple):
    """The place where a changed sentence was found, and the share of its weight found there."""

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
        """The words of a sentence."""
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
        text: its place, the share of its weight that was found, and where, or -1. Second, the
        places of the earlier text's sentences without an identical one in the later text. Third,
        the part of the second list that the later text lacks even in other words. Fourth, the part
        of which the later text lacks more than a few words.
    """
    ours, theirs = _Text(our_lines), _Text(their_lines)
    alone = [at for at, line in enumerate(their_lines) if line not in ours.places]
    changed = [place for place, line in enumerate(our_lines) if line not in theirs.places]
    found: dict[int, Found] = {}
    if changed:
        weights = _weigh(Counter(b" ".join([*our_lines, *their_lines]).split()))
        wanted = frozenset().union(*map(ours.words, changed))
        found = _Finder(theirs, weights, frozenset(alone), wanted).find_all(ours)
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


def _weigh(counts: Counter[bytes]) -> dict[bytes, int]:
    """The weights of words; rarer words weigh more. Whole numbers: sums are equal in any order."""
    total = counts.total() + 1
    weights = {count: round(UNIT * log(total / count)) for count in set(counts.values())}
    return {word: weights[count] for word, count in counts.items()}


class _Finder:
    """Finds the sentences of one text in another."""

    def __init__(
        self,
        text: _Text,
        weights: Mapping[bytes, int],
        alone: frozenset[int],
        wanted: frozenset[bytes],
    ) -> None:
        """Prepare a search in a text for the ``wanted`` words; ``weights`` has those of both texts.

        ``alone`` are the places of sentences that the other text lacks: they may be replaced.
        """
        self._text, self._weights = text, weights
        self._alone, self._wanted = alone, wanted
        self._taken: set[int] = set()  # Places already matched.
        self._windows: dict[int, frozenset[bytes]] = {}
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
        if last + 1 in self._alone:  # The most frequent case: the next sentence, little changed.
            shared = words & self._text.words(last + 1)
            share = sum(map(weigh, shared)) / weight if weight else 0.0
            if share >= SURE:
                self._taken.add(last + 1)
                return Found(share, last + 1)
        best = NOWHERE
        for place, is_next in self._candidates(words, last):
            shared = words & self._around(place)
            share = sum(map(weigh, shared)) / weight if weight else 0.0
            is_slot = is_next and share >= REPLACED and self._is_replaced(place)
            if share >= SURE or is_slot:
                return self._settle(share, place, words)
            if share > best.share:
                best = Found(share, place)
        return self._settle(*best, words) if best.share >= OLD else NOWHERE

    def _settle(self, share: float, place: int, words: frozenset[bytes]) -> Found:
        """Match the best of three sentences: the one at ``place`` and the two beside it."""
        near = range(max(0, place - 1), min(place + 2, len(self._text.lines)))
        at = max(near, key=lambda at: (len(words & self._text.words(at)), at == place))
        self._taken.add(at)
        return Found(share, at)

    def _is_replaced(self, place: int) -> bool:
        """Whether the other text lacks a sentence, and it is not matched yet."""
        return place in self._alone and place not in self._taken

    def _around(self, place: int) -> frozenset[bytes]:
        """The words of a sentence and of its two neighbours."""
        around = self._windows.get(place)
        if around is None:
            places = range(max(0, place - 1), min(place + 2, len(self._text.lines)))
            around = frozenset().union(*map(self._text.words, places))
            self._windows[place] = around
        return around

    def _candidates(self, words: frozenset[bytes], last: int) -> Iterator[tuple[int, bool]]:
        """Places near the last match, True if after it; then places with the most in common."""
        for step in AHEAD:
            if 0 <= last + step < len(self._text.lines):
                yield last + step, step > 0
        shared: defaultdict[int, int] = defaultdict(int)
        by_word = self._look_up()
        for word in words:
            if places := by_word.get(word):
                weight = self._weights[word]
                for place in places:
                    shared[place] += weight
        for place in sorted(shared, key=lambda place: (-shared[place], place))[:CANDIDATES]:
            yield place, False

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
