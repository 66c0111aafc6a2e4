"""Invented texts: each name gives one text, always the same, unlike that of any other name."""

import re
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Literal

from crawler.demo.traps.words import CHINESE, ENGLISH, Lexicon

Language = Literal["en", "zh"]

LEXICONS: dict[Language, Lexicon] = {"en": ENGLISH, "zh": CHINESE}
JOINTS: dict[Language, str] = {"en": " ", "zh": ""}
# How many words of a kind a text has of its own; so two texts have few in common.
OWN_WORDS = {"N": 24, "A": 16, "V": 16, "P": 4, "L": 3, "T": 8, "C": 6}
SENTENCES_A_PARAGRAPH = (3, 6)

_PLACE = re.compile(r"[NAVPLTC](?![a-z])")
_A_BEFORE_VOWEL = re.compile(r"\b([Aa]) (?=[aeiou])")
_LETTER_OR_WORD = re.compile(r"[\u4e00-\u9fff]|[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Text:
    """A title and paragraphs."""

    title: str
    paragraphs: tuple[str, ...]
    lang: Language = "en"


@lru_cache(maxsize=4096)
def written(name: str, lang: Language = "en", length: tuple[int, int] = (170, 340)) -> Text:
    """The text of a name.

    Arguments: length, the least and the most words (letters in Chinese) before its last sentence.
    """
    rng = Random(f"trap {name}")  # noqa: S311  (no secret)
    lexicon = _own_words(lang, rng)
    wanted = rng.randint(*length)
    paragraphs: list[str] = []
    while (left := wanted - sum(map(length_of, paragraphs))) > 0:
        paragraphs.append(_paragraph(lexicon, lang, rng, left))
    return Text(_title(lexicon, lang, rng), tuple(paragraphs), lang)


def length_of(text: str) -> int:
    """The words of a text; in Chinese its letters."""
    return len(_LETTER_OR_WORD.findall(text))


def _own_words(lang: Language, rng: Random) -> Lexicon:
    lexicon = LEXICONS[lang]
    own = {kind: tuple(rng.sample(lexicon.words[kind], OWN_WORDS[kind])) for kind in OWN_WORDS}
    return Lexicon(own, lexicon.sentences)


def _title(lexicon: Lexicon, lang: Language, rng: Random) -> str:
    return _filled({"en": "The A N of L", "zh": "L的AN"}[lang], lexicon, rng)


def _paragraph(lexicon: Lexicon, lang: Language, rng: Random, most: int) -> str:
    """Sentences until there are enough, or as many words as `most`."""
    sentences: list[str] = []
    for pattern in rng.sample(lexicon.sentences, rng.randint(*SENTENCES_A_PARAGRAPH)):
        sentence = _filled(pattern, lexicon, rng)
        sentences.append(sentence[0].upper() + sentence[1:])
        if sum(map(length_of, sentences)) >= most:
            break
    return JOINTS[lang].join(sentences)


def _filled(pattern: str, lexicon: Lexicon, rng: Random) -> str:
    sentence = _PLACE.sub(lambda place: rng.choice(lexicon.words[place[0]]), pattern)
    return _A_BEFORE_VOWEL.sub(r"\1n ", sentence)
