"""MinHash: banded minima, verified on a few bits of each."""

from pathlib import Path

import numpy as np
import pytest

from crawler.demo.texts import load_texts
from dedup.page import Document
from dedup.schemes.interface import Comparison
from dedup.schemes.literature.minhash import MinHash
from tests.schemes.finding import found
from tests.schemes.reading import document

TEXTS = load_texts()


def pair(n: int, shared: int, size: int = 200) -> tuple[Document, Document]:
    """Two pages of ``size`` different words that have ``shared`` in common."""
    common = [f"c{n}x{i}" for i in range(shared)]
    one, other = ([f"{side}{n}x{i}" for i in range(size - shared)] for side in "ab")
    return document(*common, *one), document(*common, *other)


@pytest.mark.parametrize("bits", [1, 2, 4, 8, 16, 32])
@pytest.mark.parametrize("shared", [60, 120, 180])
def test_resemblance_is_estimated_without_bias_from_few_bits(shared: int, bits: int) -> None:
    scheme = MinHash(bits=bits, bands=64)
    pairs = [pair(n, shared) for n in range(25)]
    estimates = [
        scheme.compare(scheme.fingerprint(one), scheme.fingerprint(other)).similarity
        for one, other in pairs
    ]
    exact = shared / (400 - shared)
    assert abs(np.mean(estimates) - exact) < 0.03


def test_pages_with_nothing_in_common_are_not_alike_though_bits_agree_by_chance() -> None:
    scheme = MinHash(bits=1, bands=64)
    estimates = []
    for n in range(20):
        one, other = pair(n, 0)
        estimates.append(scheme.compare(scheme.fingerprint(one), scheme.fingerprint(other)))
    assert np.mean([estimate.similarity for estimate in estimates]) < 0.06


@pytest.mark.parametrize(("bands", "rows"), [(32, 4), (16, 8)])
def test_a_page_has_a_key_a_band_of_all_its_rows(bands: int, rows: int) -> None:
    """Two pages share a band with probability 1 - (1 - J**r)**b."""
    scheme = MinHash(bands=bands, rows=rows)
    hits = 0
    for n in range(150):
        keys = [set(scheme.words(scheme.fingerprint(page))) for page in pair(n, 130)]
        assert len(keys[0]) == bands
        hits += bool(keys[0] & keys[1])
    resemblance = 130 / 270
    expected = 1 - (1 - resemblance**rows) ** bands
    assert abs(hits / 150 - expected) < 0.1


@pytest.mark.parametrize(("bits", "size"), [(8, 256 + 128), (1, 256 + 16), (32, 256 + 512)])
def test_a_fingerprint_holds_the_keys_and_the_bits(bits: int, size: int) -> None:
    scheme = MinHash(bits=bits)
    assert len(scheme.fingerprint(document(*(f"w{i}" for i in range(5000))))) == size


def test_features_are_words_or_shingles() -> None:
    forth, back = document(*"abcdefghijkl"), document(*"lkjihgfedcba")
    for shingle, similarity in ((1, 1.0), (3, 0.0)):
        scheme = MinHash(shingle=shingle)
        comparison = scheme.compare(scheme.fingerprint(forth), scheme.fingerprint(back))
        assert comparison.similarity == pytest.approx(similarity, abs=0.03)


def test_pages_of_one_host_must_be_more_alike() -> None:
    scheme = MinHash(min_similarity=0.5, min_similarity_same_host=0.9)
    assert scheme.accepts(Comparison(0.5), same_host=False)
    assert not scheme.accepts(Comparison(0.8), same_host=True)
    assert scheme.accepts(Comparison(0.9), same_host=True)


@pytest.mark.parametrize("kind", ["memory", "leveldb"])
def test_a_page_is_found_by_an_edited_one(kind: str, tmp_path: Path) -> None:
    stored = {name: document(TEXTS[name].plain) for name in ("ferry", "tea")}
    edited = document(TEXTS["ferry.corrected"].plain)
    assert found(MinHash(), kind, tmp_path, stored, edited) == {"ferry"}
