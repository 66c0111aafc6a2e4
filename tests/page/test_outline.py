"""The outline of a page: no text is read twice, and no part of a manual page is left out."""

import pytest

from dedup.page import extract
from tests.page.shown import Block, blocks

pytestmark = pytest.mark.usefixtures("compiled")

LINE = "A line of running text, of more than twenty letters. "


def outline(html: str) -> list[Block]:
    return blocks(html, outline=True)


def test_headings_in_headings_hold_their_text_once() -> None:
    html = "<h1><span>" * 100 + LINE
    assert extract(html).heading == LINE.strip()
    assert len(outline(html)) == 1


def test_links_in_links_count_once() -> None:
    drawn = outline(f"<h1>{LINE}" + "<a><b>" * 100 + LINE)
    assert drawn[0].link_chars == len(LINE.strip())


def test_text_before_all_blocks_is_in_it() -> None:
    assert [block.text for block in outline(f"<b>{LINE}")] == [LINE.strip()]


def test_hidden_text_is_not_in_it() -> None:
    for hidden in (
        "<span hidden>{}</span>",
        "<p hidden>{}</p>",
        "<h1 style='display:none'>{}</h1>",
        "<div hidden><h1><b>{}</b></h1></div>",
    ):
        assert outline(f"<div>{hidden.format(LINE)}</div>") == []


def test_sections_beside_the_longest_one_are_main_text() -> None:
    sections = [f"<div><h2>Part</h2><p>{LINE * size}</p><p>{LINE * size}</p></div>"
                for size in (3, 14, 3)]  # fmt: skip
    main = extract(f"<body><div>{''.join(sections)}</div></body>")
    assert main.text.count(LINE.strip()) == 2 * (3 + 14 + 3)


@pytest.mark.parametrize(
    "opened",
    ["<p>", "<p><font size=2>", "<p><strong>", "<div>", "<p><a name=x></a>", "<p><!-- hidden -->",
     "<font>x</font><br>", "<p><o:p></o:p>", "<li>", "<p><img src=x>", "<p><label>", "<p><i>x</i>"],
)  # fmt: skip
def test_an_article_in_any_markup_outweighs_a_notice(opened: str) -> None:
    article = "".join(f"{opened}{LINE * 6}</p>" for _ in range(12))
    notice = "<p>" + "All that is written here is no advice. " * 12
    html = f"<body><div class=top><a href=/>home</a></div><div>{article}</div><div>{notice}</div>"
    main = extract(f"<title>t</title>{html}</body>")
    assert main.text.count(LINE.strip()) == 12 * 6


FOOTER = "Send corrections and broken references to the keeper of the archive, who reads mail. " * 3
HAN_FOOTER = "未经许可，禁止进行转载、摘编及建立镜像等任何使用，内容仅供学习交流之用。" * 4


def story(text: str, footer: str) -> str:
    notes = f"<div class=b><p>{footer}</p><p>{footer}</p></div>"
    return f"<body><div class=m><h1>Day 1</h1><div class=t>{text}</div></div>{notes}</body>"


@pytest.mark.parametrize(
    ("lines", "footer"),
    [
        ("<p>green tea at sea</p>" * 90, FOOTER),
        ("<p>" + "green <a href=/>tea</a> at <b>sea</b> " * 120 + "</p>", FOOTER),
        ("<p>他说，我们明天再来看看吧。</p>" * 80, HAN_FOOTER),
        ("他说，我们明天再来看看吧。<br>" * 80, HAN_FOOTER),
    ],
    ids=["short paragraphs", "runs between tags", "dialogue", "dialogue between line breaks"],
)
def test_a_story_in_short_runs_outweighs_a_footer_of_long_ones(lines: str, footer: str) -> None:
    text = extract(story(lines, footer)).text
    assert text.startswith(("green tea at sea", "他说"))
    assert footer.strip() not in text


@pytest.mark.parametrize("name", ["name=s", "id=s", "class=x\nID='s'"])
def test_a_named_anchor_around_text_is_no_link(name: str) -> None:
    lines = f"<p><a {name}>{LINE * 6}</a></p>" * 8
    assert extract(story(lines, FOOTER)).text.count(LINE.strip()) == 8 * 6


def test_a_named_anchor_that_nothing_closes_is_no_link() -> None:
    assert extract(story(f"<p><a name=s>{LINE * 6}" * 8, FOOTER)).text.count(LINE.strip()) == 8 * 6


def test_a_heading_in_a_named_anchor_is_no_logo() -> None:
    assert extract(f"<a name=top><h1><a id=top>{LINE}</a></h1>").heading == LINE.strip()


def test_text_behind_a_heading_is_no_heading() -> None:
    html = f"<h1><a href='/'>Logo</a></h1>{LINE}<b>x</b><p>{LINE}</p><h1/>{LINE}"
    assert [block.level for block in outline(html)] == [1, 0, 0, 0]
    assert extract(html).heading == ""
