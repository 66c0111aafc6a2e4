"""Find pages that many others repeat: a template, a block page, a soft 404; a notice on many sites.

    verdicts -> SwallowWatch.note -> a warning, once per repeated page

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
