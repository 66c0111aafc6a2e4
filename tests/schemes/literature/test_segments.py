"""Segments of about equal length, and how many of them two pages share."""

from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xxhash import xxh3_64_intdigest

from dedup.schemes.literature.segments import Segments, cut_segments
from tests.schemes.reading import document

LAW = settings(derandomize=True, deadline=None, max_examples=200)
PARAGRAPHS = st.lists(st.lists(st.sampled_from("abcdef"), max_size=30), max_size=12)
LINES = [" ".join(f"line{n}word{i}" for i in range(8)) for n in range(16)]


def fingerprint(*lines: str, scheme: Segments | None = None) -> bytes:
    return (scheme or Segments()).fingerprint(document("\n".join(lines)))


def test_sixteen_lines_of_equal_length_are_sixteen_segments() -> None:
    values = [word.value for word in Segments().words(fingerprint(*LINES))]
    assert values == sorted(xxh3_64_intdigest(line.encode()) for line in LINES)


@pytest.mark.parametrize(
    ("paragraphs", "segments", "cut"),
    [
        ("aa bb cc dd", 2, "aabb ccdd"),  # merged to 4 tokens or more
        ("aaa bbb c d", 2, "aaabbb cd"),
        ("abcdefgh", 4, "ab cd ef gh"),  # longer than a segment: cut
        ("abcdef gh", 4, "ab cd ef gh"),
        ("abcde fgh", 4, "ab cd efg h"),  # the rest of a cut paragraph goes with the next
        ("abc", 8, "a b c"),  # fewer tokens than segments
        ("abcdefghi", 8, "ab cd ef gh i"),  # a power of two: 9 / 8 makes 2
        ("", 8, ""),
    ],
)
def test_paragraphs_are_merged_or_cut_to_about_equal_length(
    paragraphs: str, segments: int, cut: str
) -> None:
    parts = cut_segments([list(part) for part in paragraphs.split()], segments)
    assert ["".join(part) for part in parts] == cut.split()


@LAW
@given(PARAGRAPHS, st.integers(1, 12))
def test_segments_are_the_whole_text_in_order_and_of_about_equal_length(
    paragraphs: list[list[str]], segments: int
) -> None:
    cut = cut_segments(paragraphs, segments)
    total = sum(map(len, paragraphs))
    assert list(chain.from_iterable(cut)) == list(chain.from_iterable(paragraphs))
    assert len(cut) <= segments
    assert all(cut)
    assert all(total / segments <= len(part) for part in cut[:-1])
    assert all(len(part) <= 4 * (total / segments + 1) for part in cut)


def test_below_an_edit_the_cuts_fall_into_place_again() -> None:
    lines = LINES[:14]
    comparison = Segments().compare(
        fingerprint(*lines), fingerprint(lines[0], "a line put in here", *lines[1:])
    )
    assert comparison.similarity == 13 / 14  # the line goes with the one after it


def test_similarity_is_the_share_of_signatures_in_common() -> None:
    edited = [*LINES[:6], *(line.replace("word3", "other") for line in LINES[6:])]
    comparison = Segments().compare(fingerprint(*LINES), fingerprint(*edited))
    assert comparison.similarity == 6 / 16
    assert comparison.distance is None


def test_an_excerpt_is_contained() -> None:
    comparison = Segments().compare(
        fingerprint(*LINES), fingerprint(*LINES[:8], scheme=Segments(segments=8))
    )
    assert (comparison.similarity, comparison.containment) == (0.5, 1.0)


@pytest.mark.parametrize(("changed", "accepted"), [(10, True), (11, False)])
def test_pages_that_share_m_of_n_are_accepted(changed: int, accepted: bool) -> None:
    scheme = Segments(segments=16, shared=6)
    edited = [line.replace("word3", "other") for line in LINES[:changed]] + LINES[changed:]
    comparison = scheme.compare(fingerprint(*LINES), fingerprint(*edited))
    assert scheme.accepts(comparison, same_host=True) == accepted
    assert scheme.accepts(comparison, same_host=False) == accepted


def test_a_tiny_text_has_fewer_segments_and_needs_proportionally_fewer() -> None:
    scheme = Segments(segments=8, shared=4)
    one, other, third = (fingerprint(t, scheme=scheme) for t in ("a b c d", "a b x y", "a x y z"))
    assert len(scheme.words(one)) == 4
    assert scheme.accepts(scheme.compare(one, other), same_host=False)
    assert not scheme.accepts(scheme.compare(one, third), same_host=False)


def test_signatures_that_many_pages_share_can_become_common() -> None:
    [space] = Segments(common=7).spaces
    assert (space.bits, space.radius, space.cap) == (64, 0, 7)


def test_an_empty_fingerprint_is_like_nothing() -> None:
    assert Segments().compare(b"", b"").similarity == 0.0
