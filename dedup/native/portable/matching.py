"""Sentences of one text found in another, in the same words or in others.

A sentence is old where the other text has it, or has most of what it says: at least ``OLD`` of the
weight of its words stands in a sentence of the other text and the two beside that. A word weighs
the more, the rarer it is in both texts. So a sentence in other words is old, and one about other
things is new, wherever either stands. It is looked for where the sentence before it was found, then
by its words. Where a sentence stands in the place of one that is gone, less in common will do: it
was replaced rather than added.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import log
from typing import NamedTuple

# Shares of the weight of a sentence: it is old; it is old where it stands in the place of another;
# no better place is looked for.
OLD, REPLACED, SURE = 0.45, 0.25, 0.6
WHOLE = 0.95  # Share of its words: it stands whole in another text.
UNIT = 1024  # Weights are counted in parts of this.
AHEAD = (1, 2, 0)  # Steps from the last sentence found to where the next one is looked for.
# A word leads to the sentences that it stands in, if these are few: COMMON of them, or one sentence
# in COMMON_SHARE of all up to MOST_COMMON.
COMMON, COMMON_SHARE, MOST_COMMON = 8, 8, 64
CANDIDATES = 4  # Sentences found by their words that are looked at closely.


class Found(NamedTuple):
    """Where a changed sentence was found, and the share of its weight that stands there."""

    share: float
    at: int


NOWHERE = Found(0.0, -1)  # the sentence is new


class _Text:
    """A text in sentences, each of words with one space between."""

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
        our_lines: the later text, a sentence each: words in UTF-8 with one space between.
        their_lines: the earlier text.

    Returns:
        The place of each sentence that the earlier text lacks, with the share of its weight that
        was found and where, or -1; then the places of the sentences that the earlier text has
        alone; of these the ones that none stands for in other words, and the ones that do not
        stand in the later text with nearly all of their words.
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
    """The weights of words, the rarer the greater: whole numbers, which sum up in any order."""
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
        """Set what is searched.

        Args:
            text: the text searched.
            weights: of the words of both texts.
            alone: the places of those that the other text lacks: they may have been replaced.
            wanted: the words that are looked for.
        """
        self._text, self._weights = text, weights
        self._alone, self._wanted = alone, wanted
        self._taken: set[int] = set()  # Places of sentences that another stands for.
        self._windows: dict[int, frozenset[bytes]] = {}
        self._by_word: dict[bytes, list[int]] | None = None

    def find_all(self, text: _Text) -> dict[int, Found]:
        """Find all sentences that stand in the other text in other words, or not at all."""
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
        if last + 1 in self._alone:  # Most often a sentence stands for the next, and is like it.
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
        """The sentence, of one and the two beside it, that some words stand for."""
        near = range(max(0, place - 1), min(place + 2, len(self._text.lines)))
        at = max(near, key=lambda at: (len(words & self._text.words(at)), at == place))
        self._taken.add(at)
        return Found(share, at)

    def _is_replaced(self, place: int) -> bool:
        """Whether the other text lacks a sentence, and no other stands for it."""
        return place in self._alone and place not in self._taken

    def _around(self, place: int) -> frozenset[bytes]:
        """The words of a sentence and of the two beside it."""
        around = self._windows.get(place)
        if around is None:
            places = range(max(0, place - 1), min(place + 2, len(self._text.lines)))
            around = frozenset().union(*map(self._text.words, places))
            self._windows[place] = around
        return around

    def _candidates(self, words: frozenset[bytes], last: int) -> Iterator[tuple[int, bool]]:
        """Places behind the last one, which is True of them, then those that share most."""
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
        """The places of each word that is not common."""
        if self._by_word is None:
            by_word: defaultdict[bytes, list[int]] = defaultdict(list)
            for place, _ in enumerate(self._text.lines):
                for word in self._text.words(place) & self._wanted:
                    by_word[word].append(place)
            most = min(max(COMMON, len(self._text.lines) // COMMON_SHARE), MOST_COMMON)
            self._by_word = {word: at for word, at in by_word.items() if len(at) <= most}
        return self._by_word
