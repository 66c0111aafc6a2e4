"""Tallies of URL patterns on a server: one hash, whose values ``store/tallies.py`` packs."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from itertools import chain

from dedup.chunks import chunks
from dedup.store.redis.key_names import Names
from dedup.store.redis.link import Command, Link, call
from dedup.store.redis.scripts import ADD_TALLIES
from dedup.store.tallies import kept, pack_pattern, pack_tally
from dedup.urls import Tally

TOKEN_BYTES = 8  # Of the mark by which a call that was sent twice is recognised.
LOT = 1_000  # Tallies in one answer.


def add_command(names: Names, tallies: Mapping[str, Tally]) -> Command:
    """The command that adds tallies in one step."""
    packed = ((pack_pattern(pattern), pack_tally(tally)) for pattern, tally in kept(tallies))
    token = secrets.token_bytes(TOKEN_BYTES)
    return call(ADD_TALLIES, (names.home,), (token, *chain.from_iterable(packed)))


def packed_tallies(link: Link, names: Names) -> Iterator[tuple[bytes, bytes]]:
    """Every pattern with its tally, as bytes."""
    for patterns in chunks(link.run([(b"HKEYS", names.tallies)])[0], LOT):
        found = link.run([(b"HMGET", names.tallies, *patterns)])[0]
        for pattern, packed in zip(patterns, found, strict=True):
            if packed is not None:  # Else it was forgotten meanwhile.
                yield pattern, packed
