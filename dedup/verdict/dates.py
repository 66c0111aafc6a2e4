"""Dates in normalised words: the names of months and days, and lines that are a date alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeVar

LEAST_WORDS = 3  # Of a full date: a year, a month and a day.
MOST_WORDS = 20  # Of a date alone, with times.

MONTHS = "|".join(
    (
        "jan|january|feb|february|mar|march|apr|april|may|jun|june|jul|july|aug|august",
        "sep|sept|september|oct|october|nov|november|dec|december",
        "januar|jänner|februar|märz|mai|juni|juli|oktober|dezember",  # German
        "janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre",
        "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre",
        "gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre",  # Italian
        "janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro",
        "januari|februari|maart|mei|augustus",  # Dutch
        "stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada",
        "grudnia",
        "января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря",
        "ocak|şubat|mart|nisan|mayıs|haziran|temmuz|ağustos|eylül|ekim|kasım|aralık",  # Turkish
        "يناير|فبراير|مارس|أبريل|إبريل|مايو|يونيو|يونيه|يوليو|يوليه|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر",
        "شباط|آذار|نيسان|أيار|حزيران|تموز|أيلول|جانفي|فيفري|أفريل|ماي|جوان|جويلية|أوت",
        "มกราคม|กุมภาพันธ์|มีนาคม|เมษายน|พฤษภาคม|มิถุนายน|กรกฎาคม|สิงหาคม|กันยายน|ตุลาคม",
        "พฤศจิกายน|ธันวาคม",
    )
)
DAYS = "|".join(
    (
        "mon|monday|tue|tues|tuesday|wed|wednesday|thu|thur|thurs|thursday|fri|friday",
        "sat|saturday|sun|sunday",
        "星期一|星期二|星期三|星期四|星期五|星期六|星期日|星期天",
        "周一|周二|周三|周四|周五|周六|周日|周天",
        "montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag",  # German
        "lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche",
        "lunes|martes|miércoles|jueves|viernes|sábado|domingo",
        "lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica",  # Italian
        "maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag",  # Dutch
        "понедельник|вторник|среда|четверг|пятница|суббота|воскресенье",
    )
)
NAMES = frozenset(f"{MONTHS}|{DAYS}".split("|"))
_MONTHS = frozenset(MONTHS.split("|"))
_MONTH_WORDS = frozenset(MONTHS.encode().split(b"|"))
_Words = tuple[str, ...]
T = TypeVar("T")
_ZONES = "gmt|utc|et|est|edt|cst|cdt|pst|pdt|bst|cet|cest|ist|jst|hkt|t|z"
# A word of a date or of a time. It is read in one way: else many words in a row take minutes.
WORD = (
    r"(?:\d++(?:st|nd|rd|th|h\d*+|t\d++z?|z)?|[年月日号时分秒]|上午|下午|今天|昨天|today|yesterday|"
    rf"[ap] ?m|{_ZONES}|{DAYS}|{MONTHS})(?![^\W_])"
)

_FIGURE = "〇零一二三四五六七八九"
_IN_NUMERALS = re.compile(
    rf"[一二][{_FIGURE} ]{{0,7}}年 [十{_FIGURE}]{{1,2}}月 [十{_FIGURE}]{{1,3}}[日号]"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_HAS_YEAR = re.compile(rb"(?:19|20)\d\d")
_NUMBER = re.compile(r"\d+")
_NAMED = re.compile(rf"[月日]|\b(?:{MONTHS})\b")
_WORDS = re.compile(rf"(?:{WORD}(?: |$))++")


def write_in_digits(text: str) -> str:
    """A sentence with some date in digits in place of each date in Chinese numerals."""
    return _IN_NUMERALS.sub("2000 年 1 月 1 日", text) if "年" in text else text


def is_date(text: str) -> bool:
    """Whether a sentence is a full date, with or without a time, and nothing else."""
    return (
        LEAST_WORDS <= text.count(" ") + 1 <= MOST_WORDS
        and _YEAR.search(text) is not None
        and _WORDS.fullmatch(text) is not None
    )


def count_other_dates(lines: Iterable[bytes], others: Iterable[bytes]) -> int:
    """The number of lines that are a date which the other text lacks, and replaces by another one.

    Zeros and the order do not matter: 01.04.2023 is 2023-4-1. Dates are compared with those that
    have the same words and as many numbers, not 2023-04-01 with 1 April 2023.
    """
    # Fastest: few lines have a year, and of these, few are in one text alone.
    here, there = _subtract(*(filter(_HAS_YEAR.search, text) for text in (lines, others)))
    own, theirs = map(_count_notations, _subtract(_read_dates(here), _read_dates(there)))
    return (own & theirs).total()


def are_one_date(one: bytes, other: bytes) -> bool:
    """Whether two lines are the same date; zeros and the order do not matter."""
    line, other_line = one.decode(), other.decode()
    return is_date(line) and is_date(other_line) and _read(line) == _read(other_line)


def _subtract(here: Iterable[T], there: Iterable[T]) -> tuple[Counter[T], Counter[T]]:
    """What each side has more often than the other one."""
    one, other = Counter(here), Counter(there)
    return one - other, other - one


def _count_notations(dates: Counter[tuple[_Words, _Words]]) -> Counter[_Words]:
    return Counter(notation for notation, _ in dates.elements())


def _read_dates(lines: Counter[bytes]) -> Iterator[tuple[_Words, _Words]]:
    return map(_read, filter(is_date, map(bytes.decode, lines.elements())))


def _read(date: str) -> tuple[_Words, _Words]:
    """The notation of a date, and its content: its numbers, and the month by name."""
    notation, told = [], []
    for word in date.split():
        if word[0].isdigit():
            notation.append("")
            told.append(word.rstrip("stndrh").lstrip("0"))
        elif word in _MONTHS:
            told.append(word[:3])  # Jan and January.
        elif word not in NAMES:
            notation.append(word)
    return tuple(sorted(notation)), tuple(sorted(told))


def tells_date(text: str) -> bool:
    """Whether words of dates and times are a date, and not only a time or a year."""
    if _NAMED.search(text) is not None:
        return True
    needed = LEAST_WORDS if _YEAR.search(text) is None else LEAST_WORDS - 1
    return len(_NUMBER.findall(text)) >= needed


def have_other_months(one: bytes, other: bytes) -> bool:
    """Whether each of two lines has a month beside a number that the other lacks: 3 May, 3 June."""
    here, there = _find_months(one), _find_months(other)
    return _lacks_some(here, there) and _lacks_some(there, here)


def _find_months(line: bytes) -> set[bytes]:
    """The names of months in a line that stand beside a number."""
    words = line.split()
    if _MONTH_WORDS.isdisjoint(words):  # Fastest.
        return set()
    return {
        word
        for place, word in enumerate(words)
        if word in _MONTH_WORDS
        and any(near[:1].isdigit() for near in words[max(0, place - 2) : place + 2])
    }


def _lacks_some(months: set[bytes], others: set[bytes]) -> bool:
    """Whether one of the other months is missing, also by a shorter name: Jan is January."""
    return any(
        not any(other.startswith(month) or month.startswith(other) for month in months)
        for other in others
    )
