"""A running summary of the pages that a crawl drops, in limited memory.

verdicts -> Summary.add -> lines for the crawl's log, and counts for its stats
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dedup.index import Match
from dedup.review.records import nameless
from dedup.scope import host_of

COUNTED = 2_000  # Maximum keys with a count.
SHOWN = 5  # Rows of each list in the log.
HOSTS = 20  # Maximum hosts with a stat.


class Frequent(Counter[str]):
    """Counts of the most frequent keys.

    Above ``COUNTED`` keys the rarer half is dropped; its keys start again from zero. Counts of keys
    that are frequent all the time stay exact.
    """

    def note(self, key: str) -> None:
        """Count a key once."""
        self[key] += 1
        if len(self) > COUNTED:
            kept = self.most_common(COUNTED // 2)
            self.clear()
            self.update(dict(kept))


class Summary:
    """The near-duplicates of one crawl."""

    def __init__(self) -> None:
        self.relations: Counter[str] = Counter()
        self.new_words = 0  # In the pages dropped or tagged.
        self.distances: Counter[int] = Counter()
        self.hosts = Frequent()  # Of the pages dropped or tagged.
        self._pairs = Frequent()
        self._originals = Frequent()

    def add(self, url: str, match: Match, new_words: int) -> None:
        """Count one verdict; ``new_words`` is 0 if the words of the page were counted before."""
        # Its plain URL may change during the crawl, and may be that of a dropped page.
        of, distance = match.record.url, match.comparison.distance
        host, other = host_of(url) or "(no host)", host_of(of) or "(no host)"
        self.relations[match.relation.value] += 1
        self.new_words += new_words
        if distance is not None:
            self.distances[distance] += 1
        self.hosts.note(host)
        self._pairs.note(f"{host} repeats {'itself' if host == other else other}")
        self._originals.note(of or nameless(match.original.page_id))

    def lines(self) -> Iterator[str]:
        """The summary for people; no lines without near-duplicates."""
        if not self.relations:
            return
        relations = ", ".join(f"{number} {name}" for name, number in self.relations.most_common())
        yield f"Near-duplicates: {self.relations.total()} ({relations})"
        yield f"Near-duplicates, words of new sentences in them: {self.new_words}"
        for key, number in self._pairs.most_common(SHOWN):
            yield f"Near-duplicates by host: {number} x {key}"
        for key, number in self._originals.most_common(SHOWN):
            if number > 1:
                yield f"Near-duplicates most repeated: {number} x {key}"
        if self.distances:
            histogram = ", ".join(f"{key}: {self.distances[key]}" for key in sorted(self.distances))
            yield f"Near-duplicates by distance in bits: {histogram}"

    def stats(self) -> Iterator[tuple[str, int]]:
        """Names below ``neardup/``, and counts."""
        yield "new_words", self.new_words
        for relation, number in self.relations.items():
            yield f"relation/{relation}", number
        for distance, number in self.distances.items():
            yield f"distance/{distance}", number
        for host, number in self.hosts.most_common(HOSTS):
            yield f"by_host/{host}", number
