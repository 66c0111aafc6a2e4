"""Characters in a browser: invisible ones, and those whose shape depends on the language."""

from __future__ import annotations

import re

# Controls, zero width, writing direction, lone surrogates. The pattern also works in browsers.
UNSEEN = (
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff"
    r"\ud800-\udfff]"
)
_PATTERN = re.compile(UNSEEN)

_IDEOGRAPH = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_LETTER = re.compile(r"[^\W\d_]")


def make_visible(text: str) -> str:
    """A text with names in place of its invisible characters, such as U+200B in brackets."""
    return _PATTERN.sub(lambda found: f"\u27e8U+{ord(found[0]):04X}\u27e9", text)


def language_of(text: str) -> str:
    """``zh`` or ``ja`` if at least a fifth of the letters are of it; else empty.

    In Japanese at least a tenth of these letters are kana.
    """
    ideographs, kana = len(_IDEOGRAPH.findall(text)), len(_KANA.findall(text))
    own = ideographs + kana
    if not own or 5 * own < len(_LETTER.findall(text)):
        return ""
    return "ja" if 10 * kana >= own else "zh"
