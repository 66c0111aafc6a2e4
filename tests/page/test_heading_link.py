"""Where the heading above a main text leads to, if it is a link."""

import pytest

from dedup.index import listing_of
from dedup.page import HeadingLink, extract
from dedup.page.declared import MOST_URL, Declared
from tests.blogs import POST, TITLE, linked, list_page, own_page, page
from tests.page.bodies import SOLAR, TEA, paragraphs

pytestmark = pytest.mark.usefixtures("compiled")


def read(html: str) -> str:
    main = extract(html)
    assert main.sure
    assert main.text == TEA
    assert not main.heading_link.several
    return main.heading_link.target


@pytest.mark.parametrize("name", ["Tag: tea", "Ann", "May 2024", ""])
@pytest.mark.parametrize("target", [POST, "https://a.example/2024/tea/", "../tea?a=1&amp;b=2"])
def test_on_a_list_page_the_heading_leads_to_the_article(name: str, target: str) -> None:
    assert read(list_page(name, target)) == target.replace("&amp;", "&")


@pytest.mark.parametrize("level", ["h1", "h2", "h3"])
@pytest.mark.parametrize("quote", ['"', "'", ""])
def test_the_level_of_the_heading_and_the_quotes_of_its_link_do_not_matter(
    level: str, quote: str
) -> None:
    link = f"<a class=x href={quote}{POST}{quote}><span>{TITLE}</span></a>"
    assert read(page("Tag: tea", f"<{level}> {link}\n</{level}>")) == POST


@pytest.mark.parametrize(
    "heading",
    [
        f"<h1>{TITLE}</h1>",
        f'<h2><a href="{POST}">Tea</a> on the hills</h2>',
        f'<h2><a href="{POST}">Tea</a><div>on the hills</div></h2>',
        f'<h2><a name="tea" id="tea">{TITLE}</a></h2>',
        f'<h2><a href="{POST}"><img src="tea.png"></a></h2>',
        f'<h2><a href="/cat/tea/"><img src="tea.png"></a><a href="{POST}">{TITLE}</a></h2>',
        "",
    ],
)
def test_a_heading_that_is_no_link_leads_nowhere(heading: str) -> None:
    assert read(page("The River Post", heading)) == ""


def test_the_heading_of_an_article_in_the_title_is_that_of_its_own_page() -> None:
    """It may lead to the article's other page: a print version links to the normal one."""
    assert read(own_page(linked("/another/address"))) == ""


def test_a_link_below_the_heading_of_an_article_is_none_of_the_text() -> None:
    author = '<h4><a href="/author/ann/">Ann of the hills</a></h4>'
    assert read(page("The River Post", f"<h1>{TITLE}</h1>{author}")) == ""
    assert read(page("The River Post", f"<h1>{TITLE}</h1></header><div>{author}</div>")) == ""


def test_a_heading_before_the_element_of_the_text_is_not_above_a_text_with_its_own() -> None:
    text = paragraphs(TEA).replace("<p>", "<br>").replace("</p>", "")
    section = '<h2><a href="/drinks/">Drinks</a></h2>'
    html = f"<title>Blog</title>{section}<div class=post><h1>{TITLE}</h1>{text}</div>"
    assert extract(html).heading_link == HeadingLink()


@pytest.mark.parametrize("heading", ['<a href="/solar">Solar', '<span><a href="/solar">Solar'])
def test_of_a_text_of_several_articles_the_first_one_is_known(heading: str) -> None:
    second = f'<article class="post hentry"><h2>{heading}</a></h2>{paragraphs(SOLAR)}'
    main = extract(list_page("Tag: tea").replace("</main>", f"{second}</article></main>"))
    assert SOLAR in main.text
    assert main.heading_link == HeadingLink(POST, several=True)


@pytest.mark.parametrize("second", ["<h2>Solar", '<h3><a href="/solar">Solar</a>', ""])
def test_only_further_links_of_the_same_level_are_articles(second: str) -> None:
    level = second[1:3] or "h2"
    part = f'<article class="post hentry">{second}</{level}>{paragraphs(SOLAR)}</article>'
    main = extract(list_page("Tag: tea").replace("</main>", f"{part}</main>"))
    assert SOLAR in main.text
    assert main.heading_link == HeadingLink(POST)


def test_a_text_without_a_sure_place_has_no_heading() -> None:
    main = extract(page("Tag: tea", linked(POST)).replace(paragraphs(TEA), "<p>Tea, tea, tea."))
    assert not main.sure
    assert main.heading_link == HeadingLink()


@pytest.mark.parametrize("extractor", ["plain", "readability"])
def test_other_extractors_read_no_such_heading(extractor: str) -> None:
    assert extract(list_page("Tag: tea"), extractor).heading_link == HeadingLink()


def test_hostile_headings_are_read_like_others() -> None:
    nested = "<h2>" * 30_000 + f'<a href="{POST}">{TITLE}'
    main = extract(page("Tag: tea", nested))
    assert (main.title, main.heading_link) == ("Tag: tea", HeadingLink())
    main = extract(page("Tag: tea", linked("/" + "x" * MOST_URL)))
    assert main.heading_link.target.endswith("xxx")
    assert not listing_of(main.heading_link, "https://blog.example/tag/tea/", Declared())


def subheaded(target: str, title: str, text: str, between: str) -> str:
    """An article of a list; something stands between its heading and its text."""
    heading = f'<h2><a href="{target}">{title}</a></h2>'
    return f'<article class="post hentry">{heading}{between}{paragraphs(text)}</article>'


@pytest.mark.parametrize(
    "between",
    [
        "<h3>At the river</h3>",
        f"<h3>{TITLE}</h3>",
        '<h4><a href="/author/ann/">Ann of the hills</a></h4>',
        "<h3>Who</h3><p>Ann</p><h3>Where</h3>",
    ],
)
def test_other_headings_may_stand_below_that_of_the_first_of_several_articles(between: str) -> None:
    articles = subheaded(POST, TITLE, TEA, between) + subheaded("/solar", "Solar", SOLAR, "")
    main = extract(page("Tag: tea", "").replace("<main ", f'<main id="main">{articles}</main><p '))
    assert main.text.endswith(SOLAR)
    assert main.heading_link == HeadingLink(POST, several=True)


def test_the_last_article_may_stand_before_loose_text_of_the_list() -> None:
    articles = subheaded(POST, TITLE, TEA, "<h3>So</h3>") + subheaded("/solar", "Solar", SOLAR, "")
    html = f"<title>Tag: tea</title><body><main>{articles}{SOLAR.splitlines()[0]}</main>"
    assert extract(html).heading_link == HeadingLink(POST, several=True)


def test_a_heading_above_all_articles_is_none_of_the_first() -> None:
    """The second is one of an article below the text, such as a related one."""
    logo, related = '<h2><a href="/">The post</a></h2>', '<h2><a href="/solar">Solar</a></h2>'
    text = f"<div><h3>Tea</h3>{paragraphs(TEA)}</div>"
    second = f"<div>{related}{paragraphs(SOLAR)}</div>"
    for html in (
        f"<header>{logo}</header><main>{text}</main>{related}",
        f"{logo}{text}",
        f"<main>{logo}{text}</main>",
        f"<main>{logo}<h3>Tea</h3>{paragraphs(TEA)}</main>{related}",
        f"<div>{logo}</div><main>{text}{second}</main>",
    ):
        main = extract(f"<title>News</title><body>{html}")
        assert main.sure
        assert main.heading_link == HeadingLink()


def test_below_the_heading_of_its_own_page_an_article_has_parts() -> None:
    parts = subheaded("/part/1", "First", TEA, "<h3>Tea on the hills</h3>")
    parts += subheaded("/part/2", "Second", SOLAR, "")
    main = extract(page("Tea on the hills", "").replace("<main ", f"<main id=a>{parts}</main><p "))
    assert main.heading_link == HeadingLink()


def test_few_headings_are_read_above_a_text() -> None:
    articles = subheaded(POST, TITLE, TEA, "<h3>So</h3>" * 50) + subheaded("/s", "S", SOLAR, "")
    main = extract(page("Tag: tea", "").replace("<main ", f"<main id=a>{articles}</main><p "))
    assert main.heading_link == HeadingLink()
