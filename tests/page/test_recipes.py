"""Pages that declare themselves a recipe: its ingredients and its preparation are text."""

import pytest

from tests.page.bodies import FERRY, MENU, paragraphs, read

pytestmark = pytest.mark.usefixtures("compiled")

NEEDED = "".join(f"<li>{amount} grams of flour from the mill</li>" for amount in (100, 150, 200))
STEPS = "".join(f"<li>Stir all of the dough for {minutes} minutes.</li>" for minutes in (5, 10, 15))
DECLARED = [
    '<script type="application/ld+json">{"@type": "Recipe"}</script>',
    '<div itemscope itemtype="http://schema.org/Recipe"></div>',
]
UNDECLARED = ["", '<p>We call it a "Recipe", see schema.org/Recipe.</p>']


def page(declared: str, needed: str = "recipe-ingredients", steps: str = "instructions") -> str:
    story = f"<div class=story><div>{paragraphs(FERRY)}</div></div>"
    card = f"<div class=card><ul>{MENU}</ul><ul class={needed}>{NEEDED}</ul></div>"
    method = f"<div class=more><ul>{MENU}</ul><ol class={steps}>{STEPS}</ol></div>"
    return f"<ul>{MENU}</ul><div><h1>Ferry buns</h1>{story}{card}{method}</div>{declared}"


@pytest.mark.parametrize("declared", DECLARED)
def test_all_of_a_recipe_is_text(declared: str) -> None:
    main = read(page(declared), "Ferry buns")
    assert main.sure
    text = main.text
    assert FERRY.splitlines()[1] in text
    assert text.count("flour") == text.count("Stir all of the dough") == 3
    assert text.index("flour") < text.index("Stir all of the dough")
    assert "Section number" not in text


@pytest.mark.parametrize("declared", UNDECLARED)
def test_names_alone_make_no_recipe(declared: str) -> None:
    assert "flour" not in read(page(declared), "Ferry buns").text


@pytest.mark.parametrize("name", ["list", "sidebar-ingredients"])
def test_other_lists_are_no_ingredients(name: str) -> None:
    text = read(page(DECLARED[0], needed=name), "Ferry buns").text
    assert "flour" not in text
    assert text.count("Stir all of the dough") == 3


def test_each_part_of_a_recipe_counts_once() -> None:
    within = page(DECLARED[0]).replace("<div class=story>", "<div class=instructions>")
    text = read(within.replace("<li>100", "<li class=ingredient>100"), "Ferry buns").text
    assert text.count("100 grams of flour") == 1
    assert text.count(FERRY.splitlines()[1]) == 1


def test_parts_around_the_story_are_not_taken_whole() -> None:
    within = page(DECLARED[0], needed="list").replace("<div><h1>", "<div class=instructions><h1>")
    text = read(within, "Ferry buns").text
    assert FERRY.splitlines()[1] in text
    assert text.count("Stir all of the dough") == 3
    assert "flour" not in text


LINKS = "".join(f"<li><a href=/i/{n}>All with plums of kind {n}</a></li>" for n in range(9))


@pytest.mark.parametrize(
    ("menu", "before"),
    [
        ("<nav><ul class=by-ingredient>{}</ul></nav>", "<h1>"),
        ("<ul class=ingredients>{}</ul>", "<p>"),  # The first paragraph of the story.
    ],
)
def test_a_menu_of_ingredients_is_no_text(menu: str, before: str) -> None:
    whole = page(DECLARED[0]).replace(before, menu.format(LINKS) + before, 1)
    text = read(whole, "Ferry buns").text
    assert "plums" not in text
    assert text.count("flour") == text.count("Stir all of the dough") == 3
