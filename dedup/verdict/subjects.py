"""Texts of two subjects in one wording: the name of one stands for the name of the other.

Sister pages are often written from one set of sentences: those of two commands, towns or players.
Unlike a form, they may differ in other words, too. Names give them away: a word of each heading
stands in the text below it and hardly in the other text, and the one in the place of the other,
again and again. This counts between two sites. On one site, other words below another heading are
enough. Where all its pages have one heading, the URLs name the subjects: ``/towns/hull``,
``/towns/leeds``.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from typing import NamedTuple
from urllib.parse import unquote

from dedup.page.document import is_machine
from dedup.verdict.forms import LEAST, are_spelled_alike, are_words
from dedup.verdict.matching import Matching
from dedup.verdict.sentences import Sentences, list_words

LEAST_SENTENCES = 3  # That have one name in the place of the other.
OFTENER = 4  # A text has its name so many times as often as the other text, which may mention it.
OFTENER_IN_URL = 2  # The same of a name in its URL: a manual names its chapters, too.
LEAST_LOST = 0.02  # Minimum share of new or reworded text of pages with names in their URLs.
SAME_NAME = 0.8  # Minimum similarity of two spellings of one name, such as colour and color.

_HOST = re.compile(r"\A[^/?#]*//[^/?#]*")
_SIGNS, _JOINTS = re.compile(r"\W+"), re.compile("[-_]")
_NAME = re.compile(r"\d*[^\d]{2,}.*|\d*[^\x00-\x7f\d]\d*")  # Two letters, or an ideograph.


class Names(NamedTuple):
    """The words of each heading that the other one lacks, and that its text has far oftener."""

    own: frozenset[str]
    other: frozenset[str]


NO_NAMES = Names(frozenset(), frozenset())


def find_names(
    own: frozenset[str],
    other: frozenset[str],
    matching: Matching,
    segmenter: str,
    urls: tuple[str, str] | None = None,
    headings: tuple[str, str] = ("", ""),
) -> Names:
    """Find the names in the words that two headings, or two URLs, do not share.

    ``own`` and ``other`` are the words of one heading or URL alone. ``urls`` are those of the pages
    with these headings, the later one's first, if they are of one site. ``headings`` are those
    of two sites: they may stand at the beginning of their texts, too, and are not counted there.
    """
    if not (own or other):
        return NO_NAMES
    here, there = map(_count_words, (matching.ours, matching.theirs), headings)
    if own.isdisjoint(here) and other.isdisjoint(there):
        return NO_NAMES
    shared = Counter(list_words("\n".join(matching.ours.shared), segmenter))
    one, two = (_read_url(url, segmenter) for url in urls or ("", ""))
    return Names(
        _oftener(own, one - two, here, there, shared),
        _oftener(other, two - one, there, here, shared),
    )


def have_names_in_urls(
    urls: tuple[str, str], matching: Matching, lost: float, segmenter: str
) -> bool:
    """Whether two texts that differ enough each have a name in their own URL alone.

    ``lost`` is the share of the later text that is new or reworded. Numbers and the names of
    machines are no names.
    """
    if lost < LEAST_LOST:
        return False
    one, other = (_read_url(url, segmenter) for url in urls)
    return all(find_names(one - other, other - one, matching, segmenter))


def name_another(matching: Matching, names: Names) -> bool:
    """Whether the later text names another subject than the earlier one."""
    if not all(names):  # As for most pages.
        return False
    found = _count_pairs(matching, names)
    return any(
        sentences >= LEAST_SENTENCES
        and sentences * letters >= LEAST * matching.ours.letters
        and are_words(pair)
        and not are_spelled_alike(*pair, SAME_NAME)
        for pair, (sentences, letters) in found.items()
    )


def _count_pairs(matching: Matching, names: Names) -> dict[tuple[str, str], tuple[int, float]]:
    """The sentences with one name in the place of another, and their letters, for each two names.

    A heading may be full of names. So the names of each sentence are looked up, not each two names
    in all sentences.
    """
    own, other = ({word.encode(): word for word in words} for words in names)
    pairs: dict[tuple[str, str], tuple[int, float]] = {}
    for line, found in matching.found.items():
        if found is None:
            continue
        here = own.keys() & line.wording
        there = other.keys() & found.line.wording
        if not here or not there or line.is_stamp:
            continue
        for name, instead in product(here, there):
            pair = own[name], other[instead]
            sentences, letters = pairs.get(pair, (0, 0.0))
            pairs[pair] = sentences + 1, letters + line.letters
    return pairs


def _read_url(url: str, segmenter: str) -> frozenset[str]:
    """The words of a URL behind its host: ``get_flow`` as it is, in parts, and as ``getflow``."""
    shown = unquote(_HOST.sub("", url))  # It may be no URL at all.
    spelled = f"{shown} {shown.replace('_', ' ')} {_JOINTS.sub('', shown)}"
    words = list_words(_SIGNS.sub(" ", spelled), segmenter)
    return frozenset(word for word in words if _NAME.fullmatch(word) and not is_machine(word))


def _count_words(text: Sentences, heading: str) -> Counter[str]:
    """The words of a text; its first block may be its heading, or the end of that."""
    first = int(heading.endswith(text.blocks[0]))
    lines = [line.words for line in text.lines if line.sentence.block >= first]
    return Counter(b" ".join(lines).decode().split())


def _oftener(
    words: frozenset[str],
    in_url: frozenset[str],
    here: Counter[str],
    there: Counter[str],
    shared: Counter[str],
) -> frozenset[str]:
    """The words that one text has far oftener than the other."""

    def is_oftener(word: str) -> bool:
        times = OFTENER_IN_URL if word in in_url else OFTENER
        return here[word] + shared[word] >= times * (there[word] + shared[word])

    return frozenset(word for word in words if here[word] and is_oftener(word))
