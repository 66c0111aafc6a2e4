"""Select drops by host, relation, time, similarity and so on."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from dedup.review.records import Drop, read_time
from dedup.scope import host_of

_AGO = re.compile(r"(\d+)\s*([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


@dataclass(frozen=True, slots=True)
class Choice:
    """The conditions for a drop; by default all drops fit."""

    # The host of the dropped page, or of the page it repeats, is one of these.
    hosts: Collection[str] = ()
    urls: Collection[str] = ()  # The dropped page is one of these.
    of: Collection[str] = ()  # The repeated page is one of these.
    relation: str = ""  # The name of the relation of the two pages.
    action: str = ""  # ``drop`` or ``tag``.
    spiders: Collection[str] = ()  # Its spider is one of these.
    # Bounds of the similarity, 0 to 1, both inclusive.
    least: float = 0.0
    most: float = 1.0
    # Bounds of the time of the verdict; ``until`` is exclusive.
    since: datetime | None = None
    until: datetime | None = None

    def takes(self, drop: Drop) -> bool:
        """Whether a drop fits all conditions."""
        return (
            (not self.urls or drop.url in self.urls)
            and (not self.of or drop.of in self.of or drop.original in self.of)
            and self.relation in ("", drop.relation)
            and self.action in ("", drop.action)
            and (not self.spiders or drop.spider in self.spiders)
            and self.least <= drop.similarity <= self.most
            and (self.since is None or drop.time >= self.since)
            and (self.until is None or drop.time < self.until)
            and (
                not self.hosts
                or any(host_of(url) in self.hosts for url in (drop.url, drop.of, drop.original))
            )
        )


def read_moment(text: str, now: datetime) -> datetime:
    """A time in a form for people: ISO 8601 (UTC without a zone), or 2d, 3h, 30m before ``now``.

    Raises ValueError if the text has another form.
    """
    if ago := _AGO.fullmatch(text.strip()):
        try:
            return now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        except OverflowError:
            raise ValueError(f"{text!r} is before all time") from None
    try:
        return read_time(text)
    except ValueError:
        raise ValueError(
            f"a time must be like 2026-11-21, 2026-11-21T08:30 or 2d, 3h, 30m; got {text!r}"
        ) from None
