"""SimHash: one bit string a page, near for pages near in their words."""

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from xxhash import xxh3_64_intdigest, xxh3_128_intdigest

from dedup.page import from_text, read_document
from dedup.schemes import SimHash
from dedup.schemes.document_frequencies import write_table
from dedup.schemes.simhash import simhash
from tests.schemes.reading import document

LAW = settings(derandomize=True, deadline=None, max_examples=150)
ENGLISH = "The old market hall has carried gulls, snow and one runaway kite on its roof."
CHINESE = "云坪山上的老茶树从来没有名字，今年春天情况变了。"
TOKENS = st.lists(st.text("abcdef茶树", min_size=1, max_size=3), min_size=1, max_size=60)
BITS = st.sampled_from([64, 128])


def reference(tokens: Sequence[str], bits: int) -> int:
    """SimHash as the paper has it, bit by bit, exactly: in whole numbers of 1/4096."""
    digest = xxh3_64_intdigest if bits == 64 else xxh3_128_intdigest
    sums = [0] * bits
    for token, count in Counter(tokens).items():
        weight = round((1 + math.log(count)) * 4096)
        value = digest(token.encode())
        for bit in range(bits):
            sums[bit] += weight if value >> bit & 1 else -weight
    return sum(1 << bit for bit in range(bits) if sums[bit] > 0)


def distance(one: int, other: int) -> int:
    return (one ^ other).bit_count()


@LAW
@given(TOKENS, BITS)
def test_each_bit_is_the_weighted_vote_of_the_words(tokens: list[str], bits: int) -> None:
    assert simhash(tokens, bits) == reference(tokens, bits)


@settings(LAW, max_examples=6, phases=[Phase.generate])  # shrinking would take minutes
@given(st.integers(4000, 9500), st.integers(1, 10**6), BITS)
def test_many_features_and_large_weights_are_counted_exactly(
    words: int, repeats: int, bits: int
) -> None:
    tokens = [f"w{i}" for i in range(words)] + ["often"] * repeats
    assert simhash(tokens, bits) == reference(tokens, bits)


@LAW
@given(TOKENS, st.randoms(use_true_random=False), BITS)
def test_the_order_of_words_does_not_matter(tokens: list[str], random: Random, bits: int) -> None:
    shuffled = random.sample(tokens, len(tokens))
    assert simhash(shuffled, bits) == simhash(tokens, bits)


@pytest.mark.parametrize("bits", [64, 128])
def test_the_more_words_two_texts_share_the_nearer_they_are(bits: int) -> None:
    def mean_distance(shared: int) -> float:
        """Over many pairs of texts of 200 words that have so many in common."""
        pairs = [
            (
                [f"common{n}-{i}" for i in range(shared)] + [f"one{n}-{i}" for i in range(rest)],
                [f"common{n}-{i}" for i in range(shared)] + [f"two{n}-{i}" for i in range(rest)],
            )
            for rest in [200 - shared]
            for n in range(20)
        ]
        return sum(distance(simhash(a, bits), simhash(b, bits)) for a, b in pairs) / len(pairs)

    means = [mean_distance(shared) for shared in (0, 50, 100, 150, 190, 200)]
    assert means == sorted(means, reverse=True)
    assert means[0] > 0.45 * bits
    assert means[-1] == 0


@pytest.mark.parametrize(
    ("text", "bits", "expected"),
    [
        (ENGLISH, 64, 0xB93DF7EBA87A99ED),
        (ENGLISH, 128, 0xD948C81886BD1A908B19E1EBA691BC75),
        (CHINESE, 64, 0xA74D5D00A0EA8A44),
        (CHINESE, 128, 0xD0834884CF161796BD650B02C8808706),
    ],
    ids=["english-64", "english-128", "chinese-64", "chinese-128"],
)
def test_a_text_has_the_same_simhash_on_every_machine(text: str, bits: int, expected: int) -> None:
    assert simhash(document(text).tokens, bits) == expected


@pytest.mark.parametrize("bits", [64, 128])
def test_no_words_give_zero(bits: int) -> None:
    assert simhash([], bits) == 0


def test_a_single_word_gives_its_own_hash() -> None:
    assert simhash(["tea"]) == xxh3_64_intdigest(b"tea")
    assert simhash(["tea"], 128) == xxh3_128_intdigest(b"tea")


@LAW
@given(TOKENS, BITS)
def test_the_scheme_stores_the_simhash_as_its_one_word(tokens: list[str], bits: int) -> None:
    scheme = SimHash(bits, distance=2)
    fingerprint = scheme.fingerprint(read_document(from_text(" ".join(tokens)), "chars"))
    (word,) = scheme.words(fingerprint)
    assert len(fingerprint) == bits // 8
    assert (word.space, scheme.spaces[0].bits, scheme.spaces[0].radius) == ("simhash", bits, 2)
    assert word.value.to_bytes(bits // 8, "little") == fingerprint


def test_pages_are_near_duplicates_up_to_the_distance_on_any_host() -> None:
    scheme = SimHash(64, distance=3)
    zero = bytes(8)
    for bits in range(6):
        comparison = scheme.compare(zero, ((1 << bits) - 1).to_bytes(8, "little"))
        assert comparison.distance == bits
        assert comparison.similarity == 1 - bits / 64
        for same_host in (True, False):
            assert scheme.accepts(comparison, same_host=same_host) == (bits <= 3)


def value(text: str, **options: int | str) -> bytes:
    return SimHash(**options).fingerprint(document(text))  # type: ignore[arg-type]


@pytest.mark.parametrize("bits", [64, 128])
def test_weights_say_how_much_a_repeated_word_counts(bits: int) -> None:
    once, often = "tea house moon river", "tea " * 4 + "house moon river"
    assert value(once, bits=bits, weights="set") == value(often, bits=bits, weights="set")
    tea = value("tea", bits=bits, weights="count")
    assert value(often, bits=bits, weights="count") == tea  # 4 against 3: one word decides
    assert value(often, bits=bits) not in (tea, value(once, bits=bits))


def test_a_common_word_decides_nothing_where_rare_words_weigh_more() -> None:
    text = "the the the the the skarne"
    assert value(text, weights="idf") != value("the", weights="idf")
    assert value(text, weights="log-idf") == value("skarne", weights="log-idf")


@pytest.mark.parametrize("bits", [64, 128])
def test_shingles_tell_the_order_of_words(bits: int) -> None:
    one, other = "tea house moon river lake", "lake river moon house tea"
    assert value(one, bits=bits) == value(other, bits=bits)
    assert value(one, bits=bits, shingle=2) != value(other, bits=bits, shingle=2)
    assert len(value(one, bits=bits, shingle=2)) == bits // 8


def test_shingles_count_as_often_as_they_occur() -> None:
    often = "tea house " * 30 + "moon river lake"
    one, many = (value(text, shingle=2, weights="count") for text in ("tea house", often))
    assert value(often, shingle=2, weights="set") != many
    assert (int.from_bytes(one, "little") ^ int.from_bytes(many, "little")).bit_count() < 32


def test_the_model_belongs_to_a_fingerprint_only_where_it_counts() -> None:
    assert "idf" not in SimHash().options()
    assert SimHash(weights="idf").options()["idf"] != "builtin"


@pytest.mark.parametrize("weights", ["idf", "log-idf"])
def test_words_that_stand_in_every_document_still_tell_texts_apart(
    weights: str, tmp_path: Path
) -> None:
    path = tmp_path / "common.idf.gz"
    write_table(path, dict.fromkeys(("tea", "house", "moon"), 10), 10, "all", "2026-01-01")
    one, other = (value(text, weights=weights, idf=str(path)) for text in ("tea house", "moon"))
    assert one != other
