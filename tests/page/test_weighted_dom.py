"""The rules by which the weighted DOM tells an article from what stands around it."""

import pytest

from tests.page.bodies import FERRY, MENU, SHORT, SOLAR, TEA, paragraphs, read

pytestmark = pytest.mark.usefixtures("compiled")

LINES = SOLAR.splitlines()
DATE = "<p>3 May 2024</p>"
CHATTER = "I read this twice and I still think that the other bridge was a far better one. "


@pytest.mark.parametrize(
    "around", ['<div class="comments">', "<aside>", '<ul class="related"><li>']
)
def test_an_article_wins_against_longer_text_with_a_low_name(around: str) -> None:
    main = read(f"<div>{paragraphs(SOLAR)}</div>{around}{paragraphs(CHATTER * 30)}")
    assert main.sure
    assert main.text == SOLAR


def test_a_low_name_on_most_of_the_page_is_wrong() -> None:
    main = read(f'<div class="page-with-comments"><div>{paragraphs(SOLAR)}</div><p>Note</p></div>')
    assert main.sure
    assert main.text == f"{SOLAR}\nNote"


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("<p>Yes.</p>", ["Yes."]),
        ("<h2>Tides</h2>", ["Tides"]),
        ("<div>12 g</div>", ["12 g"]),
        ("<table><tr><td>Tea</td><td>3</td></tr></table>", ["Tea", "3"]),
        ("<p>See <a href=/tea>tea</a></p>", ["See tea"]),
        ("<p><a href=/more>More</a></p>", []),
        ("<a href=/more>More</a>", []),
        ("<p><a href=/quay>https://a.example/quay</a></p>", ["https://a.example/quay"]),
        ("<p>Web: <a href=/quay>www.a.example</a></p>", ["Web: www.a.example"]),
        ("<p><a href=/quay>www.</a></p>", []),
        ("<p><a href=/quay>WWW.A.EXAMPLE</a></p>", ["WWW.A.EXAMPLE"]),
        ("<p><a href=/quay>The quay https://a.example</a></p>", []),
        ("<p><a href=/quay>https://a.example the quay</a></p>", []),
    ],
)
def test_a_short_line_is_part_of_the_article_unless_it_is_a_link(
    line: str, kept: list[str]
) -> None:
    above, below = ("\n".join(lines) for lines in (LINES[:3], LINES[3:]))
    main = read(f"<article>{paragraphs(above)}{line}{paragraphs(below)}</article>")
    assert main.text == "\n".join([above, *kept, below])


def test_a_high_name_wins_against_a_little_more_text() -> None:
    article = f'<div class="article-body">{paragraphs(SOLAR)}</div>'
    main = read(f"{article}<div><ul>{MENU * 2}</ul></div><div>{paragraphs(SOLAR + CHATTER)}</div>")
    assert main.text == SOLAR


def test_the_part_with_the_h1_wins_against_longer_text_that_has_none() -> None:
    wall = f"<div><div>{paragraphs(SOLAR + FERRY)}</div></div>"
    article = f"<div><div><h1>Tea</h1>{DATE}</div><div>{paragraphs(TEA)}</div></div>"
    main = read(article + wall)
    assert main.text == TEA


def test_many_teasers_in_a_list_lose_against_a_shorter_article() -> None:
    teaser = f'<p>{CHATTER * 2}</p><p>{CHATTER * 2}</p><a href="/">Read the whole story, part 1</a>'
    teasers = f"<li>{teaser}</li>" * 12
    article = f"<div><h1>Light on the roofs</h1>{DATE}<div>{paragraphs(SOLAR)}</div></div>"
    main = read(f"{article}<div><ul>{MENU}</ul><ul>{teasers}</ul></div>")
    assert main.text == SOLAR


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_an_article_in_parts_of_one_make_comes_whole(depth: int) -> None:
    parts = [
        "<section>" * depth + f'<div class="part">{paragraphs(text)}</div>' + "</section>" * depth
        for text in (SOLAR, CHATTER * 9)
    ]
    main = read(f"<div><ul>{MENU}</ul></div>".join(parts))
    assert main.text == f"{SOLAR}\n{CHATTER * 9}".rstrip()


@pytest.mark.parametrize(
    ("one", "other", "whole"),
    [
        (" part", "part", True),
        ("Part wide\t", "part\n", True),
        ("part-1", "part-22", True),
        ("part", "other", False),
    ],
)
def test_parts_are_of_one_make_by_their_first_class(one: str, other: str, *, whole: bool) -> None:
    parts = [
        f'<div class="{name}">{paragraphs(text)}</div>'
        for name, text in ((one, SOLAR), (other, CHATTER * 9))
    ]
    main = read(f"<div><ul>{MENU}</ul></div>".join(parts))
    assert (CHATTER in main.text) is whole


def test_several_h1_in_a_part_are_headings_of_its_sections() -> None:
    first = "".join(f"<h1>{name}</h1>{paragraphs(SOLAR)}" for name in ("Roofs", "Cables"))
    second = f"<h1>Cost</h1>{paragraphs(TEA)}"
    parts = (f'<div class="n"><div class="part">{text}</div></div>' for text in (first, second))
    main = read(f"<ul>{MENU}</ul>".join(parts))
    assert main.text.endswith(TEA)
    assert "Cables" in main.text


def test_the_next_article_below_its_own_h1_is_another_one() -> None:
    articles = [
        f'<div><h1>{name}</h1><div class="part">{paragraphs(text)}</div></div>'
        for name, text in (("Solar", SOLAR), ("Tea", TEA))
    ]
    assert read("".join(articles)).text == SOLAR


def test_sections_of_different_depth_and_make_belong_to_one_manual() -> None:
    manual = (
        f'<div class="sect"><h2>One</h2>{paragraphs(TEA)}</div>'
        f'<div class="list"><dl><dt>Two</dt><dd><div>{paragraphs(SOLAR)}</div></dd></dl></div>'
        f'<div class="notes"><div><h2>Three</h2>{paragraphs(FERRY)}</div></div>'
    )
    text = read(f"<div>{manual}</div>").text
    for line in f"{TEA}\n{SOLAR}\n{FERRY}".splitlines():
        assert line in text


def test_a_long_listing_does_not_stand_for_the_text_around_it() -> None:
    listing = f'<div class="listing"><div><pre>{"x = f(x)  # again " * 120}</pre></div></div>'
    main = read(f"<div>{paragraphs(SOLAR)}{listing}<ul>{MENU * 2}</ul></div>")
    assert LINES[0] in main.text
    assert "x = f(x)" in main.text


def test_a_bare_paragraph_beside_the_article_comes_along() -> None:
    lead = "The lead of the story stands above it, in a paragraph that is its own."
    main = read(f'<div><p>{lead}</p><div class="text">{paragraphs(SOLAR)}</div></div>')
    assert main.text == f"{lead}\n{SOLAR}"


def test_the_title_is_left_out_wherever_the_template_sets_it() -> None:
    inside = read(f"<div><h2>Solar roofs</h2>{paragraphs(SOLAR)}</div>", "Solar roofs | News")
    outside = read(f"<div><h1>Solar roofs</h1></div><div>{paragraphs(SOLAR)}</div>", "Solar roofs")
    assert inside.text == outside.text == SOLAR


def test_other_headings_stay() -> None:
    main = read(f"<div><h2>Costs</h2>{paragraphs(SOLAR)}</div>", "Solar roofs | News")
    assert main.text.startswith("Costs\n")


def test_a_tiny_text_is_not_sure() -> None:
    assert not read("<div><h1>Cats</h1><p>A cat is a small animal that says little.</p></div>").sure


def test_a_short_article_below_the_h1_of_a_large_page_is_sure() -> None:
    article = f"<div><h1>Cat found</h1><div>{paragraphs(SHORT * 3)}</div></div>"
    main = read(f"<div><ul>{MENU * 9}</ul></div>{article}<div><ul>{MENU * 9}</ul></div>")
    assert main.sure
    assert main.text == (SHORT * 3).rstrip()


@pytest.mark.parametrize("frame", ["<footer>{}</footer>", '<div class="x">{}</div>'])
def test_the_few_sentences_below_an_index_are_not_its_main_text(frame: str) -> None:
    main = read(f"<div><ul>{MENU * 9}</ul></div>" + frame.format(paragraphs(SHORT * 4)))
    assert not main.sure
    assert "Section number 3" in main.text


def test_a_page_of_short_posts_is_kept_whole_and_not_as_the_rules_of_its_forum() -> None:
    posts = "".join(f'<div class="post"><div><p>{SHORT[n:]}</p></div></div>' for n in range(5))
    main = read(f'<div id="thread">{posts}</div><div class="rules">{paragraphs(SHORT * 3)}</div>')
    assert SHORT[4:].strip() in main.text


def test_posts_whose_classes_have_numbers_of_their_own_are_of_one_make() -> None:
    posts = "".join(
        f'<div class="post-{n}7 post"><h2>Cat {n}</h2>{paragraphs(SHORT[n:] * 4)}</div>'
        f"<ul>{MENU}</ul>"
        for n in range(5)
    )
    main = read(f"<div>{posts}</div>")
    assert [name for name in map(str, range(5)) if f"Cat {name}" in main.text] == list("01234")
    assert "Section number 3" not in main.text


@pytest.mark.parametrize(
    ("name", "whole"), [("post_message_{}7", True), ("row_{}7", False), ("post_message", False)]
)
def test_posts_without_a_class_are_of_one_make_by_their_numbered_ids(
    name: str, whole: bool
) -> None:
    posts = "".join(
        f'<li><ul>{MENU}</ul><div class="row"><div id="{name.format(n)}">'
        f"<p>Cat {n}. {SHORT * length}</p><p>Yes.</p></div></div></li>"
        for n, length in enumerate((1, 9, 1, 2))
    )
    main = read(f"<ol>{posts}</ol>")
    found = [n for n in range(4) if f"Cat {n}" in main.text]
    assert found == ([0, 1, 2, 3] if whole else [1])
    assert main.sure
    assert "Section number 3" not in main.text


@pytest.mark.parametrize(
    ("element", "name", "whole"),
    [
        ("blockquote", "quote-block", True),
        ("blockquote", "post", False),
        ("div", "quote-block", False),
    ],
)
def test_a_quote_of_an_earlier_post_is_not_the_main_text(
    element: str, name: str, whole: bool
) -> None:
    contents = f'<div class="contents">{paragraphs(SOLAR)}</div>'
    quote = f'<{element} class="{name}">{contents}</{element}>'
    posts = [f"<div>{quote}</div><p>{SHORT}</p>", f"<p>{SHORT * 3}</p>", f"<p>{SHORT * 2}</p>"]
    main = read("".join(f'<div><h4>Re:</h4><div class="says">{post}</div></div>' for post in posts))
    assert (main.text.count(SHORT.strip()) == 6) is whole


def test_the_same_text_above_a_long_list_below_the_h1_is_not() -> None:
    index = f"<div><h1>Cats</h1>{paragraphs(SHORT * 3)}<ul>{MENU * 9}</ul></div>"
    main = read(index)
    assert not main.sure
    assert "Section number 3" in main.text


@pytest.mark.parametrize(
    ("part", "kept"),
    [
        ("<nav>{}</nav>", False),
        ("<div class=comments>{}</div>", False),
        ("<div>{}</div>", True),
        ("<main class=comments>{}</main>", True),
        ("<section><p class=comment>{}</p></section>", True),
    ],
)
def test_what_a_low_name_says_depends_on_its_element(part: str, kept: bool) -> None:
    note = part.format("<p>Herons nest in the reeds behind the old quay until late in June.</p>")
    main = read(f"<article>{paragraphs(SOLAR)}{note}{paragraphs(TEA)}</article>")
    assert ("Herons" in main.text) is kept


@pytest.mark.parametrize("element", ["footer", "nav"])
def test_a_footer_is_no_part_of_the_article_it_stands_in(element: str) -> None:
    imprint = f"<{element}><p>{SHORT}</p></{element}>"
    assert read(f"<article>{paragraphs(SOLAR)}{imprint}</article>").text == SOLAR


def test_the_lead_in_the_header_of_an_article_is() -> None:
    lead = f"<header><h1>Solar roofs</h1><p>{SHORT}</p></header>"
    main = read(f"<article>{lead}{paragraphs(SOLAR)}</article>")
    assert main.text == f"{SHORT.strip()}\n{SOLAR}"


def test_a_logo_heads_nothing() -> None:
    logo = f'<div><h1><a href="/">The River Post</a></h1><p>{SHORT * 3}</p></div>'
    main = read(f"{logo}<div>{paragraphs(SOLAR)}</div>")
    assert main.text == SOLAR


def test_answers_that_open_at_a_click_are_main_text() -> None:
    answers = "".join(
        f"<details><summary>{CHATTER}</summary><p>{SHORT[n:] * 2}</p></details>" for n in range(20)
    )
    text = read(f"<main><h1>Questions</h1>{paragraphs(SOLAR)}{answers}</main>").text
    assert text.count(CHATTER.strip()) == 20


def test_a_short_part_that_opens_at_a_click_is_main_text() -> None:
    part = f"<details><summary>{CHATTER}</summary><p>{SHORT}</p></details>"
    assert SHORT.strip() in read(f"<main><h1>Roofs</h1>{paragraphs(SOLAR)}{part}</main>").text


@pytest.mark.parametrize(
    "name", ["content-sidebar-wrap", "layout-sidebar-right", "sidebar-open", "aside-closed"]
)
def test_a_frame_of_most_of_the_text_is_no_sidebar_whatever_its_name_says(name: str) -> None:
    article = f"<div class='{name}'><div><h2>Cats</h2>{paragraphs(SHORT * 6)}</div></div>"
    main = read(f"<ul>{MENU}</ul>{article}<div class=bottom><p>{CHATTER * 2}</p></div>")
    assert SHORT.strip() in main.text


@pytest.mark.parametrize("name", ["sticky-footer", "no-footer", "has-breadcrumb", "nav-closed"])
@pytest.mark.parametrize("tag", ["main", "article"])
def test_a_frame_of_the_main_element_is_no_footer_whatever_its_name_says(
    name: str, tag: str
) -> None:
    article = f"<div class='{name}'><{tag}>{paragraphs(SHORT * 2)}</{tag}></div>"
    main = read(f"<div>{article}<div class=bottom><p>{CHATTER}</p></div></div>")
    assert SHORT.strip() in main.text


@pytest.mark.parametrize("name", ["sticky-footer", "has-breadcrumb", "nav-closed", "copyright-on"])
def test_a_frame_of_the_title_and_most_of_the_text_is_no_footer(name: str) -> None:
    text = f"<h1>A lost cat is found</h1><p>{SHORT}</p>"
    page = f"<p>Please wait</p><div class='{name}'><ul>{MENU}</ul><div>{text}</div></div>"
    assert SHORT.strip() in read(page, "A lost cat is found - River Post").text


def test_a_frame_of_all_but_some_links_is_no_footer() -> None:
    skip = "<div><a href=#main>Skip to the main content</a></div>"
    page = f"{skip}<div class='sticky-footer'><ul>{MENU}</ul><div><p>{SHORT}</p></div></div>"
    assert SHORT.strip() in read(page, "River Post").text


def test_the_name_of_the_site_behind_the_title_heads_nothing() -> None:
    about = f"<div><h1>The River Post</h1>{DATE}<p>{SHORT * 3}</p></div>"
    page = f"{about}<ul>{MENU}</ul><div><h2>Ferries</h2>{paragraphs(CHATTER * 8)}</div>"
    assert CHATTER.strip() in read(page, "Ferries - The River Post").text
    assert CHATTER.strip() not in read(page, "The River Post").text


def test_neither_the_name_of_the_site_nor_the_title_below_it_is_text() -> None:
    page = f"<h2>The River Post</h2><hr><h1>Ferries at night</h1>{paragraphs(FERRY)}"
    assert read(page, "Ferries at night - The River Post").text == FERRY


@pytest.mark.parametrize("name", ["nav nextpage", "navigation"])
def test_a_frame_of_most_of_the_text_is_no_menu_whatever_its_name_says(name: str) -> None:
    article = f"<div class='{name}'><div><p>{SHORT * 3}</p></div><ul>{MENU}</ul></div>"
    main = read(f"<div>{article}<div class=bottom><p>{CHATTER}</p></div></div>")
    assert SHORT.strip() in main.text


def test_a_menu_of_more_links_than_text_is_one_even_if_it_has_most_of_the_text() -> None:
    menu = f"<div class=nav><p>{SHORT}</p><ul>{MENU * 3}</ul></div>"
    main = read(f"<div>{menu}<div><p>Three new cats</p><p>Two old ferries</p></div></div>")
    assert main.text == "Three new cats\nTwo old ferries"


@pytest.mark.parametrize("name", ["page-banner", "sidebar-left center", "share-container"])
def test_a_low_name_is_wrong_on_most_of_the_text_below_the_title(name: str) -> None:
    article = f"<div><h3>A lost cat is found</h3></div><div>{paragraphs(SHORT * 6)}</div>"
    comments = f'<div class="comments">{paragraphs(CHATTER * 3)}</div>'
    page = f'<ul>{MENU * 3}</ul><div class="{name}">{article}{comments}</div>'
    main = read(page, "A lost cat is found - River Post")
    assert main.sure
    assert main.text == (SHORT * 6).strip()


@pytest.mark.parametrize(("tag", "is_wrong"), [("main", True), ("section", False)])
def test_a_low_name_is_wrong_around_the_main_element(tag: str, is_wrong: bool) -> None:
    rows = "".join(f"<dt><a href=#{n}>roof{n}()</a><dd>Returns roof {n}." for n in range(60))
    head = f"<div class=head><h1>Roof</h1><div><p>{SHORT * 5}</p></div></div>"
    body = f"<div class=body><section><h2>Methods</h2><div><dl>{rows}</dl></div></section></div>"
    page = f"<div class='layout__2-sidebars'><{tag}>{head}{body}</{tag}></div>"
    main = read(page, "Roof - Web manuals and references of all kinds | River Docs")
    assert ("Returns roof 59." in main.text) is is_wrong


def test_a_form_around_all_of_a_page_is_none_of_its_parts() -> None:
    article = f'<div class="text">{paragraphs(SHORT * 6)}</div>'
    main = read(f"<form><div><ul>{MENU * 3}</ul></div><div>{article}</div></form>")
    assert main.sure
    assert main.text == (SHORT * 6).strip()


def test_a_form_beside_an_index_is_not_its_main_text() -> None:
    main = read(f"<form>{paragraphs(SHORT * 6)}</form><div><ul>{MENU * 3}</ul></div>")
    assert not main.sure


def test_comments_in_an_article_are_left_out_however_many_they_are() -> None:
    comments = f'<div class="reader-comments">{f"<p>{CHATTER * 4}</p>" * 4}</div>'
    article = f'<div class="article-text">{paragraphs(SHORT * 9)}{comments}</div>'
    assert read(f"<div>{article}</div>").text == (SHORT * 9).strip()


def test_comments_are_main_text_where_hardly_anything_else_stands_beside_them() -> None:
    posts = f'<div class="comment">{paragraphs(CHATTER * 9)}</div>' * 9
    main = read(f'<div class="text"><p>{SHORT}</p>{posts}</div>')
    assert main.text.count(CHATTER.strip()) == 9 * 9


@pytest.mark.parametrize("name", ["entry", "article-body"])
def test_a_short_article_wins_against_all_that_is_said_about_it(name: str) -> None:
    article = f'<div class="{name}">{paragraphs(SHORT * 5)}</div>'
    comments = f'<div class="comment"><div>{paragraphs(CHATTER * 60)}</div></div>'
    main = read(f'<div>{article}<div class="comments">{comments * 3}</div></div>')
    assert main.sure
    assert main.text == (SHORT * 5).strip()


def test_a_notice_does_not_win_against_comments() -> None:
    comments = f'<div class="comments">{paragraphs(CHATTER * 60)}</div>'
    main = read(f"<div><div>{paragraphs(SHORT * 5)}</div>{comments}</div>")
    assert CHATTER.strip() in main.text


@pytest.mark.parametrize("heading", ["<h2>{}</h2>", "<div>{}</div>", "<p><b>{}</b></p>"])
def test_a_short_article_below_the_title_of_its_page_is_sure(heading: str) -> None:
    title = heading.format("A lost cat is found")
    article = f"<div>{title}<div>{paragraphs(SHORT * 3)}</div></div>"
    menu = f"<div><ul>{MENU * 9}</ul></div>"
    main = read(f"{menu}{article}{menu}", "A lost cat is found - River Post")
    assert main.sure
    assert (SHORT * 3).strip() in main.text
    assert "Section number 3" not in main.text


def test_a_short_text_that_is_much_of_its_page_is_kept_with_the_rest() -> None:
    article = f"<div><h2>A lost cat is found</h2>{paragraphs(SHORT * 3)}</div>"
    main = read(f"{article}<div><ul>{MENU}</ul></div>", "A lost cat is found")
    assert not main.sure
    assert "Section number 3" in main.text


@pytest.mark.parametrize("title", ["Cats", "River Post, the paper of the valley: lost and found"])
def test_the_same_text_below_no_more_than_a_word_of_the_title_is_not(title: str) -> None:
    article = f"<div><h2>{title[-4:]}</h2><div>{paragraphs(SHORT * 3)}</div></div>"
    assert not read(f"{article}<div><ul>{MENU * 9}</ul></div>", title).sure


def test_a_few_sentences_above_a_long_list_below_the_title_are_not() -> None:
    index = f"<div><h2>All lost cats</h2>{paragraphs(SHORT * 3)}<ul>{MENU * 9}</ul></div>"
    assert not read(f"<div>{index}</div>", "All lost cats").sure


@pytest.mark.parametrize("name", ["pre-footer", "comments", "newsletter"])
def test_a_box_with_a_low_name_below_the_title_of_an_empty_page_is_not(name: str) -> None:
    box = f'<div class="{name}"><h2>Is this of use?</h2>{paragraphs(SHORT * 3)}</div>'
    page = f"<main><h2>All lost cats</h2>{box}<p>{FERRY[:80]}</p></main>"
    main = read(f"<div><ul>{MENU * 9}</ul></div>{page}", "All lost cats")
    assert not main.sure
    assert "All lost cats" in main.text


def test_an_outline_that_shows_next_to_nothing_is_not_followed() -> None:
    gap = "\n" + " " * 40
    short_runs = f"<p>{gap}green tea{gap}<b>{gap}at sea{gap}</b></p>"
    note = f"<div><p>{CHATTER}</p>{short_runs * 40}</div>"
    story = f"<div>{short_runs * 400}</div>"
    assert read(note + story).text.count("green tea") >= 400


@pytest.mark.parametrize("wide", "茶あカ。㐀一龥가힣")
def test_ideographs_and_syllables_count_for_several_letters(wide: str) -> None:
    assert read(f"<div><p>{wide * 140}</p></div>").sure


@pytest.mark.parametrize("narrow", "aéяا“…（ﬁ\ue000\uefff😀")
def test_other_characters_count_for_one_letter(narrow: str) -> None:
    assert not read(f"<div><p>{narrow * 380}</p></div>").sure
    assert read(f"<div><p>{narrow * 420}</p></div>").sure


NAMES = ["The boat that crosses by night", "A mast that finds its own plug"]
AUTHOR = "<h3><a href=/ann>Ann Marlow on the boats of the river</a></h3>"


def headed(*headings: str) -> str:
    text = "".join(f"{heading}<p>{line}</p>" for heading in headings for line in LINES[:2])
    return f"<ul>{MENU}</ul><article><h1>Ferries</h1><div>{text}</div></article>"


@pytest.mark.parametrize("heading", ["<h3>{}</h3>", "<h3><a href=/boat>{}</a></h3>"])
def test_a_headline_right_above_text_is_part_of_it_though_it_is_a_link(heading: str) -> None:
    main = read(headed(*(heading.format(name) for name in NAMES)), "Ferries")
    assert main.sure
    assert main.text.count(NAMES[0]) == main.text.count(NAMES[1]) == 2


@pytest.mark.parametrize(
    "heading",
    [
        "<h3><a href=/ann>Ann Marlow</a></h3>",
        f"<div>{AUTHOR}</div>",
        f"<div><p>{LINES[3]}</p>{AUTHOR}</div>",
        f"{AUTHOR}<h3>News of the day</h3>",
        f"{AUTHOR}<p><a href=/ann>More</a></p>",
    ],
)
def test_other_headings_that_are_links_are_none_of_the_text(heading: str) -> None:
    main = read(headed(heading, heading), "Ferries")
    assert main.sure
    assert "Ann Marlow" not in main.text
    assert LINES[1] in main.text
