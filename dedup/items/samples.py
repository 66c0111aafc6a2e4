"""Samples of the entries of a page: they show which fields of an entry changed between two visits.

    an entry with its own URL -> every second one -> a hash of its URL, and one of each field
    the samples of a page -> packed into its record
    the next visit -> the names of the fields that differ

A sample changes no verdict. The hash of a field has one octet: a changed field may look equal, but
an equal one never looks changed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from xxhash import xxh3_64_intdigest

from dedup.items.names import has_money
from dedup.items.values import Skips, canonical, walk

JOINT = "\x1f"  # Between the values inside a field; a single value has no control characters.
MOST_FIELDS = 32  # Fields of an entry that are compared, in the order of their names.
_KEY_BYTES = 2
_HEAD_BYTES = _KEY_BYTES + 1  # The key, and the number of fields.


class Sample(NamedTuple):
    """An entry of a page."""

    key: int  # A hash of its URL.
    names: tuple[str, ...]  # The names of its fields.
    hashes: bytes  # A hash of each field.


def key_of(url: str) -> int | None:
    """The key of an entry with a URL; None if it is not sampled."""
    value = _hash(url)
    return None if value & 1 else value >> 8 & 0xFFFF


def make_sample(
    key: int,
    fields: Mapping[str, Any],
    told: Sequence[tuple[str, str]],
    skips: Skips,
    is_fact: Callable[[Any], bool],
) -> Sample:
    """Make the sample of an entry.

    Args:
        key: its key.
        fields: all its fields.
        told: the names and texts of the fields that count, sorted.
        skips: whether the value of a key inside a field is left out.
        is_fact: whether a name is the name of a fact.
    """
    texts = [text for _, text in told]
    if JOINT in "\n".join(texts):  # A mapping has it between its keys and its values.
        told = _with_keys(told, fields, skips, is_fact)
        texts = [text for _, text in told]
    names = tuple([name for name, _ in told[:MOST_FIELDS]])
    return Sample(key, names, bytes([_hash(text) & 0xFF for text in texts[:MOST_FIELDS]]))


def pack_samples(samples: Iterable[Sample], most: int) -> bytes:
    """Pack samples into at most some octets; the last ones are left out if there are too many."""
    packed = b""
    for key, _, hashes in samples:
        one = key.to_bytes(_KEY_BYTES, "big") + bytes((len(hashes),)) + hashes
        if len(packed) + len(one) > most:
            break
        packed += one
    return packed


def changed_fields(samples: Iterable[Sample], packed: bytes) -> Iterator[Sequence[str]]:
    """The names of the fields that changed, for each entry that was there at an earlier visit.

    ``packed`` are the samples of that visit. An entry with another number of fields is left out.
    """
    earlier = dict(_unpack(packed))
    for key, names, hashes in samples:
        before = earlier.get(key, b"")
        if len(before) == len(hashes) > 0:
            pairs = zip(names, before, hashes, strict=True)
            yield tuple(name for name, old, new in pairs if old != new)


def _with_keys(
    told: Iterable[tuple[str, str]],
    fields: Mapping[str, Any],
    skips: Skips,
    is_fact: Callable[[Any], bool],
) -> list[tuple[str, str]]:
    """As ``told``, with a text for each key inside a field.

    NEARDUP_CHANGING_FIELDS takes a key alone, without the keys around it. So a key is named alone,
    unless one around it is the name of a fact.
    """
    counted, found = dict(told), defaultdict[str, list[str]](list)
    for field, value in fields.items():
        if str(field) not in counted:
            continue
        for keys, leaf in walk(value, skips):
            path = (field, *keys)
            name = next(filter(is_fact, path), path[-1])
            found[str(name)].append(canonical(leaf, is_money=any(map(has_money, path))))
    return sorted((name, JOINT.join(texts)) for name, texts in found.items())


def _unpack(packed: bytes) -> Iterator[tuple[int, bytes]]:
    """The keys and the hashes in packed samples; ends at octets that are no sample."""
    at = 0
    while (start := at + _HEAD_BYTES) <= len(packed):
        key, number = packed[at : at + _KEY_BYTES], packed[start - 1]
        at = start + number
        if at > len(packed):
            return
        yield int.from_bytes(key, "big"), packed[start:at]


def _hash(text: str) -> int:
    return xxh3_64_intdigest(text.encode("utf-8", "replace"))
