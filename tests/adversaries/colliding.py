"""A body with the XXH3 of another one: what someone makes who knows the hash, and no seed.

XXH3 adds each stripe of 64 octets to eight sums. A word adds itself to one sum, and to another one
the product of its halves, each XORed with a part of the secret. A half that equals its part makes
the product nothing. So two free stripes set each sum to any value (doc/xxhash_spec.md of xxHash).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

BLOCK, STRIPE, WORDS = 1024, 64, 8
WORD, HALF = (1 << 64) - 1, (1 << 32) - 1
PRIME = 0x9E3779B1
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
LAST_PART, SCRAMBLING_PART = 121, 128  # Where the parts of the secret for these steps begin.
FIRST_SUMS = (
    0xC2B2AE3D, 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
    0x85EBCA77C2B2AE63, 0x85EBCA77, 0x27D4EB2F165667C5, 0x9E3779B1,
)  # fmt: skip


def collide(body: bytes, free: int, other: bytes) -> bytes:
    """A body with two stripes from ``free`` on replaced, so that it has the XXH3 of another one.

    Both have the same length, more than 240; the stripes are in the last block, before its end.
    """
    assert len(body) == len(other)
    assert free % STRIPE == 0
    assert free // BLOCK == (len(body) - 1) // BLOCK
    assert free + 3 * STRIPE <= len(body)
    made = bytearray(body)
    sums, wanted = _sum_up(body, without=(free, free + STRIPE)), _sum_up(other)
    for place in range(WORDS):
        keys = [_key(free % BLOCK // WORDS + place * 8 + 8 * stripe) for stripe in (0, 1)]
        lack = wanted[place ^ 1] - sums[place ^ 1] & WORD
        second = keys[1] & ~HALF | (lack - (keys[0] & HALF) & HALF)
        first = lack - second & WORD
        struct.pack_into("<Q", made, free + 8 * place, first)
        struct.pack_into("<Q", made, free + STRIPE + 8 * place, second)
    return bytes(made)


def _sum_up(body: bytes, without: tuple[int, ...] = ()) -> list[int]:
    """The sums of a body behind its last stripe, some stripes left out."""
    sums = list(FIRST_SUMS)
    last = (len(body) - 1) // BLOCK * BLOCK
    for at in range(0, (len(body) - 1) // STRIPE * STRIPE, STRIPE):
        if at not in without:
            _add(sums, body[at : at + STRIPE], at % BLOCK // WORDS)
        if at % BLOCK == BLOCK - STRIPE and at < last:
            for place, value in enumerate(sums):
                mixed = value ^ value >> 47 ^ _key(SCRAMBLING_PART + 8 * place)
                sums[place] = mixed * PRIME & WORD
    _add(sums, body[-STRIPE:], LAST_PART)
    return sums


def _add(sums: list[int], stripe: bytes, part: int) -> None:
    for place, word in enumerate(_words(stripe)):
        mixed = word ^ _key(part + 8 * place)
        sums[place ^ 1] = sums[place ^ 1] + word & WORD
        sums[place] = sums[place] + (mixed & HALF) * (mixed >> 32) & WORD


def _words(stripe: bytes) -> Iterator[int]:
    return (word for (word,) in struct.iter_unpack("<Q", stripe))


def _key(at: int) -> int:
    return int.from_bytes(SECRET[at : at + 8], "little")
