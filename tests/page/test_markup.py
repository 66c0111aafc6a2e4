"""The tags of a page: all of them, each from its < to its >, and nothing else."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup import native
from tests.page import shown

pytestmark = pytest.mark.usefixtures("compiled")

LAW = settings(derandomize=True, deadline=None, max_examples=500)

VALUES = [
    *("x", "", "a > b", "<p>", "a -> <b>c</b>", "it's", "</script>", "<!--", "a=b", "中文"),
    *("> x", " > ", "a/> b", 'f("x", y > z)', '"a": "<b>"', "x/"),
]
TEXTS = ["tea", " a < b ", "1 > 0", '"', "it's", "&lt;p>", "-->", "茶", "\n", "= '"]
UNSEEN = [
    "<!-- <p> it's -->",
    "<!--x-->",
    "<!DOCTYPE html>",
    "<?xml <p ?>",
    "</ p>",
    "<script>if (a<b) '<p>' \"</script>",
    "<script>/*<!--*/ x = '<b>y</b><script src=z></script><p>' /*-->*/</script>",
    "<SCRIPT><!-- '<script' '<SCRIPT>' <!-- </script\n> --> <script></SCRIPT>",
    "<script><!-- '<scripts></script>",
    "<STYLE>p > a {}</STYLE>",
    "<textarea><p></textarea>",
    "<title>a <b> c</title>",
]
RAW = ("<script", "<SCRIPT", "<STYLE", "<textarea", "<title")
SEEN_IN = dict.fromkeys(RAW, 2) | dict.fromkeys(("<!", "<?", "</ "), 1)


def tags(html: str) -> list[str]:
    return [written for written, _ in shown.tags(html)]


def names(html: str) -> list[str]:
    return [name for _, name in shown.tags(html)]


@st.composite
def starts(draw: st.DrawFn) -> str:
    name = draw(st.sampled_from(["p", "DIV", "a", "x-y", "blockquote", "templates", "img", "b"]))
    given_values = draw(st.lists(st.tuples(st.sampled_from(VALUES), st.booleans()), max_size=3))
    quoted = [f"'{value}'" if '"' in value or (single and "'" not in value) else f'"{value}"'
              for value, single in given_values]  # fmt: skip
    return f"<{name}{''.join(f' {x}={value}' for x, value in zip('xyz', quoted, strict=False))}>"


PIECES = st.one_of(
    st.tuples(st.just("tag"), starts()),
    st.tuples(st.just("tag"), st.sampled_from(["</p>", "</DIV>", "</a >", "<br/>", "<i\n>"])),
    st.tuples(st.just("text"), st.sampled_from(TEXTS)),
    st.tuples(st.just("unseen"), st.sampled_from(UNSEEN)),
)


@LAW
@given(st.lists(PIECES, max_size=12))
def test_each_tag_is_found_whole_and_nothing_else(pieces: list[tuple[str, str]]) -> None:
    found = tags("".join(piece for _, piece in pieces))
    seen = [tag for tag in found if not any(tag.startswith(start) for start in SEEN_IN)]
    raw = ("</script>", "</SCRIPT>", "</STYLE>", "</textarea>", "</title>")
    assert [tag for tag in seen if tag not in raw] == [tag for kind, tag in pieces if kind == "tag"]
    unseen = [piece for kind, piece in pieces if kind == "unseen"]
    assert len(found) - len(seen) + sum(tag in raw for tag in seen) == sum(
        next(count for start, count in SEEN_IN.items() if piece.startswith(start))
        for piece in unseen
    )


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("", []),
        ("tea < 5 and > 3", []),
        ("tea <p", []),
        ("<p>tea <b title='", ["<p>"]),
        ("<!-- a <p> b", ["<!-- a <p> b"]),
        ("<!-->a<p>", ["<!-->", "<p>"]),
        ("<!--->a<p>", ["<!--->", "<p>"]),
        ("<!-- a ><p>b</p>c -->d<p>", ["<!-- a ><p>b</p>c -->", "<p>"]),
        ("<p><script>a <p> b", ["<p>", "<script>"]),
        ("<a href='x>tea</a><p>", ["<a href='x>", "</a>", "<p>"]),
        ("<a href='x>tea</a><p id='y'>", ["<a href='x>tea</a><p id='y'>"]),
        ('<a title="a > <b">tea', ['<a title="a > <b">']),
        ("<a title='b\">c'>tea", ["<a title='b\">c'>"]),
        ("<a title='b\"> <i>c'>tea", ["<a title='b\"> <i>c'>"]),
        ('<i t="><b>x</b>">tea', ['<i t="><b>x</b>">']),
        ("<div<p>tea", ["<div<p>"]),
        ('<a href=?q="x>c</a><p title="x">', ['<a href=?q="x>', "</a>", '<p title="x">']),
        ("<!-- a --!>b<p>", ["<!-- a --!>", "<p>"]),
        ("<!--!>b<p>-->", ["<!--!>b<p>-->"]),
        ("<svg/><x:y><P\tid=1>", ["<svg/>", "<x:y>", "<P\tid=1>"]),
        ('<form=">a<p id="b">', ['<form=">', '<p id="b">']),
        ("<form b='><b><i>'>", ["<form b='><b><i>'>"]),
        ("<script></script><p>", ["<script>", "</script>", "<p>"]),
        ("<script><script/><p></script>", ["<script>", "</script>"]),
        ("<script></script'><p></script x>", ["<script>", "</script x>"]),
        ("<script></scripts><p></script", ["<script>"]),
        ("<script><!-- <p> </script><p>", ["<script>", "</script>", "<p>"]),
        ("<script><!-- <script></script><p>", ["<script>"]),
        ("<script><!--><script></script><p>", ["<script>", "</script>", "<p>"]),
        ("<script><script></script><p>", ["<script>", "</script>", "<p>"]),
        ("<script><!-- <script --> </script><p>", ["<script>", "</script>", "<p>"]),
        ("<textarea></textarea茶><p></TEXTAREA>", ["<textarea>", "</TEXTAREA>"]),
        ("<script x='></script><p>'><b></script>", ["<script x='></script><p>'>", "</script>"]),
    ],
)
def test_tags_of_broken_markup(html: str, found: list[str]) -> None:
    assert tags(html) == found


@pytest.mark.parametrize(
    "name", [name for name in getattr(native.core, "NAMES", ()) if name.isalnum()]
)
@pytest.mark.parametrize("form", ["<{}>", "</{}>", "<{} class=x>", "<{}/>"])
def test_names_are_told_in_any_case(name: str, form: str) -> None:
    assert names(form.format(name)) == names(form.format(name.upper())) == [name]


@pytest.mark.parametrize("name", ["px", "x", "templates", "template-x", "h7", "p:p", "p.p", "p9"])
def test_other_names_are_none_of_these(name: str) -> None:
    assert names(f"<{name}>") == [""]


@LAW
@given(st.text(alphabet="<>!-/'\"= ap\nscript茶", max_size=60))
def test_whatever_a_page_holds_its_tags_stand_one_behind_the_other(html: str) -> None:
    at = 0
    for written in tags(html):
        assert written.startswith("<")
        assert written.endswith(">")
        at = html.index(written, at) + len(written)


@pytest.mark.parametrize("script", ["<!-- - ", "<!--<script></script>", "<!-- --><!--", "<!--><"])
def test_comments_in_scripts_are_read_in_linear_time(script: str) -> None:
    began = process_time()
    assert tags(f"<script>{script}</script>" * 50_000)
    assert process_time() - began < 2
