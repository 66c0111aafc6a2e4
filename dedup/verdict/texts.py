"""Two texts compared: how much of the later one is new, and whether they state other facts.

A sentence of the later text is old where the earlier text has it, or has most of what it says: at
least ``OLD`` of the weight of its words stands in a sentence of the earlier text and the two beside
that. A word weighs the more, the rarer it is in both texts. So a sentence in other words is old,
and one about other things is new, wherever either stands. It is looked for where the sentence
before it was found, then by its words.

Facts are compared between sentences that stand for each other. Where all else is the same, one that
differs makes another page; where many sentences were edited, a number put right does not.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import IntEnum
from math import log
from typing import NamedTuple

from dedup.page.kept import KeptText
from dedup.verdict.facts import differ, is_stamp, tell_apart
from dedup.verdict.headings import Heading, compare_with_words
from dedup.verdict.relations import Findings
from dedup.verdict.sentences import Sentences, split

OLD = 0.45  # share of a sentence's weight
REPLACED = 0.25  # the same, of one that stands where the earlier text has another
UNIT = 1024  # of weights
SURE = 0.6  # share from which on no better sentence is looked for
SAME_WORDING = 0.6  # Jaccard resemblance of words without numbers from which on facts are compared
AHEAD = (1, 2, 0)  # sentences behind the last one found, where the next is looked for
COMMON = 8  # sentences of a text that a word may always stand in and still lead to them,
COMMON_SHARE = 8  # or one in so many
CANDIDATES = 4  # sentences found by their words that are looked at closely
GAP = 8  # sentences of a gap in which one may stand for another
VALUE = 4  # words of a block up to which it can be a value alone, as in a table's cell
SAME_VALUE = 0.7  # likeness of two values from which on they are one, written otherwise
FACT_SHARE = 3  # one changed sentence in so many is of facts, where facts make another page
FEW_NUMBERS = 3  # sentences of other numbers at least, where mere numbers do,
SHORT_TEXT = 80  # but in a text of fewer words one
NUMBER_SHARE = 0.5  # of the sentences with numbers, where mere numbers do

_DIGIT = re.compile(rb"\d")
_LABEL = re.compile(r"([^:：]{1,30})[:：](?!//)(.{1,80})$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TextComparison:
    """What the comparison of two texts found.

    Attributes:
        findings: shares and facts.
        passages: what is new in the later text, in order.
        new_words: how many words of it are new.
        words: all words of the later text.
    """

    findings: Findings
    passages: tuple[str, ...]
    new_words: int
    words: int


def compare_texts(later: str, earlier: str, segmenter: str = "jieba") -> TextComparison:
    """Compare two kept texts.

    Args:
        later, earlier: as ``dedup.page.kept`` unpacks them.
        segmenter: ``jieba`` or ``chars``.
    """
    new, old = KeptText.read(later), KeptText.read(earlier)
    ours, theirs = split(new.body, segmenter), split(old.body, segmenter)
    forward, back = _find_both_ways(ours, theirs)
    here = [place for place, found in forward.items() if found is None]
    there = [place for place, found in back.items() if found is None]
    new_words = sum(_count_words(ours.lines[place]) for place in here)
    size, other_size = max(len(ours.words), 1), max(len(theirs.words), 1)
    changes = _Changes.count(ours, theirs, forward, back)
    headings, own, other = compare_with_words(
        Heading(new.title, new.h1), Heading(old.title, old.h1), segmenter
    )
    findings = Findings(
        new=new_words / size,
        gone=sum(_count_words(theirs.lines[place]) for place in there) / other_size,
        changed=sum(
            _count_words(ours.lines[place]) * (1 - found.share)
            for place, found in forward.items()
            if found is not None
        )
        / size,
        facts=changes.are_of_facts(ours),
        headings=headings,
        told=_are_told(own, other, ours, theirs),
        exact=True,
    )
    sources = dict.fromkeys(ours.source[place] for place in here)
    passages = tuple(ours.raw[source].strip() for source in sources)
    return TextComparison(findings, passages, new_words, len(ours.words))


class _Found(NamedTuple):
    """Where a changed sentence was found, and the share of its weight that stands there."""

    share: float
    at: int


_Finds = dict[int, _Found | None]  # by place of a changed sentence; None for one that is new


def _find_both_ways(ours: Sentences, theirs: Sentences) -> tuple[_Finds, _Finds]:
    places, other_places = _places(ours), _places(theirs)
    if places.keys() == other_places.keys():
        return {}, {}
    counts = Counter(ours.words)
    counts.update(theirs.words)
    total = len(ours.words) + len(theirs.words) + 1
    # whole numbers: sums do not depend on the order
    weights = {word: round(UNIT * log(total / count)) for word, count in counts.items()}
    return (
        _Finder(theirs, other_places, weights, places.keys()).find_all(ours),
        _Finder(ours, places, weights, other_places.keys()).find_all(theirs),
    )


def _places(sentences: Sentences) -> dict[bytes, int]:
    """The first place of each sentence."""
    return {line: place for place, line in reversed(list(enumerate(sentences.lines)))}


class _Finder:
    """Finds the sentences of one text in another."""

    def __init__(
        self,
        text: Sentences,
        places: Mapping[bytes, int],
        weights: Mapping[bytes, int],
        known: Collection[bytes],
    ) -> None:
        """Set what is searched.

        Args:
            text: the text searched.
            places: of its sentences.
            weights: of the words of both texts.
            known: the sentences of the other text; what is not among them may have been replaced.
        """
        self._text, self._places, self._weights = text, places, weights
        self._known = known
        self._by_word: dict[bytes, list[int]] | None = None

    def find_all(self, text: Sentences) -> _Finds:
        """Find all sentences that stand in the other text in other words, or not at all."""
        found: _Finds = {}
        last = -1
        for place, line in enumerate(text.lines):
            at = self._places.get(line)
            if at is None:
                one = found[place] = self._find(text.sets[place], last)
                last = one.at if one is not None else last
            else:
                last = at
        return found

    def _find(self, words: frozenset[bytes], last: int) -> _Found | None:
        weight = sum(map(self._weights.__getitem__, words))
        best = _Found(0.0, -1)
        for place, is_next in self._candidates(words, last):
            around = self._text.sets[max(0, place - 1) : place + 2]
            shared = words.intersection(frozenset().union(*around))
            share = sum(map(self._weights.__getitem__, shared)) / weight if weight else 0.0
            if share >= SURE or (
                is_next and share >= REPLACED and self._text.lines[place] not in self._known
            ):
                return _Found(share, place)
            if share > best.share:
                best = _Found(share, place)
        return best if best.share >= OLD else None

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
            for place, words in enumerate(self._text.sets):
                for word in words:
                    by_word[word].append(place)
            most = max(COMMON, len(self._text.lines) // COMMON_SHARE)
            self._by_word = {word: at for word, at in by_word.items() if len(at) <= most}
        return self._by_word


class _Fact(IntEnum):
    """What a changed sentence says of facts."""

    NONE = 0
    NUMBER = 1  # another number
    TELLING = 2  # another date, price or value: one makes another page


@dataclass(slots=True)
class _Changes:
    """Changed sentences, counted: all of them but stamps, and those of other facts."""

    all: int = 0
    numbers: int = 0
    telling: int = 0

    def are_of_facts(self, ours: Sentences) -> bool:
        """Whether the facts that differ make the later text another one."""
        if self.telling and self.telling * FACT_SHARE >= self.all:
            return True
        changed = self.telling + self.numbers
        if not changed or changed * FACT_SHARE < self.all:
            return False
        if len(ours.words) < SHORT_TEXT:
            return True
        if changed < FEW_NUMBERS:
            return False
        return changed >= NUMBER_SHARE * sum(_DIGIT.search(line) is not None for line in ours.lines)

    @classmethod
    def count(cls, ours: Sentences, theirs: Sentences, forward: _Finds, back: _Finds) -> _Changes:
        """Compare the facts of sentences that stand for each other.

        Args:
            ours, theirs: the texts.
            forward, back: where the changed sentences of each were found.
        """
        changes = cls()
        if not forward or not back:
            return changes
        places = _places(theirs)
        last = -1
        for place, line in enumerate(ours.lines):
            if place not in forward:
                last = places[line]
            elif not is_stamp(line):
                found = forward[place]
                near = range(last + 1, last + 1 + GAP) if found is None else _around(found.at)
                changes.all += 1
                fact = _compare_facts(ours, place, theirs, near, back)
                changes.numbers += fact is _Fact.NUMBER
                changes.telling += fact is _Fact.TELLING
                last = last if found is None else found.at
        return changes


def _around(at: int) -> tuple[int, ...]:
    """A place and the two beside it."""
    return at, at + 1, at - 1


def _compare_facts(
    ours: Sentences, place: int, theirs: Sentences, near: Sequence[int], back: _Finds
) -> _Fact:
    """Whether a sentence has other facts than those of the other text at some places.

    Only those that ``back`` holds, which the later text has not as they are, stand for another.
    """
    line, words = ours.lines[place], ours.sets[place]
    for other in near:
        if other not in back:
            continue
        both_short = ours.is_short(place) and theirs.is_short(other)
        if both_short and _same_label(ours.text(place), theirs.text(other)):
            return _Fact.TELLING
        if _are_cells(ours, place, theirs, other):
            return _Fact.TELLING
        other_line = theirs.lines[other]
        in_digits_alone = _DIGIT.sub(b"", line) == _DIGIT.sub(b"", other_line)
        if in_digits_alone or _are_worded_alike(words, theirs.sets[other]):
            if not (in_digits_alone or differ(line, other_line)):
                return _Fact.NONE
            told = tell_apart(ours.text(place), theirs.text(other))
            return _Fact.TELLING if told else _Fact.NUMBER
    return _Fact.NONE


def _are_worded_alike(one: frozenset[bytes], other: frozenset[bytes]) -> bool:
    """Whether two sentences have nearly the same words, whatever their numbers."""
    here, there = ({word for word in words if not word.isdigit()} for words in (one, other))
    return bool(here) and len(here & there) >= SAME_WORDING * len(here | there)


def _are_cells(ours: Sentences, place: int, theirs: Sentences, at: int) -> bool:
    """Whether two short blocks each stand behind another one, as cells do."""
    return (
        min(place, at) > 0
        and ours.is_short(place, VALUE)
        and theirs.is_short(at, VALUE)
        and ours.is_short(place - 1, VALUE)
        and theirs.is_short(at - 1, VALUE)
    )


def _same_label(one: str, other: str) -> bool:
    """Whether two short blocks give one label other values, and not one in other words."""
    here, there = _LABEL.match(one), _LABEL.match(other)
    if here is None or there is None or here[1].strip() != there[1].strip():
        return False
    if tell_apart(one, other):
        return True
    ours, theirs = here[2].strip(), there[2].strip()
    if ours in theirs or theirs in ours:
        return False
    return SequenceMatcher(None, ours, theirs, autojunk=False).ratio() < SAME_VALUE


def _are_told(
    own: frozenset[str], theirs: frozenset[str], ours: Sentences, other: Sentences
) -> bool:
    """Whether words that only one heading has stand in the text under it, and not in the other."""
    here, there = frozenset(ours.words), frozenset(other.words)
    sides = ((own, here, there), (theirs, there, here))
    return any(
        encoded in one and encoded not in two
        for words, one, two in sides
        for encoded in (word.encode() for word in words)
    )


def _count_words(line: bytes) -> int:
    return line.count(b" ") + 1
