"""Pages that declare themselves a product: its description is text, however it is placed."""

import pytest

from tests.page.bodies import FERRY, MENU, paragraphs, read

pytestmark = pytest.mark.usefixtures("compiled")

SUMMARY = (
    "<p>A kettle of black steel for up to nine cups of tea, with a handle of oak that is cool.</p>"
    "<p>The lid closes by itself, and the spout pours without a drop beside it, whoever pours.</p>"
    "<p>It comes in a box of grey paper, with a leaflet on the care of steel and of oak.</p>"
)
OTHER = """\
The pan of our neighbours is cast in one piece from iron that was once a bridge over the river.
It takes a long time to warm, and holds the heat for as long, so that bread may be baked in it.
Wash it with water alone, dry it on the stove, and rub it with a little oil before it is put away.
After some years it is black all over, and nothing sticks to it, not even an egg without butter.
The handle is as hot as the pan, so a sleeve of thick leather is part of every order.
Those who have one hand it down to their children, who quarrel about it for a lifetime."""
DECLARED = [
    '<script type="application/ld+json">{"@type": "Product"}</script>',
    '<div itemscope itemtype="http://schema.org/Product"></div>',
]
UNDECLARED = ["", '<p>We call it a "Product", see schema.org/Product.</p>']


def page(declared: str, name: str = "tab-description", long: str = FERRY) -> str:
    summary = f"<div class=summary><h1>Kettle</h1><div>{SUMMARY}</div></div>"
    tabs = f"<div class=product-footer><ul>{MENU}</ul><div id={name}>{paragraphs(long)}</div></div>"
    return f"<ul>{MENU}</ul><div class=product>{summary}{tabs}</div>{declared}"


@pytest.mark.parametrize("declared", DECLARED)
@pytest.mark.parametrize(
    "name", ["tab-description", "product__description", "description", "productDescription"]
)
def test_summary_and_description_are_text(declared: str, name: str) -> None:
    main = read(page(declared, name), "Kettle")
    assert main.sure
    text = main.text
    assert "A kettle of black steel" in text
    assert all(line in text for line in FERRY.splitlines())
    assert text.index("whoever pours") < text.index(FERRY.splitlines()[1])
    assert "Section number" not in text


@pytest.mark.parametrize("declared", UNDECLARED)
def test_names_alone_make_no_product(declared: str) -> None:
    assert FERRY.splitlines()[1] not in read(page(declared), "Kettle").text


@pytest.mark.parametrize("name", ["tab-reviews", "description-tab"])
def test_other_parts_are_no_description(name: str) -> None:
    assert FERRY.splitlines()[1] not in read(page(DECLARED[0], name), "Kettle").text


TABS = "<div class=product-footer>"


def test_the_description_is_the_first_one_below_the_summary() -> None:
    other = f"<div class=cards><div class=description>{paragraphs(OTHER)}</div></div>"
    for body in (other + page(DECLARED[0]), page(other + DECLARED[0])):
        text = read(body, "Kettle").text
        assert FERRY.splitlines()[1] in text
        assert OTHER.splitlines()[1] not in text


@pytest.mark.parametrize(
    "other",
    [
        f'<div class="description related">{paragraphs(OTHER)}</div>',
        f"<footer><div class=description>{paragraphs(OTHER)}</div></footer>",
    ],
)
def test_descriptions_of_low_name_and_in_the_frame_are_passed_over(other: str) -> None:
    text = read(page(DECLARED[0]).replace(TABS, other + TABS), "Kettle").text
    assert FERRY.splitlines()[1] in text
    assert OTHER.splitlines()[1] not in text


def test_no_short_description_is_added() -> None:
    short = "The kettle is sold in three colours.\nEach of them has a box of its own."
    assert "three colours" not in read(page(DECLARED[0], long=short), "Kettle").text


FORM = (
    "<div id=respond class=comment-respond><h3>Be the first to review this kettle</h3>"
    "<form id=commentform class=comment-form><p>Your address will not be published, and no other "
    "field is required but those with a star, of which there are three.</p>"
    "<p>Save my name, my address and my site in this browser for the next time that I comment, "
    "on this page or on any other one.</p></form></div>"
)
FACTS = "<table><tr><th>Weight</th><td>2 kg</td></tr><tr><th>Size</th><td>20 × 20</td></tr></table>"
BRIEF = (
    "The kettle is sold in three colours: black, red, and the blue of the sea on a clear day.\n"
    "Each of them has a box of its own, which is made of the same paper by our neighbours."
)


def short_page(tabs: str, about: str = "") -> str:
    summary = f"<h1>Kettle</h1><p>30 €</p><div class=short-description>{SUMMARY}</div>"
    product = f"<div class=summary>{summary}</div><div class=tabs>{tabs}</div>"
    return f"<ul>{MENU}</ul><main class=product>{product}</main>{about}"


def test_a_description_shorter_than_the_summary_is_added() -> None:
    tabs = f"<div id=tab-description>{paragraphs(BRIEF)}</div><div class=reviews>{FORM}</div>"
    main = read(short_page(tabs) + DECLARED[0], "Kettle")
    assert main.sure
    assert "A kettle of black steel" in main.text
    assert all(line in main.text for line in BRIEF.splitlines())
    assert "published" not in main.text
    assert "browser" not in main.text


def test_the_description_is_the_text_of_a_product_and_not_another_part_named_an_entry() -> None:
    about = "".join(f"<div><div><p>{line}</p></div></div>" for line in FERRY.splitlines()[:4])
    facts = f"<div class='panel entry-content'><h2>Facts</h2>{FACTS}</div>"
    tabs = f"{facts}<div class=reviews>{FORM}</div>"
    main = read(short_page(tabs, about) + DECLARED[0], "Kettle")
    assert main.sure
    assert "A kettle of black steel" in main.text
    assert "ferry" not in main.text


def test_a_card_in_a_list_of_products_is_not_the_text_of_the_page() -> None:
    card = f"<li><h2>Kettle {{}}</h2><div class=description>{SUMMARY}</div></li>"
    cards = "".join(card.format(n) for n in range(9))
    main = read(f"<ul>{MENU}</ul><h1>Kettles</h1><ul>{cards}</ul>{DECLARED[0]}", "Kettles")
    assert main.text.count("A kettle of black steel") == 9


@pytest.mark.parametrize("name", ["entry-content", "article-body"])
def test_a_product_without_a_description_has_the_text_of_an_article(name: str) -> None:
    text = f"<p>30 €</p><div class={name}>{paragraphs(BRIEF)}</div>"
    main = read(f"<ul>{MENU}</ul><main><h2>Kettle</h2>{text}</main>{DECLARED[0]}", "Kettle")
    assert main.sure
    assert main.text == BRIEF


def test_descriptions_above_the_heading_are_not_the_text_of_the_page() -> None:
    own, other = BRIEF.splitlines()[0], BRIEF.splitlines()[1]
    cards = f"<div><a href=/pot>Pot</a><div class=description><p>{other}</p></div></div>" * 2
    product = f"<div><h1>Kettle</h1><p>30 €</p><div class=description><p>{own}</p></div></div>"
    main = read(f"<ul>{MENU}</ul><div>{cards}</div><main>{product}</main>{DECLARED[0]}", "Kettle")
    assert own in main.text
