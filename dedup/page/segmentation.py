"""Normalised text to tokens, for all scripts.

text -> its tokens with spaces between them, everything else removed -> tokens

Runs of Han characters are cut into words by jieba, or into characters. Other scripts without spaces
(kana, Thai, Lao, Khmer, Burmese, Tibetan and so on) become character pairs. All other text becomes
Unicode words with their combining marks.

Compiled code (native/words.c) searches jieba's dictionary. Where that is missing, rjieba (jieba in
Rust) does it if installed, else jieba. They get only runs of Han characters, and there all three
return the same tokens. So fingerprints are the same with each of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

from dedup import native

VERSION = 2

SEGMENTERS = ("jieba", "chars")
HMM = False  # jieba's guesses at unknown words; in measurements they found no more reposts.

_HAN = "\u4e00-\u9fd5"  # The characters of jieba's dictionary.
_UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f"  # Thai, Lao, Tibetan, Burmese
    "\u1780-\u17ff\u1950-\u19df\u1a20-\u1aad"  # Khmer, Tai Le, New Tai Lue, Tai Tham
    "\u1b00-\u1b7f\uaa00-\uaa5f\uaa80-\uaadf"  # Balinese, Cham, Tai Viet
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\ua980-\ua9df\uaa60-\uaa7f"  # kana, Javanese, Burmese
    "\u3400-\u4dbf\u9fd6-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han beyond the dictionary
)

Cut = Callable[[str], list[str]]


def segment(text: str, segmenter: str = "jieba") -> list[str]:
    """Cut normalised text into tokens, in order; ``jieba`` or ``chars`` cuts runs of Han."""
    return space(text, segmenter).decode().split()


def space(text: str, segmenter: str = "jieba") -> bytes:
    """Put spaces between the tokens of a normalised text and remove everything else.

    The result is UTF-8 with the same number of lines; each may have spaces around its tokens too.
    No token crosses the end of a line.
    """
    if not text.isascii():
        encoded = text.encode("utf-8", "surrogatepass")
        words = _dictionary(segmenter)
        for characters in (_characters, _all_characters):
            spaced = native.space_tokens(encoded, characters(), words)
            if spaced is not None:
                return spaced
        cut_han = han_cutter(segmenter)
        text = _HAN_RUN.sub(lambda run: f" {' '.join(cut_han(run[0]))} ", text)
        text = _UNSPACED_RUN.sub(_space_pairs, text)
        text = _signs().sub(" ", text)
    return text.encode().translate(_SPACED)


_HAN_RUN = re.compile(f"[{_HAN}]+")
_UNSPACED_RUN = re.compile(f"[{_UNSPACED}]+")
_SPACED = re.sub(rb"[^\w\n\x80-\xff]", b" ", bytes(range(256)))  # ASCII signs to spaces.


def _space_pairs(run: re.Match[str]) -> str:
    pairs = map("".join, pairwise(run[0])) if len(run[0]) > 2 else [run[0]]
    return f" {' '.join(pairs)} "


@cache
def _signs() -> re.Pattern[str]:
    """A pattern for signs, and for combining marks without a letter before them."""
    marks = _marks()
    return re.compile(rf"[^\x00-\x7f\w{_UNSPACED}{marks}]|(?<![\w{marks}])[{marks}]+")


@cache
def _marks() -> str:
    """The combining marks as a character class; \\w lacks them and would cut words there."""
    marks = [c for c in map(chr, range(0x300, 0x10000)) if unicodedata.category(c)[0] == "M"]
    return "".join(c for c in marks if not _UNSPACED_RUN.match(c))


@cache
def _characters() -> bytes:
    """The kind of each character of up to 16 bits, as numbered in native/segmentation.c."""
    kinds = bytearray(1 << 16)
    everything = "".join(map(chr, range(len(kinds))))
    word, marks = re.compile(r"\w+"), re.compile(f"[{_marks()}]+")
    for kind, runs in enumerate((word, _HAN_RUN, _UNSPACED_RUN, marks, re.compile("\n")), start=1):
        for run in runs.finditer(everything):
            kinds[run.start() : run.end()] = bytes((kind,)) * len(run[0])
    return bytes(kinds)


@cache
def _all_characters() -> bytes:
    """Like ``_characters``, but up to U+1FFFF, for the few texts with characters beyond 16 bits.

    Rare Han begin after that. The added characters count as letters or as signs; Han and combining
    marks are not among them.
    """
    return _characters() + bytes(chr(code).isalnum() for code in range(1 << 16, 1 << 17))


@cache
def _dictionary(segmenter: str) -> object:
    """The dictionary of jieba for native/words.c; None for the segmenter ``chars``.

    Raises ValueError for an unknown segmenter.
    """
    if not _knows_words(segmenter):
        return None
    package = find_spec("jieba")  # Not imported, which is slow.
    assert package is not None
    assert package.origin is not None
    return native.read_dictionary(Path(package.origin).with_name("dict.txt").read_bytes())


@cache
def han_cutter(segmenter: str) -> Cut:
    """The function that cuts runs of Han characters; dictionaries are loaded here, once.

    Raises ValueError for an unknown segmenter.
    """
    if _knows_words(segmenter):
        return _rjieba() or _jieba()
    return list


def _knows_words(segmenter: str) -> bool:
    if segmenter not in SEGMENTERS:
        raise ValueError(f"segmenter must be one of {', '.join(SEGMENTERS)}; got {segmenter!r}")
    return segmenter == "jieba"


def _rjieba() -> Cut | None:
    try:
        import rjieba  # noqa: PLC0415
    except ImportError:
        return None
    return lambda run: list(rjieba.cut(run, HMM))


def _jieba() -> Cut:
    import jieba  # noqa: PLC0415

    # Loaded here because jieba itself would write, and trust, a marshalled copy of its dictionary
    # in the world-writable temporary folder.
    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return lambda run: list(tokenizer.cut(run, HMM=HMM))
