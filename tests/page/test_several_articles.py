"""Pages that hold several articles, each below an <h1>: whose text is taken."""

import pytest

from dedup.page import MainText
from tests.page import bodies
from tests.page.bodies import FERRY, MENU, SOLAR, TEA, paragraphs

pytestmark = pytest.mark.usefixtures("compiled")


TEXTS = {"solar": SOLAR, "tea": TEA, "ferry": FERRY}
TITLES = {"solar": "Solar roofs at last", "tea": "Tea on the hills", "ferry": "The old ferry runs"}
BLOG = "The long river blog of Ann"
LONG = {name: f"{text}\n{text.upper()}" for name, text in TEXTS.items()}


def article(name: str, text: str, start: str = '<div class="post post-7">') -> str:
    end = f"</{start[1:].split(maxsplit=1)[0].rstrip('>')}>"
    return f"{start}<h1>{TITLES[name]}</h1><div>{paragraphs(text)}</div>{end}"


def read(body: str, title: str) -> MainText:
    return bodies.read(f"<ul>{MENU}</ul>{body}", title)


@pytest.mark.parametrize("own", TEXTS)
@pytest.mark.parametrize("start", ['<div class="post post-7">', "<article>", "<main>"])
def test_the_own_article_is_the_one_that_the_title_speaks_of(own: str, start: str) -> None:
    parts = [article(n, (TEXTS if n == own else LONG)[n], start) for n in TEXTS]
    main = read(f"<div>{''.join(parts)}</div>", f"{TITLES[own]} - The River Post")
    assert main.sure
    assert main.text == TEXTS[own]


@pytest.mark.parametrize("own", ["solar", "tea"])
def test_the_next_article_may_stand_in_a_part_of_another_make(own: str) -> None:
    first, second = (
        article(name, (TEXTS if name == own else LONG)[name], "<article>")
        for name in ("solar", "tea")
    )
    main = read(f'<main>{first}<div class="under">{second}</div></main>', TITLES[own])
    assert main.sure
    assert main.text == TEXTS[own]


@pytest.mark.parametrize("heading", ["", "<h1>Stories of Ann</h1>"])
@pytest.mark.parametrize("around", ["<div>{}</div>", "{}"])
@pytest.mark.parametrize("start", ['<div class="post post-7">', "<article>"])
def test_of_a_list_of_posts_all_are_taken(heading: str, around: str, start: str) -> None:
    parts = "".join(article(name, text, start) for name, text in LONG.items())
    side = f'<div class="box"><p>{TEXTS["tea"][:300]}</p></div>'
    main = read(around.format(heading + parts) + side, "Stories of Ann - The River Post")
    assert main.sure
    assert "Section number" not in main.text
    for line in "\n".join(TEXTS.values()).splitlines():
        assert line in main.text


def test_a_list_of_posts_wins_against_longer_text_that_has_no_h1() -> None:
    lines = "".join(f"<p>{'Another hall, by another river. ' * 9}</p>" for _ in range(6))
    parts = "".join(article(name, TEXTS[name], '<div class="post">') for name in ("solar", "tea"))
    text = read(f"<div>{parts}</div><div><div>{lines}</div></div>", "Stories of Ann").text
    assert TEXTS["solar"].splitlines()[0] in text
    assert "Another hall" not in text


def test_a_list_with_the_words_of_one_post_in_its_heading_is_a_list() -> None:
    title = f"{TITLES['tea']}, all of it"
    parts = "".join(article(name, text) for name, text in TEXTS.items())
    text = read(f"<div><h1>{title}</h1>{parts}</div>", title).text
    assert TEXTS["ferry"].splitlines()[0] in text
    assert TEXTS["tea"].splitlines()[0] in text


def test_nothing_of_the_next_article_comes_along_with_the_text_around_both() -> None:
    items = "<ul><li>One more sentence of the next article</li></ul>"
    next_one = article("tea", TEXTS["tea"]).replace("</div></div>", f"{items}</div></div>")
    both = paragraphs(LONG["ferry"]) + article("solar", TEXTS["solar"]) + next_one
    text = read(f'<div class="content">{both}</div>', TITLES["solar"]).text
    assert LONG["ferry"].splitlines()[0] in text
    assert TEXTS["solar"].splitlines()[0] in text
    assert "the next article" not in text


def test_parts_of_different_makes_are_weighed_as_ever() -> None:
    """A box that repeats the title does not take the place of the article."""
    main = article("solar", LONG["solar"])
    box = article("tea", TEXTS["tea"], '<section class="box">')
    assert read(f"<div>{main}{box}</div>", TITLES["tea"]).text.startswith(LONG["solar"])


@pytest.mark.parametrize("title", [BLOG, f"{BLOG} | {TITLES['solar']}"])
@pytest.mark.parametrize("start", ['<div class="post post-7">', "<div>"])
@pytest.mark.parametrize(
    "around",
    [
        "<div>{}</div>",
        "<header>{}<p>What I saw, day by day.</p></header>",
        f"<div>{{}}</div><div class=sidebar>{paragraphs(TEXTS['solar'])}</div>",
    ],
)
def test_below_the_name_of_a_blog_an_article_has_its_own_h1(
    title: str, start: str, around: str
) -> None:
    side = f"<div class=box>{paragraphs(LONG['ferry'])}</div>"
    top = around.format(f"<h1>{BLOG}</h1>") + f"<ul>{MENU}</ul>"
    main = read(f"{top}<div>{article('tea', TEXTS['tea'], start)}</div>{side}", title)
    assert TEXTS["tea"] in main.text


def test_an_article_that_has_two_h1s_is_one() -> None:
    second = f'<h1 class="entry-title">{TITLES["tea"]}</h1>{paragraphs(TEXTS["tea"])}'
    first = f'<h1 class="entry-title">{TITLES["solar"]}</h1>{paragraphs(TEXTS["solar"])}'
    text = read(f'<div class="content">{first}{second}</div>', TITLES["solar"]).text
    assert text == f"{TEXTS['solar']}\n{TITLES['tea']}\n{TEXTS['tea']}"


@pytest.mark.parametrize("start", ['<div class="q7">', "<section>"])
def test_parts_without_the_name_of_an_article_are_sections_of_one_text(start: str) -> None:
    parts = "".join(article(name, text, start) for name, text in TEXTS.items())
    text = read(f"<div>{parts}</div>", f"{TITLES['tea']} - The River Post").text
    assert [name for name in TEXTS if TEXTS[name].splitlines()[0] in text] == list(TEXTS)
