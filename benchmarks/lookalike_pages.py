"""Pages that look alike and are different pages, made by code: what a filter must not join.

Four sets, English and Chinese, each of pages of one host:

    short     notes of fewer than 40 words, each about something else
    numbered  notes of one template, 45 to 95 words, that differ in their numbers alone
    sheets    product sheets of one template, of the same length: another number, price and colour
    forum     HTML pages of one forum: much chrome, the same members, other short posts
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import product

SETS = ("short", "numbered", "sheets", "forum")
PAGES = 40  # a set and language

THINGS = {
    "en": "kettle lamp bicycle blanket radio mirror ladder drum clock basket".split(),
    "zh": "水壶 台灯 自行车 毛毯 收音机 镜子 梯子 手鼓 挂钟 篮子".split(),
}
PLACES = {
    "en": "the harbour, the old mill, the market hall, the station, the school, the museum".split(
        ", "
    ),
    "zh": "港口 旧磨坊 市场 车站 学校 博物馆".split(),
}
COLOURS = {"en": "red blue green black white".split(), "zh": "红色 蓝色 绿色 黑色 白色".split()}
NOTE = {
    "en": "Found near {place} on Monday: one {thing}. Whoever lost it may ask at the front desk "
    "until the end of the month, please bring a photograph.",
    "zh": "周一在{place}附近捡到一个{thing}。失主请在月底之前到前台认领，并请带上照片。",
}
ORDER = {
    "en": "Order {order} has left our warehouse. We packed {parcels} parcels and gave them to the "
    "post office in Harbour Street, where a van picks them up every evening at six and takes them "
    "to the sorting office by the river. The next morning they leave for the town you live in. "
    "You need not do anything until then. Should nobody be at home, the postman leaves a card and "
    "keeps the parcels for you.",
    "zh": "您的订单{order}已经离开我们的仓库。我们一共打包了{parcels}个包裹，并且交给了港口街的"
    "邮局，每天晚上六点会有一辆货车来取，然后送到河边的分拣中心。第二天早上它们就会发往您所在的"
    "城市。在此之前您什么都不需要做。如果家里没有人，邮递员会留下一张卡片，替您保管包裹。",
}
SHEET = {
    "en": "The {thing} number {order} in {colour} is made by hand in our own workshop and comes "
    "with a guarantee of two years. It costs {price} euros with tax, and we send it anywhere in "
    "the country within three days. You may give it back within a month without telling us why. "
    "Spare parts can be had for ten years. If you want another colour, write to us before you "
    "order, and we will see what we can do for you.",
    "zh": "{thing}，货号{order}，{colour}，由我们自己的工坊手工制作，保修两年。含税售价{price}元，"
    "三天之内送到全国任何地方。一个月之内可以无理由退货。零件可以供应十年。如果您想要别的颜色，"
    "请在下单之前写信给我们，我们会尽量满足您的要求，也欢迎您到店里来亲眼看一看再决定。",
}
TEXTS = {"short": NOTE, "numbered": ORDER, "sheets": SHEET}
POST = {
    "en": (
        "I had the same trouble with my {thing} last winter and took it to the shop near {place}.",
        "Does anybody know whether a {colour} {thing} is sold anywhere around {place}?",
        "Mine still works after all these years, so I would not throw the {thing} away as yet.",
        "They told me at {place} that the {colour} one is the better {thing}, it seems.",
    ),
    "zh": (
        "去年冬天我的{thing}也出过同样的毛病，后来拿到{place}旁边的店里去修的。",
        "有谁知道{place}附近哪里可以买到{colour}的{thing}吗？",
        "我的用了这么多年还好好的，所以先不要急着把{thing}扔掉。",
        "{place}那边的人告诉我，{colour}的{thing}更好一些，仅供参考。",
    ),
}
MEMBERS = ("Anna", "老王", "Piotr", "小李", "Ines", "阿明")
FORUM_LINKS = {
    "en": "Home, Boards, Rules, Members, Search, Help, New posts, Calendar, Gallery, Log in".split(
        ", "
    ),
    "zh": "首页 版块 规则 会员 搜索 帮助 新帖 日历 相册 登录".split(),
}
FORUM_RULES = {
    "en": "Be kind. Search before you ask. No advertising, no politics. Moderators may close a "
    "thread without notice. By posting you accept the rules of this board and its privacy notice.",
    "zh": "请友善发言。提问之前请先搜索。禁止广告，禁止谈论政治。版主可以不经通知关闭主题。"
    "发帖即表示您接受本论坛的规则与隐私声明。",
}


@dataclass(frozen=True, slots=True)
class Lookalike:
    """One page; ``html`` where it goes through extraction, else ``text``."""

    kind: str
    url: str
    text: str = ""
    html: str = ""


def make_lookalikes() -> Iterator[Lookalike]:
    """All sets, the same each time. No two pages are of equal text."""
    for kind, language in product(SETS, ("en", "zh")):
        chance = random.Random(f"0 {kind} {language}")
        made: set[str] = set()
        while len(made) < PAGES:
            url = f"http://{kind}-{language}.example/{len(made)}"
            text = html = ""
            if kind == "forum":
                html = _forum(language, chance)
            else:
                text = _fill(TEXTS[kind][language], language, chance)
            if (text or html) not in made:
                made.add(text or html)
                yield Lookalike(kind, url, text, html)


def _fill(template: str, language: str, chance: random.Random) -> str:
    return template.format(
        thing=chance.choice(THINGS[language]),
        place=chance.choice(PLACES[language]),
        colour=chance.choice(COLOURS[language]),
        order=chance.randrange(1000, 100_000),
        parcels=chance.randrange(2, 10),
        price=chance.randrange(10, 1000),
    )


def _forum(language: str, chance: random.Random) -> str:
    posts = [
        f'<div class="post"><div class="user">{escape(chance.choice(MEMBERS))}</div>'
        f'<div class="message"><p>{escape(_fill(line, language, chance))}</p></div></div>'
        for line in chance.choices(POST[language], k=5)
    ]
    links = "".join(
        f'<li><a href="/{n}">{name}</a></li>' for n, name in enumerate(FORUM_LINKS[language])
    )
    return (
        f"<html><head><title>{escape(_fill('{thing}', language, chance))}</title></head><body>"
        f'<ul class="menu">{links}</ul><div id="thread">{"".join(posts)}</div>'
        f'<div class="rules"><p>{FORUM_RULES[language]}</p></div></body></html>'
    )
