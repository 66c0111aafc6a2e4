"""Items on their way from the spider to the pipeline, each with the page it came from.

A pipeline gets an item alone, so items are known by their identity. One that an earlier pipeline
replaced is never asked for: it is forgotten with the last item of its response.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from dedup.scrapy.ledger import PageInFlight

MOST = 100_000  # items known: a component may lose one without a word


@dataclass(slots=True, eq=False)
class Batch:
    """The items of one response that are under way."""

    ids: list[int] = field(default_factory=list)
    under_way: int = 0


class Origins:
    """The pages of a crawl's items."""

    def __init__(self, most: int = MOST) -> None:
        """Know of no item; of more than ``most`` items the oldest are forgotten."""
        self._most = most
        self._items: dict[int, tuple[Any, PageInFlight | None, Batch]] = {}  # by id of the item
        self._batches: WeakKeyDictionary[object, Batch] = WeakKeyDictionary()  # by response

    def __len__(self) -> int:
        return len(self._items)

    def batch_of(self, response: object) -> Batch:
        """The items of a response, None for those that the spider began with."""
        batch = self._batches.get(response or self)
        if batch is None:
            batch = self._batches[response or self] = Batch()
        return batch

    def came(self, item: Any, page: PageInFlight | None, batch: Batch) -> None:
        """Note an item of a batch."""
        batch.under_way += 1
        batch.ids.append(id(item))
        self._items[id(item)] = (item, page, batch)
        if len(self._items) > self._most:
            del self._items[next(iter(self._items))]

    def take(self, item: Any) -> tuple[bool, PageInFlight | None]:
        """Whether an item is known, and its page, if it has one; it is forgotten by that."""
        known = self._items.pop(id(item), None)
        return known is not None, known[1] if known is not None else None

    def went(self, item: Any, response: object) -> None:
        """An item of a response was exported, or dropped, or failed."""
        self._items.pop(id(item), None)
        if (batch := self._batches.get(response or self)) is None:
            return
        batch.under_way -= 1
        if batch.under_way <= 0:
            for number in batch.ids:  # others may have the identity of one taken by now
                if number in self._items and self._items[number][2] is batch:
                    del self._items[number]
            batch.ids.clear()
            batch.under_way = 0  # of an item that came from elsewhere there may be one too few
