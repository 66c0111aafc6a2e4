"""Remembers which URLs pages named as other URLs of themselves: canonical, AMP, print versions.

A page under such a URL probably repeats the page that named it. So these URLs have patterns of
their own, and the learner counts how often that is true. It soon knows a site whose hints lie.
"""

from __future__ import annotations

from collections.abc import Iterable

from dedup.lru import LRU

MOST_HINTS = 1 << 16  # URLs that are remembered; they are hashed.


class Hints:
    """URLs that were named."""

    def __init__(self, most: int = MOST_HINTS) -> None:
        self._named: LRU[int, bool] = LRU(most)

    def note(self, url: str, canonical: str, versions: Iterable[str] = ()) -> None:
        """Note what a page declares.

        Args:
            url: its URL.
            canonical: the URL that it declares as its plain one; or empty.
            versions: the URLs of its other versions.
        """
        for version in versions:
            self._named.put(hash(version), False)
        if canonical not in {"", url}:
            self._named.put(hash(canonical), True)

    def is_named(self, url: str) -> bool:
        """Whether a downloaded page has named a URL."""
        return self._named.get(hash(url)) is not None

    def is_canonical(self, url: str) -> bool:
        """Whether a downloaded page has declared a URL as its canonical one."""
        return bool(self._named.get(hash(url)))
