"""What a fingerprint scheme is, and the words under which a store finds its fingerprints.

A scheme turns a document into a fingerprint (bytes), names the words (integers) under which the
fingerprint is stored, and compares two fingerprints. A word belongs to a space: a number of bits
and a radius. A store answers "which pages have a word of this space within its radius of that one",
and knows nothing else; an index knows schemes and the store, and nothing of their insides.
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

# What a scheme raises of bytes that are no fingerprint of it.
UNREADABLE = (ArithmeticError, LookupError, TypeError, ValueError, struct.error)


@dataclass(frozen=True, slots=True)
class Space:
    """A kind of word.

    Attributes:
        name: unique within a scheme.
        bits: width of its words, 64 or 128.
        radius: Hamming distance within which words find each other; 0 makes them exact keys.
        cap: a word on more pages than this is common (site chrome, licence lines) and finds
            nothing; None for no limit.
    """

    name: str
    bits: int
    radius: int = 0
    cap: int | None = None


class Word(NamedTuple):
    """One word of a fingerprint: ``value`` in [0, 2**bits) of the space of that name."""

    space: str
    value: int


class Comparison(NamedTuple):
    """What a scheme says of a later page and an earlier one.

    Attributes:
        similarity: 0 to 1; what it estimates depends on the scheme.
        distance: Hamming distance of the bit fingerprints, where the scheme has one.
        containment: share of the smaller text that is in the larger one, 0 to 1, where known.
        findings: what would be lost with the later page, where the scheme can tell.
        sure: whether the main text of both is known and not guessed, as far as the scheme knows.
    """

    similarity: float
    distance: int | None = None
    containment: float | None = None
    findings: Findings | None = None
    sure: bool = True


@dataclass(frozen=True)
class Scheme(ABC):
    """A family of fingerprints with its options set: the dataclass fields, see ``options``.

    Attributes:
        name: what errors and stores call it; of a scheme of this package, NEARDUP_SCHEME as well.
        version: raised whenever fingerprints change, of a scheme of another package; else empty.
        spaces: the kinds of words its fingerprints have.
    """

    name: ClassVar[str]
    version: ClassVar[str] = ""

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            ValueError: one is out of its range.
        """
        check_options(self, self.name)

    def options(self) -> Mapping[str, Value]:
        """The options that shape fingerprints; a store made with others cannot be used.

        A seed of 0 means none, and is left out.
        """
        shaping = {
            name: getattr(self, name) for name, rule in rules(self).items() if not rule.judges
        }
        return {name: value for name, value in shaping.items() if (name, value) != (SEED, 0)}

    @property
    def name_and_version(self) -> str:
        """What the header of a store calls it."""
        return f"{self.name}/{self.version}" if self.version else self.name

    @property
    @abstractmethod
    def spaces(self) -> tuple[Space, ...]:
        """The kinds of words its fingerprints have."""

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
        """As ``compare``; None where it is soon known that the two have nothing to do with it."""
        return self.compare(one, other)

    @abstractmethod
    def accepts(self, comparison: Comparison, *, same_host: bool) -> bool:
        """Whether two pages this similar are near-duplicates, by the fingerprints alone."""

    def nominates(self, comparison: Comparison, most_new: float, *, same_host: bool) -> bool:  # noqa: ARG002
        """Whether a look at the texts of two pages is worth while.

        Args:
            comparison: of the two.
            most_new: share of a page up to which new text is little.
            same_host: whether both are of one site.
        """
        return self.accepts(comparison, same_host=same_host)
