"""A calendar without end, whose pages are all but empty."""

import calendar
import re

from crawler.demo.traps.articles import SLUGS, link_of
from crawler.demo.traps.page import Link, Page, Shown, Target

MONTHS = (
    "January February March April May June July August September October November December".split()
)
THIS_MONTH = (2031, 5)
# In every seventh month around this one something happened.
MONTHS_OF_EVENTS = 36
EVERY = 7

_YEAR = re.compile("[0-9]{4,9}")
_MONTH = re.compile("0[1-9]|1[0-2]")


def month(target: Target) -> Shown:
    """/calendar/YYYY/MM/, and /calendar/ for this month."""
    match target.segments:
        case ():
            return _page(*THIS_MONTH)
        case (year, number) if _YEAR.fullmatch(year) and _MONTH.fullmatch(number):
            return _page(int(year), int(number))
    return None


def _page(year: int, number: int) -> Page:
    count = _count(year, number)
    days = calendar.monthrange(2000 + year % 400, number)[1]  # the calendar recurs in 400 years
    around = {"Previous month": count - 1, "Next month": count + 1}
    return Page(
        f"{MONTHS[number - 1]} {year}",
        paragraphs=(" ".join(str(day) for day in range(1, days + 1)),),
        rows=_events(count),
        links=tuple(Link(_path(to), label) for label, to in around.items() if to >= 0),
    )


def _count(year: int, number: int) -> int:
    return year * 12 + number - 1


def _path(count: int) -> str:
    return f"/calendar/{count // 12:04}/{count % 12 + 1:02}/"


def _events(count: int) -> tuple[Link, ...]:
    away = count - _count(*THIS_MONTH)
    if away % EVERY or abs(away) > MONTHS_OF_EVENTS:
        return ()
    link = link_of(SLUGS[away % len(SLUGS)])
    return (Link(link.href, link.label),)
