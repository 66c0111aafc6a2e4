"""Which language a text is in, and for Chinese in which of its two scripts.

The language is py3langid's guess over its languages that have a two-letter code; where that is not
installed it is Chinese, Japanese or Korean by the script, else what the page declares (``<html
lang>``). Simplified and Traditional Chinese are told apart by the characters that only one of them
has: those that OpenCC converts in one direction and leaves alone in the other. What the page
declares decides wherever these characters do not contradict it.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opencc import OpenCC
    from py3langid.langid import LanguageIdentifier

SAMPLE_CHARS = 10_000
# Bytes of UTF-8, which is what the model reads: 24 Latin letters or 8 Chinese characters.
MIN_LETTER_BYTES = 24

_LOADING = Lock()
_HANS_TAGS = frozenset({"hans", "cn", "sg", "my"})
_HANT_TAGS = frozenset({"hant", "tw", "hk", "mo"})
# Chinese languages with a label of their own, all written in the scripts told apart here.
_CHINESE_LABELS = frozenset({"zh", "yue", "wuu", "lzh"})


def detect_language(text: str, declared: str | None = None) -> str:
    """The language of a text.

    ``text`` is plain text of any length (a sample from its beginning is read); ``declared`` is the
    language tag that the page gives itself, such as ``zh-TW``, or None. Returns an ISO 639-1 code,
    ``zh-Hans`` or ``zh-Hant`` for Chinese (``zh`` when nothing tells them apart), or ``""`` when
    the text has too few letters to say.
    """
    sample = text[:SAMPLE_CHARS].encode("utf-8", "ignore").decode("utf-8")
    letters = "".join(char for char in sample if char.isalpha())
    if len(letters.encode("utf-8")) < MIN_LETTER_BYTES:
        return ""
    with _LOADING:
        identifier = _identifier()
    label = _by_script(letters, declared) if identifier is None else identifier.classify(sample)[0]
    if label in _CHINESE_LABELS:
        return chinese_script(sample, declared)
    return label


def _by_script(letters: str, declared: str | None) -> str:
    """Chinese, Japanese or Korean where a fifth of the letters are of it; else what is declared."""
    counts = Counter(_script_of(letter) for letter in letters)
    for language in ("ko", "ja"):
        if 10 * counts[language] >= len(letters):
            return language
    if 5 * counts["zh"] >= len(letters):
        return "zh"
    primary = (declared or "").strip().lower().replace("_", "-").split("-")[0]
    return primary if len(primary) == len("en") else ""


def _script_of(letter: str) -> str:
    if "\u3040" <= letter <= "\u30ff":
        return "ja"
    if "\uac00" <= letter <= "\ud7a3":
        return "ko"
    return "zh" if "\u3400" <= letter <= "\u9fff" else ""


def chinese_script(text: str, declared: str | None = None) -> str:
    """Tell ``zh-Hans`` from ``zh-Hant``; ``zh`` when neither text nor declaration shows it."""
    counts: Counter[str] = Counter()
    for char, times in Counter(text).items():
        if script := _only_script(char):
            counts[script] += times
    hans, hant = counts["zh-Hans"], counts["zh-Hant"]
    claimed = _declared_script(declared)
    if claimed == "zh-Hans" and hant <= 2 * hans:
        return claimed
    if claimed == "zh-Hant" and hans <= 2 * hant:
        return claimed
    if hans == hant:
        return "zh"
    return "zh-Hans" if hans > hant else "zh-Hant"


def _declared_script(declared: str | None) -> str:
    """The script that a language tag stands for; a script subtag goes before a region."""
    primary, *subtags = (declared or "").strip().lower().replace("_", "-").split("-")
    if primary not in _CHINESE_LABELS:
        return ""
    for subtag in subtags:
        if subtag in _HANS_TAGS:
            return "zh-Hans"
        if subtag in _HANT_TAGS:
            return "zh-Hant"
    return ""


@cache
def _only_script(char: str) -> str:
    """The one script that has this character, or ``""`` for both and for anything else."""
    if not "\u3400" <= char <= "\U0003ffff":
        return ""
    to_hant = _converter("s2t").convert(char) != char
    to_hans = _converter("t2s").convert(char) != char
    if to_hant == to_hans:
        return ""
    return "zh-Hans" if to_hant else "zh-Hant"


@cache
def _converter(name: str) -> OpenCC:
    from opencc import OpenCC  # noqa: PLC0415 - loaded with the first Chinese page

    return OpenCC(name)


@cache
def _identifier() -> LanguageIdentifier | None:
    """The model (half a second to load), cut down to the labels that can be answered with."""
    try:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415
    except ImportError:
        return None
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    labels = [x for x in identifier.labels if len(x) == 2 or x in _CHINESE_LABELS]
    identifier.set_languages(labels)
    return identifier
