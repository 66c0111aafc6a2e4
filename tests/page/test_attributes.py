"""No page gets to the parser with a tag that takes it too long, whatever stands around that tag."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.page import attributes
from dedup.page.attributes import LongTags, has_too_many_attributes, open_ended, parse
from dedup.page.limits import MOST_IN_LONG_TAGS

NAMES = " ".join(f"a{number}" for number in range(MOST_IN_LONG_TAGS + 1))
BEFORE = [  # what leads one astray who looks for tags without knowing scripts and comments
    '<script>var s = "<a x=\'";</script>',
    "<style>/* <a x=' */</style>",
    "<!-- <a x=' -->",
    "<textarea><a x='</textarea>",
    "<title><a x='</title>",
    "<? <a x=' ?>",
    "<script><!-- <a x='</script>",
]
JSON = ", ".join(
    f'{{"key {number}": "it\'s a value", "path": "/a/b/{number}"}}' for number in range(30_000)
)
FEW = 30  # attributes, for the law
PIECES = [
    *(" ".join(f"{letter}{number}" for number in range(FEW // 2)) for letter in "bcd"),
    *("<p ", "<a\n", "</p ", ">", "/", " ", "=", '"', "'", "='>' ", '="', "= '", "x" * FEW),
    *("<script>", "</script>", "</scr", "ipt>", "<style>", "</style>", "<title>", "</title>"),
    *("<!--", "-->", "<!", "<?", "<![CDATA[", "]]>", "<textarea>", "</textarea>", "<svg>", "tea"),
    *(
        "</html>",
        "</HTML >",
        "</body>",
        "\0",
        "\x01",
        "\ud800",
        "\ufffe",
        "&quot;",
        attributes._PROBE,
        "<",
    ),
]


def most_attributes(html: str) -> int:
    """The attributes of the tag that has the most, as the parser reads them."""
    tree = parse(html)
    return 0 if tree is None else max(len(element.attrib) for element in tree.iter("*"))


def has_more_than(few: int, html: str) -> bool:
    """Whether a page may have a tag of more attributes than a few."""
    return has_too_many_attributes(html, LongTags(least=few, product=0, most=few))


@pytest.mark.parametrize("before", BEFORE)
def test_what_stands_before_a_long_tag_does_not_hide_it(before: str) -> None:
    many = 1_000
    names = " ".join(f"a{number}" for number in range(many + 1))
    assert has_more_than(many, f"{before}<p title='>' {names}>tea")


@pytest.mark.parametrize("blank", ["\x01", "\x7f", "\ud800", "\ufffe"])
def test_what_may_be_blanked_is_taken_for_a_blank(blank: str) -> None:
    assert has_too_many_attributes(f"\ud800<p title='>' {NAMES.replace(' ', blank)}>")


@pytest.mark.parametrize("gap", ["\0", "\ud800"])
def test_what_the_parser_never_sees_hides_no_value(gap: str) -> None:
    names = NAMES.replace(" ", f"={gap}'>' ")
    assert has_too_many_attributes(f"<p {names}>tea")


def test_ends_that_the_parser_never_sees_make_no_value() -> None:
    names = NAMES.replace(" ", "=</html>'>' ")
    assert most_attributes(open_ended(f"<p {names}>tea</html> and more tea")) == 1


@pytest.mark.parametrize("tag", ["script", "SCRIPT", "style"])
def test_a_long_script_is_no_tag(tag: str) -> None:
    page = f"<p>tea<{tag} type='application/json'>[{JSON}]</{tag}><p>and more"
    assert not has_too_many_attributes(page)
    assert not has_too_many_attributes(page * 2)
    assert not has_too_many_attributes(f"<html><p>tea</html>{page}")
    assert has_too_many_attributes(f"{page}<p {NAMES}>")
    assert has_too_many_attributes(page.replace("</", f"</x></{tag}><p {NAMES}></"))


@pytest.mark.parametrize(
    "before", ["", "<p>tea<pre>", "<div><p>tea <b>house</b></p>", "<!-- tea -->"]
)
def test_a_long_text_is_no_tag(before: str) -> None:
    text = 'It\'s some "text" with no end. ' * MOST_IN_LONG_TAGS
    assert not has_too_many_attributes(f"{before}{text}<p>and more")
    assert has_too_many_attributes(f"{before}{text}<p {NAMES}>and more")
    assert has_too_many_attributes(f"{before}<p {text} {NAMES}>and more")


@pytest.mark.parametrize("quote", ["&quot;", "'"])
def test_a_long_value_is_one_attribute(quote: str) -> None:
    value = JSON.replace('"', quote)
    assert not has_too_many_attributes(f'<p>tea<div data-page="{value}">and more')
    assert has_too_many_attributes(f'<p>tea<div data-page="{value}" {NAMES}>and more')


@pytest.mark.parametrize("forged", ["\ufdd0", "&#xfdd0;", "&#64976;"])
@pytest.mark.parametrize("before", ["<p x='{}'", "<div>tea {}<p", "<script>{}</script><p"])
def test_nobody_can_forge_what_the_parser_is_asked_with(before: str, forged: str) -> None:
    assert has_too_many_attributes(f"{before.format(forged)} {NAMES} {'x' * 100_000}>tea")


def test_an_end_that_the_parser_alone_sees_ends_a_script() -> None:
    script = "1 / 2 " * MOST_IN_LONG_TAGS
    assert not has_too_many_attributes(f"<script>{script}</script><p title='tea'>")
    assert has_too_many_attributes(f"<script>{script}</scr\0ipt><p title='tea' {NAMES}>")


@pytest.mark.parametrize("value", ["'{}'", '"{}"', "{} '>'"], ids=["single", "double", "behind ="])
def test_ends_in_values_or_before_them_end_no_tag(value: str) -> None:
    few = 100
    filling = " " * 150 if value.startswith("{") else f"{'x' * 40}>" * 4
    names = (f"{''.join(f'a{n}{m} ' for m in range(10))}b{n}=" for n in range(10))
    tag = " ".join(name + value.format(filling) for name in names)
    assert most_attributes(f"<p {tag}>") > few
    assert has_more_than(few, f"<p {tag}>")


@pytest.mark.parametrize("value", ["'{}'", '"{}"', "{}'>'"], ids=["single", "double", "behind ="])
def test_wherever_in_a_tag_windows_begin_it_is_seen(value: str) -> None:
    few = 100
    filling = " " if value.startswith("{") else ">"
    bare = value.format("")
    unit = f" a000 b000 c000={value.format(filling * (few // 2 - 16 - len(bare)))}"
    assert len(unit) == few // 2  # so that all windows begin at the same place of it
    tag = "".join(unit.replace("000", f"{n:03}") for n in range(few // 2))
    for shift in range(few // 2):
        assert has_more_than(few, f"{'x' * shift}<p {tag}>tea</p>"), shift


def test_a_script_that_ends_where_the_parser_is_asked_hides_no_tag() -> None:
    names = " ".join(f"a{number}" for number in range(FEW + 1))
    script = "1 / 2 " * FEW
    for _ in range(FEW):
        script = f"{script}x"
        assert not has_more_than(FEW, f"<script>{script}</script><p title='tea'>")
        assert has_more_than(FEW, f"<script>{script}</script><p title='tea' {names}>")


@settings(derandomize=True, deadline=None, max_examples=4000)
@given(st.lists(st.sampled_from(PIECES), min_size=6, max_size=50).map("".join))
def test_a_page_that_is_parsed_has_no_tag_with_more_attributes(html: str) -> None:
    refused = has_more_than(FEW, html)
    assert refused or max(most_attributes(html), most_attributes(open_ended(html))) <= FEW
