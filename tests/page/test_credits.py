"""Credits at the ends of a text are left out; legal notices are not taken for a text."""

from __future__ import annotations

import pytest

from dedup.page import extract

pytestmark = pytest.mark.usefixtures("compiled")

FIRST = "本报讯 昨天下午，市图书馆新馆正式对外开放，首日接待读者三千余人。"
SECOND = (
    "馆长介绍说，周末的开放时间延长至晚上九点，儿童阅览室全天免费，欢迎市民前来参观。新馆共有五层，"
    "藏书一百二十万册，阅览座位两千个，一楼为报刊区，二楼为少儿区，三楼以上为借阅区，还书机设在门口，"
    "全天二十四小时可用，停车场对读者免费开放两个小时，乘坐三路公交车可以直接到达，地铁站也在附近。"
)
MENU = "".join(f'<li><a href="/{n}">栏目第{n}号</a></li>' for n in range(40))


def page(*lines: str) -> str:
    text = "".join(f"<p>{line}</p>" for line in lines)
    return (
        f"<title>市图书馆新馆开放</title><body><ul>{MENU}</ul><div><h1>市图书馆新馆开放</h1>"
        f'<div class="article">{text}</div></div></body>'
    )


def lines_of(*lines: str) -> list[str]:
    return extract(page(*lines)).text.splitlines()


@pytest.mark.parametrize(
    "credit",
    [
        "来源：市政府网站",
        "2024-05-18 10:20 来源：市政府网站",
        "2024年05月18日10:20来源：市政府网站",
        "发布时间：2024-05-18",
        "（责编：李四）",
        "责任编辑：李四 校对：王五",
        "首页 > 新闻 > 正文",
        "当前位置：新闻",
        "浏览次数：3210",
        "【打印】",
        "分享至",
        "微信扫一扫",
        "字号：大 中 小",
        "【关闭窗口】",
    ],
)
def test_a_credit_at_either_end_is_left_out(credit: str) -> None:
    assert lines_of(credit, FIRST, SECOND) == [FIRST, SECOND]
    assert lines_of(FIRST, SECOND, credit) == [FIRST, SECOND]


@pytest.mark.parametrize(
    "line",
    [
        "本报记者 张三",
        "活动报名费 199元 扫一扫报名",
        "蛋白质来源：大豆",
        "字号：小四 行距：1.5倍",
        "规格：500g 产地：云南 来源：古树",
        "项目编号：ZB2024-5908 发布时间：2024-05-18",
        "展会将于5月18日开幕，门票12元。©2024 市图书馆",
        "免责声明：本文为2024年第3版，未经本网授权不得转载。",
        "Preis: 199 Euro. Alle Rechte vorbehalten.",
    ],
)
def test_a_line_that_may_tell_something_stays(line: str) -> None:
    assert lines_of(line, FIRST, SECOND) == [line, FIRST, SECOND]
    assert lines_of(FIRST, SECOND, line) == [FIRST, SECOND, line]


def test_what_stands_outside_a_credit_stays() -> None:
    credit = "来源：市政府网站"
    assert lines_of("红色", credit, SECOND) == ["红色", credit, SECOND]
    assert lines_of(SECOND, credit, "红色") == [SECOND, credit, "红色"]


NOTICE = (
    "凡本网注明来源的所有作品，版权均属于本网，未经本网授权不得转载、摘编或利用其它方式使用。"
    "已经本网授权使用作品的，应在授权范围内使用，并注明来源。违反上述声明者，本网将追究其责任。"
)


@pytest.mark.parametrize(
    "notice",
    [
        "This website uses cookies to improve your experience. We assume you're ok with this, "
        "but you can opt out if you wish, at any time and on any page.",
        "Diese Seite verwendet Cookies, damit sie besser aussieht, und wer weiter liest, ist damit "
        "einverstanden, kann es aber auf jeder Seite ändern.",
        "本网站使用Cookie为您提供更好的浏览体验，继续浏览即表示您同意我们的隐私政策，您可以随时更改设置。",
    ],
)
def test_a_word_on_cookies_is_a_notice(notice: str) -> None:
    html = on_a_page("<h1>新闻</h1><div>2024-05-18</div><div class=x><p>{}</p></div>")
    assert not extract(html.format(notice)).sure
    other = notice.replace("ookies", "hickens").replace("Cookie", "鸡蛋")
    assert extract(html.format(other)).sure


def on_a_page(text: str, below: str = "") -> str:
    """A page without a heading."""
    return f"<title>新闻</title><body><ul>{MENU}</ul><div>{text}</div><div>{below}</div></body>"


def test_a_notice_is_not_taken_for_the_main_text() -> None:
    notices = f"<p>{NOTICE}</p><p>{NOTICE.replace('作品', '稿件')}</p>"
    assert not extract(on_a_page("", notices)).sure
    assert extract(on_a_page("", notices.replace("本网", "他人"))).sure


def test_a_short_text_beats_a_longer_notice() -> None:
    html = on_a_page(f"<p>{FIRST}</p><p>{SECOND}</p>", f"<p>{NOTICE}</p>" * 4)
    assert extract(html).text.splitlines() == [FIRST, SECOND]


def test_a_notice_between_the_heading_and_a_short_text_is_not_taken() -> None:
    heading = "<h1>市图书馆新馆开放</h1><p>2024-05-18</p>"
    boxes = f"<div class=note><p>{NOTICE}</p></div><div class=box><p>{FIRST}</p></div>"
    main = extract(on_a_page(heading + boxes).replace("新闻", "市图书馆新馆开放"))
    assert main.sure
    assert main.text == FIRST


def test_a_long_paragraph_about_rights_is_a_text() -> None:
    text = "法院认为，涉案图书的封底印有版权所有的字样，" + SECOND * 3
    main = extract(on_a_page(f"<p>{text}</p>"))
    assert main.sure
    assert main.text == text


@pytest.mark.parametrize("around", ["<div><h1>许可协议</h1>{}</div>", "<article>{}</article>"])
def test_a_page_of_notices_below_its_heading_or_in_an_article_is_a_text(around: str) -> None:
    rows = [f"第{n}条，未经本网授权不得转载，违者应在{n}日内赔偿{n}千元。" for n in range(1, 9)]
    main = extract(on_a_page(around.format("".join(f"<p>{row}</p>" for row in rows))))
    assert main.sure
    assert main.text.splitlines() == rows


@pytest.mark.parametrize(
    "label",
    [
        "Advertisement",
        "- ADVERTISEMENT -",
        "Article content:",
        "广告",
        "РЕКЛАМА",
        "Quảng cáo",
        "Publicité",
    ],
)
def test_labels_of_slots_are_left_out(label: str) -> None:
    assert lines_of(FIRST, label, SECOND, label) == [FIRST, SECOND]
    assert lines_of(f"{FIRST}</p><div>{label}</div><p>{SECOND}") == [FIRST, SECOND]


@pytest.mark.parametrize("line", ["Advertisements", "No advertisement", "广告商", "An ad"])
def test_other_lines_are_no_labels(line: str) -> None:
    assert lines_of(FIRST, line, SECOND) == [FIRST, line, SECOND]


@pytest.mark.parametrize(
    ("markup", "shown"),
    [
        ("<h2>Advertising</h2>", ["Advertising"]),
        ("<ul><li>Design<li>Advertising</ul>", ["Design", "Advertising"]),
        ("<table><tr><td>广告<td>300<tr><td>Other<td>200</table>", ["广告", "300", "Other", "200"]),
        ("<dl><dt>Reklama<dd>300</dl>", ["Reklama", "300"]),
    ],
)
def test_what_a_heading_an_entry_or_a_cell_says_is_no_label(markup: str, shown: list[str]) -> None:
    assert lines_of(f"{FIRST}</p>{markup}<p>{SECOND}") == [FIRST, *shown, SECOND]


@pytest.mark.parametrize(
    "line",
    [
        "上一篇：返回列表 下一篇：返回列表",
        "下一条：没有了",
        "下一篇: 图书馆的历史",
        "上一篇 下一篇",
        "下一則",
    ],
)
def test_the_way_to_the_next_page_is_left_out(line: str) -> None:
    assert lines_of(FIRST, SECOND, line) == [FIRST, SECOND]
    assert lines_of(FIRST, line, SECOND) == [FIRST, line, SECOND]


@pytest.mark.parametrize(
    "line", ["上一篇文章中，我们介绍了图书馆的历史。", "下一篇将介绍新馆的建筑，敬请期待。"]
)
def test_a_sentence_on_the_next_page_is_text(line: str) -> None:
    assert lines_of(line, FIRST, SECOND) == [line, FIRST, SECOND]
    assert lines_of(FIRST, SECOND, line) == [FIRST, SECOND, line]
