"""Choosing among drops: by host, relation, time, likeness and so on."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from dedup.review.records import Drop
from dedup.scope import host_of

_AGO = re.compile(r"(\d+)\s*([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


@dataclass(frozen=True, slots=True)
class Choice:
    """What is asked of a drop; nothing by default.

    Attributes:
        hosts: the host of the page dropped, or of the one it repeats, is one of these.
        urls: the page dropped is one of these.
        of: the page repeated is one of these.
        relation: of the page to the one that it repeats, by its name.
        action: ``drop`` or ``tag``.
        spiders: its spider is one of these.
        least, most: bounds on the similarity, 0 to 1, both inclusive.
        since, until: bounds on the time of the verdict; the second is exclusive.
    """

    hosts: Collection[str] = ()
    urls: Collection[str] = ()
    of: Collection[str] = ()
    relation: str = ""
    action: str = ""
    spiders: Collection[str] = ()
    least: float = 0.0
    most: float = 1.0
    since: datetime | None = None
    until: datetime | None = None

    def takes(self, drop: Drop) -> bool:
        """Whether a drop is what is asked for."""
        return (
            (not self.urls or drop.url in self.urls)
            and (not self.of or drop.of in self.of)
            and self.relation in ("", drop.relation)
            and self.action in ("", drop.action)
            and (not self.spiders or drop.spider in self.spiders)
            and self.least <= drop.similarity <= self.most
            and (self.since is None or drop.time >= self.since)
            and (self.until is None or drop.time < self.until)
            and (not self.hosts or any(host_of(url) in self.hosts for url in (drop.url, drop.of)))
        )


def read_moment(text: str, now: datetime) -> datetime:
    """A time as people give it: ISO 8601 (UTC where it names no zone), or 2d, 3h, 30m ago.

    Raises:
        ValueError: it is neither.
    """
    if ago := _AGO.fullmatch(text.strip()):
        try:
            return now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        except OverflowError:
            raise ValueError(f"{text!r} is before all time") from None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(
            f"a time must be like 2026-11-21, 2026-11-21T08:30 or 2d, 3h, 30m; got {text!r}"
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
