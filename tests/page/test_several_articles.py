"""Pages that hold several articles, each below an <h1>: whose text is taken."""

from html import escape

import pytest

from crawler.demo.texts import load_texts
from dedup.page import MainText, extract

TEXTS = {name: load_texts()[name].plain for name in ("solar", "tea", "ferry")}
TITLES = {"solar": "Solar roofs at last", "tea": "Tea on the hills", "ferry": "The old ferry runs"}
LONG = {name: f"{text}\n{text.upper()}" for name, text in TEXTS.items()}
MENU = "".join(f'<li><a href="/s/{i}">Section number {i}</a></li>' for i in range(12))


def article(name: str, text: str, start: str = '<div class="post post-7">') -> str:
    body = "".join(f"<p>{escape(line)}</p>" for line in text.splitlines())
    end = f"</{start[1:].split(maxsplit=1)[0].rstrip('>')}>"
    return f"{start}<h1>{TITLES[name]}</h1><div>{body}</div>{end}"


def read(body: str, title: str) -> MainText:
    page = f"<html><head><title>{title}</title></head><body><ul>{MENU}</ul>{body}</body></html>"
    return extract(page)


@pytest.mark.parametrize("own", TEXTS)
@pytest.mark.parametrize("start", ['<div class="post post-7">', "<article>", "<main>"])
def test_the_own_article_is_the_one_that_the_title_speaks_of(own: str, start: str) -> None:
    parts = [article(n, (TEXTS if n == own else LONG)[n], start) for n in TEXTS]
    main = read(f"<div>{''.join(parts)}</div>", f"{TITLES[own]} - The River Post")
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
    lines = "".join(f"<p>{'Another hall, by another river. ' * 9}</p>" for _ in range(12))
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
    around = "".join(f"<p>{escape(line)}</p>" for line in LONG["ferry"].splitlines())
    items = "<ul><li>One more sentence of the next article</li></ul>"
    next_one = article("tea", TEXTS["tea"]).replace("</div></div>", f"{items}</div></div>")
    page = f'<div class="content">{around}{article("solar", TEXTS["solar"])}{next_one}</div>'
    text = read(page, TITLES["solar"]).text
    assert LONG["ferry"].splitlines()[0] in text
    assert TEXTS["solar"].splitlines()[0] in text
    assert "the next article" not in text


def test_parts_of_different_makes_are_weighed_as_ever() -> None:
    """A box that repeats the title does not take the place of the article."""
    main = article("solar", LONG["solar"])
    box = article("tea", TEXTS["tea"], '<section class="box">')
    assert read(f"<div>{main}{box}</div>", TITLES["tea"]).text == LONG["solar"]


def test_a_pair_of_headings_in_one_article_parts_nothing() -> None:
    one = article("solar", TEXTS["solar"])
    whole = one.replace("</h1>", f"</h1><h1>{TITLES['tea']}</h1>")
    assert read(whole, TITLES["tea"]).text == TEXTS["solar"]
