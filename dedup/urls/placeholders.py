"""Finds placeholders: pages that a server gives in place of many, such as "not found".

a page that is related to another -> the values of its URL              Placeholders.see
a page that repeats another       -> whether that one is a placeholder  Placeholders.note

Each kind of URL has one candidate, by the majority vote of Boyer and Moore (1981). A kind is a
pattern of the level ``HANDLER``: the first segments and the names of parameters. URLs of this
kind repeat the candidate, and one of them gave it first. A URL that repeats another page is a vote
against it. A candidate is a placeholder if all of this holds:

- It leads by ``LEAST`` votes.
- The URLs that repeat it have ``LEAST`` different values at one place. So the sorted copies of one
  list are none: the names of orders are few.
- They have no varying value in common. So the session copies of one article are none: they have
  the number of the article in common.

No word of any language is needed.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import starmap
from typing import TypeAlias

from dedup.lru import LRU
from dedup.urls.patterns import DIFFERENT, HANDLER, Patterns, Value, site_of

LEAST = 8  # Votes by which a placeholder leads; also the different values at one place.
WINDOW = 16  # The latest URLs that repeat a candidate. Their values are compared.
SHARED = 0.7  # A value is in common if a larger share of these URLs has it.
MOST_CASES = 1_000  # Kinds of URLs with a candidate.
MOST_PLACES = 4_000  # Places whose values are counted.
MOST_NAMED = 10_000  # Placeholders that are remembered.

# A value of a URL after a hash of its place. A place is the same in all URLs of one kind; the place
# of a segment also depends on the segments before it.
_Placed: TypeAlias = tuple[int, Value]


@dataclass(slots=True)
class _Case:
    """The candidate of a kind of URLs."""

    digest: bytes  # The digest of its text.
    lead: int = 0  # The number of URLs that repeat it, less the number that repeat another page.
    # The latest URLs that repeat it: a hash of each URL, and its values.
    voters: deque[tuple[int, list[_Placed]]] = field(default_factory=lambda: deque(maxlen=WINDOW))

    def vote(self, url: int, values: list[_Placed]) -> None:
        """Count a URL that repeats the candidate; a URL that comes again is ignored."""
        if all(url != other for other, _ in self.voters):
            self.voters.append((url, values))
            self.lead += 1

    @property
    def differ(self) -> bool:
        """Whether the URLs have many values at one place."""
        digests: defaultdict[str, set[int]] = defaultdict(set)
        for _, values in self.voters:
            for _, value in values:
                digests[value.place].add(value.digest)
        return max(map(len, digests.values()), default=0) >= LEAST

    def common(self) -> Iterator[_Placed]:
        """The values that most of the URLs have in common."""
        votes: Counter[tuple[int, int]] = Counter()
        found: dict[tuple[int, int], _Placed] = {}
        for _, values in self.voters:
            of_url = {(spot, value.digest): (spot, value) for spot, value in values}
            votes.update(of_url.keys())
            found |= of_url
        most = SHARED * len(self.voters)
        return (found[one] for one, number in votes.items() if number > most)


class Placeholders:
    """The placeholders of a crawl, and the candidates."""

    def __init__(
        self, patterns: Patterns, most_cases: int = MOST_CASES, most_named: int = MOST_NAMED
    ) -> None:
        """Begin without placeholders.

        Above ``most_cases`` candidates and ``most_named`` placeholders, older ones are forgotten.
        """
        self._patterns = patterns
        self._cases: LRU[str, _Case] = LRU(most_cases)
        # The placeholders. True if a made-up URL gave it: then its heading is no evidence.
        self._named: LRU[tuple[str, bytes], bool] = LRU(most_named)
        self._spots: LRU[int, set[int]] = LRU(MOST_PLACES)

    def see(self, url: str) -> None:
        """Count the values of the URL of a page that repeats another, or is related to one."""
        for spot, value in self._values(url):
            digests = self._spots.get(spot)
            if digests is None:
                digests = set()
                self._spots.put(spot, digests)
            if len(digests) <= DIFFERENT:
                digests.add(value.digest)

    def note(self, url: str, of: str, digest: bytes) -> bool:
        """Note that a page repeats another, at the URL ``of``; returns whether it is a placeholder.

        ``digest`` is that of the text of the repeated page.
        """
        kind = self.kind_of(url)
        if self._named.get((kind, digest)) is not None:
            return True
        case = self._cases.get(kind)
        # A URL of this kind gave that page first, or it is a placeholder of the site.
        is_candidate = self.kind_of(of) == kind or (site_of(kind), digest) in self._named
        if is_candidate and (case is None or (not case.lead and case.digest != digest)):
            case = _Case(digest)
            self._cases.put(kind, case)
        if case is None:
            return False
        if not is_candidate or digest != case.digest:
            case.lead = max(0, case.lead - 1)
            return False
        case.vote(hash(url), list(self._values(url)))
        if case.lead < LEAST or not case.differ or any(starmap(self._varies, case.common())):
            return False
        self._name(kind, digest, proven=False)
        self._cases.drop(kind)  # Another page can be the candidate now.
        return True

    def has_named(self, url: str, digest: bytes) -> bool:
        """Whether a page is known as a placeholder for URLs of this kind."""
        return (self.kind_of(url), digest) in self._named

    def has_proven(self, url: str, digest: bytes) -> bool:
        """Whether it is known as one because a made-up URL gave it."""
        return bool(self._named.get((self.kind_of(url), digest)))

    def prove(self, url: str, digest: bytes) -> None:
        """Note that a made-up URL gave a page; from now on each page that repeats it is one, too.

        ``url`` is any URL of its kind, and ``digest`` that of its text.
        """
        self._name(self.kind_of(url), digest, proven=True)

    def pass_on(self, url: str, digest: bytes, to: bytes) -> None:
        """Note that a page is a placeholder because another one is, that it repeats."""
        self._name(self.kind_of(url), to, proven=self.has_proven(url, digest))

    def _name(self, kind: str, digest: bytes, *, proven: bool) -> None:
        for place in (kind, site_of(kind)):
            known = bool(self._named.get((place, digest)))
            self._named.put((place, digest), value=proven or known)

    def kind_of(self, url: str) -> str:
        """The pattern that names the handler of a URL."""
        return self._patterns.of(url)[HANDLER]

    def _varies(self, spot: int, value: Value) -> bool:
        """Whether a value is one of many: on its site, or at its place in URLs of one kind.

        A pattern contains the frequent words of a site unchanged. Copies for many sessions make the
        name of one article frequent, but URLs of other articles have other names at this place.
        """
        return value.varies or len(self._spots.get(spot) or ()) > DIFFERENT

    def _values(self, url: str) -> Iterator[_Placed]:
        """The values of a URL, each with its place.

        The place of a segment is the folder that it stands in: the segments before it.
        """
        kind = self.kind_of(url)
        values = self._patterns.values(url)
        segments = sum(value.is_segment for value in values)
        folder = hash((site_of(kind), kind.partition("?")[2], segments))
        for n, value in enumerate(values):
            spot = hash((kind, value.place))
            if value.is_segment:
                # The first of several segments is the name of a handler, and may be one of many.
                spot = hash((folder, value.digest)) if not n and segments > 1 else folder
                folder = hash((folder, value.digest))
            yield spot, value
