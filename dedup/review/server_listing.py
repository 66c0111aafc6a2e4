"""The records of a review, in memory: sorted once, then filtered and shown page by page.

A request for a page names the record before or after it, not a row number. Judging changes the
filtered rows, and with row numbers a record could be missed between two pages.
"""

from __future__ import annotations

import random
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from sys import intern

from dedup.review.judgements import VERDICTS, WRONG
from dedup.review.records import Choice, Drop
from dedup.scope import bare_host, host_of

PAGE = 50  # Records of a page.
SEED = 20070508  # The seed of the mixed order, which is the same at every start.
ORDERS = ("similarity", "time", "mixed")
# What is asked for -> the verdicts that fit.
JUDGED: Mapping[str, Collection[str | None]] = {
    "judged": VERDICTS,
    "unjudged": (None,),
    **{verdict: (verdict,) for verdict in VERDICTS},
}
HOSTS = 200  # Hosts in the menu, the most frequent first.


@dataclass(frozen=True, slots=True)
class Filter(Choice):
    """The records to show; an empty value matches all. ``host`` is faster than ``hosts``."""

    host: str = ""  # The host of the dropped page or of the page it repeats.
    judged: str = ""  # One of ``JUDGED``.
    text: str = ""  # A part of either URL, in lower case; matches in any case.


@dataclass(frozen=True, slots=True)
class ListingPage:
    """One page of the records that match a filter, by number."""

    numbers: list[int]  # The records, in order.
    before: int  # Number of matching records before them.
    total: int  # Number of all matching records.


def parse_filter(words: Mapping[str, str]) -> Filter:
    """Make a filter from the parameters of a query. Raises ValueError if a value is not allowed."""
    host = words.get("host", "").strip()
    judged = words.get("judged", "")
    if judged and judged not in JUDGED:
        raise ValueError(f"judged must be one of {', '.join(JUDGED)}; got {judged!r}")
    return Filter(
        host=bare_host(host) if host else "",
        relation=words.get("relation", ""),
        action=words.get("action", ""),
        least=_share("min", words.get("min", ""), 0.0),
        most=_share("max", words.get("max", ""), 1.0),
        judged=judged,
        text=words.get("text", "").strip().lower(),
    )


class Listing:
    """The records, by number (their place in the logs), with their verdicts."""

    def __init__(self, drops: Sequence[Drop], verdicts: Mapping[int, str]) -> None:
        self.drops = drops
        self.verdicts = dict(verdicts)
        # Of each dropped page and of the page it repeats.
        self.hosts = [(intern(host_of(drop.url)), intern(host_of(drop.of))) for drop in drops]
        self.choices = {  # The most frequent first.
            "host": _frequent(host for pair in self.hosts for host in set(pair))[:HOSTS],
            "relation": _frequent(drop.relation.value for drop in drops),
            "action": _frequent(drop.action for drop in drops),
        }
        numbers = range(len(drops))
        self._orders = {
            "similarity": sorted(numbers, key=lambda number: drops[number].similarity),
            "time": sorted(numbers, key=lambda number: drops[number].time),
            "mixed": random.Random(SEED).sample(numbers, len(drops)),  # noqa: S311
        }
        self._places = {  # The place of each record in each order.
            name: sorted(numbers, key=order.__getitem__) for name, order in self._orders.items()
        }

    def judge(self, number: int, verdict: str | None) -> str | None:
        """Set the verdict on a record, or remove it with None; returns the previous verdict."""
        before = self.verdicts.pop(number, None)
        if verdict is not None:
            self.verdicts[number] = verdict
        return before

    def restorable(self) -> list[int]:
        """The dropped records judged wrong, in order; items of tagged pages are in the feed."""
        wrong = (number for number, verdict in list(self.verdicts.items()) if verdict == WRONG)
        return sorted(number for number in wrong if self.drops[number].action == "drop")

    def page(
        self, chosen: Filter, order: str, *, after: int | None, before: int | None
    ) -> ListingPage:
        """One page of the matching records: the first, or the page after or before a record.

        Raises:
            ValueError: there is no such order.
            IndexError: there is no such record.
        """
        if order not in ORDERS:
            raise ValueError(f"order must be one of {', '.join(ORDERS)}; got {order!r}")
        found = self._orders[order]
        if chosen != Filter():
            found = [number for number in found if self._fits(number, chosen)]
        places, start, size = self._places[order], 0, PAGE
        if after is not None:
            start = bisect_right(found, places[after], key=places.__getitem__)
        elif before is not None:
            end = bisect_left(found, places[before], key=places.__getitem__)
            start, size = max(0, end - size), min(size, end)
        return ListingPage(found[start : start + size], start, len(found))

    def _fits(self, number: int, chosen: Filter) -> bool:
        drop = self.drops[number]
        return (
            (not chosen.host or chosen.host in self.hosts[number])
            and chosen.takes(drop)
            and (not chosen.judged or self.verdicts.get(number) in JUDGED[chosen.judged])
            and (chosen.text in drop.url.lower() or chosen.text in drop.of.lower())
        )


def _share(name: str, text: str, default: float) -> float:
    if not text.strip():
        return default
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise ValueError(f"{name} must be a similarity from 0 to 1; got {text!r}")
    return number


def _frequent(values: Iterable[str]) -> list[str]:
    return [value for value, _ in Counter(values).most_common() if value]
