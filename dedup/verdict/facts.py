"""Facts in a sentence: its numbers, however written; stamps, which are none.

A number is a run of digits or a numeral of Chinese: 18, 05, 十二, 第三; digits behind a letter are
part of a name (i386, php5) unless they are many. Two sentences state other facts where each has
numbers that the other lacks. How a number is written is no fact: 2,100 is 2100, and 第三 is 3. A
date that stands alone says when a page was made, and is a stamp.
"""

from __future__ import annotations

import re
from collections import Counter

LONGEST = 400  # of a sentence that is looked at for dates, prices and stamps
MOST_STAMP = 15  # words of a stamp
DATE_WORDS = 3  # of a full date, at least: a year, a month and a day
SHORT_LINE = 200  # octets below which a line may be one
MOST_NUMBERS = 4096  # of a text that are looked at
SPACE = ord(" ")

# Behind a letter digits are part of a name (i386, php5), unless they are many (a code, a year)
_DIGITS = re.compile(r"(?<![^\W_])\d+|\d{4,}")
_NUMERAL = re.compile(r"(?<!\S)第?([零〇一二两三四五六七八九十百千万]{1,20})(?!\S)")
_FIGURES = dict(zip("零〇一二两三四五六七八九", "001223456789", strict=True))
_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_MONEY = r"[万亿]?[美欧日]?元|euros?\b|dollars?\b|yuan\b|EUR|USD|CNY|RMB"
_NUMBER = r"(?<![\d.,])\d[\d.,]{0,20}"
# One other makes another page: a date, a time of day, a price, an issue, a long code
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
    # at the beginning: who made the page, and when
    "(?:更新|发布|发表|修改|来源|编辑|作者|责任 ?编辑|责编|校对|译者|转载|版权|页码|source|author|"
    r"copyright|by|posted|published|printed|retrieved|(?:last )?(?:updated?|modified|revised))\b|"
    # anywhere: the same with its moment, how often it was read, how long ago it was made
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
    """The numbers of a sentence, its words parted by spaces."""
    numbers = Counter([found.lstrip("0") or "0" for found in _DIGITS.findall(line)])
    if not line.isascii():
        numbers.update(map(_read_numeral, _NUMERAL.findall(line)))
    return numbers


def differ(here: Counter[str], there: Counter[str]) -> bool:
    """Whether the numbers of two sentences differ: each has some that the other lacks."""
    own, theirs = here - there, there - here
    return bool(own) and bool(theirs) and _joined(own) != _joined(theirs)


def tell_apart(one: str, other: str) -> bool:
    """Whether two sentences, as they stand in their texts, have other dates, times or prices."""
    here, there = (
        {found[0].lower() for found in _TELLING.finditer(text[:LONGEST])} for text in (one, other)
    )
    return bool(here - there) and bool(there - here)


def is_stamp(line: bytes) -> bool:
    """Whether a short sentence says when a page was made, by whom, or how often it was read."""
    if line.count(b" ") >= MOST_STAMP:
        return False
    text = line[:LONGEST].decode("utf-8", "replace")
    return _STAMP.match(text) is not None or is_date(text)


def find_numbers(lines: bytes) -> set[bytes]:
    """The numbers of a text, without those of stamps.

    Args:
        lines: its words as UTF-8 with spaces between, a line a block.
    """
    found: set[bytes] = set()
    begin, end, counts = 0, -1, False  # of the line of the last number, and whether it is no stamp
    at = 0
    for run in lines.translate(_DIGITS_ALONE).split()[:MOST_NUMBERS]:  # the quickest way to them
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
    """All digits in order: numbers are grouped in many ways."""
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
