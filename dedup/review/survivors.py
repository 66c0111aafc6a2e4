"""Choose one survivor per cluster in a feed with tagged near-duplicates.

items -> rows -> clusters over (URL, the tag's ``of``) -> the preferred row of each
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from dedup.index import Plain
from dedup.review.clusters import Components
from dedup.scope import bare_host, host_of

PREFERENCES = ("first", "earliest", "longest", "host=NAME")
NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Entry:
    """The data of one feed item for a choice.

    Attributes:
        url: its page.
        of: the page that it repeats; empty if it is unique.
        date: when its page was written or fetched; ``NEVER`` if unknown.
        length: the length of its text, in characters or in words; the same unit for all entries.
        plain: why its URL was the plainest so far, as its tag says; empty otherwise.
    """

    url: str
    of: str
    date: datetime = NEVER
    length: int = 0
    plain: str = ""


def read_date(value: object) -> datetime | None:
    """Read a date, or a text in ISO 8601; UTC without a zone. None for other values."""
    try:
        date = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


Rank = Callable[[Entry], tuple[object, ...]]


def read_preference(text: str) -> Rank:
    """Make a sort key of entries from a preference; the best entry comes first.

    Raises:
        ValueError: the preference is unknown, or has no host.
    """
    name, _, host = text.partition("=")
    if text == "first":
        return lambda entry: ()  # noqa: ARG005
    if text == "earliest":
        return lambda entry: (entry.date,)
    if text == "longest":
        return lambda entry: (-entry.length,)
    if name == "host" and host:
        wanted = bare_host(host)
        return lambda entry: (host_of(entry.url) != wanted,)
    raise ValueError(f"a preference must be one of {', '.join(PREFERENCES)}; got {text!r}")


def plainest(entry: Entry) -> tuple[object, ...]:
    """A sort key: the canonical page comes first, then the one with the shortest URL."""
    if not entry.plain:
        return (2,)
    return entry.plain != Plain.CANONICAL, len(entry.url)


def survivors(entries: Sequence[Entry], rank: Rank) -> list[int]:
    """The places of the entries that stay, in order.

    All items of a surviving page stay. Among equally preferred entries, untagged ones come first,
    then the first in the feed.
    """
    components: Components[str] = Components()
    for entry in entries:
        components.join(entry.of or entry.url, entry.url)
    best: dict[str, int] = {}
    for place, entry in enumerate(entries):
        root = components.find(entry.url)
        if root not in best or _key(entry, rank) < _key(entries[best[root]], rank):
            best[root] = place
    urls = {entries[place].url for place in best.values()}
    return [place for place, entry in enumerate(entries) if entry.url in urls]


def _key(entry: Entry, rank: Rank) -> tuple[object, ...]:
    return (*rank(entry), bool(entry.of))
