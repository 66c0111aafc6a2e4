"""Kinds of pages that resemble another one, made from real articles, and what users expect of each.

    article -> KINDS[...].make(article, editor) -> the page that came first, the page that comes now

A kind is to be dropped, or to be kept, or may be either. New text is text that is put in from
another article; replaced words, stamps, facts and values do not count as such.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from dedup.lab.simulator.edits import Editor, swap
from dedup.lab.simulator.prose import Text, cut, glue, headline

TABLE = "@table@"  # stands for a table in a text
SHORT = {"zh": 40, "en": 130}  # characters of a short text
NEWS = {"zh": 150, "en": 400}  # characters of a short piece of news
ROWS = 15  # of a table
SWAPPED = 0.3  # share of the sentences that change places with a neighbour

NOTICE = {
    "zh": "免责声明：本文内容由作者提供，仅代表作者本人观点，与本网站无关。本网站对文中陈述、"
    "观点判断保持中立，不对所包含内容的准确性、可靠性或完整性提供任何明示或暗示的保证。请读者仅作"
    "参考，并请自行承担全部责任。未经许可，任何单位及个人不得转载、摘编或以其他方式使用上述作品。"
    "如涉及版权问题，请在三十日内与本网站联系，我们将在核实之后及时处理。",
    "en": "Disclaimer: the views in this article are those of its author alone and not of this "
    "site. We do not guarantee that the information is correct, complete or up to date, and nobody "
    "should act on it without advice of their own. All rights reserved. No part of this article "
    "may be copied, changed or sent on in any form without permission in writing. If you believe "
    "that your rights are concerned, write to us within thirty days and we will look into it.",
}
LABELS = {
    "zh": ("项目编号：", "项目名称：", "中标供应商：", "中标金额："),
    "en": ("Project no.: ", "Project: ", "Supplier: ", "Sum in euros: "),
}
TITLES = {"zh": "中标公告", "en": "Award notice"}
CITIES = {"zh": "北京 上海 广州 成都 武汉".split(), "en": "Leeds York Hull Bath Derby".split()}
CITY_LINE = {
    "zh": "{city}搬家服务\n本站为{city}的用户提供上门服务，师傅在{city}各区都有站点。"
    "\n{city}地区的订单当天处理。",
    "en": "Moving house in {city}\nWe serve people in {city}, with stations in all parts of {city}."
    "\nOrders from {city} are handled the same day.",
}
SPEECH = {  # Days and speakers.
    "zh": ("星期一 星期二 星期三 星期四 星期五".split(), "王建国 李淑珍 张伟明 刘桂英".split()),
    "en": (
        "Monday Tuesday Wednesday Thursday Friday".split(),
        ("John Harker", "Mary Lindley", "Peter Ashdown", "Susan Merrow"),
    ),
}
REPORT = {  # Of a match: two teams, two results, two players, a minute, a number of people.
    "zh": "{0}主场{2}{1}，{3}在第{5}分钟首开纪录。\n下半场{4}再下一城，全场观众{6}人。"
    "\n{0}主教练赛后表示对{3}的表现满意。",
    "en": "{0} {2} {1} at home, with {3} first to score in minute {5}."
    "\nAfter the break {4} scored again before a crowd of {6}."
    "\nThe manager of {0} said that {3} had played well.",
}
RESULTS = {"zh": "三比一战胜 一比一战平 零比二不敌".split(), "en": ("beat", "drew with", "lost to")}
SUMMARY = {"zh": (15, 100), "en": (50, 200)}  # characters of a sentence in a summary
_SENTENCE = re.compile(r"[^。.]+[。.]?")
_UNITS = re.compile("[\u3400-\u9fff]{1,2}|[^\\W\u3400-\u9fff]+|[\\W_]")
_HAN_WORD = re.compile("[\u3400-\u9fff]{2}")
_OTHER_WORD = re.compile("[^\\W\\d_\u3400-\u9fff]+")
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two pages; ``new`` is the share of the second one's characters that are new text."""

    first: Text
    second: Text
    new: float = 0.0


Make = Callable[[Text, Editor], Pair | None]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of pages."""

    name: str
    make: Make  # Makes a pair from an article; None where the article does not lend itself to it.
    # The least share dropped on one site, and on another one; None for no bar.
    least: tuple[float | None, float | None] = (None, None)
    most: tuple[float | None, float | None] = (None, None)  # The largest share, likewise.
    paragraphs_in_cells: bool = False  # Whether the cells of tables have paragraphs in them.
    template: str = ""  # Template of the page that comes now; empty for that of the first.


def _same(text: Text, _: Editor) -> Pair:
    return Pair(text, text)


def _printed(text: Text, _: Editor) -> Pair:
    word = "打印：" if text.language == "zh" else "Print: "
    return Pair(text, Text(word + headline(text), text.paragraphs))


def _retitled(text: Text, editor: Editor) -> Pair:
    return Pair(text, Text(headline(editor.rng.choice(editor.others)), text.paragraphs))


def _stamped(text: Text, editor: Editor) -> Pair:
    def stamp() -> str:
        rng = editor.rng
        month, day, hour = rng.randint(1, 12), rng.randint(1, 28), rng.randint(10, 23)
        if text.language == "zh":
            return f"更新时间：2024年{month}月{day}日 {hour}:30"
        return f"Last updated: 2024-{month:02}-{day:02} {hour}:30"

    first, second = (Text(text.title, (stamp(), *text.paragraphs)) for _ in range(2))
    return Pair(first, second)


def _with_own(share: float, text: Text, editor: Editor) -> Pair:
    """The article, quoted whole, beside text of which the page's share is ``share``."""
    own = _own(text, editor, len(text.body) * share / (1 - share))
    parts = (text.paragraphs, own) if editor.rng.random() < 0.5 else (own, text.paragraphs)
    second = Text(text.title, tuple(line for part in parts for line in part))
    return Pair(text, second, len("\n".join(own)) / len(second.body))


def _excerpt_with_comment(text: Text, editor: Editor) -> Pair:
    quoted = first_part(text, 0.3)
    own = _own(text, editor, len(quoted.body))
    second = Text(headline(editor.rng.choice(editor.others)), (*own, *quoted.paragraphs))
    return Pair(text, second, len("\n".join(own)) / len(second.body))


def _grown(text: Text, _: Editor) -> Pair:
    first = first_part(text, 0.5)
    return Pair(first, text, 1 - len(first.body) / len(text.body))


def _grown_a_little(share: float, text: Text, _: Editor) -> Pair | None:
    """The whole article after a page with most of it, as sites in pages have them."""
    first = first_part(text, share)
    new = 1 - len(first.body) / len(text.body)
    return Pair(first, text, new) if new > (1 - share) / 2 else None  # a long sentence ends it


def _with_paragraph(text: Text, editor: Editor) -> Pair:
    """One paragraph of another text, of no more than a tenth of the article."""
    own = _own(text, editor, len(text.body) / 10)[:1]
    place = editor.rng.randint(0, len(text.paragraphs))
    second = Text(text.title, (*text.paragraphs[:place], *own, *text.paragraphs[place:]))
    return Pair(text, second, len(own[0]) / len(second.body))


def _exchanged(share: float, text: Text, editor: Editor) -> Pair:
    """Other text in the place of the last part, so that both texts are of one length."""
    rest, own = first_part(text, 1 - share), _own(text, editor, len(text.body) * share)
    second = Text(text.title, (*rest.paragraphs, *own))
    return Pair(text, second, len("\n".join(own)) / len(second.body))


def _shuffled(text: Text, editor: Editor) -> Pair:
    sentences = [sentence for paragraph in cut(text) for sentence in paragraph]
    editor.rng.shuffle(sentences)
    size = max(1, len(sentences) // len(text.paragraphs))
    groups = [sentences[at : at + size] for at in range(0, len(sentences), size)]
    return Pair(text, glue(text.title, groups))


def _cut_with_intro(text: Text, editor: Editor) -> Pair:
    """A title and an intro of its own, and no last quarter."""
    rest, intro = first_part(text, 0.75), _own(text, editor, len(text.body) / 15)[:1]
    second = Text(headline(editor.rng.choice(editor.others)), (*intro, *rest.paragraphs))
    return Pair(text, second, len(intro[0]) / len(second.body))


def _answer(share: float, text: Text, editor: Editor) -> Pair:
    """An answer below the text that it quotes, of a share of its length."""
    own = _own(text, editor, share * len(text.body))
    second = Text(f"Re: {text.title}", (*text.paragraphs, *own))
    return Pair(text, second, len("\n".join(own)) / len(second.body))


def _next_page(text: Text, _: Editor) -> Pair:
    first = first_part(text, 0.5)
    rest = text.paragraphs[len(first.paragraphs) :]
    return Pair(first, Text(text.title, rest or text.paragraphs[-1:]), 1.0)


def _teasers(text: Text, editor: Editor) -> Pair:
    """Two lists of ten teasers, six of them in common."""
    teasers = [f"{headline(one)}: {_beginning(one, 120)}" for one in editor.others[:14]]
    first, second = teasers[:10], [*teasers[4:10], *teasers[10:]]
    return Pair(Text(text.title, tuple(first)), Text(text.title, tuple(second)), 0.4)


def _form(text: Text, editor: Editor) -> Pair:
    """Two notices of one form: other project, number, supplier and sum, the rest set phrases."""
    rng, notice = editor.rng, NOTICE[text.language]

    def page() -> Text:
        name, firm = (headline(one, 10) for one in rng.sample(editor.others, 2))
        number, price = rng.randint(1000, 9999), rng.randint(10_000, 999_999) / 100
        labels = LABELS[text.language]
        values = (f"ZB2024-{number}", name, firm, f"{price}")
        facts = (f"{label}{value}" for label, value in zip(labels, values, strict=True))
        return Text(TITLES[text.language], (*facts, *_sentences(notice), *text.paragraphs[:1]))

    return Pair(page(), page())


def _city(text: Text, editor: Editor) -> Pair:
    """A page for each city from one template: its name all over, and a paragraph of its own."""
    cities, line = CITIES[text.language], CITY_LINE[text.language]
    one, other = editor.rng.sample(cities, 2)
    owns = [_own(text, editor, len(text.body) * 0.3) for _ in range(2)]
    first, second = (
        Text(
            line.format(city=city).split("\n")[0],
            (*line.format(city=city).split("\n")[1:], *first_part(text, 0.4).paragraphs, *own),
        )
        for city, own in zip((one, other), owns, strict=True)
    )
    return Pair(first, second, len("\n".join(owns[1])) / len(second.body))


def _half(text: Text, _: Editor) -> Pair:
    return Pair(text, first_part(text, 0.5))


def _swapped(text: Text, editor: Editor) -> Pair:
    return Pair(text, swap(text, editor))


def _reworded_sentences(share: float, text: Text, editor: Editor) -> Pair:
    """In a share of the sentences every second word is another one."""
    paragraphs = cut(text)
    places = [(p, s) for p, sentences in enumerate(paragraphs) for s in range(len(sentences))]
    for p, s in editor.rng.sample(places, round(share * len(places))):
        paragraphs[p][s] = _replaced(paragraphs[p][s], 0.5, editor)
    return Pair(text, glue(text.title, paragraphs))


def _reworded(share: float, text: Text, editor: Editor) -> Pair:
    """A share of all words are other ones."""
    lines = tuple(_replaced(line, share, editor) for line in text.paragraphs)
    return Pair(text, Text(text.title, lines))


def _product(text: Text, editor: Editor, *, title: bool) -> Pair:
    colours = "红 蓝 绿 黑".split() if text.language == "zh" else "red blue green black".split()

    def page(colour: str) -> Text:
        rng = editor.rng
        size, price, code = rng.randint(36, 46), rng.randint(10, 999), rng.randint(1000, 9999)
        if text.language == "zh":
            facts = f"颜色：{colour}色，尺码：{size}，价格：{price}元，货号：A{code}"
        else:
            facts = f"Colour: {colour}, size: {size}, price: {price} euros, item no. A{code}"
        name = f"{headline(text)} {colour} {size}" if title else text.title
        return Text(name, (facts, *text.paragraphs))

    one, other = editor.rng.sample(colours, 2)
    return Pair(page(one), page(other))


def _event(text: Text, editor: Editor, *, title: bool) -> Pair:
    months = editor.rng.sample(range(1, 13), 2)

    def page(month: int) -> Text:
        day, hour = editor.rng.randint(1, 28), editor.rng.randint(10, 21)
        if text.language == "zh":
            when, line = f"{month}月{day}日", f"时间：{month}月{day}日 {hour}:00"
        else:
            name = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()[month - 1]
            when, line = f"{name} {day}", f"When: {name} {day}, {hour}:00"
        heading = f"{headline(text)} {when}" if title else text.title
        return Text(heading, (line, *text.paragraphs))

    return Pair(*map(page, months))


def _speech(text: Text, editor: Editor) -> Pair:
    """An event under one title; two sentences say who speaks, and on which day."""
    days, names = SPEECH[text.language]

    def page(name: str, day: str) -> Text:
        if text.language == "zh":
            first, last = f"{name}将于{day}晚在大礼堂演讲。", f"到场者可与{name}交流。"
        else:
            first = f"{name} speaks in the great hall on {day} evening."
            last = f"Those who come can talk with {name}."
        return Text(text.title, (first, *text.paragraphs, last))

    return Pair(*map(page, editor.rng.sample(names, 2), editor.rng.sample(days, 2)))


def _report(text: Text, editor: Editor) -> Pair:
    """Reports on two matches above the same notes, under one title."""
    rng, language = editor.rng, text.language
    cities, (_, names), results = CITIES[language], SPEECH[language], RESULTS[language]

    def page(teams: Sequence[str], players: Sequence[str], result: str) -> Text:
        minute, crowd = rng.randint(1, 45), rng.randint(1000, 60_000)
        lines = REPORT[language].format(*teams, result, *players, minute, crowd).split("\n")
        return Text(text.title, (*lines, *text.paragraphs[:4]))

    teams, players = rng.sample(cities, 4), rng.sample(names, 4)
    one, other = rng.sample(results, 2)
    return Pair(page(teams[:2], players[:2], one), page(teams[2:], players[2:], other))


def _with_summary(text: Text, _: Editor) -> Pair | None:
    """A sentence of each third of the article above it, of a sixth of its length at most."""
    least, most = SUMMARY[text.language]
    sentences = [one.strip() for sentences in cut(text) for one in sentences]
    fit = [one for one in sentences if least <= len(one) < most and one[-1] in ".!?。！？"]
    summary = fit[:: max(1, len(fit) // 3)][:3]
    while 6 * sum(map(len, summary)) > len(text.body):
        summary.pop()
    return Pair(text, Text(text.title, (*summary, *text.paragraphs))) if summary else None


def _other_digits(text: Text, editor: Editor) -> Pair | None:
    if len(_NUMBER.findall(text.body)) < 8:
        return None

    def other(digit: re.Match[str]) -> str:
        return str((int(digit[0]) + editor.rng.randint(1, 9)) % 10)

    lines = tuple(_DIGIT.sub(other, line) for line in text.paragraphs)
    return Pair(text, Text(text.title, lines))


def _other_table(text: Text, editor: Editor) -> Pair:
    half = _beginning(text, 2 * NEWS[text.language])
    names = [headline(other, 8) for other in editor.others[:ROWS]]

    def page() -> Text:
        rows = [
            f"{name}\t{editor.rng.randint(1, 9999)}\t{editor.rng.random():.3f}" for name in names
        ]
        # in the first half of the page, which is a part of its own in some templates
        return Text(
            text.title, (half[: len(half) // 2], TABLE + "\n".join(rows), *text.paragraphs[1:4])
        )

    return Pair(page(), page())


def _one_notice(text: Text, editor: Editor) -> Pair:
    """Short pieces of news about other things that end with one usual notice."""
    other, notice = editor.rng.choice(editor.others), NOTICE[text.language]
    first, second = (
        Text(page.title, (_beginning(page, NEWS[text.language]), notice)) for page in (other, text)
    )
    return Pair(first, second, len(second.paragraphs[0]) / len(second.body))


def _short(text: Text, editor: Editor, *, one_title: bool) -> Pair:
    """Short texts about other things in one template, under their own titles or one for all."""
    site = "首页" if text.language == "zh" else "Home"
    first, second = (
        Text(site if one_title else headline(page), (_beginning(page, SHORT[text.language]),))
        for page in (editor.rng.choice(editor.others), text)
    )
    return Pair(first, second, 1.0)


def _own(text: Text, editor: Editor, length: float) -> tuple[str, ...]:
    """So many characters of sentences from one other text after another, as paragraphs.

    None stands in the article: some report the same, and quote the same people.
    """
    known = {sentence for sentences in cut(text) for sentence in sentences}
    lines: list[str] = []
    others = editor.rng.sample(editor.others, len(editor.others))
    for sentences in (sentences for other in others for sentences in cut(other)):
        room = round(length) - sum(map(len, lines)) - len(lines)
        if room <= 0:
            break
        if known.isdisjoint(sentences):
            lines.append(glue("", [sentences]).body[:room])
    return tuple(lines)


def first_part(text: Text, share: float) -> Text:
    """The beginning of an article, up to the end of the sentence at some share of it."""
    wanted, taken, paragraphs = share * len(text.body), 0, []
    for sentences in cut(text):
        kept = []
        for sentence in sentences:
            if taken >= wanted:
                break
            kept.append(sentence)
            taken += len(sentence)
        paragraphs.append(kept)
    return glue(text.title, paragraphs)


def _beginning(text: Text, length: int) -> str:
    return text.body.replace("\n", " ")[:length]


def _sentences(text: str) -> list[str]:
    return [found.strip() for found in _SENTENCE.findall(text) if found.strip()]


def _replaced(line: str, share: float, editor: Editor) -> str:
    """A line with a share of its words replaced by words of another text, evenly over the line.

    A word of Chinese is taken for two characters.
    """
    units = _UNITS.findall(line)
    other = _UNITS.findall(editor.rng.choice(editor.others).body)
    for is_word in (_HAN_WORD.fullmatch, _OTHER_WORD.fullmatch):
        places = [place for place, unit in enumerate(units) if is_word(unit)]
        pool = [unit for unit in other if is_word(unit)]
        for number, place in enumerate(places):
            if pool and int((number + 1) * share) > int(number * share):
                units[place] = editor.rng.choice(pool)
    return "".join(units)


DROPPED, KEPT = (0.95, 0.95), (0.02, 0.02)
IN_TEMPLATE = (0.8, 0.93)  # dropped: another template brings other notices and comments
REWRITTEN = (0.8, 0.92)  # dropped: on one site under the same heading, and on another site
NONE, FEW, NEVER = (None, None), (0.1, 0.1), (0.0, 0.0)
KEPT_OR_FEW, KEPT_ON_ONE_SITE, FEW_ON_ONE_SITE = (0.02, 0.1), (0.02, None), (0.1, None)

KINDS: Sequence[Kind] = (
    Kind("the same text", _same, DROPPED),
    Kind("the same text, print version", _printed, DROPPED),
    Kind("the same text, another title", _retitled, DROPPED),
    Kind("the same text, another stamp of its update", _stamped, DROPPED),
    Kind("the same text, one paragraph added", _with_paragraph, DROPPED),
    Kind("the same text, sentences of it on top", _with_summary, DROPPED),
    Kind("30 % of the sentences swapped", _swapped, DROPPED),
    Kind("all sentences shuffled", _shuffled, DROPPED),
    Kind("own title and intro, last quarter cut", _cut_with_intro, NONE, NONE),
    Kind("10 % of the sentences reworded", partial(_reworded_sentences, 0.1), DROPPED),
    Kind("20 % of the sentences reworded", partial(_reworded_sentences, 0.2), REWRITTEN),
    Kind("10 % of the words replaced", partial(_reworded, 0.1), REWRITTEN),
    Kind("20 % of the words replaced", partial(_reworded, 0.2), REWRITTEN),
    Kind("25 % of the words replaced", partial(_reworded, 0.25), REWRITTEN),
    Kind("40 % of the sentences reworded", partial(_reworded_sentences, 0.4)),
    Kind("33 % of the words replaced", partial(_reworded, 0.33)),
    Kind("half of the text, nothing added", _half),
    Kind("an answer of 25 % below a quotation", partial(_answer, 0.25), NONE, NONE),
    Kind("an answer of 50 % below a quotation", partial(_answer, 0.5), NONE, KEPT),
    Kind("an answer as long as the quotation", partial(_answer, 1.0), NONE, KEPT),
    Kind("10 % own text beside the article", partial(_with_own, 0.1), (0.9, 0.9)),
    Kind("30 % own text beside the article", partial(_with_own, 0.3), NONE, FEW),
    Kind("40 % own text beside the article", partial(_with_own, 0.4), NONE, NEVER),
    Kind("60 % own text beside the article", partial(_with_own, 0.6), NONE, NEVER),
    Kind("other text in the place of 40 %", partial(_exchanged, 0.4), NONE, KEPT),
    Kind("30 % of the text and a comment as long", _excerpt_with_comment, NONE, KEPT),
    Kind("the whole text after its first half", _grown, NONE, KEPT),
    Kind("the whole text after 85 % of it", partial(_grown_a_little, 0.85)),
    Kind("the whole text after 70 % of it", partial(_grown_a_little, 0.7), NONE, KEPT),
    Kind("the next page of an article", _next_page, NONE, KEPT),
    Kind("lists that share six of ten teasers", _teasers, NONE, KEPT),
    Kind("notices of one form", _form, NONE, KEPT),
    Kind("a page for each city", _city, NONE, KEPT),
    Kind("a product, other facts in the text", partial(_product, title=False), NONE, FEW),
    Kind("a product, other facts in the title too", partial(_product, title=True), NONE, KEPT),
    Kind("an event, another date in the text", partial(_event, title=False), NONE, FEW),
    Kind("an event, another date in the title too", partial(_event, title=True), NONE, KEPT),
    Kind("an event, other names in two sentences", _speech, NONE, FEW_ON_ONE_SITE),
    Kind("reports on two matches above one text", _report, NONE, FEW),
    Kind("all digits other ones", _other_digits, NONE, KEPT),
    Kind("a table of other values", _other_table, NONE, KEPT),
    Kind("a table of other values, in <p>", _other_table, NONE, KEPT, paragraphs_in_cells=True),
    Kind("short news with one notice", _one_notice, NONE, KEPT),
    *(
        Kind(f"the same text, in the template {name}", _same, IN_TEMPLATE, template=name)
        for name in ("portal", "blog", "forum", "tables", "print")
    ),
    Kind("short texts, own titles", partial(_short, one_title=False), NONE, FEW),
    Kind("short texts, one title", partial(_short, one_title=True), NONE, FEW),
)


def make_pairs(
    kind: Kind, texts: Sequence[Text], others: Sequence[Text]
) -> Iterator[tuple[int, Pair]]:
    """The pairs of a kind with the numbers of their articles, the same each time.

    New text is taken from ``others``, articles of the same language.
    """
    for number, text in enumerate(texts):
        rng = Random(f"{kind.name} {number}")
        pair = kind.make(text, Editor(SWAPPED, rng, others))
        if pair is not None:
            yield number, pair
