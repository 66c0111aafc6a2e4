"""Pages that swallow others: a template, a block page, a soft 404; a notice on many sites.

verdicts as they come -> SwallowWatch.note -> a Swallowed or a SwallowedAcross, once a page repeated

Each host has one suspect, by the majority vote of Boyer and Moore (1981): a page that repeats the
suspect is a vote for it, any other page a vote against, and a suspect out of votes gives way to the
next page repeated. So a suspect reaches ``VOTES`` soon after most pages of its host begin to repeat
it, however many good ones came before, and never while fewer than half do. One suspect a host is
all that is remembered, of the hosts met last.

Across hosts a page is told of once so many pages of other hosts were dropped for it that are not
much like it as a whole: a passage that they share was taken for the text.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dedup.lru import LRU
from dedup.scope import host_of

VOTES = 50  # pages that repeat one page, less those that do not, from which on it is told
ACROSS = 20  # pages of other hosts that a page swallows, from which on it is told
PARTLY = 0.5  # similarity below which only a part is in common
WATCHED = 1_000  # hosts at a time; as many hosts, and pages, told of are remembered
EXAMPLES = 2


@dataclass(frozen=True, slots=True)
class Swallowed:
    """A host most of whose pages repeat one page.

    Attributes:
        host: the host; empty for pages without one.
        of: URL of the page they repeat.
        repeats: pages of the host that repeated it.
        checked: pages of the host with a verdict, from the first of these on.
        examples: URLs of the first of these.
    """

    host: str
    of: str
    repeats: int
    checked: int
    examples: tuple[str, ...]

    @property
    def warning(self) -> str:
        """What happened, and what to do, for people."""
        host = self.host or "(no host)"
        return (
            f"Of the last {self.checked} pages of {host}, {self.repeats} repeat one page, "
            f"{self.of}: for example {' and '.join(self.examples)}. Look at "
            f"`scrapy neardup diff {self.examples[0]}`. Pages that differ are told apart by "
            f"another NEARDUP_EXTRACTOR or a lower NEARDUP_MAX_NEW, or are kept by "
            "meta neardup_skip or NEARDUP_ACTION = 'tag' (`scrapy neardup restore` brings dropped "
            "ones back); error pages, and one page under many addresses, are better not requested"
        )


@dataclass(frozen=True, slots=True)
class SwallowedAcross:
    """A page that pages of several hosts repeat which are not much like it.

    Attributes:
        of: URL of the page.
        repeats: how many pages of other hosts repeated it so far.
        example: URL of the last of these.
    """

    of: str
    repeats: int
    example: str

    @property
    def warning(self) -> str:
        """What happened, and what to do, for people."""
        return (
            f"{self.repeats} pages of other hosts repeat {self.of}, and have no more than a part "
            f"in common with it: for example {self.example}. Look at `scrapy neardup diff "
            f"{self.example}`. If it is a notice or a form that they share, they are told apart by "
            "a lower NEARDUP_MAX_NEW or by NEARDUP_DROP without 'contained' (`scrapy neardup "
            "restore` brings dropped ones back)"
        )


@dataclass(slots=True)
class _Suspect:
    of: str
    votes: int = 0
    repeats: int = 0
    checked: int = 0
    examples: list[str] = field(default_factory=list)


class SwallowWatch:
    """Watches the verdicts of one crawl, in bounded memory."""

    def __init__(self) -> None:
        self.hosts = 0  # swallowed so far
        self.across = 0  # pages that repeat one of another host and have only a part in common
        self._suspects: LRU[str, _Suspect] = LRU(WATCHED)
        self._hosts_told: LRU[str, bool] = LRU(WATCHED)
        self._pages_told: LRU[str, bool] = LRU(WATCHED)
        self._across: LRU[str, int] = LRU(WATCHED)  # Repeats of other hosts, by page.

    def note(
        self, url: str, of: str | None, similarity: float = 1.0
    ) -> Swallowed | SwallowedAcross | None:
        """Take a verdict in; returns what is worth a warning.

        Args:
            url: the page checked.
            of: URL of the page it repeats; None where it repeats none.
            similarity: of the two, 0 to 1.
        """
        host = host_of(url)
        if of is not None and similarity < PARTLY and host_of(of) != host:
            self.across += 1
            repeats = (self._across.get(of) or 0) + 1
            self._across.put(of, repeats)
            if repeats == ACROSS:
                return SwallowedAcross(of, repeats, url)
        suspect = self._suspects.get(host)
        if suspect is None or not suspect.votes:
            if of is None:
                return None
            suspect = _Suspect(of)
        self._suspects.put(host, suspect)
        suspect.checked += 1
        if of != suspect.of:
            suspect.votes -= 1
            return None
        suspect.repeats += 1
        suspect.votes = min(suspect.votes + 1, VOTES)
        if len(suspect.examples) < EXAMPLES:
            suspect.examples.append(url)
        return self._tell(host, suspect) if suspect.votes == VOTES else None

    def _tell(self, host: str, suspect: _Suspect) -> Swallowed | None:
        """A host is swallowed: count it once, and tell each page repeated once."""
        self.hosts += _remember(self._hosts_told, host)
        if not _remember(self._pages_told, suspect.of):
            return None
        examples = tuple(suspect.examples)
        return Swallowed(host, suspect.of, suspect.repeats, suspect.checked, examples)


def _remember(told: LRU[str, bool], key: str) -> bool:
    """Note a key; whether it is new."""
    is_new = key not in told
    told.put(key, value=True)
    return is_new
