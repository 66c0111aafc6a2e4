"""Find pages that many others repeat: a template, a block page, a soft 404; a notice on many sites.

verdicts -> SwallowWatch.note -> a Swallowed or a SwallowedAcross, once per repeated page

Each host has one suspect, by the majority vote of Boyer and Moore (1981). A page that repeats the
suspect is a vote for it, and any other page is a vote against it. A suspect without votes is
replaced by the next repeated page. So a suspect reaches ``VOTES`` soon after most pages of its host
begin to repeat it, even if many good pages came before. It does not if fewer than half repeat it.
Only one suspect per host is stored, for the most recent hosts.

Across hosts, a page is reported after ``ACROSS`` pages of other hosts repeated it with a low
similarity. Then a common passage was probably taken for the main text.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dedup.lru import LRU
from dedup.scope import host_of

VOTES = 50  # Report a page after so many votes: pages that repeat it, less pages that do not.
ACROSS = 20  # Report a page after so many pages of other hosts that repeat it in part.
PARTLY = 0.5  # Below this similarity, pages have only a part in common.
WATCHED = 1_000  # Hosts watched at a time; also the number of reported hosts and pages stored.
EXAMPLES = 2


@dataclass(frozen=True, slots=True)
class Swallowed:
    """A host with one page that most of its pages repeat.

    Attributes:
        host: the host; empty for pages without a host.
        of: URL of the repeated page.
        repeats: number of pages of the host that repeated it.
        checked: number of pages of the host with a verdict, since the first repeat.
        examples: URLs of the first pages that repeated it.
    """

    host: str
    of: str
    repeats: int
    checked: int
    examples: tuple[str, ...]

    @property
    def warning(self) -> str:
        """The problem and its remedies, for people."""
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
    """A page that many pages of other hosts repeat with a low similarity.

    Attributes:
        of: URL of the page.
        repeats: number of these pages so far.
        example: URL of the last of these pages.
    """

    of: str
    repeats: int
    example: str

    @property
    def warning(self) -> str:
        """The problem and its remedies, for people."""
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
    """Watches the verdicts of one crawl, in limited memory."""

    def __init__(self) -> None:
        self.hosts = 0  # Number of reported hosts.
        self.across = 0  # Number of pages that repeat a page of another host only in part.
        self._suspects: LRU[str, _Suspect] = LRU(WATCHED)
        self._hosts_told: LRU[str, bool] = LRU(WATCHED)
        self._pages_told: LRU[str, bool] = LRU(WATCHED)
        self._across: LRU[str, int] = LRU(WATCHED)  # Repeats of other hosts, by page.

    def note(
        self, url: str, of: str | None, similarity: float = 1.0
    ) -> Swallowed | SwallowedAcross | None:
        """Count the verdict on a page; returns a problem if there is a new one to report.

        ``of`` is the URL of the page it repeats, or None. The similarity of the two is from 0 to 1.
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
        """Count a reported host once, and report each repeated page once."""
        self.hosts += _remember(self._hosts_told, host)
        if not _remember(self._pages_told, suspect.of):
            return None
        examples = tuple(suspect.examples)
        return Swallowed(host, suspect.of, suspect.repeats, suspect.checked, examples)


def _remember(told: LRU[str, bool], key: str) -> bool:
    """Store a key; returns whether it is new."""
    is_new = key not in told
    told.put(key, value=True)
    return is_new
