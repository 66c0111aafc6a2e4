"""Normalised text to tokens, whatever the script.

Runs of Han characters are cut into words by jieba, or into characters. Scripts written without
spaces that jieba does not know (kana, Thai, Lao, Khmer, Burmese, Tibetan and so on) become
character pairs, never "no tokens". All else is Unicode words with their combining marks.

jieba's segmentation runs on rjieba, the same algorithm in Rust, where that is installed. On runs
of Han characters the two give the same tokens, and only such runs are handed to them, so
fingerprints do not depend on which is there.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable
from functools import cache

VERSION = 1

SEGMENTERS = ("jieba", "chars")
HMM = False  # jieba's guesses at words it does not know: measured, they find no more reposts

_HAN = "\u4e00-\u9fd5"  # the characters of jieba's dictionary
_UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f"  # Thai, Lao, Tibetan, Burmese
    "\u1780-\u17ff\u1950-\u19df\u1a20-\u1aad"  # Khmer, Tai Le, New Tai Lue, Tai Tham
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\ua980-\ua9df\uaa60-\uaa7f"  # kana, Javanese, Burmese
    "\u3400-\u4dbf\u9fd6-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han beyond the dictionary
)

Cut = Callable[[str], list[str]]


def segment(text: str, segmenter: str = "jieba") -> list[str]:
    """Cut normalised text into tokens, in order.

    Args:
        text: normalised text.
        segmenter: ``jieba`` or ``chars``, for runs of Han characters.
    """
    if text.isascii():
        return _ascii_words(text)
    cut = han_cutter(segmenter)
    tokens: list[str] = []
    for run in _runs().finditer(text):
        if run.lastgroup == "word":
            tokens.append(run[0])
        elif run.lastgroup == "han":
            tokens += cut(run[0])
        else:
            tokens += _pairs(run[0])
    return tokens


_ascii_words = re.compile(r"\w+").findall


@cache
def _runs() -> re.Pattern[str]:
    marks = _marks()
    return re.compile(
        f"(?P<han>[{_HAN}]+)|(?P<unspaced>[{_UNSPACED}]+)"
        rf"|(?P<word>[^\W{_HAN}{_UNSPACED}]+(?:[{marks}]+[^\W{_HAN}{_UNSPACED}]*)*)"
    )


def _marks() -> str:
    """The combining marks as a character class: \\w leaves them out and would cut words at them."""
    marks = [c for c in map(chr, range(0x300, 0x10000)) if unicodedata.category(c)[0] == "M"]
    unspaced = re.compile(f"[{_UNSPACED}]")
    return "".join(c for c in marks if not unspaced.match(c))


def _pairs(run: str) -> list[str]:
    if len(run) < 3:
        return [run]
    return [run[i : i + 2] for i in range(len(run) - 1)]


@cache
def han_cutter(segmenter: str) -> Cut:
    """The function that cuts runs of Han characters; dictionaries are loaded here, once.

    Raises:
        ValueError: unknown segmenter.
    """
    if segmenter == "chars":
        return list
    if segmenter == "jieba":
        return _rjieba() or _jieba()
    raise ValueError(f"segmenter must be one of {', '.join(SEGMENTERS)}; got {segmenter!r}")


def _rjieba() -> Cut | None:
    try:
        import rjieba  # noqa: PLC0415
    except ImportError:
        return None

    def cut(run: str) -> list[str]:
        words: list[str] = rjieba.cut(run, HMM)
        return words

    return cut


def _jieba() -> Cut:
    import jieba  # noqa: PLC0415

    # Loaded by hand: jieba itself would keep, and trust, a marshalled copy of its dictionary in
    # the world-writable temporary folder.
    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True

    def cut(run: str) -> list[str]:
        return [sys.intern(word) for word in tokenizer.cut(run, HMM=HMM)]

    return cut
