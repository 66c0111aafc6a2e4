"""The header of a store: the settings that determine its fingerprints and its index.

settings -> Header -> bytes (JSON) -> Header, compared with the header of the current settings

If the settings contain no seed, a new store gets a random one, and an existing store keeps its own.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from dedup.schemes import Space, show_option
from dedup.schemes.options import LARGEST_SEED, SEED
from dedup.store.interface import StoreDamagedError

STORE_FORMAT = 1
DEFAULT_EXPECTED_PAGES = 1_000_000
EXPECTED_PAGES, FORMAT = "expected_pages", "index_format"  # Names in ``Header.tables``.
INDEX_FORMAT = "3"  # Increase it when index entries change: users rebuild, and records stay.


@dataclass(frozen=True, slots=True)
class Header:
    """The settings that a store was made with."""

    # The settings that determine fingerprints. A store made with other values is unusable.
    fingerprint: Mapping[str, str]
    # The settings that determine the index. It can be rebuilt from the records.
    tables: Mapping[str, str]
    # Whether fingerprints of any seed are accepted, as the seed is still unknown.
    any_seed: bool = False

    @property
    def expected_pages(self) -> int:
        """The number of pages that the index is laid out for."""
        return int(self.tables.get(EXPECTED_PAGES, DEFAULT_EXPECTED_PAGES))

    @property
    def seed(self) -> int:
        """The seed of its fingerprints; 0 for none."""
        return seed_of(self.fingerprint)

    def of_new_store(self) -> Header:
        """This header with a random seed, if any seed is accepted."""
        return self.with_seed(1 + secrets.randbelow(LARGEST_SEED))

    def with_seed(self, seed: int) -> Header:
        """This header with a seed, if any seed is accepted; 0 for none."""
        if not self.any_seed:
            return self
        seeded = {SEED: str(seed)} if seed else {}
        return replace(self, fingerprint={**self.fingerprint, **seeded}, any_seed=False)

    def table_shape(self) -> dict[str, str]:
        """``tables`` without the expected number of pages, which may differ."""
        return {name: value for name, value in self.tables.items() if name != EXPECTED_PAGES}


def seed_of(fingerprint: Mapping[str, str]) -> int:
    """The seed in the fingerprint settings of a header; 0 if it is missing or invalid."""
    try:
        return read_seed(fingerprint)
    except (KeyError, ValueError):
        return 0


def read_seed(fingerprint: Mapping[str, str]) -> int:
    """The seed in the fingerprint settings of a header.

    Raises:
        KeyError: there is no seed.
        ValueError: the seed is invalid.
    """
    seed = int(fingerprint[SEED][: len(str(LARGEST_SEED))])
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError("no seed")
    return seed


def describe_spaces(
    spaces: Iterable[Space], layout: str, expected_pages: int = DEFAULT_EXPECTED_PAGES
) -> dict[str, str]:
    """The part of a header that describes the index layout for some spaces."""
    return {FORMAT: INDEX_FORMAT, EXPECTED_PAGES: str(expected_pages)} | {
        space.name: f"{space.bits} bits, "
        + (f"radius {space.radius}, layout {layout}" if space.radius else "exact")
        + (f", common from {space.cap} pages" if space.cap is not None else "")
        for space in spaces
    }


def describe_differences(stored: Mapping[str, str], wanted: Mapping[str, str]) -> str:
    """Describe how a part of a stored header differs from the settings; empty if it does not.

    If the scheme differs, only the scheme is named: its options differ anyway.
    """
    names = sorted(stored.keys() | wanted.keys())
    names = [name for name in names if stored.get(name) != wanted.get(name)]
    parts = []
    for name in ["scheme"] if "scheme" in names else names:
        made, said = (
            show_option(name, part[name]) if name in part else "none" for part in (stored, wanted)
        )
        parts.append(f"{name} = {made} and the settings say {said if said != made else 'another'}")
    return "; ".join(parts)


def pack_header(header: Header) -> bytes:
    """Encode a header as JSON."""
    content = {
        "format": STORE_FORMAT,
        "fingerprint": dict(header.fingerprint),
        "tables": dict(header.tables),
    }
    return json.dumps(content, indent=1, sort_keys=True).encode()


def unpack_header(data: bytes) -> Header:
    """Decode a header.

    Raises StoreDamagedError if the bytes are no header, or a header of another format.
    """
    try:
        content = json.loads(data)
        if content["format"] != STORE_FORMAT:
            raise StoreDamagedError(
                f"store format {content['format']}; this version reads format {STORE_FORMAT}"
            )
        return Header(dict(content["fingerprint"]), dict(content["tables"]))
    except (ValueError, KeyError, TypeError) as error:
        raise StoreDamagedError(f"unreadable store header: {error}") from None
