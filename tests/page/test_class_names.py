"""What class, id and role say of a part, and how they are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup import native
from tests.page.bodies import SOLAR, TEA, paragraphs, read

pytestmark = pytest.mark.usefixtures("compiled")

NOTE = "Herons nest in the reeds behind the old quay until late in June."
HIGH = {"high", "article"}
MENU = {"low", "chrome", "menu"}
FRAME = {"low", "chrome"}


def say(name: str) -> set[str]:
    """All that a name says."""
    assert native.core is not None
    bits = native.core.say(name.encode())
    return {saying for bit, saying in enumerate(native.core.SAYINGS) if bits >> bit & 1}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("user-comments", {"low", "comments"}),
        ("post-comments", {"low", "comments"} | HIGH),
        ("komentarze", {"low", "comments"}),
        ("lista-de-comentarios", {"low", "comments"}),
        ("commentary", {"low"}),
        ("product-reviews", {"low", "comments"}),
        ("review-body", {"high"}),
        ("message-user", {"low"}),
        ("message-usercontent", {"high"}),
        ("message-user-content", {"high"}),
        ("message-userdetails", {"low", "high"}),
        ("postprofile", {"low"}),
        ("shipping-info", {"low"}),
        ("free-shipping", {"low"}),
        ("shipping-tax", {"low"}),
        ("product type-product shipping-taxable purchasable", set()),
        ("category-reviews", set()),
        ("hentry category-book-reviews tag-delivery", {"high", "article"}),
        ("product_cat-shipping product_tag-warranty", set()),
        ("category-reviews product-reviews", {"low", "comments"}),
        ("sidebar", {"low", "sidebar"}),
        ("content side-bar", {"low", "sidebar", "high"}),
        ("aside-content", {"low", "sidebar", "high"}),
        ("content with-sidebar", {"high"}),
        ("body-main--withsidebar", {"high"}),
        ("has_sidebar", set()),
        ("node node--type-recipe node--promoted", set()),
        ("promoted node", {"low"}),
        ("ipsquote", {"quote"}),
        ("bbcodeblock bbcodeblock--quote", {"quote"}),
        ("blockquote", set()),
        ("content__sign-in-group", {"low", "high"}),
        ("signin", {"low"}),
        ("designing", set()),
        ("redesign-in-short", set()),
        ("sign-infos", set()),
        ("  navigation", MENU),
        ("nav", MENU),
        ("navbar-0", MENU),
        ("nav footer", FRAME),
        ("subnav", set()),
        ("site-footer", FRAME),
        ("pagefooter", {"low"}),
        ("breadcrumbs", FRAME),
        ("cookie-bar", {"low", "notice"}),
        ("tag-cookies", {"low"}),
        ("my-cookiebot", {"low", "notice"}),
        ("my-cookie_notice", {"low", "notice"}),
        ("contentinfo", {"low", "notice", "high"}),
        ("ad-slot", {"low"}),
        ("tags", {"low"}),
        ("loaded", set()),
        ("metadata", set()),
        ("postmetadata alt", {"low"}),
        ("selectionshareable", set()),
        ("btn share-it", {"low"}),
        ("postauthor", {"low"}),
        ("about-author_", set()),
        ("about-author-", {"low"}),
        ("author-bio", {"low"}),
        ("autorbox", {"low"}),
        ("author-tooltip", set()),
        ("article-byline", {"low"} | HIGH),
        ("c-article-references", {"low"} | HIGH),
        ("footnote_references", set()),
        ("bibliography", {"low"}),
        ("image-caption", {"caption"}),
        ("wprm-recipe-ingredients", {"recipe"}),
        ("ingredient", {"recipe"}),
        ("recipe__steps", {"recipe"}),
        ("steps", set()),
        ("teaser", {"low"}),
        ("teaser-content", {"high"}),
        ("article-teaser", HIGH),
        ("newsletter-subscribe", {"low"}),
        ("subscriber-only", set()),
        ("affiliate-note", {"low"}),
        ("signup-box", {"low"}),
        ("post author-anna", HIGH),
        ("post-author-anna", HIGH),
        ("article-body", HIGH | {"body"}),
        ("post__content", {"high", "body"}),
        ("td-post-content", {"high", "article", "body"}),
        ("newsbody", {"body"}),
        ("entry-content-asset", HIGH),
        ("storycontents", HIGH),
        ("storypost", HIGH),
        ("blog", set()),
        ("compost", set()),
        ("domain", set()),
        ("正main", set()),
        ("main", {"high"}),
        ("wrapper", set()),
        ("", set()),
    ],
)
def test_a_name_says(name: str, said: set[str]) -> None:
    assert say(name) == said


@given(st.text("abcdefimnotrsu-_ 0é", max_size=30), st.text("abcdefimnotrsu-_ 0é", max_size=30))
def test_names_apart_say_what_each_says(one: str, other: str) -> None:
    both = say(f"{one} / {other}")
    assert both - {"menu"} == (say(one) | say(other)) - {"menu"}


@pytest.mark.parametrize("attribute", ["class", "id", "role"])
@pytest.mark.parametrize("beside", ["", " x=y"])
@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("CoMMents  A\t", False),
        ("b&amp;comments", False),
        ("b&#45;&#99;omments", False),
        ("c'comments/", False),
        ("comments\xe9>", False),
        ("comments" * 80, False),
        ("x" * 200 + "comments", True),
        ("reed", True),
    ],
)
def test_a_name_is_read_as_it_is_meant(attribute: str, beside: str, value: str, kept: bool) -> None:
    note = f'<div {attribute}="{value}"{beside}><p>{NOTE}</p></div>'
    main = read(f"<article>{paragraphs(SOLAR)}{note}{paragraphs(TEA)}</article>")
    assert (NOTE in main.text) is kept


PICTURE = "The old quay in the light of a morning in June, seen from the north."


@pytest.mark.parametrize("name", ["div", "p", "figcaption"])
def test_a_caption_is_no_part_of_an_article(name: str) -> None:
    note = f'<div><img src="quay.jpg"><{name} class="image-caption">{PICTURE}</{name}></div>'
    main = read(f"<article>{paragraphs(SOLAR)}{note}{paragraphs(TEA)}</article>")
    assert PICTURE not in main.text
    assert SOLAR.split(". ")[0] in main.text
    assert TEA.split(". ")[0] in main.text


@pytest.mark.parametrize(
    ("beside", "kept"),
    [
        ("<img src=quay.jpg>", False),
        ("<p>Photo: Ann Lee</p>", False),
        (f"<pre>{NOTE * 2}</pre>", True),
    ],
)
def test_the_caption_of_a_picture_is_no_part_of_an_article_that_of_a_listing_is(
    beside: str, kept: bool
) -> None:
    figure = f"<figure>{beside}<div><figcaption>{PICTURE}</figcaption></div></figure>"
    main = read(f"<article>{paragraphs(SOLAR)}{figure}{paragraphs(TEA)}</article>")
    assert (PICTURE in main.text) is kept


def test_the_class_of_a_table_may_name_the_place_of_its_caption() -> None:
    table = f'<table class="table caption-top small"><tr><td>Mean<td>{PICTURE}</table>'
    main = read(f"<article>{paragraphs(SOLAR)}{table}{paragraphs(TEA)}</article>")
    assert PICTURE in main.text


@pytest.mark.parametrize(("attribute", "is_text"), [("id", True), ("class", False)])
def test_an_id_that_repeats_the_words_of_its_heading_says_nothing(
    attribute: str, is_text: bool
) -> None:
    heading = f'<h2 {attribute}="how-to-share-a-menu">How to share a menu</h2>'
    main = read(f"<article>{paragraphs(SOLAR)}{heading}{paragraphs(TEA)}</article>")
    assert ("How to share a menu" in main.text) is is_text


def test_captions_are_the_text_of_a_gallery() -> None:
    pictures = "".join(
        f'<div><img src="{number}.jpg"><p class="caption">{PICTURE} Picture {number}.</p></div>'
        for number in range(12)
    )
    main = read(f"<article><h1>The quay</h1><p>{NOTE}</p>{pictures}</article>")
    assert main.text.count(PICTURE) == 12


@pytest.mark.parametrize(("number", "is_gallery"), [(4, False), (12, False), (60, True)])
def test_an_article_with_many_captions_is_no_gallery(number: int, is_gallery: bool) -> None:
    pictures = "".join(
        f'<div><img src="{n}.jpg"><p class="caption">{PICTURE}</p></div>' for n in range(number)
    )
    main = read(f"<article><h1>The quay</h1>{paragraphs(SOLAR)}{pictures}</article>")
    assert SOLAR.split(". ")[0] in main.text
    assert (PICTURE in main.text) is is_gallery


def test_cards_of_authors_and_lists_of_references_are_no_main_text() -> None:
    card = f'<div class="byline"><div class="author-tooltip"><p>{TEA}</p></div></div>'
    works = "".join(f"<li><p>{TEA} Journal {number}.</p></li>" for number in range(9))
    main = read(
        f'<main><h1>Panels</h1>{card}<div class="body"><p>{SOLAR}</p></div>'
        f'<div class="references"><ol>{works}</ol></div></main>'
    )
    assert SOLAR.split(". ")[0] in main.text
    assert "Journal" not in main.text
    assert TEA.split(". ")[0] not in main.text
