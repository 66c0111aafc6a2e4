"""Short main texts, and short rows inside long ones."""

from __future__ import annotations

import pytest

from dedup.page import extract

pytestmark = pytest.mark.usefixtures("compiled")

NEWS = "本报讯 昨天下午，市图书馆新馆正式对外开放，首日接待读者三千余人，周末延长至晚上九点闭馆。"
MENU = "".join(f'<li><a href="/{n}">栏目第{n}号</a></li>' for n in range(40))
RELATED = "".join(
    f'<li><a href="/{n}">第{n}条相关新闻的标题有十几个字</a> 二十字以内的导语</li>'
    for n in range(30)
)


def page(between: str, container: str = "box", text: str = NEWS) -> str:
    return (
        f"<title>市图书馆新馆开放</title><body><ul>{MENU}</ul><div><h1>市图书馆新馆开放</h1>{between}"
        f'<div class="{container}"><p>{text}</p></div></div><ul>{RELATED}</ul></body>'
    )


@pytest.mark.parametrize("between", ["<span>2024-05-18 10:20</span>", "<p>发表于2024年5月18日</p>"])
def test_two_sentences_below_heading_and_date_are_the_main_text(between: str) -> None:
    main = extract(page(between))
    assert main.sure
    assert main.text.endswith(NEWS)
    assert "栏目" not in main.text
    assert "相关" not in main.text


def test_two_sentences_in_an_article_by_name_need_no_date() -> None:
    main = extract(page("<span>本报记者</span>", container="article-text"))
    assert main.sure
    assert main.text == NEWS


def test_an_introduction_right_below_the_heading_of_a_list_is_not_trusted() -> None:
    main = extract(page(""))
    assert not main.sure


def test_what_has_no_clause_is_no_running_text() -> None:
    main = extract(page("<span>2024-05-18</span>", text="产品型号参数一览表" * 6))
    assert not main.sure


@pytest.mark.parametrize("stop", ["。", "؟", "۔", "।", "։", "።", "။"])
def test_running_text_ends_in_every_script(stop: str) -> None:
    main = extract(page("<span>2024-05-18</span>", text="产品型号参数一览表" * 6 + stop))
    assert main.sure


PROSE = (
    "<p>" + "The orchard keeps its old trees, which still bear fruit in dry years. " * 6 + "</p>"
)


def article(rows: str) -> str:
    return f"<body><article><h1>Apples of the valley</h1>{PROSE}{rows}{PROSE}</article></body>"


def test_short_cells_of_a_table_stay_with_cells_that_are_links() -> None:
    rows = "".join(
        f'<tr><td>19{n}</td><td>late</td><td><a href="/{n}">Kind {n}</a></td></tr>'
        for n in range(50, 60)
    )
    text = extract(article(f"<table>{rows}</table>")).text
    assert "1950" in text
    assert "Kind 59" in text


def test_a_list_that_is_all_links_is_left_out_of_an_article() -> None:
    items = "".join(f'<li><a href="/{n}">Another story {n}</a></li>' for n in range(9))
    assert "Another story" not in extract(article(f"<ul>{items}</ul>")).text


def test_an_item_that_is_a_link_stays_in_a_list_of_text() -> None:
    items = "<li>Pick them in October, not sooner.</li>" * 3
    items += '<li><a href="/press">How to press cider</a></li>'
    assert "How to press cider" in extract(article(f"<ul>{items}</ul>")).text


ARTICLE = "".join(f"<p>第{n}天，{NEWS}</p>" for n in range(9))


@pytest.mark.parametrize(
    "line", ["来源：港口日报", "（责任编辑：王小明）", "【原标题】新馆开放", "作者：李华"]
)
def test_a_line_that_says_where_a_text_is_from_is_left_out_at_its_ends(line: str) -> None:
    html = f"<title>t</title><div class=article><p>{line}</p>{ARTICLE}<p>{line}</p></div>"
    assert line not in extract(html).text
    assert extract(html).text == extract(html.replace(f"<p>{line}</p>", "")).text


def test_such_a_line_stays_within_a_text_and_where_it_is_long() -> None:
    inside = f"<div class=article>{ARTICLE}<p>来源：港口日报</p>{ARTICLE}</div>"
    assert "来源：港口日报" in extract(inside).text
    long = f"来源：{NEWS}{NEWS}"
    assert extract(f"<div class=article><p>{long}</p>{ARTICLE}</div>").text.startswith(long)


def parts(heading: str) -> str:
    """A page whose text stands in four parts that have nothing in common, each beside a menu."""
    menu = f"<ul>{MENU}</ul>"
    others = (
        f"<{tag}>{'<div>' * depth}{menu}{PROSE}{'</div>' * depth}</{tag}>"
        for depth, tag in enumerate(("section", "center", "fieldset"), start=2)
    )
    first = f"<div class=quay>{menu}{menu}<div>{heading}{PROSE}</div></div>"
    return f"<title>t</title><body>{first}{''.join(others)}</body>"


def test_one_part_of_four_is_no_main_text_unless_it_is_dated() -> None:
    heading = "<h1>Apples of the valley</h1>"
    assert not extract(parts(heading)).sure
    assert extract(parts(f"{heading}<p>3 May 2024</p>")).sure
