"""The five rules of Tianwang, and SIM."""

import hashlib
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.schemes.literature.tianwang import (
    TianwangAbstract,
    TianwangOrdered,
    TianwangOrderedWeighted,
    TianwangSorted,
    TianwangSortedWeighted,
    weight_difference,
)
from tests.schemes.reading import document
from tests.schemes.small_model import write_small_model

LAW = settings(derandomize=True, deadline=None, max_examples=200)
VECTORS = st.lists(st.tuples(st.floats(0, 1e3), st.floats(0, 1e3)), min_size=1, max_size=10)
# Counts times nidf: quay 2 * 2/3, skarne 1, tea 2 * 1/3, heron 2/3, ferry 1/3, "the" nothing.
TEXT = "the quay the skarne tea quay heron the tea ferry"


@pytest.fixture
def idf(tmp_path: Path) -> str:
    return write_small_model(tmp_path)


def md5(text: str) -> bytes:
    return hashlib.md5(text.encode()).digest()


@pytest.mark.parametrize(
    ("one", "other", "sim"),
    [
        ((3, 4), (3, 4), 0.0),
        ((1, 0), (0, 1), 1.0),
        ((2, 0), (0, 5), 1.0),
        ((2, 0), (1, 0), 0.2),  # 1 / (4 + 1): the same angle, another length
        ((3, 1), (1, 1), 1 / 3),  # 4 / (10 + 2)
        ((0, 0), (0, 0), 0.0),
        ((1, 1), (0, 0), 1.0),
    ],
)
def test_sim_is_0_for_equal_and_1_for_orthogonal_vectors(
    one: tuple[float, ...], other: tuple[float, ...], sim: float
) -> None:
    assert weight_difference(np.array(one, float), np.array(other, float)) == pytest.approx(sim)


@LAW
@given(VECTORS)
def test_sim_lies_between_0_and_1_and_is_symmetric(pairs: list[tuple[float, float]]) -> None:
    one, other = np.array(pairs).T
    sim = weight_difference(one, other)
    assert 0 <= sim <= 1 + 1e-12
    assert sim == weight_difference(other, one)
    assert weight_difference(one, one) == 0


def test_ordered_is_the_md5_of_the_heaviest_keywords_by_weight(idf: str) -> None:
    scheme = TianwangOrdered(idf=idf, keywords=3)
    assert scheme.fingerprint(document(TEXT)) == md5("quay skarne heron")


def test_keywords_of_equal_weight_are_ordered_by_spelling(idf: str) -> None:
    scheme = TianwangOrdered(idf=idf, keywords=4)
    assert scheme.fingerprint(document(TEXT)) == md5("quay skarne heron tea")


def test_sorted_is_the_md5_of_the_same_keywords_in_lexical_order(idf: str) -> None:
    scheme = TianwangSorted(idf=idf, keywords=3)
    assert scheme.fingerprint(document(TEXT)) == md5("heron quay skarne")


def test_words_that_weigh_nothing_are_no_keywords(idf: str) -> None:
    scheme = TianwangSorted(idf=idf)
    assert scheme.fingerprint(document(TEXT)) == md5("ferry heron quay skarne tea")


def test_only_the_order_of_weights_tells_ordered_from_sorted(idf: str) -> None:
    swapped = document("the quay skarne skarne the tea heron the tea ferry")
    for scheme, equal in ((TianwangOrdered(idf=idf), False), (TianwangSorted(idf=idf), True)):
        values = scheme.fingerprint(document(TEXT)), scheme.fingerprint(swapped)
        assert (values[0] == values[1]) == equal


def test_weighted_rules_keep_the_weights_in_the_order_of_the_keywords(idf: str) -> None:
    for scheme, weights in (
        (TianwangOrderedWeighted(idf=idf, keywords=3), (4 / 3, 1, 2 / 3)),
        (TianwangSortedWeighted(idf=idf, keywords=3), (2 / 3, 4 / 3, 1)),
    ):
        value = scheme.fingerprint(document(TEXT))
        assert struct.unpack("<3f", value[16:]) == pytest.approx(weights, abs=1e-4)


def test_weighted_rules_find_by_the_keywords_alone(idf: str) -> None:
    plain, weighted = TianwangSorted(idf=idf), TianwangSortedWeighted(idf=idf)
    a, b = (scheme.words(scheme.fingerprint(document(TEXT))) for scheme in (plain, weighted))
    assert a == b


def test_similarity_of_the_weighted_rules_is_1_less_sim(idf: str) -> None:
    scheme = TianwangSortedWeighted(idf=idf)
    one, other = (scheme.fingerprint(document(text)) for text in ("quay heron", "quay heron heron"))
    # weights (2/3, 2/3) and (4/3, 2/3): |difference|^2 is 4/9, the sum of squares 8/9 + 20/9
    assert scheme.compare(one, other).similarity == pytest.approx(1 - 4 / 28, abs=1e-4)


@pytest.mark.parametrize(("difference", "accepted"), [(0.15, True), (0.14, False)])
def test_weights_must_differ_by_less_than_the_limit(
    difference: float, accepted: bool, idf: str
) -> None:
    scheme = TianwangSortedWeighted(idf=idf, difference=difference)
    one, other = (scheme.fingerprint(document(text)) for text in ("quay heron", "quay heron heron"))
    assert scheme.accepts(scheme.compare(one, other), same_host=False) == accepted


def test_other_keywords_are_not_alike_whatever_the_weights(idf: str) -> None:
    scheme = TianwangOrderedWeighted(idf=idf)
    one, other = (scheme.fingerprint(document(text)) for text in ("quay heron", "skarne moss"))
    assert scheme.compare(one, other).similarity == 0.0


@pytest.mark.parametrize("scheme", [TianwangOrdered, TianwangSortedWeighted])
def test_texts_without_keywords_are_alike_only_where_they_are_equal(
    scheme: type[TianwangOrdered | TianwangSortedWeighted], idf: str
) -> None:
    made = scheme(idf=idf)
    one, same, other = (made.fingerprint(document(t)) for t in ("the the", "The THE.", "the"))
    assert made.accepts(made.compare(one, same), same_host=True)
    assert not made.accepts(made.compare(one, other), same_host=True)


def test_the_abstract_is_the_md5_of_the_first_512_bytes() -> None:
    text = " ".join(f"word{n}" for n in range(200))
    assert TianwangAbstract().fingerprint(document(text)) == md5(text[:512])


def test_a_text_shorter_than_the_abstract_counts_whole() -> None:
    assert TianwangAbstract().fingerprint(document("Tea, and more tea.")) == md5("tea and more tea")


def test_the_abstract_cuts_no_character_in_two() -> None:
    scheme = TianwangAbstract(octets=16)
    value = scheme.fingerprint(document("차 차 차 차 차 차 차"))
    assert value == md5("차 차 차 차 ")  # 4 * 4 bytes
    assert TianwangAbstract(octets=18).fingerprint(document("차 차 차 차 차 차")) == value


def test_texts_of_one_opening_are_alike() -> None:
    opening = " ".join(f"word{n}" for n in range(200))
    scheme = TianwangAbstract()
    one, other = (scheme.fingerprint(document(f"{opening} {end}")) for end in ("tea", "coffee"))
    assert scheme.accepts(scheme.compare(one, other), same_host=False)
