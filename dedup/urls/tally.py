"""The tally of a URL pattern: its downloads, and how many of them brought nothing new."""

from __future__ import annotations

from typing import NamedTuple

# Largest number of downloads. A larger tally is halved, so that it follows changes of its site.
MOST_DOWNLOADS = 1_000


class Tally(NamedTuple):
    """The downloads of a pattern.

    A download brings nothing new if the page repeats another of its site, or if the answer is an
    error, a redirect or no HTML.
    """

    downloads: int = 0  # The number of downloads.
    repeats: int = 0  # The number of them that brought nothing new.
    octets: int = 0  # The size of all bodies.
    wasted: int = 0  # The size of the bodies that brought nothing new.
    url: str = ""  # The URL of the latest page that repeats another; empty for none.
    of: str = ""  # The URL of the page that it repeats.

    @property
    def share(self) -> float:
        """The share of downloads that brought nothing new, 0 to 1."""
        return self.repeats / self.downloads if self.downloads else 0.0

    def plus(self, later: Tally) -> Tally:
        """The sum of two tallies, halved if it has too many downloads."""
        sums = [mine + its for mine, its in zip(self[:4], later[:4], strict=True)]
        if sums[0] > MOST_DOWNLOADS:
            sums = [number // 2 for number in sums]
        example = later if later.url else self
        return Tally._make((*sums, example.url, example.of))
