"""In which scripts a text is written, Latin aside: how much of it, in four bits a script.

Pages in two languages may share what nobody translated: notes, licences, code. Where they share
little else, they are written in different scripts or repeat each other not at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dedup import native

# The first octets that the characters of a script have as UTF-8 (Unicode, chapter 3.9)
_FIRST_OCTETS = (
    b"\xce\xcf",  # Greek
    b"\xd0\xd1\xd2\xd3",  # Cyrillic
    b"\xd6\xd7",  # Armenian, Hebrew
    b"\xd8\xd9\xda\xdb",  # Arabic
    b"\xe0\xe1",  # of India and South-East Asia
    b"\xe3",  # kana
    b"\xe4\xe5\xe6\xe7\xe8\xe9",  # Han
    b"\xea\xeb\xec\xed",  # Hangul
)
_LATIN = bytes(range(ord("a"), ord("z") + 1))
_NO_LETTER = bytes(set(range(0xC2)) - set(_LATIN)) + bytes(range(0xF5, 0x100))  # nor a first octet
# For native/text.c: the script of each octet, from 1 on; what other letters begin with; 0 for none
_OTHERS = bytes(set(range(256)) - set(_NO_LETTER) - set(b"".join(_FIRST_OCTETS)))
_KINDS = bytes(
    sum(kind for kind, those in enumerate((*_FIRST_OCTETS, _OTHERS), start=1) if octet in those)
    for octet in range(256)
)
_BITS = 4
_MOST = (1 << _BITS) - 1  # stands for all of a text
_LEAST = 2  # of these, some 13 %: less may be a name or a quotation


def script_shares(text: bytes) -> int:
    """The shares of eight scripts among the letters of a text, packed in 32 bits.

    Args:
        text: UTF-8 in lower case.
    """
    if text.isascii():
        return 0
    letters, counts = _count_letters(text)
    packed = 0
    for place, count in enumerate(reversed(counts)):
        if count:
            packed |= round(_MOST * count / letters) << _BITS * place
    return packed


def _count_letters(text: bytes) -> tuple[int, Sequence[int]]:
    """The letters of a text, and those of each script."""
    if native.core is not None:
        counts: tuple[int, ...] = native.core.count_kinds(text, _KINDS)
        return sum(counts), counts[: len(_FIRST_OCTETS)]
    letters = text.translate(None, _NO_LETTER)
    rest = letters.translate(None, _LATIN)
    return len(letters), [len(rest) - len(rest.translate(None, those)) for those in _FIRST_OCTETS]


def in_other_scripts(one: int, other: int) -> bool:
    """Whether a script that one text has is missing in the other."""
    return any(
        max(a, b) >= _LEAST and not min(a, b)
        for a, b in zip(_unpack(one), _unpack(other), strict=True)
    )


def _unpack(packed: int) -> Iterator[int]:
    return (packed >> _BITS * place & _MOST for place in range(len(_FIRST_OCTETS)))
