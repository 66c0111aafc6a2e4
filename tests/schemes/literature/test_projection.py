"""Random projection: signs of weighted sums of random vectors."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.page import Document, from_text, read_document
from dedup.schemes.hashing import streams, token_hashes
from dedup.schemes.literature.projection import Projection

LAW = settings(derandomize=True, deadline=None, max_examples=100)
TOKENS = st.lists(st.text("abcdef茶树", min_size=1, max_size=3), min_size=1, max_size=60)


def document(*tokens: str) -> Document:
    return read_document(from_text(" ".join(tokens)), "chars")


@LAW
@given(TOKENS)
def test_each_bit_is_the_sign_of_the_sum_of_the_words_vectors(tokens: list[str]) -> None:
    page = document(*tokens)
    total = np.zeros(384)
    for token, count in Counter(page.tokens).items():
        octets = streams(token_hashes([token]), 6, 384).astype("<u8").view(np.uint8)
        vector = 2.0 * np.unpackbits(octets.ravel(), bitorder="little") - 1
        total += round((1 + math.log(count)) * 4096) * vector
    expected = np.packbits(total > 0, bitorder="little").tobytes()
    assert Projection().fingerprint(page) == expected


@pytest.mark.parametrize("vectors", ["signs", "gaussian"])
@pytest.mark.parametrize("angle", [0.2, 0.5, 1.0])
def test_the_share_of_equal_bits_estimates_the_angle(vectors: str, angle: float) -> None:
    scheme = Projection(bits=1024, vectors=vectors)
    shares = []
    for n in range(12):
        words = 400
        shared = round(words * math.cos(angle))
        common = [f"c{n}x{i}" for i in range(shared)]
        one = common + [f"a{n}x{i}" for i in range(words - shared)]
        other = common + [f"b{n}x{i}" for i in range(words - shared)]
        a, b = (scheme.fingerprint(document(*tokens)) for tokens in (one, other))
        shares.append(scheme.compare(a, b).similarity)
    exact = 1 - math.acos(shared / words) / math.pi
    assert abs(sum(shares) / len(shares) - exact) < 0.02


def test_the_kinds_of_vectors_and_weights_differ() -> None:
    page = document(*"a a a a b b c d e f g h".split())
    schemes = [Projection(), Projection(vectors="gaussian"), Projection(weights="count")]
    assert len({scheme.fingerprint(page) for scheme in schemes}) == 3


@pytest.mark.parametrize("vectors", ["signs", "gaussian"])
def test_many_words_are_summed_as_few_are(vectors: str) -> None:
    scheme = Projection(vectors=vectors)
    tokens = [f"w{i}" for i in range(9000)]
    forth = scheme.fingerprint(document(*tokens))
    assert forth == scheme.fingerprint(document(*reversed(tokens)))


@LAW
@given(st.integers(0, 2**384 - 1), st.sets(st.integers(0, 383), max_size=12), st.data())
def test_any_two_within_the_distance_share_a_word_within_its_radius(
    one: int, flipped: set[int], data: st.DataObject
) -> None:
    """The pigeonhole argument, also where all flips fall evenly on the words."""
    if data.draw(st.booleans()):
        flipped = {
            64 * word + data.draw(st.integers(0, 31)) + n for word in range(6) for n in (0, 32)
        }
    other = one ^ sum(1 << bit for bit in flipped)
    scheme = Projection()
    radius = {space.name: space.radius for space in scheme.spaces}
    a, b = (scheme.words(value.to_bytes(48, "little")) for value in (one, other))
    assert scheme.accepts(
        scheme.compare(one.to_bytes(48, "little"), other.to_bytes(48, "little")), same_host=True
    )
    assert any(
        (x.value ^ y.value).bit_count() <= radius[x.space] for x, y in zip(a, b, strict=True)
    )


def test_372_of_384_bits_must_agree() -> None:
    scheme = Projection()
    for differing, accepted in ((12, True), (13, False)):
        comparison = scheme.compare(bytes(48), ((1 << differing) - 1).to_bytes(48, "little"))
        assert comparison.distance == differing
        assert comparison.similarity == 1 - differing / 384
        assert scheme.accepts(comparison, same_host=False) == accepted


def test_its_six_words_are_searched_within_two_bits() -> None:
    assert [(space.bits, space.radius) for space in Projection().spaces] == [(64, 2)] * 6
    assert {space.radius for space in Projection(bits=128, distance=15).spaces} == {7}
