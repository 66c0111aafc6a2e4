"""What is known of a crawl's drops while it runs, in limited memory: sums, and suspects.

    verdicts -> Summary.add -> lines for the crawl's log, and counts for its stats
    verdicts -> SwallowWatch.note -> a warning, once per page that many others repeat

Such a page is a template, a block page, a soft 404, or a notice on many sites. Each host has one
suspect, by the majority vote of Boyer and Moore (1981). A page that repeats the suspect is a vote
for it, and any other page is a vote against it. A suspect without votes is replaced by the next
repeated page. So a suspect reaches ``VOTES`` soon after most pages of its host begin to repeat it,
even if many good pages came before. It does not if fewer than half repeat it. Only one suspect per
host is stored, for the most recent hosts.

Across hosts, a page is reported after ``ACROSS`` pages of other hosts repeated it with a low
similarity. Then a common passage was probably taken for the main text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from dedup.index import Match
from dedup.lru import LRU
from dedup.review.records import nameless
from dedup.scope import host_of

COUNTED = 2_000  # Maximum keys with a count.
SHOWN = 5  # Rows of each list in the log.
HOSTS = 20  # Maximum hosts with a stat.

VOTES = 50  # Report a page after so many votes: pages that repeat it, less pages that do not.
ACROSS = 20  # Report a page after so many pages of other hosts that repeat it in part.
PARTLY = 0.5  # Below this similarity, pages have only a part in common.
WATCHED = 1_000  # Hosts watched at a time; also the number of reported hosts and pages stored.
EXAMPLES = 2


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


@dataclass(slots=True)
class _Suspect:
    """A page that most pages of a host may repeat."""

    of: str  # Its URL.
    # Pages of the host that repeated it, less pages that did not; from 0 to ``VOTES``.
    votes: int = 0
    repeats: int = 0  # Number of pages of the host that repeated it.
    checked: int = 0  # Number of pages of the host with a verdict, since the first repeat.
    examples: list[str] = field(default_factory=list)  # URLs of the first pages that repeated it.


class SwallowWatch:
    """Watches the verdicts of one crawl, in limited memory."""

    def __init__(self) -> None:
        self.hosts = 0  # Number of reported hosts.
        self.across = 0  # Number of pages that repeat a page of another host only in part.
        self._suspects: LRU[str, _Suspect] = LRU(WATCHED)
        self._hosts_told: LRU[str, bool] = LRU(WATCHED)
        self._pages_told: LRU[str, bool] = LRU(WATCHED)
        self._across: LRU[str, int] = LRU(WATCHED)  # Repeats of other hosts, by page.

    def note(self, url: str, of: str | None, similarity: float = 1.0) -> str:
        """Count the verdict on a page; returns a warning with remedies if it is new, else "".

        ``of`` is the URL of the page it repeats, or None. The similarity of the two is from 0 to 1.
        """
        if not url or of == "":  # Items without a URL: no two of them are known to be one page.
            return ""
        host = host_of(url)
        told = ""
        if of is not None and similarity < PARTLY and host_of(of) != host:
            told = self._note_across(url, of)
        return told or self._note_host(host, url, of)

    def _note_across(self, url: str, of: str) -> str:
        """Count a page that has a part in common with a page of another host."""
        self.across += 1
        repeats = (self._across.get(of) or 0) + 1
        self._across.put(of, repeats)
        if repeats != ACROSS:
            return ""
        return (
            f"{repeats} pages of other hosts repeat {of}, and have no more than a part in common "
            f"with it: for example {url}. Look at `scrapy neardup diff {url}`. If it is a notice "
            "or a form that they share, they are told apart by a lower NEARDUP_MAX_NEW or by "
            "NEARDUP_DROP without 'contained' (`scrapy neardup restore` brings dropped ones back)"
        )

    def _note_host(self, host: str, url: str, of: str | None) -> str:
        """Let a page vote for or against the suspect of its host."""
        suspect = self._suspects.get(host)
        if suspect is None or not suspect.votes:
            if of is None:
                return ""
            suspect = _Suspect(of)
        self._suspects.put(host, suspect)
        suspect.checked += 1
        if of != suspect.of:
            suspect.votes -= 1
            return ""
        suspect.repeats += 1
        suspect.votes = min(suspect.votes + 1, VOTES)
        if len(suspect.examples) < EXAMPLES:
            suspect.examples.append(url)
        if suspect.votes < VOTES:
            return ""
        self.hosts += _remember(self._hosts_told, host)
        if not _remember(self._pages_told, suspect.of):
            return ""
        return (
            f"Of the last {suspect.checked} pages of {host or '(no host)'}, {suspect.repeats} "
            f"repeat one page, {suspect.of}: for example {' and '.join(suspect.examples)}. Look "
            f"at `scrapy neardup diff {suspect.examples[0]}`. Pages that differ are told apart by "
            "another NEARDUP_EXTRACTOR or a lower NEARDUP_MAX_NEW, or are kept by meta "
            "neardup_skip or NEARDUP_ACTION = 'tag' (`scrapy neardup restore` brings dropped ones "
            "back); error pages, and one page under many addresses, are better not requested"
        )


def _remember(told: LRU[str, bool], key: str) -> bool:
    """Store a key; returns whether it is new."""
    is_new = key not in told
    told.put(key, value=True)
    return is_new
