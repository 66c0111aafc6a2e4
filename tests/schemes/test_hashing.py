"""Shingles to hashes, in bulk and yet as the definition says."""

from hypothesis import given, settings
from hypothesis import strategies as st
from xxhash import xxh3_64_intdigest

from dedup.native.portable.hashes import shingle_run
from dedup.schemes.hashing import document_hashes, shingle_set, token_hashes, token_hashes_128
from tests.schemes.reading import document

LAW = settings(derandomize=True, deadline=None, max_examples=200)
TOKENS = st.lists(st.text("abc茶\ud800", min_size=1, max_size=2), max_size=40)
WORD = (1 << 64) - 1


def reference(tokens: list[str], width: int) -> list[int]:
    """A polynomial of the tokens' hashes, finished by splitmix64, a shingle at a time."""
    hashes = [xxh3_64_intdigest(token.encode("utf-8", "replace")) for token in tokens]
    width = min(width, len(hashes))
    found = set()
    for start in range(len(hashes) - width + 1 if hashes else 0):
        total = 0
        for value in hashes[start : start + width]:
            total = (total * 0x9E3779B97F4A7C15 + value) & WORD
        total = ((total ^ total >> 30) * 0xBF58476D1CE4E5B9) & WORD
        total = ((total ^ total >> 27) * 0x94D049BB133111EB) & WORD
        found.add(total ^ total >> 31)
    return sorted(found)


@LAW
@given(TOKENS, st.integers(1, 6))
def test_shingle_hashes_are_those_of_the_definition(tokens: list[str], width: int) -> None:
    assert shingle_set(token_hashes(tokens), width).tolist() == reference(tokens, width)


def test_shingles_are_distinct_and_sorted() -> None:
    hashes = shingle_set(token_hashes("a b c a b c a b c d".split()), 3).tolist()
    assert hashes == sorted(set(hashes))
    assert len(hashes) == 4


def test_the_order_of_tokens_inside_a_shingle_matters() -> None:
    forth, back = (shingle_set(token_hashes(tokens), 3).tolist() for tokens in ("abc", "cba"))
    assert forth != back


def test_a_text_shorter_than_a_shingle_is_one_shingle() -> None:
    assert len(shingle_set(token_hashes(["a", "b"]), 3)) == 1
    assert len(shingle_set(token_hashes(["a"]), 3)) == 1
    assert len(shingle_set(token_hashes([]), 3)) == 0


def test_tokens_are_hashed_by_xxh3() -> None:
    assert token_hashes(["tea", "茶"]).tolist() == [0xB9FBB2C10201D480, 0xEF7FD3D377D19BFD]


def test_a_document_has_the_hashes_of_its_tokens() -> None:
    tokens = ["tea", "茶", "tea"]
    assert document_hashes(document(*tokens), 7).tolist() == token_hashes(tokens, 7).tolist()


def test_a_run_has_every_shingle_in_order() -> None:
    run = shingle_run(token_hashes("abcab"), 2).tolist()
    assert len(run) == 4
    assert run[0] == run[3] != run[1]


def test_128_bit_hashes_have_their_low_half_first() -> None:
    assert token_hashes_128(["tea"]).tolist() == [[0xB9FBB2C10201D480, 0x416671DB6892C826]]
