"""Pseudo-random numbers from hashes."""

import numpy as np

from dedup.schemes.hashing import streams

HASHES = np.array([0, 1, 2**64 - 1], dtype=np.uint64)


def test_the_numbers_are_splitmix64s() -> None:
    # Seed 0 leaves the start as it is: the generator's own published first outputs for state 0.
    first = streams(np.zeros(1, dtype=np.uint64), 3)[0]
    assert [int(n) for n in first] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]


def test_numbers_depend_on_hash_place_and_seed() -> None:
    numbers = np.concatenate([streams(HASHES, 50), streams(HASHES, 50, seed=1)])
    assert len(np.unique(numbers)) == numbers.size


def test_a_longer_stream_begins_as_the_shorter() -> None:
    assert (streams(HASHES, 9)[:, :4] == streams(HASHES, 4)).all()


def test_each_bit_is_set_in_half_of_the_numbers() -> None:
    octets = streams(np.arange(200, dtype=np.uint64), 20).view(np.uint8).reshape(-1, 8)
    shares = np.unpackbits(octets, axis=1).mean(axis=0)
    assert (abs(shares - 0.5) < 0.04).all()
