"""Detect Chinese and Japanese, so that browsers choose the right shapes of characters."""

from __future__ import annotations

import re

_IDEOGRAPH = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_LETTER = re.compile(r"[^\W\d_]")


def language_of(text: str) -> str:
    """``zh`` or ``ja`` if at least a fifth of the letters are of it; else empty.

    In Japanese at least a tenth of these letters are kana.
    """
    ideographs, kana = len(_IDEOGRAPH.findall(text)), len(_KANA.findall(text))
    own = ideographs + kana
    if not own or 5 * own < len(_LETTER.findall(text)):
        return ""
    return "ja" if 10 * kana >= own else "zh"
