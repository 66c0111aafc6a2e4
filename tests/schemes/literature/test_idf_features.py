"""The string of a text's rarest words."""

import hashlib
from pathlib import Path

import pytest

from dedup.schemes.literature.idf_features import IdfFeatures
from tests.schemes.reading import document
from tests.schemes.small_model import write_small_model


@pytest.fixture
def scheme(tmp_path: Path) -> IdfFeatures:
    return IdfFeatures(idf=write_small_model(tmp_path))


def test_the_string_has_the_rarest_seven_tenths_of_the_words_rarest_first(
    scheme: IdfFeatures,
) -> None:
    ten = document("the tea ferry harbour quay heron skarne moss lamp bell the tea")
    assert scheme.feature_string(ten) == "bell lamp moss skarne heron quay ferry"


def test_the_share_of_words_is_an_option(scheme: IdfFeatures) -> None:
    text = document("the tea heron skarne")
    for kept, string in (
        (0.05, "skarne"),
        (0.5, "skarne heron"),
        (0.7, "skarne heron tea"),
        (1.0, "skarne heron tea the"),
    ):
        assert IdfFeatures(idf=scheme.idf, kept=kept).feature_string(text) == string


def test_a_fingerprint_is_a_digest_of_the_string(scheme: IdfFeatures) -> None:
    value = scheme.fingerprint(document("tea heron skarne"))
    assert value == hashlib.blake2b(b"skarne heron", digest_size=16).digest()


def test_order_counts_and_common_words_do_not_matter(scheme: IdfFeatures) -> None:
    one = scheme.fingerprint(document("the quay of skarne and a heron"))
    other = scheme.fingerprint(document("a heron, and the skarne of quay: the heron, of the quay"))
    assert one == other
