"""In which scripts a text is written, Latin aside: how much of it, in four bits a script.

Pages in two languages may share what nobody translated: notes, licences, code. Where they share
little else, they are written in different scripts or repeat each other not at all.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dedup import native

# The first octets that the characters of a script have as UTF-8 (Unicode, chapter 3.9)
_FIRST_OCTETS = (
    (0xCE, 0xCF),  # Greek
    (0xD0, 0xD3),  # Cyrillic
    (0xD6, 0xD7),  # Armenian, Hebrew
    (0xD8, 0xDB),  # Arabic
    (0xE0, 0xE1),  # of India and South-East Asia
    (0xE3, 0xE3),  # kana
    (0xE4, 0xE9),  # Han
    (0xEA, 0xED),  # Hangul
)
_BITS = 4
_MOST = (1 << _BITS) - 1  # stands for all of a text
_LEAST = 2  # of these, some 13 %: less may be a name or a quotation


def script_shares(text: bytes) -> int:
    """The shares of eight scripts among the letters of a text, packed in 32 bits.

    Args:
        text: UTF-8 in lower case.
    """
    if native.core is None:
        counts = np.bincount(np.frombuffer(text, np.uint8), minlength=256)
    else:
        counts = np.frombuffer(native.core.count_octets(text), np.int64)
    letters = int(counts[0x61:0x7B].sum() + counts[0xC2:0xF5].sum())
    packed = 0
    for first, last in _FIRST_OCTETS:
        share = int(counts[first : last + 1].sum()) / letters if letters else 0.0
        packed = packed << _BITS | round(_MOST * share)
    return packed


def in_other_scripts(one: int, other: int) -> bool:
    """Whether a script that one text has is missing in the other."""
    return any(
        max(a, b) >= _LEAST and not min(a, b)
        for a, b in zip(_unpack(one), _unpack(other), strict=True)
    )


def _unpack(packed: int) -> Iterator[int]:
    return (packed >> _BITS * place & _MOST for place in range(len(_FIRST_OCTETS)))
