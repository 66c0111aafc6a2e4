"""Texts made to have a chosen SimHash: what someone does who wants another's page dropped.

A SimHash bit is the sign of a sum over words. Words whose bits agree with the wanted ones are
appended one by one, each chosen for the bits that are still wrong or in danger.
"""

from __future__ import annotations

import random

import numpy as np

from dedup.schemes.hashing import token_hashes
from dedup.schemes.simhash import simhash

POOL = 20_000
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MARGIN = 4.0  # by which each sum is to lie on the right side
MOST_WORDS = 400


def pool_of_words(seed: int) -> list[str]:
    """Made-up words to choose from."""
    chance = random.Random(seed)
    return ["".join(chance.choices(LETTERS, k=9)) for _ in range(POOL)]


def forge(text: str, wanted: int) -> list[str]:
    """Words to append to a text, each of its own words once, so that its SimHash is ``wanted``.

    Raises:
        AssertionError: the words do not suffice.
    """
    own = text.split()
    assert len(set(own)) == len(own)
    pool = pool_of_words(seed=1)
    aim = _signs(wanted)
    votes = _votes(pool) * aim
    sums = _votes(own).sum(axis=0) * aim
    chosen: list[int] = []
    while simhash([*own, *(pool[n] for n in chosen)]) != wanted:
        assert len(chosen) < MOST_WORDS, "these words do not suffice"
        need = np.clip(MARGIN - sums, 0.0, None)
        gains = votes @ need
        gains[chosen] = -np.inf
        best = int(gains.argmax())
        chosen.append(best)
        sums += votes[best]
    return [pool[n] for n in chosen]


def _votes(words: list[str]) -> np.ndarray:
    """Each word's vote on each bit, 1 or -1; shape (n, 64)."""
    octets = token_hashes(words).astype("<u8").view(np.uint8).reshape(-1, 8)
    return 2.0 * np.unpackbits(octets, axis=1, bitorder="little") - 1.0


def _signs(value: int) -> np.ndarray:
    octets = np.frombuffer(value.to_bytes(8, "little"), np.uint8)
    return 2.0 * np.unpackbits(octets, bitorder="little") - 1.0
