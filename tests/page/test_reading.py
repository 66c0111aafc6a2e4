"""What a page shows, and in which elements, whatever its author left open or closed twice."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup import native
from dedup.page.compiled import _reader
from dedup.page.extractors import extract
from tests.page.shown import blocks

pytestmark = pytest.mark.usefixtures("compiled")

LAW = settings(derandomize=True, deadline=None, max_examples=300)
FARTHEST = 100  # levels up that a tag ends an element
LONG = 8_000  # octets of an attribute that nobody writes


def lines(html: str) -> list[str]:
    """The paragraphs of the whole page."""
    return [paragraph.text for paragraph in extract(html, "plain").paragraphs]


def shown(html: str) -> list[str]:
    """Each block with the elements around it, innermost last."""
    return [f"{block.path} {block.text}".strip() for block in blocks(html)]


@pytest.mark.parametrize(
    "html",
    [
        "<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rp>(</rp><rt>ji</rt><rp>)</rp></ruby>茶",
        "<p><ruby><rb>漢<rt>kan<rb>字<rt>ji</ruby>茶",
        "<p><ruby>漢字<rtc><rt>kan<rt>ji</rtc></ruby>茶",
        "<p><ruby>漢字<rt><span>kan</span> <a href=x>ji</a></rt></ruby>茶",
        "<p><RUBY>漢字<RT>kanji</RT></RUBY>茶",
    ],
)
def test_how_ideographs_are_read_is_no_text_of_the_page(html: str) -> None:
    assert shown(html) == ["p 漢字茶"]
    assert lines(html) == ["漢字茶"]


@pytest.mark.parametrize(
    ("html", "found"), [("<p>a<rt>b<p>c", ["a b", "c"]), ("<p>a</rt>b</p>c", ["a b", "c"])]
)
def test_a_reading_that_does_not_end_hides_nothing(html: str, found: list[str]) -> None:
    assert [line.replace(" ", "") for line in lines(html)] == [
        line.replace(" ", "") for line in found
    ]


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<p>a<p>b</p>c", ["p a", "p b", "c"]),
        ("<ul><li>a<li>b<ul><li>c</ul>d</ul>e", ["ul li a", "ul li b", "ul li ul li c",
                                                 "ul li d", "e"]),
        ("<li><div>a<li>b", ["li div a", "li b"]),
        ("<li><section>a<li>b", ["li section a", "li section li b"]),
        ("<dl><dt>a<dd>b<p>c<dt>d", ["dl dt a", "dl dd b", "dl dd p c", "dl dt d"]),
        ("<h1>a<h2>b", ["h1 a", "h2 b"]),
        ("<p>a<div>b</p>c", ["p a", "div b", "div c"]),
        ("<table><tr><td>a<td>b<tr><th>c<p>d<td>e</table>f",
         ["table tr td a", "table tr td b", "table tr th c", "table tr th p d",
          "table tr td e", "f"]),
        ("<table><thead><tr><td>a<tbody><tr><td>b<tfoot><td>c",
         ["table thead tr td a", "table tbody tr td b", "table tfoot td c"]),
        ("<table><caption>a<tr><td>b<table><tr><td>c</table>d<td>e",
         ["table caption a", "table tr td b", "table tr td table tr td c", "table tr td d",
          "table tr td e"]),
        ("<div><table><tr><td>a</div>b", ["div table tr td a", "div table tr td b"]),
        ("<div>a</section>b</div>c", ["div a", "div b", "c"]),
        ("<div><ul><li>a</div>b", ["div ul li a", "b"]),
        ("<html><body>a</body></html>b<body>c", ["html body a", "html body b", "html body c"]),
        ("<div><template></div>x</template>a", ["div a"]),
        ("<head><button>x<body>a", ["body a"]),
        ("<html><head><button>x<body>a", ["html body a"]),
        ("<p>a <!-- hidden --> b <i>c</i> d", ["p a b c d"]),
        ("<p>a <!-- <i style='display:none'> --> b", ["p a b"]),
        ("<h2>a</h3>b<h1>c</h2><p>d", ["h2 a", "b", "h1 c", "p d"]),
        ("<table><tr><td><template><tr><td>x</td></tr></template>a<td>b",
         ["table tr td a", "table tr td b"]),
        ("<script>'<p></script' + '>'; x = '</scripts>'</script>a", ["a"]),
        ("<p>a<select><div>x</div></select>b", ["p ab"]),
        ("<p>a<noscript><iframe src=x></noscript><p>b", ["p a", "p b"]),
        ("<div><p>a<noscript>x</div>y</noscript>b", ["div p ab"]),
        ("<p>a<hr>b<menu><li>x</menu>c", ["p a", "p b", "menu li x", "c"]),
        ("<div hidden>x<div title='a <br /> b'>y</div>z</div>a", ["a"]),
        ('<script data-x="<br />y">x</script>a', ["a"]),
        ("<p>&#" + "9" * 5_000 + ";a &#97;", ["p \ufffda a"]),
        ("a<html><body>b", ["html a", "html body b"]),
        ("<p/>a<div class='x'/>b<li />c", ["a", "b", "c"]),
        ("<div class=x/>a", ["div a"]),
        ("<p>a<xmp><b>b</p></xmp>c", ["p a", "xmp <b>b</p>", "c"]),
        ("<title/><script src='x'/><p>a", ["p a"]),
        ("<p>a <svg/>b", ["p a b"]),
    ],
)  # fmt: skip
def test_elements_end_where_the_standard_ends_them(html: str, found: list[str]) -> None:
    assert shown(html) == found


BLOCK = ["div", "section", "blockquote", "td", "center", "DIV"]  # that hold blocks
INLINE = ["b", "span", "x-y", "em", "font"]
UNSEEN = [
    "<!-- <p>secret</p> -->",
    "<script>'<p>secret'</script>",
    "<style>secret{}</style>",
    "<svg><title>secret</title><path d='M 1 2'/></svg>",
    "<span hidden>secret <b>too</b></span>",
    "<math><annotation>secret</annotation></math>",
    '<b style="color:red; DISPLAY:none">secret<br>too</b>',
    "<select><option>secret<option>too</select>",
    "<span hidden><div>secret</div></span>",
    "<noscript><p>secret</noscript>",
]
WORDS = ["tea", "a &lt; b", "&amp;nbsp", "x", "茶", "1 < 2", 'it\'s "so"']


@dataclass
class Drawn:
    """A piece of a page: how it is written, and the lines it shows."""

    html: str = ""
    lines: list[str] = field(default_factory=lambda: [""])

    def then(self, other: Drawn) -> Drawn:
        """Another piece behind it, with no boundary between."""
        joined = [*self.lines[:-1], self.lines[-1] + other.lines[0], *other.lines[1:]]
        return Drawn(self.html + other.html, joined)


def draw_all(pieces: list[Drawn]) -> Drawn:
    drawn = Drawn()
    for piece in pieces:
        drawn = drawn.then(piece)
    return drawn


def in_block(name: str, inner: Drawn) -> Drawn:
    return Drawn(f"<{name} class='x > y'>{inner.html}</{name}>", ["", *inner.lines, ""])


def in_listing(inner: Drawn) -> Drawn:
    return in_block("pre", Drawn(inner.html, [" ".join(inner.lines)]))


def in_inline(name: str, inner: Drawn) -> Drawn:
    return Drawn(f"<{name}>{inner.html}</{name}>", inner.lines)


def word(written: str) -> Drawn:
    read = written.replace("&lt;", "<").replace("&amp;", "&")
    return Drawn(f" {written} ", [f" {read} "])


WORD = st.sampled_from(WORDS).map(word)
HIDDEN = st.sampled_from(UNSEEN).map(Drawn)
RUN = st.lists(
    st.one_of(
        WORD,
        HIDDEN,
        st.just(Drawn("<br>", ["", ""])),
        st.builds(in_inline, st.sampled_from(INLINE), WORD),
    ),
    max_size=4,
).map(draw_all)


def _stays_in_p(run: Drawn) -> bool:
    return "<div" not in run.html  # which ends a <p>, hidden or not


PAGE = st.recursive(
    RUN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(draw_all),
        st.builds(in_block, st.sampled_from(BLOCK), inner),
        st.builds(in_block, st.just("h2"), RUN),
        st.builds(in_listing, RUN),
        st.builds(in_block, st.just("p"), RUN.filter(_stays_in_p)),
    ),
    max_leaves=12,
)


def folded(lines: list[str]) -> list[str]:
    return [text for line in lines if (text := " ".join(line.split()))]


@LAW
@given(PAGE)
def test_what_is_written_is_what_is_read(drawn: Drawn) -> None:
    assert [block.text for block in blocks(drawn.html)] == folded(drawn.lines)


@LAW
@given(st.text(alphabet="<>/!-'\"= \npdivbrahotulc茶", max_size=80))
def test_whatever_a_page_holds_all_its_blocks_have_text(html: str) -> None:
    assert all(block.text and " ".join(block.text.split()) == block.text for block in blocks(html))


@pytest.mark.parametrize(
    ("html", "links"),
    [
        ("<p><a>abc</a> de", [3]),
        ("<p>de <a href=x>abc<a>fg</a>", [5]),
        ("<p><a name='x'/>abc<a id=y />d", [0]),
        ("<p><a name=x HREF=y>abc</a>d", [3]),
        ("<a><div>abc</div><div>de</div></a><p>f", [3, 2, 0]),
        ("<div><a>abc</div><p>f</a>g", [3, 0]),
        ("<p><a href=x> http://a.b/c</a> de <a href=y>fg</a>", [2]),
    ],
)
def test_letters_of_links_are_counted_up_to_the_end_of_their_element(
    html: str, links: list[int]
) -> None:
    assert [block.link_chars for block in blocks(html)] == links


def test_nothing_is_ended_from_farther_than_is_looked() -> None:
    near, far = ("<div>" * depth for depth in (FARTHEST - 3, FARTHEST))
    assert shown(f"<section>{near}a</section>b")[-1] == "b"
    assert shown(f"<section>{far}a</section>b")[-1].startswith("section div")


@pytest.mark.parametrize("tag", ["<img hidden>", "<i hidden />", "<input type=hidden>", "<b>"])
def test_what_hides_nothing_leaves_the_rest_of_its_line(tag: str) -> None:
    assert shown(f"<p>a{tag}b") == ["p ab"]


@pytest.mark.parametrize("quote", ['"', "'"])
def test_a_long_value_hides_nothing_by_the_words_in_it(quote: str) -> None:
    value = f"the cost of hidden trains {{{'x ' * LONG}}}"
    assert shown(f"<div data-page={quote}{value}{quote}><p>a</div>b") == ["div p a", "b"]
    assert shown(f"<div data-page={quote}{value}{quote} hidden><p>a</div>b") == ["b"]


@pytest.mark.parametrize("rest", [f"x='{'x ' * LONG}'", " " * LONG])
def test_what_a_long_tag_says_first_is_read(rest: str) -> None:
    assert shown(f"<div id=y hidden {rest}>a</div>b") == ["b"]


@pytest.mark.parametrize("failing", ["show", "choose"])
def test_what_python_raises_is_heard(failing: str) -> None:
    article = f"<article class=o-{failing}><h1>a &alpha; b</h1><p>green tea &alpha;</article>"
    html = "<title>a</title>" + 2 * article

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    asked = {**_reader().keywords, failing: fail, "plain": False}
    with pytest.raises(ZeroDivisionError):
        native.core.read_page(html.encode(), **asked)


def test_what_is_asked_of_python_is_named() -> None:
    with pytest.raises(TypeError):
        native.core.read_page(b"<p>", plain=False)
    with pytest.raises(TypeError):
        native.core.read_page(b"<p>", **{**_reader().keywords, "plain": False, "kinds": []})


@pytest.mark.parametrize("ends", ["", "\ud800", "😀"])
def test_no_letter_of_a_long_page_is_lost(ends: str) -> None:
    text = "a茶é" * 20_000
    assert shown(f"<p>{text}{ends}") == [f"p {text}{ends}".rstrip("\ud800")]


def test_a_hidden_element_that_is_left_open_hides_its_line() -> None:
    assert shown("<p>a <span hidden>b<p>c") == ["p a", "p c"]


def test_text_of_a_page_that_breaks_off_in_a_tag_ends_there() -> None:
    assert shown("<p>tea <a href='x") == ["p tea"]


@pytest.mark.parametrize(
    "style", ["--x-display: none", "color:red;--display:none", "-x-display:none"]
)
def test_a_property_whose_name_ends_in_display_hides_nothing(style: str) -> None:
    assert shown(f'<div style="{style}">a</div>') == ["div a"]
    assert shown(f'<p>a <b style="{style}">b</b>') == ["p a b"]


SIDES = ["left: -9999px", "TOP:-1000px", "right :-200%", "text-indent:-999em"]


@pytest.mark.parametrize("unseen", ["opacity:0", "opacity: 0.003", "z-index:8;opacity:.05", *SIDES])
@pytest.mark.parametrize("position", ["position:absolute", "Position: fixed"])
def test_what_is_taken_out_of_sight_is_not_shown(unseen: str, position: str) -> None:
    for style in (
        f"{position};{unseen}",
        f"{unseen}; {position};",
        f"left:0;opacity:1;position:a;{position};{unseen}",
    ):
        assert shown(f"<p>a</p><div style='{style}'><p>b</p></div>") == ["p a"]


@pytest.mark.parametrize(
    "style",
    [
        *SIDES,  # The heading of a page behind its logo.
        "opacity:0",  # A script will fade it in.
        "position:absolute;opacity:0.5",
        "position:absolute;opacity:.1",
        "position:absolute;opacity:00",
        "position:absolute;opacity:.",
        "position:absolute;opacity:",
        "position:absolute;opacity",
        "position:absolute;left:-50px",
        "position:absolute;left:-9",
        "position:absolute;margin-left:-9999px;fill-opacity:0",
        "position:relative;left:-9999px",
        "x-position:absolute;left:-9999px",
        "position:absolute;left:-9999px;left:0",
        "position:absolute;opacity:0;opacity:1",
        "position:absolute;left:-9999px;position:static",
    ],
)
def test_what_may_be_in_sight_is_shown(style: str) -> None:
    assert shown(f"<p>a</p><div style='{style}'><p>b</p></div>") == ["p a", "div p b"]


@pytest.mark.parametrize("identifier", ["id=S:0", 'id="S:1a"', "id='S:12'"])
def test_what_react_streams_in_is_shown_though_it_is_hidden_until_a_script_moves_it(
    identifier: str,
) -> None:
    assert shown(f"<p>a</p><div hidden {identifier}><p>b</p></div>") == ["p a", "div p b"]
    assert shown(f"<p>a</p><div {identifier} style='display:none'><p>b</p></div>") == ["p a"]
    assert shown('<p>a</p><div hidden id="s-0"><p>b</p></div>') == ["p a"]
