"""HTML to main text: the weighted DOM, readability and the plain text."""

from difflib import SequenceMatcher
from html import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.demo.texts import Text, load_texts
from dedup.page import EXTRACTORS, Kind, MainText, extract, from_text
from dedup.page.limits import MOST_TAGS
from dedup.page.readability import LONGEST_NAME
from tests.page.shown import blocks

pytestmark = pytest.mark.usefixtures("compiled")


LAW = settings(derandomize=True, deadline=None, max_examples=100)
TEXTS = load_texts()
SOLAR, TEA = TEXTS["solar"], TEXTS["tea"]
ARTICLES = ["birds", "ferry", "tea", "tide", "bridge.hant"]

NAVIGATION = "".join(f'<li><a href="/s/{i}">Section number {i}</a></li>' for i in range(12))
TEASERS = "".join(f'<li><a href="/t/{i}">Ten things about story {i}</a></li>' for i in range(9))
LICENCE = "All rights reserved by the Harbour Press Company. No part may be copied by anyone. " * 4
COMMENT = "I read this twice and I still think that the other bridge was a far better one. " * 2

TAGS = ["p", "div", "b", "a", "li", "table", "tr", "td", "h2", "br", "pre", "script", "title"]


def paragraphs(text: Text) -> str:
    """The text as the body of an article, each line a paragraph."""
    return "".join(f"<p>{escape(line)}</p>" for line in text.plain.splitlines())


def newspaper(text: Text) -> str:
    """An article among all that a news site puts around it."""
    return f"""<html><head><title>{text.title}</title><style>p {{color: red}}</style></head><body>
      <header><h1>The Harbour News</h1></header><nav><ul>{NAVIGATION}</ul></nav>
      <div id="content"><div class="story">{paragraphs(text)}</div>
        <div class="sidebar"><h3>Most read</h3><ul>{TEASERS}</ul></div>
        <div class="comments"><p>{COMMENT}</p><p>{COMMENT}</p></div></div>
      <footer><p>{LICENCE}</p></footer><script>var tracked = "yes";</script></body></html>"""


def blog(text: Text) -> str:
    """The same article as a plain blog would show it, in tables and with the menu below."""
    return f"""<html><head><title>{text.title} | Blog</title></head><body><table><tr>
      <td class="menu"><a href="/">Home</a> <a href="/about">About the author</a></td>
      <td><article>{paragraphs(text)}</article></td></tr></table>
      <div id="related"><ul>{TEASERS}</ul></div><div class="copyright">{LICENCE}</div>
      </body></html>"""


def alike(one: str, other: str) -> float:
    return SequenceMatcher(None, one.split("\n"), other.split("\n"), autojunk=False).ratio()


def lines(main: MainText) -> list[str]:
    return [paragraph.text for paragraph in main.paragraphs]


@pytest.mark.parametrize("name", ARTICLES)
def test_the_article_is_found_among_the_rest_of_the_page(name: str) -> None:
    main = extract(newspaper(TEXTS[name]))
    assert main.sure
    assert alike(main.text, TEXTS[name].plain) > 0.9


@pytest.mark.parametrize("rest", ["Section number", "Ten things", "All rights", "I read", "track"])
def test_what_stands_around_the_article_is_left_out(rest: str) -> None:
    assert rest in newspaper(SOLAR)
    assert rest not in extract(newspaper(SOLAR)).text


@pytest.mark.parametrize("name", ARTICLES)
def test_an_article_in_two_templates_gives_nearly_equal_text(name: str) -> None:
    one, other = extract(newspaper(TEXTS[name])), extract(blog(TEXTS[name]))
    assert alike(one.text, other.text) > 0.9


def test_the_title_is_the_pages_own() -> None:
    assert extract(newspaper(SOLAR)).title == SOLAR.title
    assert extract("<h1>Tea\n house</h1><p>x</p>").title == "Tea house"
    assert extract("<title/><title>Tea</title><h1/>x").title == "Tea"


def test_an_index_page_has_no_sure_main_text_and_keeps_its_links() -> None:
    page = (
        f"<html><body><nav><ul>{NAVIGATION}</ul></nav><div><ul>{TEASERS}</ul></div></body></html>"
    )
    main = extract(page)
    assert not main.sure
    assert [f"Ten things about story {i}" for i in range(9)] == lines(main)[-9:]


@pytest.mark.parametrize(
    "footer",
    [
        f"<footer><p>{LICENCE}</p></footer>",
        f'<div class="site-footer"><p>{LICENCE}</p></div>',
        f'<div id="copyright"><p>{LICENCE}</p></div>',
    ],
)
def test_a_footer_never_becomes_the_main_text(footer: str) -> None:
    note = f"<div><p>A rather short note.</p><ul>{TEASERS}</ul></div>"
    main = extract(f"<html><body>{note}{footer}</body></html>")
    assert not main.sure
    assert main.paragraphs[0].text == "A rather short note."


def test_paragraphs_know_their_kind_section_and_position() -> None:
    page = extract(
        "<body><p>lead</p><h2>Part</h2><ul><li>item</li></ul><dl><dt>term</dt></dl><h3>Sub</h3>"
        "<table><tr><th>head</th><td>cell</td></tr></table><blockquote>quote</blockquote>"
        "<pre>code</pre><div>bare</div></body>",
        "plain",
    )
    assert [(p.text, p.kind, p.section) for p in page.paragraphs] == [
        ("lead", Kind.PARAGRAPH, 0),
        ("Part", Kind.HEADING, 2),
        ("item", Kind.LIST_ITEM, 2),
        ("term", Kind.LIST_ITEM, 2),
        ("Sub", Kind.HEADING, 3),
        ("head", Kind.CELL, 3),
        ("cell", Kind.CELL, 3),
        ("quote", Kind.QUOTE, 3),
        ("code", Kind.CODE, 3),
        ("bare", Kind.TEXT, 3),
    ]
    assert [p.position for p in page.paragraphs] == list(range(10))


def test_headings_lists_and_tables_of_an_article_stay_in_its_main_text() -> None:
    extra = "<h2>Costs</h2><ul><li>Wood</li></ul><table><tr><td>12 m</td></tr></table>"
    article = paragraphs(SOLAR)
    main = extract(f"<body><article>{article}{extra}{article}</article></body>")
    assert {"Costs", "Wood", "12 m"} <= set(lines(main))


def test_comments_inside_the_article_are_left_out() -> None:
    inside = f'<div class="comments"><p>{COMMENT}</p></div>'
    main = extract(f"<body><article>{paragraphs(SOLAR)}{inside}</article></body>")
    assert main.text.startswith(SOLAR.plain[:500])
    assert "I read this twice" not in main.text


def test_a_box_of_links_inside_the_article_is_left_out_with_its_scraps() -> None:
    box = f"<div><ul>{TEASERS}<li>5 minutes ago</li></ul></div>"
    main = extract(f"<body><article>{paragraphs(SOLAR)}{box}{paragraphs(TEA)}</article></body>")
    assert "Ten things" not in main.text
    assert "5 minutes ago" not in main.text


@pytest.mark.parametrize("wrapped", ["<p>{}</p>", "<div><div><p>{}</p></div></div>"])
def test_a_sentence_with_long_links_is_text_and_a_reference_is_none(wrapped: str) -> None:
    link = "<a href=/pay>starting salaries of programmers after a course</a>"
    sentence = wrapped.format(f"In spring, {link} rose to $90,000.")
    rest = "".join(
        wrapped.format(f"<a href=/{n}>Another story of number {n}, and why</a>") for n in range(3)
    )
    main = extract(
        f"<body><article>{paragraphs(SOLAR)}{sentence}{rest}{paragraphs(TEA)}</article></body>"
    )
    assert "rose to $90,000." in main.text
    assert "Another story" not in main.text


@pytest.mark.parametrize(
    "hidden",
    [
        '<p style="color: red; DISPLAY : none">secret</p>',
        "<p hidden>secret</p>",
        "<p hidden class='paywall-offer no-paywall'>secret</p>",
        "<math><annotation encoding='application/x-tex'>secret</annotation></math>",
        "<script>secret</script>",
        "<template><p>secret</p></template>",
        "<select><option>secret</option></select>",
        "<!-- secret -->",
    ],
)
def test_hidden_elements_are_skipped_and_what_follows_is_not(hidden: str) -> None:
    assert lines(extract(f"<body><p>before</p>{hidden}after</body>", "plain")) == [
        *("before", "after"),
    ]


@pytest.mark.parametrize("hidden", ["hidden", "style='display:none'"])
@pytest.mark.parametrize("classes", ["paywall", "'text paywall'", '"paywall more"'])
def test_paid_text_is_read_though_a_script_shows_it(hidden: str, classes: str) -> None:
    page = f"<body><p>before</p><div {hidden} class={classes}><p>paid</p></div>after</body>"
    assert lines(extract(page, "plain")) == ["before", "paid", "after"]


@pytest.mark.parametrize("shown", ['<i aria-hidden="true">x=2</i>', "<math><mi>x</mi>=2</math>"])
def test_what_browsers_show_is_read_whoever_else_it_is_hidden_from(shown: str) -> None:
    assert lines(extract(f"<body><p>let {shown} be</body>", "plain")) == ["let x=2 be"]


def test_a_page_where_nothing_stands_out_is_read_without_its_menu_and_footer() -> None:
    menu = "".join(f"<li><a href='/{n}'>Department number {n}</a></li>" for n in range(60))
    around = "<nav><ul>{}</ul></nav><div><p>{}</p></div><footer><p>Rights reserved.</p></footer>"
    text = "The office is closed on Friday."
    assert lines(extract(f"<body>{around.format(menu, text)}</body>")) == [text]


def test_a_page_that_is_all_menu_and_footer_has_a_text_for_readers_only() -> None:
    """A script loads the rest. All pages of the site have this text."""
    menu = "".join(f"<li><a href='/{n}'>Department number {n}</a></li>" for n in range(60))
    page = f"<nav><ul>{menu}</ul></nav><div id=app></div><footer><p>The River Post</footer>"
    main = extract(page)
    assert main.text == ""
    assert main.likely[7].text == "Department number 7"
    assert main.likely[-1].text == "The River Post"


def test_line_breaks_part_paragraphs_and_line_feeds_do_not() -> None:
    main = extract("<body><div>one\n two<br>three<br/><br>four</div></body>", "plain")
    assert lines(main) == ["one two", "three", "four"]


@pytest.mark.parametrize("end", ["\n", "<br>", "<br/>\n"])
def test_the_lines_of_a_listing_are_one_paragraph_however_they_end(end: str) -> None:
    main = extract(f"<p>one<br>two</p><pre><i>x = 1</i>{end}<i>y = 2</i></pre>three", "plain")
    assert lines(main) == ["one", "two", "x = 1 y = 2", "three"]


def test_line_separators_are_mere_space() -> None:
    assert lines(extract("<p>one\u2028two</p>", "plain")) == ["one two"]


def test_text_parted_by_line_breaks_alone_is_an_article_too() -> None:
    body = "<br><br>".join(map(escape, SOLAR.plain.splitlines()))
    main = extract(f"<body><ul>{NAVIGATION}</ul><div>{body}</div></body>")
    assert main.sure
    assert alike(main.text, SOLAR.plain) > 0.9


def test_inline_elements_do_not_part_words() -> None:
    main = extract("<p>un<b>believ</b>able <a href=/>te</a>a</p>", "plain")
    assert lines(main) == ["unbelievable tea"]


@pytest.mark.parametrize("extractor", EXTRACTORS)
@pytest.mark.parametrize(
    "page",
    [
        "",
        " \n ",
        "<!-- only a comment -->",
        "<html></html>",
        "<?xml version='1.0'?>",
        "\0\0",
        "\ud800",
    ],
)
def test_a_page_without_text_has_no_paragraphs(page: str, extractor: str) -> None:
    main = extract(page, extractor)
    assert main.paragraphs == ()
    assert main.title == ""


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_control_characters_and_lone_surrogates_are_mere_space(extractor: str) -> None:
    main = extract(f"<body><p>tea\0\x0bhouse\udcff bar</p>{paragraphs(SOLAR)}</body>", extractor)
    assert "tea house bar" in main.text


@pytest.mark.parametrize("extractor", EXTRACTORS)
@pytest.mark.parametrize(
    "page",
    [
        "<div>" * 30_000 + "deep" + "</div>" * 30_000,
        "".join(f"<div><p>Some text, number {i}, in a long row.</p>" for i in range(20_000)),
        "<b><i>" * 25_000 + "deep",
        "<p>" + "a single line of five megabytes, " * 160_000,
        "<table><tr><td>cell" * 20_000,
    ],
    ids=["nested", "nested with text", "nested inline", "one line", "nested tables"],
)
def test_hostile_pages_end_in_bounded_time(page: str, extractor: str) -> None:
    assert not extract(page, extractor).refused


@pytest.mark.parametrize("extractor", ["weighted_dom", "plain"])
def test_as_many_tags_as_are_read_end_in_bounded_time(extractor: str) -> None:
    assert len(extract("<p>tea <b>x</b></p>" * (MOST_TAGS // 4), extractor).paragraphs) > 20_000


def test_readability_finds_the_article() -> None:
    main = extract(newspaper(SOLAR), "readability")
    assert main.sure
    assert alike(main.text, SOLAR.plain) > 0.9
    assert main.title == SOLAR.title


@pytest.mark.parametrize(
    "body",
    ["<ul><li><a href=/>Home</a></li></ul>", "<form><p>Home</p></form>", "<footer>Home</footer>"],
)
def test_where_readability_finds_nothing_the_whole_text_is_kept_and_unsure(body: str) -> None:
    main = extract(f"<html><body>{body}</body></html>", "readability")
    assert lines(main) == ["Home"]
    assert not main.sure


def test_the_plain_extractor_keeps_everything_visible() -> None:
    text = extract(newspaper(SOLAR), "plain").text
    for part in ("The Harbour News", "Section number 3", "I read this twice", "All rights"):
        assert part in text
    assert "tracked" not in text


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_an_extractor_gives_the_same_text_each_time(extractor: str) -> None:
    assert extract(newspaper(TEA), extractor) == extract(newspaper(TEA), extractor)


@pytest.mark.parametrize("extractor", EXTRACTORS)
@LAW
@given(
    st.lists(st.sampled_from([*(f"<{t}>" for t in TAGS), *(f"</{t}>" for t in TAGS), "tea ", "<"]))
)
def test_no_tag_soup_raises(extractor: str, soup: list[str]) -> None:
    main = extract("".join(soup), extractor)
    assert all(paragraph.text.strip() for paragraph in main.paragraphs)


def test_an_unknown_extractor_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="one of weighted_dom, readability, plain; got 'magic'"):
        extract("<p>x</p>", "magic")


def test_an_extractor_without_a_place_is_no_other_extractor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(EXTRACTORS, "new", 1)
    with pytest.raises(KeyError, match="new"):
        extract("<p>Green tea.", "new")


def test_text_that_is_no_page_has_a_paragraph_for_each_line() -> None:
    main = from_text("tea <b>\n\n  green   tea\r\nblack", "Teas")
    assert lines(main) == ["tea <b>", "green tea", "black"]
    assert (main.title, main.sure) == ("Teas", True)


@pytest.mark.parametrize("extractor", ["weighted_dom", "plain"])
@pytest.mark.parametrize("element", ["article", "main", "section", "div"])
def test_head_and_body_need_no_tags(extractor: str, element: str) -> None:
    html = (
        f"<!doctype html><title>Teas</title><script>x()</script><{element}><p>{'Green tea. ' * 60}"
    )
    main = extract(html, extractor)
    assert (main.title, main.text) == ("Teas", ("Green tea. " * 60).strip())


@pytest.mark.parametrize("extractor", ["weighted_dom", "plain"])
@pytest.mark.parametrize("root", ["<html hidden><body>{}", '<body style="display:none">{}'])
def test_a_page_hidden_until_a_script_shows_it_has_text(extractor: str, root: str) -> None:
    assert extract(root.format(f"<p>{'Green tea. ' * 60}</p>"), extractor).text.startswith("Green")


@pytest.mark.parametrize("extractor", ["weighted_dom", "plain", "readability"])
def test_title_and_heading_stand_apart_from_the_text(extractor: str) -> None:
    html = f"<title>Teas | Shop</title><body><h1>Green <b>teas</b></h1><p>{'Green tea. ' * 60}</p>"
    main = extract(html, extractor)
    assert (main.title, main.heading) == ("Teas | Shop", "Green teas")


def test_a_heading_that_is_all_link_is_a_logo() -> None:
    logo = '<h1><a href="/">The River Post</a></h1>'
    assert extract(f"{logo}<p>{'Green tea. ' * 60}</p>").heading == ""
    page = f"<title>Teas</title>{logo}<h1>Teas</h1><p>{'Green tea. ' * 60}</p>"
    assert extract(page).heading == "Teas"


@pytest.mark.parametrize("extractor", ["weighted_dom", "plain", "readability"])
def test_without_a_title_all_h1s_are_title_and_heading(extractor: str) -> None:
    html = f"<h1>Packages</h1><h1><a href=/b>Boats</a></h1><p>{'Green boats. ' * 60}</p>"
    main = extract(html, extractor)
    assert (main.title, main.heading) == ("Packages Boats", "Packages Boats")
    assert extract(f"<h1><img src=a></h1>{html}", extractor).heading == "Packages Boats"
    many = "".join(f"<h1>Boat {number}</h1>" for number in range(1000))
    assert extract(many + html, extractor).heading == "Boat 0 Boat 1 Boat 2 Boat 3"


@pytest.mark.parametrize("extractor", ["weighted_dom", "plain"])
def test_what_stands_after_the_end_of_the_page_is_read(extractor: str) -> None:
    page, rest = f"<p>{'Green tea. ' * 30}</p>", f"<p>{'Black tea. ' * 60}</p>"
    main = extract(f"<html><body>{page}</body></html><div>{rest}</div>", extractor)
    assert "Black tea." in main.text


def test_text_is_read_however_deep_it_stands() -> None:
    deep = "<div>" * 20_000 + "Green tea. " * 60
    assert extract(deep, "plain").text == ("Green tea. " * 60).strip()


def test_a_title_within_a_picture_is_not_the_title_of_the_page() -> None:
    picture = "<svg><title>A cup</title></svg>"
    main = extract(f"<title>Teas</title>{picture}<p>{'Green tea. ' * 60}</p>{picture}")
    assert main.title == "Teas"
    assert "cup" not in main.text


def test_what_stands_after_the_end_of_the_page_hangs_in_the_same_tree() -> None:
    found = blocks("<html><body><p>Green tea.</p></body></html><div><p>Black tea.</p></div>")
    assert [block[:2] for block in found] == [
        ("html body p", "Green tea."),
        ("html body div p", "Black tea."),
    ]


def test_readability_heeds_no_more_of_a_name_than_its_beginning() -> None:
    body = f"<p>{'A long story of tea, of quays, and of herons. ' * 20}</p>"
    page = "<html><body><div class='{}'>{}</div><div>{}</div></body></html>"
    said = [
        extract(page.format(name, body, body[::-1]), "readability").text
        for name in ("x" * LONGEST_NAME, "x" * LONGEST_NAME + " comment sidebar")
    ]
    assert said[0] == said[1]
    assert "story" in said[0]


@pytest.mark.parametrize(
    ("name", "is_chrome"),
    [
        ("copyright-footer", True),
        ("footer", True),
        ("breadcrumbs", True),
        ("nav", True),
        ("navbar wide", True),
        ("sidebar-left", True),
        ("aside-content", True),
        ("navigator", False),
        ("notes", False),
        ("with-sidebar", False),
    ],
)
def test_where_nothing_stands_out_site_chrome_is_left_out_by_its_name(
    name: str, is_chrome: bool
) -> None:
    links = "".join(f'<li><a href="/{n}">Boats {n}</a></li>' for n in range(30))
    page = f"<html><body><ul>{links}</ul><div class='{name}'>Rights reserved</div></body></html>"
    found = extract(page)
    assert not found.sure
    assert "Boats 7" in found.text
    assert ("Rights reserved" in found.text) != is_chrome


def test_what_holds_the_heading_or_stands_alone_is_no_sidebar() -> None:
    links = "".join(f'<li><a href="/{n}">Boats {n}</a></li>' for n in range(30))
    for inside in (f"<h1>Boats</h1><ul>{links}</ul>", f"<main><ul>{links}</ul></main>"):
        wrapped = f"<body><p>Harbour</p><div class='sidebar-layout'>{inside}</div></body>"
        assert "Boats 7" in extract(wrapped).text
    assert "Boats 7" in extract(f"<body><div class='sidebar'><ul>{links}</ul></div></body>").text
    assert "Boats 7" not in extract(f"<body><p>Harbour</p><aside>{links}</aside></body>").text
