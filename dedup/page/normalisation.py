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

# Soft hyphen, zero-width spaces and joiners, direction marks, variation selectors, BOM, tags; and
# lone surrogates, which no encoder takes.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]"
)
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")


def normalise(text: str) -> str:
    """Bring a text to the one spelling that fingerprints are made from."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
        if _HAN.search(text):
            text = _to_simplified().convert(text)
    return " ".join(text.casefold().split())


@cache
def _to_simplified() -> OpenCC:
    return OpenCC("t2s")
