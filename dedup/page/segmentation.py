"""Normalised text to tokens, whatever the script.

text -> the same with its tokens parted by spaces and all else left out -> tokens

Runs of Han characters are cut into words by jieba, or into characters. Scripts written without
spaces that jieba does not know (kana, Thai, Lao, Khmer, Burmese, Tibetan and so on) become
character pairs, never "no tokens". All else is Unicode words with their combining marks.

jieba's dictionary is searched by compiled code (native/words.c); where that is missing by rjieba,
the same in Rust, where that is installed, else by jieba. On runs of Han characters the three give
the same tokens, and only such runs are handed to them, so fingerprints do not depend on which is
there.

No step looks at a token alone: a whole page is rewritten at once, a few passes over its text.
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
from dedup.page.normalisation import beyond_ascii

VERSION = 2

SEGMENTERS = ("jieba", "chars")
HMM = False  # jieba's guesses at words it does not know: measured, they find no more reposts

_HAN = "\u4e00-\u9fd5"  # the characters of jieba's dictionary
_UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f"  # Thai, Lao, Tibetan, Burmese
    "\u1780-\u17ff\u1950-\u19df\u1a20-\u1aad"  # Khmer, Tai Le, New Tai Lue, Tai Tham
    "\u1b00-\u1b7f\uaa00-\uaa5f\uaa80-\uaadf"  # Balinese, Cham, Tai Viet
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
    return space(text, segmenter).decode().split()


def space(text: str, segmenter: str = "jieba") -> bytes:
    """Part the tokens of a normalised text by spaces and leave out what belongs to none.

    Args:
        text: normalised text; lines are cut each on its own.
        segmenter: as for ``segment``.

    Returns:
        UTF-8, as many lines as there were, each with spaces between its tokens and around them.
    """
    if not text.isascii():
        encoded = text.encode("utf-8", "surrogatepass")
        words = _dictionary(segmenter)
        for characters in (_characters, _all_characters):
            spaced = native.space_tokens(encoded, characters(), words)
            if spaced is not None:
                return spaced
    other = beyond_ascii(text)
    if _HAN_RUN.search(other):
        text = _space_han(text, segmenter)
    if _clustered().search(other):
        text = _space_clusters(text, marked=_mark().search(other) is not None)
    elif other:
        text = _SIGN.sub(" ", text)
    return text.encode().translate(_SPACED)


_HAN_RUN = re.compile(f"([{_HAN}]+)")
_UNSPACED_RUN = re.compile(f"[{_UNSPACED}]+")
_SIGN = re.compile(r"[^\x00-\x7f\w]")
_SIGN_BESIDE_PAIRS = re.compile(rf"[^\x00-\x7f\w{_UNSPACED}]")
_SPACED = re.sub(rb"[^\w\n\x80-\xff]", b" ", bytes(range(256)))  # bytes to bytes, ASCII signs out


def _space_han(text: str, segmenter: str) -> str:
    """Cut all runs of Han characters in one go."""
    pieces = _HAN_RUN.split(text)
    words = han_cutter(segmenter)("\n".join(pieces[1::2]))  # none goes over the end of a line
    pieces[1::2] = " ".join(words).split(" \n ")
    return " ".join(pieces)


def _space_clusters(text: str, *, marked: bool) -> str:
    """Part pairs of scripts without spaces, and leave words their combining marks, if any."""
    text = _UNSPACED_RUN.sub(_space_pairs, text)
    return (_unattached() if marked else _SIGN_BESIDE_PAIRS).sub(" ", text)


def _space_pairs(run: re.Match[str]) -> str:
    pairs = map("".join, pairwise(run[0])) if len(run[0]) > 2 else [run[0]]
    return f" {' '.join(pairs)} "


@cache
def _clustered() -> re.Pattern[str]:
    return re.compile(f"[{_UNSPACED}{_marks()}]")


@cache
def _mark() -> re.Pattern[str]:
    return re.compile(f"[{_marks()}]")


@cache
def _unattached() -> re.Pattern[str]:
    """Signs, and combining marks that follow no letter."""
    marks = _marks()
    return re.compile(rf"[^\x00-\x7f\w{_UNSPACED}{marks}]|(?<![\w{marks}])[{marks}]+")


@cache
def _marks() -> str:
    """The combining marks as a character class: \\w leaves them out and would cut words at them."""
    marks = [c for c in map(chr, range(0x300, 0x10000)) if unicodedata.category(c)[0] == "M"]
    return "".join(c for c in marks if not _UNSPACED_RUN.match(c))


@cache
def _characters() -> bytes:
    """What each character of up to 16 bits is, by its number in native/segmentation.c."""
    kinds = bytearray(1 << 16)
    everything = "".join(map(chr, range(len(kinds))))
    word, marks = re.compile(r"\w+"), re.compile(f"[{_marks()}]+")
    for kind, runs in enumerate((word, _HAN_RUN, _UNSPACED_RUN, marks, re.compile("\n")), start=1):
        for run in runs.finditer(everything):
            kinds[run.start() : run.end()] = bytes((kind,)) * len(run[0])
    return bytes(kinds)


@cache
def _all_characters() -> bytes:
    """As ``_characters``, up to where rare Han begin; few texts have characters beyond 16 bits.

    There are words and signs among these: no Han and no combining marks that words keep.
    """
    return _characters() + bytes(chr(code).isalnum() for code in range(1 << 16, 1 << 17))


@cache
def _dictionary(segmenter: str) -> object:
    """What native/words.c cuts by: jieba's dictionary, or None, for characters.

    Raises:
        ValueError: unknown segmenter.
    """
    if not _knows_words(segmenter):
        return None
    package = find_spec("jieba")  # which takes long to import
    assert package is not None
    assert package.origin is not None
    return native.read_dictionary(Path(package.origin).with_name("dict.txt").read_bytes())


@cache
def han_cutter(segmenter: str) -> Cut:
    """The function that cuts runs of Han characters; dictionaries are loaded here, once.

    Raises:
        ValueError: unknown segmenter.
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
        return list(tokenizer.cut(run, HMM=HMM))

    return cut
