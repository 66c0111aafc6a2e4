"""Facts in a sentence: its numbers, in any spelling, and dates, prices and codes among them.

A number is a run of digits or a Chinese numeral: 18, 05, 十二, 第三. A numeral may have a counter
behind it (十八日, 第五届), or be spelled as in accounts (柒拾伍万). A few digits after a letter are
part of a name (i386, php5). Two sentences have different facts if each has numbers that the
other lacks. The spelling does not matter: 2,100 is 2100, and 第三 is 3. A line with only a date is
a stamp: it is the date of the page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from dedup import native
from dedup.verdict import money
from dedup.verdict.dates import MONTHS
from dedup.verdict.notations import LONGEST, SPACE, THOUSAND, spell_value
from dedup.verdict.stamps import is_stamp

SHORT_LINE = 200  # Bytes; a longer line cannot be a stamp.
MOST_NUMBERS = 4096  # Numbers read from a text.

# Digits after a letter are part of a name (i386, php5), unless there are many (a code, a year).
# So is the hour behind the T of 2024-03-05T10:30. A digit at the beginning is found fast.
_DIGITS = re.compile(r"\d(?:(?<![^\W_]\d)\d*|(?<=\d\dt\d)\d(?!\d)|\d{3,})")
_FIGURES = dict(
    zip("零〇一二两三四五六七八九壹贰叁肆伍陆柒捌玖", "001223456789123456789", strict=True)
)
_UNITS = dict(zip("十百千拾佰仟", (10, 100, 1000) * 2, strict=True)) | {"万": 10**4, "亿": 10**8}
_FIGURE = "".join((*_FIGURES, *_UNITS))
_WRITTEN = f"{_FIGURE}兩貳參陸萬億"  # With the signs that normalisation would simplify.
_COUNTER = "年月日号岁届期集章讲回季个名人位次天元周楼层级类倍吨米条项"
# One figure with another sign behind it is a word: 一样, 十分, 四川.
_NUMERAL = re.compile(
    rf"(?<!\S)(?:第([{_FIGURE}]{{1,20}})\S?|([{_FIGURE}]{{1,20}})[{_COUNTER}]?|"
    rf"([{_FIGURE}]{{2,20}})\S|(?!一点)([{_FIGURE}])[点成折]|"
    rf"(?:[百千万]|([{_FIGURE}]{{1,20}}))分之([{_FIGURE}]{{1,20}}))(?!\S)"
)
_SIGN = 3  # Bytes of a sign.
_FIRST_SIGNS = frozenset(sign.encode() for sign in f"第{_FIGURE}")
_NUMBER_SIGN = re.compile(rf"[\d{_FIGURE}]")
_NUMBER = rf"(?:(?<![\d.,])\d[\d.,]{{0,20}}|[{_WRITTEN}]{{1,20}}(?=[元圆圓円]))"
# A name with a long number, as in A1234 and CVE-2024-1234, or the number of an error: 0x80070057.
# It may stand right behind an ideograph.
_CODE = r"(?<![A-Za-z\d_])(?:[A-Za-z]{1,8}-?|0[xX])((?<=0[xX])[\dA-Fa-f]{4,16}|\d{4,}(?:-\d+)*)"
_START, _STOP = r"(?<![a-z\d_])", r"(?![a-z\d_])"
# Six digits, also in groups; the address of a machine; nine digits with other signs between, as
# those of a telephone or a book.
_LONG_NUMBER = (
    r"(?<!\d)(?:\d{6,}|(?<![.,'’])(?:\d{3}|\d{1,3}[,.'’]\d{3})(?:[,.'’]\d{3})+(?![.,'’]?\d)|"
    r"\d{1,3}(?:\.\d{1,3}){3}(?![.\d])|\d(?:[ ().-]{0,2}\d){8,})"
)
# A single difference makes a different page: a date, a time of day, a price, an issue, a long code.
# For text in lower case: names of months are found slowly without regard to case. Ideographs may
# stand beside a fact without white space.
_TELLING = re.compile(
    rf"(?:(?<!\d)\d{{1,4}}|[{_WRITTEN}]{{1,6}})\s?"
    rf"(?:[点點时時시]\s?(?:\d{{1,2}}|[{_WRITTEN}]{{1,3}})\s?[分분]|[年月日号號時时点點년월일시])|"
    rf"{_START}\d{{4}}([-/.])\d{{1,2}}\1\d{{1,2}}(?:t\d\d(?::?\d\d)*z?)?{_STOP}|"
    rf"{_START}\d{{1,2}}([-/.])\d{{1,2}}\2\d{{4}}{_STOP}|"
    rf"{_START}\d{{1,2}}/\d{{1,2}}/\d{{2}}{_STOP}|{_START}\d\d\.\d\d\.\d\d{_STOP}|"
    rf"{_START}\d{{1,2}}(?:[.:]\d\d)? ?(?:[ap]\.?m|uhr|o['’]clock|heures|giờ){_STOP}|"
    rf"{_START}\d{{1,2}} ?h(?: ?\d\d)?{_STOP}|{_START}\d{{1,2}}[:：]\d{{2}}(?:[:：]\d\d)?{_STOP}|"
    rf"\b(?:{MONTHS})\.? \d{{1,4}}|"
    rf"\b\d{{1,2}}(?:st|nd|rd|th|er|[.º°])? (?:of |de )?(?:{MONTHS})\b|"
    r"\b(?:ngày|tháng) \d{1,2}(?:[/.-]\d{1,2}(?:[/.-]\d{4})?)?(?!\d)|"
    rf"{money.BEFORE}{_NUMBER}|{_NUMBER}{money.BEHIND}|"
    rf"第 ?[\d{_WRITTEN}]{{1,6}} ?[期届季集章讲回]|"
    rf"{_CODE}|{_LONG_NUMBER}"
)
_CODE_ALONE = re.compile(_CODE)
# A name of capitals and a long number, the number of an error, or a checksum. Addresses, files,
# accounts and the numbers of visits have another spelling.
_CODES = re.compile(
    r"(?<![A-Za-z\d_/@#.])(?:(?:[A-Z]{1,8}-?|0[xX])"
    r"((?<=0[xX])[\dA-Fa-f]{4,16}+|\d{4,}+(?:-\d++)*+)|"
    r"((?=[A-Fa-f]*\d)(?=\d*[A-Fa-f])[\dA-Fa-f]{32,128}+))(?!\.?[A-Za-z\d_])"
)

# Each digit, and each sign of a checksum, as one octet: runs of them are found fast.
_AS_DIGITS, _AS_CHECKSUM = (
    bytes(signs[0] if octet in signs else SPACE for octet in range(256))
    for signs in (b"0123456789", b"0123456789abcdef")
)
_CODE_RUN, _CHECKSUM_RUN = b"0" * 4, b"0" * 32


def read_numbers(line: str) -> list[str]:
    """The numbers of a sentence, sorted; its words are separated by spaces."""
    if _NUMBER_SIGN.search(line) is None:
        return []
    numbers = _DIGITS.findall(line)
    if any(found[0] == "0" for found in numbers):
        numbers = [
            found[0] if _is_group(line, found) else found[0].lstrip("0") or "0"
            for found in _DIGITS.finditer(line)
        ]
    if not line.isascii():
        numbers += [_read_numeral("".join(found)) for found in _NUMERAL.findall(line)]
    return sorted(numbers)


def _is_group(line: str, found: re.Match[str]) -> bool:
    """Whether three digits stand behind others, as in 449 000: these zeros count."""
    start = found.start()
    return len(found[0]) == THOUSAND and line[max(0, start - 2) : start - 1].isdigit()


def leave_numbers_out(words: Iterable[bytes]) -> frozenset[bytes]:
    """The words that are no numbers, with or without a counter."""
    return frozenset(
        [
            word
            for word in words
            if not (word.isdigit() or (word[:_SIGN] in _FIRST_SIGNS and _is_numeral(word)))
        ]
    )


def _is_numeral(word: bytes) -> bool:
    return _NUMERAL.fullmatch(word.decode()) is not None


def differ(here: list[str], there: list[str]) -> bool:
    """Whether each of two sentences has numbers that the other lacks."""
    if not here or not there or here == there:
        return False
    own, theirs = Counter(here) - Counter(there), Counter(there) - Counter(here)
    return bool(own) and bool(theirs) and _joined(own) != _joined(theirs)


def tell_apart(one: str, other: str) -> bool:
    """Whether two sentences, in their original spelling, have different dates, times or prices."""
    here, there = _telling(one[:LONGEST].lower()), _telling(other[:LONGEST].lower())
    return bool(here - there) and bool(there - here)


def have_other_codes(one: str, other: str) -> bool:
    """Whether each of two headings has a code whose number the other's codes lack."""
    here, there = (set(_CODE_ALONE.findall(heading.lower())) for heading in (one, other))
    return bool(here - there) and bool(there - here)


def may_have_codes(words: bytes) -> bool:
    """Whether normalised words may be those of codes or checksums."""
    return _CODE_RUN in words.translate(_AS_DIGITS) or _CHECKSUM_RUN in words.translate(
        _AS_CHECKSUM
    )


def read_codes(text: str) -> set[str]:
    """The numbers of the codes in a text in its own spelling, and its checksums."""
    return {(found[1] or found[2]).lower() for found in _CODES.finditer(text)}


@lru_cache(1 << 10)  # A cut sentence is compared once for each of its lines.
def _telling(text: str) -> frozenset[str]:
    return frozenset([spell_value(found[0]) for found in _TELLING.finditer(text)])


def find_numbers(lines: bytes) -> set[bytes]:
    """The numbers of a text, but for those in stamps; it has a line of words for each block."""
    return native.find_numbers(lines, MOST_NUMBERS, SHORT_LINE, is_stamp)


def _joined(numbers: Counter[str]) -> str:
    """All digits, sorted, because digits are grouped in many ways."""
    return "".join(sorted("".join(numbers.elements())))


def _read_numeral(numeral: str) -> str:
    if not any(sign in _UNITS for sign in numeral):
        return "".join(_FIGURES[sign] for sign in numeral).lstrip("0") or "0"
    whole = total = part = figure = 0
    for sign in numeral:
        unit = _UNITS.get(sign)
        if unit is None:
            figure = int(_FIGURES[sign])
        elif unit == _UNITS["亿"]:
            whole, total, part, figure = (whole + total + part + figure) * unit, 0, 0, 0
        elif unit == _UNITS["万"]:
            total, part, figure = (total + part + figure) * unit, 0, 0
        else:
            part, figure = part + (figure or 1) * unit, 0
    return str(whole + total + part + figure)
