"""MadePage templates: escaped, different from one another, and the text is found in each again."""

from __future__ import annotations

import json
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html as lxml_html

from crawler.demo.texts import load_texts
from dedup.lab.simulator.prose import Text, make_text
from dedup.lab.simulator.templates import TEMPLATES, make_page, make_site
from dedup.page import extract

LAW = settings(derandomize=True, deadline=None, max_examples=40)
TEXTS = {n: make_text(t.title, t.plain) for n, t in load_texts().items() if "." not in n}
CHINESE, ENGLISH = TEXTS["bridge"], TEXTS["ferry"]
HOSTILE = "</p></script><script>alert(\"x\")</script>&amp;<b onclick='x'>"
LINES = st.lists(st.text(max_size=60), min_size=1, max_size=5)


def render(name: str, text: Text, host: str = "a.example", seed: int = 0) -> str:
    others = [other for other in TEXTS.values() if other.language == text.language]
    page = make_page(text, f"http://{host}/1", host, others, Random(seed))
    return TEMPLATES[name](page)


def shape(html: str) -> set[tuple[str, ...]]:
    """The paths of element names that lead to text."""
    tree = lxml_html.fromstring(html)
    return {
        tuple(ancestor.tag for ancestor in node.iterancestors())
        for node in tree.iter("*")
        if isinstance(node.tag, str) and (node.text or "").strip()
    }


@pytest.mark.parametrize("name", TEMPLATES)
@pytest.mark.parametrize("text", [CHINESE, ENGLISH], ids=["zh", "en"])
def test_every_paragraph_stands_on_the_page(name: str, text: Text) -> None:
    shown = lxml_html.fromstring(render(name, text)).text_content()
    assert text.title in shown
    assert all(paragraph in shown for paragraph in text.paragraphs)


@pytest.mark.parametrize("name", TEMPLATES)
@pytest.mark.parametrize("text", [CHINESE, ENGLISH], ids=["zh", "en"])
def test_main_text_extraction_finds_the_article(name: str, text: Text) -> None:
    main = extract(render(name, text)).text
    found = sum(len(line) for line in text.paragraphs if line in main)
    assert found > 0.9 * sum(map(len, text.paragraphs))


@pytest.mark.parametrize("name", TEMPLATES)
def test_nothing_in_a_text_becomes_markup(name: str) -> None:
    text = Text(HOSTILE, (HOSTILE, *ENGLISH.paragraphs, HOSTILE))
    others = [Text(HOSTILE, (HOSTILE,))] * 20
    page = make_page(text, f"http://a.example/{HOSTILE}", "a.example", others, Random(0))
    html = TEMPLATES[name](page)
    clean = render(name, ENGLISH)
    tree = lxml_html.fromstring(html)
    assert not tree.xpath("//*[@onclick]")
    assert len(tree.xpath("//script")) == len(lxml_html.fromstring(clean).xpath("//script"))
    assert HOSTILE in tree.text_content()


def test_structured_data_is_json_that_ends_no_script() -> None:
    [data] = lxml_html.fromstring(render("semantic", Text(HOSTILE, ("Tea.",)))).xpath(
        "//script[@type='application/ld+json']/text()"
    )
    assert json.loads(data)["headline"] == HOSTILE


@LAW
@given(st.sampled_from([*TEMPLATES]), st.text(max_size=20), LINES)
def test_any_text_comes_out_of_a_page_as_it_went_in(
    name: str, title: str, lines: list[str]
) -> None:
    text = make_text(title, lines)
    tree = lxml_html.fromstring(render(name, text))
    shown = "".join(tree.text_content().split())
    assert all("".join(paragraph.split()) in shown for paragraph in text.paragraphs)


@pytest.mark.parametrize(("one", "other"), list(combinations(TEMPLATES, 2)))
def test_templates_differ_in_structure(one: str, other: str) -> None:
    a, b = (shape(render(name, ENGLISH)) for name in (one, other))
    assert len(a & b) / len(a | b) < 0.5


@pytest.mark.parametrize("name", [name for name in TEMPLATES if name != "print"])
def test_a_page_shows_a_good_deal_besides_its_article(name: str) -> None:
    shown = lxml_html.fromstring(render(name, ENGLISH)).text_content()
    assert len(shown) > 1.2 * len(ENGLISH.body)


def test_a_site_is_the_same_on_all_its_pages_and_sites_differ() -> None:
    site = make_site("a.example", "zh")
    make_site.cache_clear()
    assert make_site("a.example", "zh") == site
    assert make_site("a.example", "zh").menu != make_site("b.example", "zh").menu
    assert make_site("a.example", "zh").menu != make_site("a.example", "en").menu


@pytest.mark.parametrize("name", TEMPLATES)
def test_one_seed_gives_one_page(name: str) -> None:
    assert render(name, CHINESE, seed=3) == render(name, CHINESE, seed=3)
    assert render(name, CHINESE, seed=3) != render(name, CHINESE, seed=4)
