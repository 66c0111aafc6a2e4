"""Remembers which URLs pages declared: versions of themselves (AMP, print), and canonical URLs.

A version probably repeats the page that declared it. So versions have patterns of their own, and
the learner counts how often they repeat. So false hints of a site are soon ignored. A canonical URL
is not postponed, even if it repeats a version that came first: that version may have no links.
"""

from __future__ import annotations

from collections.abc import Iterable

from dedup.lru import LRU

MOST_HINTS = 1 << 16  # URLs of each kind that are remembered, as hashes.


class Hints:
    """URLs that downloaded pages declared."""

    def __init__(self, most: int = MOST_HINTS) -> None:
        self._versions: LRU[int, bool] = LRU(most)
        self._canonical: LRU[int, bool] = LRU(most)

    def note(self, url: str, canonical: str, versions: Iterable[str] = ()) -> None:
        """Note the canonical URL (empty for none) and the other versions that a page declares."""
        for version in versions:
            self._versions.put(hash(version), value=True)
        if canonical not in {"", url}:
            self._canonical.put(hash(canonical), value=True)

    def is_version(self, url: str) -> bool:
        """Whether a page has declared a URL as another version of itself."""
        return hash(url) in self._versions

    def is_canonical(self, url: str) -> bool:
        """Whether another page has declared a URL as its canonical one."""
        return hash(url) in self._canonical
