"""The language of a text, and for Chinese its script.

py3langid guesses the language, among its languages with a two-letter code. Where py3langid is not
installed, the script decides for Chinese, Japanese and Korean, and ``<html lang>`` for all others.
Simplified and Traditional Chinese differ by characters that only one script has: OpenCC converts
these in one direction only. The script that the page declares wins unless these characters
contradict it.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

from dedup.page.normalisation import converter

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

SAMPLE_CHARS = 10_000
# Bytes of UTF-8, the input of the model: 24 Latin letters or 8 Chinese characters.
MIN_LETTER_BYTES = 24

_LOADING = Lock()
_SCRIPTS = {  # Scripts and regions in a language tag.
    **dict.fromkeys(("hans", "cn", "sg", "my"), "zh-Hans"),
    **dict.fromkeys(("hant", "tw", "hk", "mo"), "zh-Hant"),
}
# Labels of Chinese languages; all are written in these two scripts.
_CHINESE_LABELS = frozenset({"zh", "yue", "wuu", "lzh"})


def detect_language(text: str, declared: str | None = None) -> str:
    """The language of a text.

    ``text`` is plain text of any length; only its first ``SAMPLE_CHARS`` characters are read.
    ``declared`` is the page's language tag, such as ``zh-TW``, or None. Returns an ISO 639-1 code;
    for Chinese ``zh-Hans`` or ``zh-Hant``, or ``zh`` if the script is unclear; ``""`` if the text
    has too few letters.
    """
    sample = text[:SAMPLE_CHARS].encode("utf-8", "ignore").decode("utf-8")
    letters = "".join(char for char in sample if char.isalpha())
    if len(letters.encode("utf-8")) < MIN_LETTER_BYTES:
        return ""
    primary, *subtags = (declared or "").strip().lower().replace("_", "-").split("-")
    with _LOADING:
        identifier = _identifier()
    label = _by_script(letters, primary) if identifier is None else identifier.classify(sample)[0]
    if label not in _CHINESE_LABELS:
        return label
    claimed = ""
    if primary in _CHINESE_LABELS:  # A script subtag comes before a region.
        claimed = next((_SCRIPTS[tag] for tag in subtags if tag in _SCRIPTS), "")
    return _chinese_script(sample, claimed)


def _by_script(letters: str, declared: str) -> str:
    """Guess Chinese, Japanese or Korean by the letters; else the declared language.

    Korean and Japanese need a tenth of the letters, Chinese a fifth.
    """
    counts = Counter(_script_of(letter) for letter in letters)
    for language in ("ko", "ja"):
        if 10 * counts[language] >= len(letters):
            return language
    if 5 * counts["zh"] >= len(letters):
        return "zh"
    return declared if len(declared) == len("en") else ""


def _script_of(letter: str) -> str:
    if "\u3040" <= letter <= "\u30ff":
        return "ja"
    if "\uac00" <= letter <= "\ud7a3":
        return "ko"
    return "zh" if "\u3400" <= letter <= "\u9fff" else ""


def _chinese_script(text: str, claimed: str) -> str:
    """Return ``zh-Hans`` or ``zh-Hant``; ``zh`` if neither text nor claim decides."""
    counts: Counter[str] = Counter()
    for char, times in Counter(text).items():
        if script := _only_script(char):
            counts[script] += times
    hans, hant = counts["zh-Hans"], counts["zh-Hant"]
    if claimed and counts.total() <= 3 * counts[claimed]:
        return claimed
    if hans == hant:
        return "zh"
    return "zh-Hans" if hans > hant else "zh-Hant"


@cache
def _only_script(char: str) -> str:
    """The only script with this character; ``""`` if both have it or it is not Han."""
    if not "\u3400" <= char <= "\U0003ffff":
        return ""
    to_hant = converter("s2t").convert(char) != char
    to_hans = converter("t2s").convert(char) != char
    if to_hant == to_hans:
        return ""
    return "zh-Hans" if to_hant else "zh-Hant"


@cache
def _identifier() -> LanguageIdentifier | None:
    """The model, limited to the labels that are returned here; it takes half a second to load."""
    try:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415
    except ImportError:
        return None
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    labels = [x for x in identifier.labels if len(x) == 2 or x in _CHINESE_LABELS]
    identifier.set_languages(labels)
    return identifier
