"""Paragraphs: pages match where enough of their passages do."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.demo.texts import load_texts
from dedup.page import Document, Kind, MainText, Paragraph, from_text, read_document
from dedup.schemes.interface import Comparison
from dedup.schemes.literature.paragraph_match import Paragraphs
from tests.schemes.finding import found

LAW = settings(derandomize=True, deadline=None, max_examples=30)
TEXTS = load_texts()
SCHEME = Paragraphs()
LAST = "And one more sentence stands at the end."


def paragraph(n: int, sentences: int = 3) -> str:
    """A paragraph of its own: of words that no other has."""
    random = Random(n)
    words = [f"w{n}x{random.randrange(1000)}" for _ in range(10 * sentences)]
    return " ".join(f"The {' '.join(words[i : i + 10])}." for i in range(0, len(words), 10))


def paragraphs(*numbers: int) -> list[str]:
    return [paragraph(n) for n in numbers]


def document(*texts: str, title: str = "") -> Document:
    return read_document(from_text("\n".join(texts), title))


def compare(one: Document, other: Document, scheme: Paragraphs = SCHEME) -> Comparison:
    return scheme.compare(scheme.fingerprint(one), scheme.fingerprint(other))


@LAW
@given(st.permutations(range(12)))
def test_the_order_of_paragraphs_does_not_matter(order: list[int]) -> None:
    comparison = compare(document(*paragraphs(*range(12))), document(*paragraphs(*order)))
    assert comparison.similarity == 1.0
    assert comparison.containment == 1.0


@pytest.mark.parametrize("shared", [0, 3, 5, 8, 10])
def test_similarity_is_the_share_of_the_weight_that_matches(shared: int) -> None:
    one = document(*paragraphs(*range(10)))
    other = document(*paragraphs(*range(shared), *range(20, 30 - shared)))
    assert compare(one, other).similarity == pytest.approx(shared / 10, abs=0.04)


def test_passages_match_up_to_the_distance() -> None:
    one, other = document(paragraph(0)), document(f"{paragraph(0)} {LAST}")
    (a,), (b,) = (SCHEME.words(SCHEME.fingerprint(page)) for page in (one, other))
    apart = (a.value ^ b.value).bit_count()
    assert compare(one, other, Paragraphs(distance=apart)).similarity == 1.0
    assert compare(one, other, Paragraphs(distance=apart - 1)).similarity == 0.0


def test_early_paragraphs_weigh_more() -> None:
    page = document(*paragraphs(*range(10)))
    first = compare(page, document(*paragraphs(0, 1, *range(20, 28)))).similarity
    last = compare(page, document(*paragraphs(*range(20, 28), 8, 9))).similarity
    assert first > last


def test_paragraphs_below_a_heading_weigh_more() -> None:
    def page(first: int, kind: Kind) -> Document:
        texts = [(f"Heading {first}", kind), *((text, Kind.TEXT) for text in paragraphs(first, 9))]
        blocks = tuple(Paragraph(text, what, 0, n) for n, (text, what) in enumerate(texts))
        return read_document(MainText("", blocks, sure=True))

    plain, headed = (
        compare(page(1, kind), page(2, kind)).similarity for kind in (Kind.TEXT, Kind.HEADING)
    )
    assert headed < plain  # what differs stands below the heading


@pytest.mark.parametrize("around", [2, 6, 15])
def test_a_text_wrapped_in_another_is_contained_in_it(around: int) -> None:
    text = paragraphs(*range(6))
    wrapped = [
        *paragraphs(*range(100, 100 + around)),
        *text,
        *paragraphs(*range(200, 200 + around)),
    ]
    comparison = compare(document(*text, title="Ferries"), document(*wrapped, title="Reprints"))
    assert comparison.containment == 1.0
    assert SCHEME.accepts(comparison, same_host=False)


def test_an_excerpt_of_a_third_is_contained_in_its_page() -> None:
    comparison = compare(document(*paragraphs(*range(18))), document(*paragraphs(*range(7, 13))))
    assert comparison.containment == 1.0
    assert SCHEME.accepts(comparison, same_host=False)


def test_one_quoted_paragraph_is_no_containment() -> None:
    comparison = compare(document(paragraph(1)), document(*paragraphs(*range(20))))
    assert comparison.containment is None
    assert not SCHEME.accepts(comparison, same_host=False)


def test_containment_does_not_count_between_pages_of_one_host() -> None:
    contained = Comparison(0.2, None, 1.0)
    assert SCHEME.accepts(contained, same_host=False)
    assert not SCHEME.accepts(contained, same_host=True)
    assert not SCHEME.accepts(Comparison(0.5), same_host=True)
    assert SCHEME.accepts(Comparison(0.8), same_host=True)


def test_pages_of_one_template_are_not_accepted() -> None:
    chrome = paragraphs(900, 901, 902)
    one, other = (document(*chrome, *paragraphs(*range(n, n + 3))) for n in (0, 10))
    assert not SCHEME.accepts(compare(one, other), same_host=True)


@LAW
@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=12),
    st.lists(st.integers(0, 9), min_size=1, max_size=12),
)
def test_a_comparison_is_the_same_both_ways(one: list[int], other: list[int]) -> None:
    a, b = (SCHEME.fingerprint(document(*paragraphs(*numbers))) for numbers in (one, other))
    assert SCHEME.compare(a, b) == SCHEME.compare(b, a)
    assert SCHEME.compare(a, a).similarity == 1.0


def test_of_long_pages_the_longest_passages_are_kept_and_compared() -> None:
    scheme = Paragraphs(paragraphs=8)
    long = [paragraph(n, sentences=3 + n % 7) for n in range(60)]
    page, part = document(*long), document(*long[:30])
    assert len(scheme.words(scheme.fingerprint(page))) == 8
    comparison = compare(page, part, scheme)
    assert comparison.containment == 1.0


def test_a_page_of_very_many_paragraphs_keeps_a_bounded_number() -> None:
    page = document(*(f"line {n} of a page with short lines" for n in range(20_000)))
    value = SCHEME.fingerprint(page)
    assert len(SCHEME.words(value)) <= 64
    assert len(value) <= 1 + 64 * 20


def test_a_text_too_short_for_a_passage_repeats_only_equal_ones() -> None:
    one, other = document("Only a few words"), document("Only a few other words")
    assert compare(one, one).similarity == 1.0
    assert compare(one, other).similarity == 0.0


@pytest.mark.parametrize("kind", ["memory", "leveldb"])
@pytest.mark.parametrize("name", ["ferry.corrected", "tide.light"])
def test_a_page_is_found_by_an_edited_one(name: str, kind: str, tmp_path: Path) -> None:
    stored = {text: document(TEXTS[text].plain) for text in ("ferry", "tide", "tea")}
    edited = document(TEXTS[name].plain)
    assert found(SCHEME, kind, tmp_path, stored, edited) == {name.partition(".")[0]}


@pytest.mark.parametrize("kind", ["memory", "leveldb"])
def test_a_page_is_found_by_a_repost_wrapped_in_other_text(kind: str, tmp_path: Path) -> None:
    stored = {text: document(TEXTS[text].plain) for text in ("ferry", "tide", "tea")}
    wrapped = document(TEXTS["stew"].plain, TEXTS["ferry"].plain, TEXTS["queue"].plain)
    assert found(SCHEME, kind, tmp_path, stored, wrapped) == {"ferry"}


def test_a_common_paragraph_finds_nothing_any_more(tmp_path: Path) -> None:
    stored = {str(n): document(paragraph(0), *paragraphs(n)) for n in (1, 2)}
    page = document(paragraph(0))
    for common, names in ((2, {"1", "2"}), (1, set())):
        scheme = Paragraphs(common=common, min_similarity=0.6)
        assert found(scheme, "memory", tmp_path, stored, page) == names
