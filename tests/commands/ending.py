"""A scheme under its dotted path that ends an import midway."""

from __future__ import annotations

from typing import ClassVar

from dedup.schemes import Combined, Word

NAME = f"{__name__}.Ending"


class Ending(Combined):
    """Raises an exception where it reads the words of a certain fingerprint.

    Attributes:
        ends: the exception for each of these fingerprints.
    """

    name, version = "ending", "1"
    ends: ClassVar[dict[bytes, BaseException]] = {}

    def words(self, fingerprint: bytes) -> list[Word]:
        if fingerprint in self.ends:
            raise self.ends[fingerprint]
        return super().words(fingerprint)
