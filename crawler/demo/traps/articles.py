"""Articles, their lists and print versions, where all is well; and canonicals that lie."""

import re
from typing import Any

from crawler.demo.traps.page import Link, Page, Shown, Target, blurb_of, number_of
from crawler.demo.traps.writing import Text, written

ARTICLES = 60
A_LIST = 10
LIES = 12
LENGTHS = {"en": (170, 340), "zh": (280, 520)}


def _text(number: int) -> Text:
    """Every third article is Chinese."""
    lang = "zh" if number % 3 == 2 else "en"
    return written(f"article {number}", lang, LENGTHS[lang])


def _slug(number: int) -> str:
    text = _text(number)
    return f"zh-{number}" if text.lang == "zh" else re.sub("[^a-z]+", "-", text.title.lower())


NUMBERS = {_slug(number): number for number in range(ARTICLES)}
SLUGS = tuple(NUMBERS)
REAL = (
    *(f"/article/{slug}" for slug in SLUGS),
    *(f"/lies/{number}" for number in range(1, LIES + 1)),
)


def link_of(slug: str) -> Link:
    """The link to an article in a list."""
    text = _text(NUMBERS[slug])
    return Link(f"/article/{slug}", text.title, blurb_of(text))


def article(target: Target) -> Shown:
    """/article/SLUG"""
    return _article(target, links=(Link(f"/print/{target.last}", "Print this page"),))


def printed(target: Target) -> Shown:
    """/print/SLUG repeats the article and says so."""
    return _article(target, canonical=f"/article/{target.last}", bare=True)


def _article(target: Target, **more: Any) -> Shown:
    if target.last not in NUMBERS:
        return None
    text = _text(NUMBERS[target.last])
    content = f"article:{target.last}"
    return Page(text.title, content, text.paragraphs, lang=text.lang, **more)


def listed(target: Target) -> Shown:
    """/list/N; only the page before leads to a page of the list."""
    lists = -(-ARTICLES // A_LIST)
    number = number_of(target.last, lists)
    if number is None:
        return None
    slugs = SLUGS[(number - 1) * A_LIST : number * A_LIST]
    return Page(
        f"Articles, page {number}",
        f"list:articles/{number}",
        rows=tuple(link_of(slug) for slug in slugs),
        links=(Link(f"/list/{number + 1}", "Older articles"),) if number < lists else (),
    )


def lie(target: Target) -> Shown:
    """/lies/ and /lies/N: each page has a text of its own and names the front page as its own."""
    if not target.last:
        rows = tuple(Link(f"/lies/{n}", f"Letter {n}") for n in range(1, LIES + 1))
        return Page("Letters", "list:lies", rows=rows)
    number = number_of(target.last, LIES)
    if number is None:
        return None
    text = written(f"lie {number}")
    return Page(text.title, f"lies:{number}", text.paragraphs, canonical="/")
