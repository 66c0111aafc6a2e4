"""Records that are published again and again in one form, under one title, with set text below.

    article -> RECORDS[...].make(article, editor) -> the page that came first, the one of today

A recipe for more people, the weather of another day, another flat of one house: such pages have the
same words, and other amounts. And a page that says that an event is cancelled has all words of the
page that announced it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from operator import eq
from random import Random

from benchmarks.kinds_made import (
    CITIES,
    FEW,
    FEW_ON_ONE_SITE,
    KEPT,
    KEPT_ON_ONE_SITE,
    KEPT_OR_FEW,
    NONE,
    TABLE,
    Kind,
    Pair,
    first_part,
)
from dedup.lab.simulator.edits import Editor
from dedup.lab.simulator.prose import Text, headline

INGREDIENTS = {
    "zh": "面粉{}克 白糖{}克 黄油{}克 鸡蛋{}个 牛奶{}毫升 盐{}克".split(),
    "en": (
        "{} cups of flour", "{} g of sugar", "{} g of butter", "{} eggs", "{} ml of milk",
        "{} tsp of salt",
    ),
}  # fmt: skip
QUANTITIES = {
    "zh": ((150, 300, 450), (50, 75, 125), (80, 120, 160), (2, 3, 4), (200, 350, 500), (3, 5, 8)),
    "en": (
        ("½", "1½", "2"), (50, 75, 125), (80, 120, 160), (2, 3, 4), (200, 350, 500),
        ("½", "¼", "1"),
    ),
}  # fmt: skip
WEATHER = {  # A high, a low, a force of wind.
    "zh": ("天气预报", "今天白天多云，最高气温{}℃，夜间最低气温{}℃，北风{}级。"),
    "en": (
        "Weather forecast",
        "Today cloudy, with a high of {} °C, a low of {} °C at night and wind of force {}.",
    ),
}
DRAW = {  # Five numbers, and the winners.
    "zh": ("开奖公告", "本期开奖号码：{} {} {} {} {}\n本期一等奖共{}注。"),
    "en": ("Results of the draw", "The numbers are {}, {}, {}, {} and {}.\nThere were {} winners."),
}
FLAT = {  # An area, a floor.
    "zh": "本套房源建筑面积{}平方米，位于{}层，南北通透。",
    "en": "This flat has {} m² of floor space, is on floor {} and faces south.",
}
COURT = {  # A name, a number, a day.
    "zh": (
        "法院公告",
        "{}：本院受理原告诉你民间借贷纠纷一案初字{}号，现依法向你公告送达起诉状副本，"
        "并定于五月{}日上午开庭审理。",
    ),
    "en": (
        "Notice of the court",
        "To {}: the court has received a claim against you in case no. {}. It is served on "
        "you by this notice, and will be heard on May {}.",
    ),
}
PARTIES = {
    "zh": "王建国 李淑珍 张伟明 刘桂英".split(),
    "en": ("John Harker", "Mary Lindley", "Peter Ashdown", "Susan Merrow"),
}
DOWNLOAD = {  # A version, megabytes, a checksum.
    "zh": ("软件版本：{}", "文件大小：{} MB", "校验码：{}"),
    "en": ("Version: {}", "Size: {} MB", "Checksum: {}"),
}
CLOSE = {  # Per cent, points.
    "zh": ("收盘播报", "截至收盘，指数上涨{}%，报{}点。"),
    "en": ("Market at the close", "At the close the index was up {} % at {} points."),
}
EVENT = {  # A notice, a time.
    "zh": ("活动取消：因天气原因，本次活动已取消。", "时间：5月12日 19:30"),
    "en": ("Cancelled: the weather does not allow it.", "When: May 12, 19:30"),
}
TERMS = {
    "zh": "已取消的订单将在七天内退款。",
    "en": "Cancelled orders are refunded within a week.",
}
JOB = {  # A post, a town, a task, a skill, a head of the unit.
    "zh": (
        "招聘启事",
        "我单位现招聘{}一名，工作地点在{}。\n主要负责{}，要求{}，部门负责人为{}。",
    ),
    "en": (
        "Vacancies",
        "We are looking for {} in {}.\nYou will {} and should have {}; the head of the unit is {}.",
    ),
}
POSTS = {  # What goes with each other.
    "zh": (
        ("护士", "照看夜间病房", "持有护士资格证"),
        ("电焊工", "焊接船体钢板", "有特种作业证书"),
        ("厨师", "准备员工食堂的午餐", "在大型厨房干过"),
        ("会计", "管理六家门店的账目", "财经专业毕业"),
    ),
    "en": (
        ("a nurse", "look after the night ward", "a licence to practise"),
        ("a welder", "mend the hulls of ferries", "a certificate in steel work"),
        ("a cook", "make lunch for ninety guests", "some years in a large kitchen"),
        ("a bookkeeper", "keep the accounts of six shops", "a degree in commerce"),
    ),
}
STOPS, CHANGED = 12, (3, 7)  # Of a timetable.

_AMOUNT = re.compile(r"[0-9a-f]{16}|\d+(?:\.\d+)*½?|[½¼]")

Fill = Callable[[str, Random], Sequence[str]]  # The lines of a record, by the language.


def _records(
    fill: Fill, titles: dict[str, tuple[str, str]] | None, share: float, text: Text, editor: Editor
) -> Pair:
    """Two records above a share of an article, or behind its first paragraph, under one title."""
    language = text.language
    below = first_part(text, share).paragraphs
    title = titles[language][0] if titles else text.title
    at = 0 if titles else 1
    first, second = (
        Text(title, (*below[:at], *lines, *below[at:])) for lines in _two(fill, language, editor)
    )
    return Pair(first, second)


def _two(fill: Fill, language: str, editor: Editor) -> tuple[Sequence[str], Sequence[str]]:
    """The lines of two records, with other amounts in all places."""
    first = second = fill(language, editor.rng)
    while any(map(eq, *map(_amounts, (first, second)))):
        second = fill(language, editor.rng)
    return first, second


def _amounts(lines: Sequence[str]) -> list[str]:
    return [amount for line in lines for amount in _AMOUNT.findall(line)]


def _recipe(language: str, rng: Random) -> Sequence[str]:
    quantities = map(rng.choice, QUANTITIES[language])
    return [line.format(some) for line, some in zip(INGREDIENTS[language], quantities, strict=True)]


def _weather(language: str, rng: Random) -> Sequence[str]:
    numbers = rng.randint(10, 30), rng.randint(1, 9), rng.randint(2, 6)
    return [WEATHER[language][1].format(*numbers)]


def _draw(language: str, rng: Random) -> Sequence[str]:
    numbers = sorted(rng.sample(range(10, 50), 5))
    return DRAW[language][1].format(*numbers, rng.randint(1, 40)).split("\n")


def _flat(language: str, rng: Random) -> Sequence[str]:
    return [FLAT[language].format(rng.randint(40, 160), rng.randint(1, 20))]


def _court(language: str, rng: Random) -> Sequence[str]:
    party = rng.choice(PARTIES[language])
    return [COURT[language][1].format(party, rng.randint(1000, 4000), rng.randint(1, 28))]


def _download(language: str, rng: Random) -> Sequence[str]:
    version = f"{rng.randint(1, 9)}.{rng.randint(0, 9)}.{rng.randint(0, 9)}"
    values = version, rng.randint(100, 900) / 10, f"{rng.getrandbits(64):016x}"
    return [line.format(value) for line, value in zip(DOWNLOAD[language], values, strict=True)]


def _close(language: str, rng: Random) -> Sequence[str]:
    numbers = rng.randint(10, 300) / 100, rng.randint(300_000, 350_000) / 100
    return [CLOSE[language][1].format(*numbers)]


def _timetable(text: Text, editor: Editor) -> Pair:
    """A timetable with other times at two of its stops."""
    rng, paragraphs = editor.rng, first_part(text, 0.5).paragraphs
    stops = [headline(other, 8) for other in editor.others[:STOPS]]
    times = [rng.randint(300, 1300) for _ in stops]
    later = [time + rng.randint(3, 40) * (at in CHANGED) for at, time in enumerate(times)]
    first, second = (
        Text(text.title, (*paragraphs[:1], _table(stops, column), *paragraphs[1:]))
        for column in (times, later)
    )
    return Pair(first, second)


def _table(stops: Sequence[str], times: Sequence[int]) -> str:
    """A table of stops with times, which are minutes of the day."""
    rows = zip(stops, times, strict=False)
    return TABLE + "\n".join(f"{stop}\t{time // 60}:{time % 60:02}" for stop, time in rows)


def _jobs(text: Text, editor: Editor) -> Pair:
    """Adverts for two jobs above a text about the employer."""
    rng, language = editor.rng, text.language
    title, form = JOB[language]
    below = first_part(text, 0.4).paragraphs

    def page(post: Sequence[str], city: str, head: str) -> Text:
        name, task, skill = post
        return Text(title, (*form.format(name, city, task, skill, head).split("\n"), *below))

    fields = POSTS[language], CITIES[language], PARTIES[language]
    return Pair(*map(page, *(rng.sample(choices, 2) for choices in fields)))


def _cancelled(text: Text, _: Editor, *, terms: bool) -> Pair:
    notice, when = EVENT[text.language]
    announced = (when, *text.paragraphs, *([TERMS[text.language]] if terms else ()))
    return Pair(Text(text.title, announced), Text(text.title, (notice, *announced)))


def _sequel(text: Text, editor: Editor) -> Pair:
    """Another part of a series: the first 30 % introduce it, and all else is new."""
    opening = first_part(text, 0.3).paragraphs
    first = first_part(editor.rng.choice(editor.others), 0.7).paragraphs
    rest = text.paragraphs[len(opening) :]
    second = Text(text.title, (*opening, *rest))
    return Pair(
        Text(text.title, (*opening, *first)), second, len("\n".join(rest)) / len(second.body)
    )


RECORDS: Sequence[Kind] = (
    Kind("a recipe, other quantities", partial(_records, _recipe, None, 0.6), NONE, KEPT),
    Kind("the weather of two days", partial(_records, _weather, WEATHER, 0.4), NONE, KEPT_OR_FEW),
    Kind("two draws of a lottery", partial(_records, _draw, DRAW, 0.4), NONE, KEPT),
    Kind("two flats of one house", partial(_records, _flat, None, 0.6), NONE, KEPT_ON_ONE_SITE),
    Kind("two notices of a court", partial(_records, _court, COURT, 0.4), NONE, KEPT),
    Kind("a download, another version", partial(_records, _download, None, 0.6), NONE, KEPT),
    Kind("the market on two days", partial(_records, _close, CLOSE, 0.6), NONE, FEW_ON_ONE_SITE),
    Kind("a timetable, other times at two stops", _timetable, NONE, KEPT_OR_FEW),
    Kind("two job adverts above one text", _jobs, NONE, FEW),
    Kind("an event that is cancelled", partial(_cancelled, terms=False), NONE, FEW),
    Kind("the same, above terms of sale", partial(_cancelled, terms=True), NONE, FEW),
    Kind("another part of a series", _sequel, NONE, KEPT),
)
