"""Notations of one value: 2,100 is 2100, and 5 kg is 5kg. But 1.25 is not 12.5."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Set
from decimal import Decimal, InvalidOperation

LONGEST = 400  # Characters of a sentence that are searched for dates, prices and amounts.
SPACE = ord(" ")
DIGITS_ALONE = bytes(octet if octet in b"0123456789" else SPACE for octet in range(256))
_AMOUNT = re.compile(r"\d+(?:[.,]\d+)*")
_VULGAR = "¼-¾⅐-⅞"  # Fractions of one sign.
# Not the digits of a name, such as i386, or of a placeholder, such as %1.
_AMOUNTS = re.compile(rf"(?<![A-Za-z_\d.%-])\d+(?:[.,]\d+)*[{_VULGAR}]?|[{_VULGAR}]")
# The number of an item in a list, of a note, a section or a figure, and that of a 64-bit machine.
_REFERENCE = re.compile(
    r"\A\W*\d{1,3}[.)、．）](?!\d)|\[\d{1,3}\]|(?<!\d)\d++(?=[- ]?(?:bit|位))|第 ?\d+(?:\.\d+)*|"
    r"(?:(?i:\b(?:sections?|chapters?|figures?|fig\.|tables?|appendix|steps?|pages?|abschnitt|kapitel|"
    r"abbildung|tabelle|seite|chapitre|tableau|sección|capítulo|página|рис\.|раздел|глава))|[§图圖表])"
    r" ?\d+(?:[.-]\d+)*"
)
_POINT = re.compile("[.,]")
_THOUSANDS = re.compile(r"(?<=\d)[,.'’\s](?=\d{3}(?!\d))")
_ZEROS = re.compile(r"(?<![\d.,])0+(?=\d)")
_NO_CENTS = re.compile(r"(?<=\d)[.,]00(?![.,:]?\d)")
# White space, full stops and apostrophes, but for those between two digits.
_SPACING = re.compile(r"(?<!\d)[\s'’]+|[\s'’]+(?!\d)|\.(?!\d)")
THOUSAND = 3  # Digits between two signs.


def have_other_digits(one: bytes, other: bytes) -> bool:
    """Whether two lines have other runs of digits, in any order: 2024 03 05 is 5 3 2024."""
    runs, other_runs = (
        sorted(run.lstrip(b"0") for run in line.translate(DIGITS_ALONE).split())
        for line in (one, other)
    )
    return runs != other_runs


def spell_value(value: str) -> str:
    """A value in one notation: 5 kg is 5kg, 1,234 is 1234, 08:30 is 8:30, and £5.00 is £5."""
    return _SPACING.sub("", _NO_CENTS.sub("", _ZEROS.sub("", _THOUSANDS.sub("", value.lower()))))


def have_other_order(one: str, other: str) -> bool:
    """Whether two sentences have the same words, and other numbers of the same digits.

    So 1.25 and 12.5 differ, and so do 2:1 and 1:2. 2,100 and 2100 do not.
    """
    here, there = one[:LONGEST], other[:LONGEST]
    if _AMOUNT.sub("", here) != _AMOUNT.sub("", there):
        return False
    return [*map(_read_amount, _AMOUNT.findall(here))] != [
        *map(_read_amount, _AMOUNT.findall(there))
    ]


def find_other_amounts(one: str, other: str) -> set[tuple[str, str]]:
    """The amounts that one of two sentences has in the place of those of the other.

    The numbers of items, notes, sections and figures do not count, and neither does how thousands
    are written. If one sentence has more amounts, their places are not known. Then an amount that
    only one sentence has is paired with one that only the other has.
    """
    here, there = (
        [*map(_read_amount, _AMOUNTS.findall(_REFERENCE.sub("", text[:LONGEST])))]
        for text in (one, other)
    )
    own, theirs = (
        [*(Counter(a) - Counter(b)).elements()] for a, b in ((here, there), (there, here))
    )
    if sorted("".join(own)) == sorted("".join(theirs)):
        return set()
    pairs = (
        zip(own, theirs, strict=False) if len(here) != len(there) else zip(here, there, strict=True)
    )
    return {(amount, old) for amount, old in pairs if amount != old}


def are_renumbered(pairs: Set[tuple[str, str]]) -> bool:
    """Whether all amounts grew or shrank by the same: sections or notes behind another one."""
    try:
        return len({Decimal(amount) - Decimal(old) for amount, old in pairs}) == 1
    except InvalidOperation:  # A fraction of one sign.
        return False


def _read_amount(amount: str) -> str:
    """An amount without the signs between thousands, and without zeros at its end."""
    *groups, last = _POINT.split(amount)
    if not groups or len(last) == THOUSAND:
        return "".join((*groups, last)).lstrip("0")
    return f"{''.join(groups)}.{last}".strip("0").rstrip(".")
