"""Shingles in their four published samplings."""

from pathlib import Path

import numpy as np
import pytest
from xxhash import xxh3_64_intdigest

from dedup.page import Document
from dedup.schemes.hashing import shingle_set, token_hashes
from dedup.schemes.interface import Comparison
from dedup.schemes.literature.shingles import Shingles
from dedup.schemes.literature.sketches import minima
from tests.schemes.finding import found
from tests.schemes.reading import document

SAMPLINGS = ["heintze", "bharat", "broder", "fetterly"]
ROSE = "a rose is a rose is a rose".split()


def words_of(n: int, size: int = 2000) -> list[str]:
    return [f"w{n}x{i}" for i in range(size)]


def values(scheme: Shingles, page: Document) -> list[int]:
    return [word.value for word in scheme.words(scheme.fingerprint(page))]


def similarity(scheme: Shingles, one: Document, other: Document) -> float:
    return scheme.compare(scheme.fingerprint(one), scheme.fingerprint(other)).similarity


def test_small_sets_have_their_exact_resemblance() -> None:
    """Broder's own example has three 4-shingles."""
    scheme = Shingles(shingle=4)
    assert len(values(scheme, document(*ROSE))) == 3
    assert similarity(scheme, document(*ROSE), document(*ROSE[1:])) == 1.0
    assert similarity(scheme, document(*ROSE), document(*ROSE, "garden")) == 3 / 4
    assert similarity(scheme, document(*ROSE), document(*"no rose at all".split())) == 0.0


def test_heintze_keeps_the_smallest_hashes_and_finds_by_all_of_them() -> None:
    tokens = words_of(1)
    kept = values(Shingles(), document(*tokens))
    assert kept == shingle_set(token_hashes(tokens), 5)[:100].tolist()


def test_heintze_drops_shingles_that_are_frequent_in_the_collection(tmp_path: Path) -> None:
    chrome = words_of(0, 60)
    stored = {str(n): document(*chrome, *words_of(n, 60)) for n in (1, 2)}
    page = document(*chrome, *words_of(3, 5))
    for common, names in ((2, {"1", "2"}), (1, set())):
        scheme = Shingles(min_similarity=0.4, smallest=1000, common=common)
        assert found(scheme, "memory", tmp_path, stored, page) == names


def test_bharat_keeps_the_hashes_divisible_by_25_at_most_400() -> None:
    scheme = Shingles(sampling="bharat")
    tokens = words_of(1)
    hashes = shingle_set(token_hashes(tokens), 5)
    assert values(scheme, document(*tokens)) == hashes[hashes % np.uint64(25) == 0].tolist()
    assert 50 < len(values(scheme, document(*tokens))) < 115
    assert len(values(scheme, document(*words_of(1, 20_000)))) == 400


@pytest.mark.parametrize("sampling", ["heintze", "bharat"])
@pytest.mark.parametrize("size", [600, 4000, 24_000])
def test_resemblance_of_large_sets_is_estimated(sampling: str, size: int) -> None:
    scheme = Shingles(sampling=sampling)
    errors = []
    for n in range(12):
        common = words_of(n, size // 2)
        one = document(*common, *(f"a{n}x{i}" for i in range(size // 4)))
        other = document(*common, *(f"b{n}x{i}" for i in range(size // 4)))
        a, b = (set(shingle_set(token_hashes(page.tokens), 5).tolist()) for page in (one, other))
        errors.append(similarity(scheme, one, other) - len(a & b) / len(a | b))
    assert abs(np.mean(errors)) < 0.06


def test_broder_keeps_the_shingles_of_the_sorted_sketch() -> None:
    tokens = words_of(1)
    hashes = shingle_set(token_hashes(tokens), 5)
    sketch = hashes[hashes % np.uint64(25) == 0]
    runs = [sketch[i : i + 6] for i in range(len(sketch) - 5)]
    expected = sorted(xxh3_64_intdigest(run.astype("<u8").tobytes()) for run in runs)
    assert values(Shingles(sampling="broder"), document(*tokens)) == expected


def test_broder_accepts_one_super_shingle_in_common_and_no_less() -> None:
    scheme = Shingles(sampling="broder")
    common = words_of(1, 800)
    one, other = document(*common, *words_of(2, 80)), document(*common, *words_of(3, 80))
    shared = set(values(scheme, one)) & set(values(scheme, other))
    assert len(shared) >= 1
    assert scheme.accepts(Comparison(similarity(scheme, one, other)), same_host=False)
    assert not scheme.accepts(Comparison(0.0), same_host=False)


def test_broder_has_no_super_shingles_of_short_pages_only_equal_ones_repeat_them() -> None:
    scheme = Shingles(sampling="broder")
    tokens = words_of(1, 60)
    one, other = document(*tokens), document(*tokens, "more")
    assert len(values(scheme, one)) == 1
    assert similarity(scheme, one, document(*tokens)) == 1.0
    assert similarity(scheme, one, other) == 0.0


def test_fetterly_joins_84_minima_to_6_super_shingles_of_14() -> None:
    tokens = words_of(1)
    groups = minima(shingle_set(token_hashes(tokens), 5), 84).reshape(6, 14)
    expected = [xxh3_64_intdigest(group.astype("<u8").tobytes()) for group in groups]
    assert values(Shingles(sampling="fetterly"), document(*tokens)) == expected


@pytest.mark.parametrize(("agreeing", "accepted"), [(0, False), (1, False), (2, True), (6, True)])
def test_fetterly_accepts_two_that_agree(agreeing: int, accepted: bool) -> None:
    scheme = Shingles(sampling="fetterly")
    one = np.arange(6, dtype="<u8")
    other = np.where(one < agreeing, one, one + 100).astype("<u8")
    comparison = scheme.compare(one.tobytes(), other.tobytes())
    assert comparison.similarity == agreeing / 6
    assert scheme.accepts(comparison, same_host=False) == accepted


def test_fetterly_super_shingles_agree_with_the_14th_power_of_the_resemblance() -> None:
    scheme = Shingles(sampling="fetterly")
    shares = []
    for n in range(60):
        common = words_of(n, 388)
        one, other = document(*common, *words_of(100 + n, 12)), document(*common)
        shares.append(similarity(scheme, one, other))
    assert abs(np.mean(shares) - (384 / 396) ** 14) < 0.08


@pytest.mark.parametrize("kind", ["memory", "leveldb"])
@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_a_page_is_found_by_an_edited_one(sampling: str, kind: str, tmp_path: Path) -> None:
    tokens = words_of(1, 900)
    stored = {"one": document(*tokens), "two": document(*words_of(2, 900))}
    edited = document(*tokens[:450], "new", *tokens[455:])
    assert found(Shingles(sampling=sampling), kind, tmp_path, stored, edited) == {"one"}
