"""Pages without main text above a site's footer: does the footer become the "main text"?

Index pages, link lists and tiny texts are made from random words, so no two pages share them. Below
is one of a few footers, in the ways that sites mark them up. If an extractor keeps the footer but
not the page's own text, all such pages of a site are equal.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from dedup.lab.main_text.readings import read
from dedup.lab.main_text.scores import cut_tokens, group_by, mean

SHAPES = ("index", "links", "tiny")
HALF = 0.5

_ENGLISH_FOOTERS = (
    "All material on this site may be copied, shared and adapted under the terms of the open "
    "licence named in the legal notice, as long as the authors are named, changes are marked and "
    "the result is passed on under the same terms. The editors take no responsibility for the "
    "content of the pages linked from here, and give no warranty of any kind.",
    "Riverside Publishing, 14 Mill Lane. Letters to the editors are welcome and may be shortened "
    "before they are printed. We use cookies to remember your settings and to count visits; by "
    "reading on you agree to that. Registered with the press council. Advertising prices are sent "
    "on request. The office is open on weekdays from nine to five, except on public holidays.",
)
_CHINESE_FOOTERS = (
    "本站所有内容均可在注明作者和出处的前提下自由转载，修改之后请以相同的方式共享。"
    "本站对链接到的外部网页内容不承担任何责任，也不对信息的准确性作出任何形式的保证。",
    "河畔出版社，地址磨坊路十四号。欢迎读者来信，编辑部保留删节的权利。本站使用浏览记录来保存您的设置"
    "并统计访问次数，继续阅读即表示同意。工作时间为周一至周五上午九点到下午五点，法定节假日除外，"
    "广告价格请来电咨询。",
)
_FRAMES = {  # Ways to mark a footer up, and whether they name it.
    "<footer><p>{}</p></footer>": True,
    '<div class="footer"><div class="inner">{}</div></div>': True,
    '<div id="colophon"><p>{}</p></div>': True,
    "<div><p>{}</p></div>": False,
    "<table><tr><td>{}</td></tr></table>": False,
}
_HAN = "春夏秋冬山川河海风云雨雪红黄蓝绿东西南北高低远近书画琴棋茶酒米面车船桥路门窗灯火"
_SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split()

Phrase = Callable[[random.Random, int], str]  # Makes a number of random words.


@dataclass(frozen=True, slots=True)
class FooterPage:
    """A page without main text: its shape, its own text, and its site's footer."""

    shape: str
    named: bool  # Whether element, class or id name the footer.
    html: str
    own: str
    footer: str


@dataclass(frozen=True, slots=True)
class FooterCount:
    """How an extractor reads pages of one shape, with named footers or others."""

    shape: str
    named: bool
    extractor: str
    pages: int
    sure: float  # Share of pages with a sure main text.
    # Share of pages of which it keeps most of the footer, but not half of the own text.
    footer: float


def make_footer_pages(seed: int, repeats: int = 5) -> list[FooterPage]:
    """Some pages of each shape, language, footer and way to mark a footer up, from a seed."""
    rng = random.Random(seed)  # noqa: S311
    pages = []
    for shape, (frame, named), _ in product(SHAPES, _FRAMES.items(), range(repeats)):
        for phrase, footers in ((_english, _ENGLISH_FOOTERS), (_chinese, _CHINESE_FOOTERS)):
            for footer in footers:
                own, body = _make_own(shape, phrase, rng)
                html = f"<html><body><div>{body}</div>{frame.format(footer)}</body></html>"
                pages.append(FooterPage(shape, named, html, own, footer))
    return pages


def _make_own(shape: str, phrase: Phrase, rng: random.Random) -> tuple[str, str]:
    """A page's own text, and its HTML."""
    if shape == "index":
        rows = [(phrase(rng, 6), phrase(rng, rng.randint(8, 15))) for _ in range(12)]
        body = "".join(f'<div><h3><a href="#">{a}</a></h3><p>{b}</p></div>' for a, b in rows)
        lines = [line for row in rows for line in row]
    elif shape == "links":
        lines = [phrase(rng, rng.randint(2, 6)) for _ in range(rng.randint(10, 60))]
        items = (f'<li><a href="#">{line}</a></li>' for line in lines)
        body = f"<ul>{''.join(items)}</ul>"
    else:
        lines = [phrase(rng, 3), phrase(rng, rng.randint(3, 25))]
        body = f"<h1>{lines[0]}</h1><p>{lines[1]}</p>"
    return "\n".join(lines), body


def _english(rng: random.Random, words: int) -> str:
    return " ".join("".join(rng.choices(_SYLLABLES, k=rng.randint(2, 4))) for _ in range(words))


def _chinese(rng: random.Random, words: int) -> str:
    return "".join(rng.choices(_HAN, k=2 * words))


def count_footers(pages: Sequence[FooterPage], extractors: Iterable[str]) -> list[FooterCount]:
    """Count the pages whose footer becomes the main text of an extractor."""
    counts = []
    for name in extractors:
        for group, members in group_by(pages, lambda page: (page.shape, page.named)).items():
            readings = [read(page.html, name) for page in members]
            lost = [
                became_footer(page, main.text) for page, main in zip(members, readings, strict=True)
            ]
            sure = mean(main.sure for main in readings)
            counts.append(FooterCount(*group, name, len(members), sure, mean(lost)))
    return counts


def became_footer(page: FooterPage, kept: str) -> bool:
    """Whether the kept text is the footer without the page's own text."""
    return _share_kept(page.footer, kept) > HALF > _share_kept(page.own, kept)


def _share_kept(text: str, kept: str) -> float:
    wanted = Counter(cut_tokens(text))
    return (wanted & Counter(cut_tokens(kept))).total() / wanted.total()
