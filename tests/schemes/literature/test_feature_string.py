"""One digest of the heaviest words that are no stop words."""

import hashlib
from pathlib import Path

import pytest

from dedup.schemes.literature.feature_string import FeatureString
from tests.schemes.reading import document
from tests.schemes.small_model import write_small_model

# Counts times nidf: tea 5 * 1/3, quay 2 * 2/3, skarne 1, heron 2/3; "the" weighs nothing.
TEXT = "the tea the quay skarne tea tea quay heron the tea tea"


@pytest.fixture
def idf(tmp_path: Path) -> str:
    return write_small_model(tmp_path)


def fingerprint(scheme: FeatureString, text: str = TEXT) -> bytes:
    return scheme.fingerprint(document(text))


def md5(text: str) -> bytes:
    return hashlib.md5(text.encode()).digest()


def test_it_is_the_md5_of_the_heaviest_words_sorted_and_joined(idf: str) -> None:
    assert fingerprint(FeatureString(idf=idf, features=3)) == md5("quay skarne tea")


def test_stop_words_do_not_count_however_heavy(idf: str) -> None:
    assert fingerprint(FeatureString(idf=idf, features=3, stop=0.4)) == md5("heron quay skarne")


def test_order_and_common_words_do_not_matter(idf: str) -> None:
    scheme = FeatureString(idf=idf)
    one, other = (
        fingerprint(scheme),
        fingerprint(scheme, "skarne quay quay heron tea " + "tea " * 4),
    )
    assert one == other


def test_a_word_among_the_heaviest_matters(idf: str) -> None:
    scheme = FeatureString(idf=idf)
    assert fingerprint(scheme) != fingerprint(scheme, TEXT.replace("heron", "moss"))


def test_texts_of_stop_words_are_alike_only_where_they_are_equal(idf: str) -> None:
    scheme = FeatureString(idf=idf)
    assert fingerprint(scheme, "the the") == fingerprint(scheme, "The, the")
    assert fingerprint(scheme, "the the") != fingerprint(scheme, "the the the")
