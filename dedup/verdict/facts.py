"""Facts in a sentence: its numbers, in any spelling. Stamps are not facts.

A number is a run of digits or a Chinese numeral: 18, 05, 十二, 第三. A few digits after a letter
are part of a name (i386, php5). Two sentences have different facts if each has numbers that the
other lacks. The spelling does not matter: 2,100 is 2100, and 第三 is 3. A line with only a date is
a stamp: it is the date of the page.
"""

from __future__ import annotations

import re
from collections import Counter

LONGEST = 400  # Characters of a sentence (bytes for stamps) searched for dates, prices and stamps.
MOST_STAMP = 15  # Maximum words of a stamp.
DATE_WORDS = 3  # Minimum words of a full date: a year, a month and a day.
SHORT_LINE = 200  # Bytes; a longer line cannot be a stamp.
MOST_NUMBERS = 4096  # Numbers read from a text.
SPACE = ord(" ")

# Digits after a letter are part of a name (i386, php5), unless there are many (a code, a year).
_DIGITS = re.compile(r"\d(?:(?<![^\W_]\d)\d*|\d{3,})")  # Begins with a digit: it is found fast.
_FIGURE = "零〇一二两三四五六七八九十百千万"
_NUMERAL = re.compile(rf"第?([{_FIGURE}]{{1,20}})")
_NUMERAL_SIGNS = frozenset(f"第{_FIGURE}")
_NUMBER_SIGN = re.compile(rf"[\d{_FIGURE}]")
_FIGURES = dict(zip("零〇一二两三四五六七八九", "001223456789", strict=True))
_NO_NUMBERS: Counter[str] = Counter()  # Making one takes longer than looking for numbers.
_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_MONEY = r"[万亿]?[美欧日]?元|euros?\b|dollars?\b|yuan\b|EUR|USD|CNY|RMB"
_NUMBER = r"(?<![\d.,])\d[\d.,]{0,20}"
# A single difference makes a different page: a date, a time of day, a price, an issue, a long code.
_TELLING = re.compile(
    r"(?<!\d)\d{1,4}\s?[年月日号]|\b\d{4}([-/.])\d{1,2}\1\d{1,2}\b|\b\d{1,2}([-/.])\d{1,2}\2\d{4}\b|"
    r"\b\d{1,2}[:：]\d{2}\b|"
    rf"\b(?:{_MONTHS})[a-z]{{0,6}}\.? \d{{1,4}}|\b\d{{1,2}}(?:st|nd|rd|th)? (?:{_MONTHS})|"
    rf"[$€£¥￥] ?{_NUMBER}|{_NUMBER} ?(?:{_MONEY})|"
    r"第 ?[\d一二三四五六七八九十百]{1,6} ?[期届季集章讲回]|"
    r"\b[A-Za-z]{1,8}-?\d{4,}|(?<!\d)\d{6,}",
    re.IGNORECASE,
)
_COUNTED = (
    "浏览|阅读|点击|评论|点赞|收藏|分享|访问|人气|下载|回复|views?|reads?|comments?|shares?|likes?|"
    "replies|downloads?|page"
)
_STAMP = re.compile(
    # At the beginning: the author of the page, and its date.
    "(?:更新|发布|发表|修改|来源|编辑|作者|责任 ?编辑|责编|校对|译者|转载|版权|页码|source|author|"
    r"copyright|by|posted|published|printed|retrieved|(?:last )?(?:updated?|modified|revised))\b|"
    # Anywhere: the time of an update, the number of views, the age of the page.
    ".*(?:(?:更新|发布|发表|修改) ?(?:时间|日期|于)|(?:updated|modified|posted|published) on|刚刚|"
    r"(?:秒|分钟|小时|天|周|个 ?月|年) ?前\b|"
    r"\b(?:seconds?|minutes?|hours?|days?|weeks?|months?) ago|"
    rf"(?:{_COUNTED}) ?(?:次数|量|数)? ?\d|\d (?:次 |条 |人 )?(?:{_COUNTED})\b|第 ?\d+ ?页|"
    "上 ?一页|下 ?一页)"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d")
_DIGITS_ALONE = bytes(octet if octet in b"0123456789" else SPACE for octet in range(256))
_DATE_WORD = re.compile(
    r"\d+|[年月日号时分秒]|(?:星期|周)[一二三四五六日天]|上午|下午|am|pm|gmt|utc|t|z|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)[a-z]*|"
    r"\d+(?:st|nd|rd|th)"
)


def read_numbers(line: str) -> Counter[str]:
    """The numbers of a sentence; its words are separated by spaces."""
    if _NUMBER_SIGN.search(line) is None:
        return _NO_NUMBERS
    numbers = [found.lstrip("0") or "0" for found in _DIGITS.findall(line)]
    if not line.isascii():
        numerals = [word for word in line.split() if word[0] in _NUMERAL_SIGNS]
        numbers += [_read_numeral(found[1]) for found in map(_NUMERAL.fullmatch, numerals) if found]
    return Counter(numbers) if numbers else _NO_NUMBERS


def differ(here: Counter[str], there: Counter[str]) -> bool:
    """Whether each of two sentences has numbers that the other lacks."""
    if not here or not there:
        return False
    own, theirs = here - there, there - here
    return bool(own) and bool(theirs) and _joined(own) != _joined(theirs)


def tell_apart(one: str, other: str) -> bool:
    """Whether two sentences, in their original spelling, have different dates, times or prices."""
    here, there = (
        {found[0].lower() for found in _TELLING.finditer(text[:LONGEST])} for text in (one, other)
    )
    return bool(here - there) and bool(there - here)


def is_stamp(line: bytes) -> bool:
    """Whether a short sentence is a stamp: a page's date, author or number of views."""
    if line.count(b" ") >= MOST_STAMP:
        return False
    text = line[:LONGEST].decode("utf-8", "replace")
    return _STAMP.match(text) is not None or is_date(text)


def find_numbers(lines: bytes) -> set[bytes]:
    """The numbers of a text, except for numbers in stamps.

    Args:
        lines: the words of the text as UTF-8 with spaces between, one line per block.
    """
    found: set[bytes] = set()
    begin, end, counts = 0, -1, False  # The line of the last number; a stamp does not count.
    at = 0
    for run in lines.translate(_DIGITS_ALONE).split()[:MOST_NUMBERS]:  # Fastest.
        at = lines.find(run, at)
        if at > end:
            begin = lines.rfind(b"\n", 0, at) + 1
            end = lines.find(b"\n", at)
            end = len(lines) if end < 0 else end
            counts = end - begin >= SHORT_LINE or not is_stamp(lines[begin:end])
        if counts and (at == begin or lines[at - 1] == SPACE):
            found.add(run.lstrip(b"0"))
        at += len(run)
    return found


def is_date(text: str) -> bool:
    """Whether a sentence is a full date, with or without a time, and nothing else."""
    words = text.split()
    return (
        len(words) >= DATE_WORDS
        and _YEAR.search(text) is not None
        and all(map(_DATE_WORD.fullmatch, words))
    )


def _joined(numbers: Counter[str]) -> str:
    """All digits, sorted, because digits are grouped in many ways."""
    return "".join(sorted("".join(numbers.elements())))


def _read_numeral(numeral: str) -> str:
    if not any(sign in _UNITS for sign in numeral):
        return "".join(_FIGURES[sign] for sign in numeral).lstrip("0") or "0"
    total = part = figure = 0
    for sign in numeral:
        unit = _UNITS.get(sign)
        if unit is None:
            figure = int(_FIGURES[sign])
        elif unit == _UNITS["万"]:
            total, part, figure = (total + part + figure) * unit, 0, 0
        else:
            part, figure = part + (figure or 1) * unit, 0
    return str(total + part + figure)
