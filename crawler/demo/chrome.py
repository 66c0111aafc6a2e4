"""What surrounds an article: names, menus, adverts and footers, one set a site and language."""

from dataclasses import dataclass

from crawler.demo.catalogue import Kind, Site
from crawler.demo.texts import Language


@dataclass(frozen=True, slots=True)
class Link:
    """A link with its label and, in a list of teasers, a sentence about its target."""

    href: str
    label: str
    blurb: str = ""


@dataclass(frozen=True, slots=True)
class Chrome:
    """The fixed words around the text of a page."""

    name: str
    tagline: str
    menu: str
    nav: tuple[Link, ...]
    related: str
    advert: str
    adverts: tuple[str, ...]
    copyright: str
    tools: dict[Kind, str]
    written_by: str = ""
    source: str = ""
    source_name: str = ""


def _nav(*pairs: tuple[str, str]) -> tuple[Link, ...]:
    return tuple(Link(href, label) for href, label in pairs)


CHROME: dict[tuple[Site, Language], Chrome] = {
    ("news", "en"): Chrome(
        name="The Harbour Ledger",
        tagline="Weekly since the cat",
        menu="Sections",
        nav=_nav(
            ("/", "Front page"),
            ("/city/", "City and sea"),
            ("/life/", "Life and workshop"),
            ("/zh/", "中文版"),
            ("/about.html", "About us"),
        ),
        related="Also in this section",
        advert="Advertisement",
        adverts=(
            "Lamb and Daughters, printers: cards, posters and apologies while you wait.",
            "Oilskins by Brine & Co. Dry since 1904. Now in a colour other than yellow.",
            "Piano for sale, slightly salty. Ask for Hedda at the ferry office.",
        ),
        copyright="2031 The Harbour Ledger, Port Ellory. Reprints by permission of the authors.",
        tools={
            "print-version": "Print this page",
            "session-url": "Share this link",
            "exact-copy": "Also filed here",
            "light-edit": "Corrected version",
        },
    ),
    ("news", "zh-Hans"): Chrome(
        name="港湾纪事",
        tagline="每周一期，念给修鞋师傅听过",
        menu="栏目",
        nav=_nav(
            ("/", "英文首页"),
            ("/zh/", "中文版"),
            ("/city/", "城与海"),
            ("/life/", "生活"),
            ("/about.html", "关于本刊"),
        ),
        related="本栏其他文章",
        advert="广告",
        adverts=(
            "羊羔父女印刷所：名片、海报、道歉信，立等可取。",
            "招租：二楼朝海小间，窗户响，价钱好谈。",
            "老船木桌椅，自带盐味，送货到码头。",
        ),
        copyright="2031 港湾纪事编辑室，转载须经作者同意。",
        tools={
            "print-version": "打印本页",
            "session-url": "分享链接",
            "exact-copy": "另见此处",
            "light-edit": "更正后的版本",
        },
    ),
    ("mirror", "en"): Chrome(
        name="Second Reading",
        tagline="texts that deserve another look",
        menu="Shelves",
        nav=_nav(
            ("/", "Start"),
            ("/picks/", "English picks"),
            ("/zh/", "简体"),
            ("/hant/", "繁體"),
            ("/imprint.html", "Who we are"),
        ),
        related="From the same shelf",
        advert="Sponsored",
        adverts=(
            "Jam by post. Eleven sorts, one of them a secret.",
            "Used timetables bought and sold, all periods, Pantry Lane 9.",
            "Learn the accordion in the dark: evening classes from October.",
        ),
        copyright="Second Reading 2031. The authors keep their rights, we keep the kettle on.",
        tools={"exact-copy": "the same in our archive"},
        written_by="written by",
        source="source",
        source_name="The Harbour Ledger",
    ),
    ("mirror", "zh-Hans"): Chrome(
        name="二读",
        tagline="值得再看一遍的文章",
        menu="书架",
        nav=_nav(
            ("/", "起点"),
            ("/zh/", "简体书架"),
            ("/hant/", "繁體書架"),
            ("/picks/", "英文书架"),
            ("/imprint.html", "我们是谁"),
        ),
        related="同一书架上",
        advert="赞助",
        adverts=(
            "果酱邮购，十一种口味，其中一种保密。",
            "收购旧时刻表，年代不限。",
            "黑暗中学手风琴，十月开班。",
        ),
        copyright="二读 2031，文章版权归作者。",
        tools={"exact-copy": "存档里的同一篇"},
        written_by="作者：",
        source="原载",
        source_name="港湾纪事",
    ),
    ("mirror", "zh-Hant"): Chrome(
        name="二讀",
        tagline="字換了，話沒有換",
        menu="書架",
        nav=_nav(
            ("/", "起點"),
            ("/hant/", "繁體書架"),
            ("/zh/", "簡體書架"),
            ("/picks/", "英文書架"),
            ("/imprint.html", "我們是誰"),
        ),
        related="也請讀讀",
        advert="贊助",
        adverts=("放大鏡九折，附送絨布。", "代寫家書，字大行疏。", "藤椅修補，上門取件。"),
        copyright="二讀 2031，文章版權歸作者。",
        tools={},
        written_by="作者：",
        source="原載",
        source_name="港灣紀事",
    ),
}
