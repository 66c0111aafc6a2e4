"""One spelling for what readers see as the same text.

NFKC, case folding, zero-width and other invisible characters out, white space folded, traditional
Chinese to simplified through OpenCC (phrase by phrase, so that one character that stands for
several comes out right).
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from opencc import OpenCC

VERSION = 1

_ASCII = bytes(range(128))

# Soft hyphen, zero-width spaces and joiners, direction marks, variation selectors, BOM, tags; and
# lone surrogates, which no encoder takes.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]"
)
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
_EASTERN = re.compile("[\u2e80-\U0010ffff]")  # Han, and all that NFKC makes Han of, among others
# Common signs that NFKC changes: without them most lines are in NFKC, which is soon seen.
_SIGNS = [(s, unicodedata.normalize("NFKC", s)) for s in "\u00a0\u2026\u3000！（），：；？"]


def normalise(text: str) -> str:
    """Bring a text to the one spelling that fingerprints are made from."""
    return " ".join(spell(text).split())


def spell(text: str) -> str:
    """As ``normalise``, all white space left as it is: lines stay lines."""
    other = beyond_ascii(text)
    if other:
        if _INVISIBLE.search(other):
            text = _INVISIBLE.sub("", text)
        for sign, spelling in _SIGNS:
            text = text.replace(sign, spelling)
        text = "\n".join([unicodedata.normalize("NFKC", line) for line in text.split("\n")])
        if _EASTERN.search(other) and _HAN.search(text):
            text = _to_simplified().convert(text)
    return text.casefold()


def beyond_ascii(text: str) -> str:
    """The characters that are not ASCII: few in most texts, so tests for some of them are quick."""
    encoded = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    return encoded.decode("utf-8", "surrogatepass")


@cache
def _to_simplified() -> OpenCC:
    return OpenCC("t2s")
