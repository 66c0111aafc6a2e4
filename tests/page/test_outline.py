"""The outline of a page: no text is read twice, and no part of a manual page is left out."""

import pytest

from dedup.page import extract
from dedup.page.elements import Elements
from dedup.page.outline import Outline

LINE = "A line of running text, of more than twenty letters. "


def outline(html: str) -> Outline:
    return Outline(Elements(html))


def test_headings_in_headings_hold_their_text_once() -> None:
    drawn = outline("<h1><span>" * 100 + LINE)
    assert drawn.heading == LINE.strip()
    assert len(drawn.page.blocks) == 1


def test_links_in_links_count_once() -> None:
    drawn = outline(f"<h1>{LINE}" + "<a><b>" * 100 + LINE)
    assert drawn.page.blocks[0].link_chars == len(LINE.strip())


def test_text_before_all_blocks_is_in_it() -> None:
    assert [block.text for block in outline(f"<b>{LINE}").page.blocks] == [LINE.strip()]


def test_hidden_text_is_not_in_it() -> None:
    for hidden in (
        "<span hidden>{}</span>",
        "<p hidden>{}</p>",
        "<h1 style='display:none'>{}</h1>",
        "<div hidden><h1><b>{}</b></h1></div>",
    ):
        assert outline(f"<div>{hidden.format(LINE)}</div>").page.blocks == []


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
