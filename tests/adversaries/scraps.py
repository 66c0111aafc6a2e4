"""Pages made of scraps of a text: its shingles of the smallest hashes, and none of its sentences.

Fingerprints keep the smallest hashes of a page, so such a page looks like the victim's to who sees
fingerprints alone. Words between the scraps and behind them are chosen so that all other shingles
have large hashes, which no fingerprint shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from forging import pool_of_words

from dedup.native.portable.hashes import shingle_run
from dedup.schemes.hashing import token_hashes

SHINGLE = 3  # words, as the default scheme has it
KEPT = 128  # smallest hashes in a fingerprint
POOL = 400  # words to choose from


def smallest(words: Sequence[str], count: int) -> list[tuple[str, ...]]:
    """The shingles of a text with the smallest hashes."""
    hashes = _hashes(words)
    places = np.argsort(hashes, kind="stable")
    shingles = dict.fromkeys(tuple(words[at : at + SHINGLE]) for at in places)
    return list(shingles)[:count]


def scraps(words: Sequence[str]) -> list[str]:
    """Some of them in a row: a page of some ninety words."""
    return [word for shingle in smallest(words, 30) for word in shingle]


def scraps_of_several(texts: Sequence[Sequence[str]]) -> list[str]:
    """The scraps of several victims on one page."""
    return [word for text in texts for word in scraps(text)]


def padded(words: Sequence[str]) -> list[str]:
    """All that a fingerprint shows of a text, and other words up to its size."""
    shown = smallest(words, KEPT)
    limit = int(_hashes(shown[-1])[0])
    made = [*shown[0]]
    for shingle in shown[1:]:
        made += [_link(made, shingle, limit), *shingle]
    while len(made) < len(words):
        made.append(_link(made, (), limit))
    return made


def _link(before: Sequence[str], after: Sequence[str], limit: int) -> str:
    """A word between others that makes no shingle of a small hash."""
    for word in _pool(len(before)):
        run = [*before[1 - SHINGLE :], word, *after[: SHINGLE - 1]]
        if int(_hashes(run).min()) > limit:
            return word
    raise AssertionError("no word of the pool does")


def _pool(turn: int) -> Iterator[str]:
    """The words, beginning with another each time: no shingle comes twice."""
    words = _words()
    yield from (words[(turn * 7 + at) % len(words)] for at in range(len(words)))


@cache
def _words() -> tuple[str, ...]:
    return tuple(pool_of_words(seed=5)[:POOL])


def _hashes(words: Sequence[str]) -> np.ndarray:
    return shingle_run(token_hashes(words), SHINGLE)
