"""The interface of fingerprint schemes, and the words under which a store finds fingerprints.

A scheme makes a fingerprint (bytes) from a document, computes the words (integers) under which the
fingerprint is stored, and compares two fingerprints. A word belongs to a space, which has a number
of bits and a radius. The only search of a store is: the pages with a word of this space within its
radius of a given word. An index uses schemes and the store through their interfaces only.
"""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from dedup.page import Document
from dedup.schemes.options import SEED, Value, check_options, rules
from dedup.verdict import Findings

# The errors of a reader for bytes of another form, such as a scheme for no fingerprint.
UNREADABLE = (ArithmeticError, LookupError, TypeError, ValueError, struct.error)


@dataclass(frozen=True, slots=True)
class Space:
    """A kind of word."""

    name: str  # Unique within a scheme.
    bits: int  # Width of its words, 64 or 128.
    radius: int = 0  # Maximum Hamming distance of words that match; 0 makes them exact keys.
    # A word on more pages than this is common (site chrome, licence lines) and finds nothing; None
    # for no limit.
    cap: int | None = None


class Word(NamedTuple):
    """One word of a fingerprint: ``value`` in [0, 2**bits) of the space named ``space``."""

    space: str
    value: int


class Comparison(NamedTuple):
    """A scheme's comparison of a later page with an earlier one; None where it has no value."""

    similarity: float  # 0 to 1; its meaning depends on the scheme.
    distance: int | None = None  # Hamming distance of the bit fingerprints.
    containment: float | None = None  # Share of the smaller text that is in the larger one, 0 to 1.
    findings: Findings | None = None  # Estimates of the new and missing text.
    sure: bool = True  # Whether the main text of both is certain, as far as the scheme stores it.


@dataclass(frozen=True)
class Scheme(ABC):
    """A fingerprint scheme with its options, which are the dataclass fields; see ``options``."""

    # Its name in errors and stores; for schemes of this package also in NEARDUP_SCHEME.
    name: ClassVar[str]
    # For schemes of other packages: raised whenever fingerprints change. Else empty.
    version: ClassVar[str] = ""

    def __post_init__(self) -> None:
        """Raise ValueError if an option is out of its range."""
        check_options(self, self.name)

    def options(self) -> Mapping[str, Value]:
        """The options that change fingerprints; a store made with other values cannot be used.

        A seed of 0 means no seed, and is left out.
        """
        shaping = {
            name: getattr(self, name) for name, rule in rules(self).items() if not rule.judges
        }
        return {name: value for name, value in shaping.items() if (name, value) != (SEED, 0)}

    @property
    def name_and_version(self) -> str:
        """The name of the scheme in the header of a store."""
        return f"{self.name}/{self.version}" if self.version else self.name

    @property
    @abstractmethod
    def spaces(self) -> tuple[Space, ...]:
        """The kinds of words in its fingerprints."""

    @abstractmethod
    def fingerprint(self, document: Document) -> bytes:
        """Fingerprint a document of at least one token."""

    @abstractmethod
    def words(self, fingerprint: bytes) -> list[Word]:
        """The words under which a fingerprint is stored and looked up."""

    @abstractmethod
    def compare(self, one: bytes, other: bytes) -> Comparison:
        """Compare the fingerprint of a later page with that of an earlier one."""

    def compare_if_alike(self, one: bytes, other: bytes) -> Comparison | None:
        """Like ``compare``; may return None early if the two pages are clearly unrelated."""
        return self.compare(one, other)

    @abstractmethod
    def accepts(self, comparison: Comparison, *, same_host: bool) -> bool:
        """Whether two pages are near-duplicates, judged by their fingerprints alone."""

    def nominates(self, comparison: Comparison, most_new: float, *, same_host: bool) -> bool:  # noqa: ARG002
        """Whether the texts of two pages should be compared.

        ``most_new`` is the maximum share of new text in a dropped page, 0 to 1.
        """
        return self.accepts(comparison, same_host=same_host)
