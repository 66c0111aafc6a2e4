"""Pages that ask too much are refused before they cost it; pages that people read are not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup import Config, make_fingerprinter
from dedup.page import EXTRACTORS, extract, read_document, readability
from dedup.page.attributes import LongTags, has_too_many_attributes
from dedup.page.limits import (
    MOST_ATTRIBUTES,
    MOST_IN_LONG_TAGS,
    MOST_PARAGRAPHS,
    MOST_PHRASES,
    MOST_REFERENCES,
    MOST_TAGS,
    MOST_TEXT,
    MOST_TITLE,
    REFUSALS,
    RefusedError,
    check_tags,
    has_too_many_lines,
)

NAMES = [f"a{number}" for number in range(MOST_IN_LONG_TAGS + 1)]
PICTURE = f'<img src="data:image/png;base64,{"iVBO" * 50_000}">'
PROSE = f'<p title="{"a word and another " * 10_000}">'
FINGERPRINTER = make_fingerprinter(Config())


def test_as_many_tags_as_allowed_are_read() -> None:
    check_tags(b"<p>" * MOST_TAGS)
    with pytest.raises(RefusedError, match="more tags"):
        check_tags(b"<p>" * (MOST_TAGS + 1))


def test_character_references_are_limited() -> None:
    check_tags(b"&lt" * MOST_REFERENCES)
    with pytest.raises(RefusedError, match="references"):
        check_tags(b"&lt" * (MOST_REFERENCES + 1))


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_no_extractor_reads_a_page_of_too_many_tags(extractor: str) -> None:
    page = extract("<p>tea " * (MOST_TAGS + 1), extractor)
    assert (page.refused, page.text) == ("too_many_tags", "")


@pytest.mark.usefixtures("compiled")
def test_a_slow_extractor_reads_fewer_tags() -> None:
    html = "<p>tea " * (readability.MOST_TAGS + 1)
    assert [name for name in EXTRACTORS if extract(html, name).refused] == ["readability"]


@pytest.mark.parametrize(
    "html",
    [
        pytest.param(f"<p {' '.join(NAMES)}>", id="bare"),
        pytest.param("<p " + " ".join(f"{name}='>'" for name in NAMES) + ">", id="ends in values"),
        pytest.param('<p b="<i>" ' + "\n".join(NAMES) + "\n>", id="a tag in a value"),
        pytest.param("<p b='>>' " + "\n".join(NAMES) + "\n>", id="ends in a value"),
        pytest.param("<P\f" + "/".join(NAMES), id="without an end"),
        pytest.param(
            "".join(f"<p {' '.join(NAMES[:15_000])}>" for _ in range(5)),
            id="in many tags",
        ),
        pytest.param("<p a b c d e f>" * (MOST_ATTRIBUTES // 6), id="in small tags"),
    ],
)
def test_too_many_attributes_are_refused(html: str) -> None:
    html = html.ljust(8 * MOST_ATTRIBUTES + 1) if "a b c d e" in html else html
    assert extract(html, "readability").refused == "too_many_attributes"


@pytest.mark.parametrize("html", [PICTURE, PROSE, "<a b c>" * 20_000 + PICTURE])
def test_a_large_attribute_is_one_attribute(html: str) -> None:
    assert not has_too_many_attributes(html)
    assert not extract(html, "readability").refused


@settings(derandomize=True, deadline=None, max_examples=40)
@given(
    st.lists(st.sampled_from(["a", "b=c", "d='>'", 'e="<p>"', "f = '\"'"]), min_size=1),
    st.sampled_from([" ", "\n", "/ "]),
)
def test_a_tag_with_too_many_attributes_is_never_overlooked(kinds: list[str], gap: str) -> None:
    few = 1_000
    each = [f"{name}{kinds[i % len(kinds)]}" for i, name in enumerate(NAMES[: few + 1])]
    page = f"<p>{gap}</p><p {gap.join(each)}>"
    assert has_too_many_attributes(page, LongTags(least=few, product=0, most=few))


@pytest.mark.parametrize("end", ["\n", "\r", "\x85", "\u2029"])
def test_text_of_too_many_lines_is_refused(end: str) -> None:
    assert not has_too_many_lines(end * MOST_TAGS)
    assert FINGERPRINTER.of_text(f"a{end}" * (MOST_TAGS + 1)).refused == "too_many_tags"


def test_text_as_long_as_allowed_is_read() -> None:
    assert not FINGERPRINTER.of_text("tea " * (MOST_TEXT // 4)).refused
    assert FINGERPRINTER.of_text("tea " * (MOST_TEXT // 4) + "tea").refused == "too_long_text"


def test_text_of_as_many_paragraphs_as_allowed_is_read() -> None:
    assert not FINGERPRINTER.of_text("tea\n" * MOST_PARAGRAPHS).refused
    assert FINGERPRINTER.of_text("tea\n" * (MOST_PARAGRAPHS + 1)).refused == "too_long_text"


def test_the_length_of_a_text_is_told_in_bytes() -> None:
    assert not FINGERPRINTER.of_text("\u8336" * (MOST_TEXT // 3)).refused
    assert FINGERPRINTER.of_text("\u8336" * (MOST_TEXT // 3 + 1)).refused == "too_long_text"


@pytest.mark.parametrize("sign", ["\ufdfa", "\u3316"])
def test_characters_that_are_phrases_are_counted_before_they_are_spelled_out(sign: str) -> None:
    assert not FINGERPRINTER.of_text(f"tea {sign}\n" * MOST_PHRASES).refused
    many = f"tea {sign}\n" * (MOST_PHRASES + 1)
    assert FINGERPRINTER.of_text(many).refused == "too_long_text"


def test_a_refused_page_gives_no_verdict() -> None:
    page = FINGERPRINTER.of_page(b"<p>tea " * (MOST_TAGS + 1))
    assert (page.refused, page.short, page.tokens) == ("too_many_tags", True, 0)
    assert page.refused in REFUSALS


@pytest.mark.parametrize("letter", ["石", "\ufdfa", "a "])
def test_a_title_is_looked_at_as_far_as_titles_go(letter: str) -> None:
    titles = (letter * (times * MOST_TITLE) for times in (1, 9))
    text = "<p>" + "tea and scones " * 100
    long, longer = (
        read_document(FINGERPRINTER.find_text(f"<title>{title}</title><h1>{title}{text}"))
        for title in titles
    )
    assert long.spaced_title.split() == longer.spaced_title.split() != []
