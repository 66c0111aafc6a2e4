"""Find the items of a tagged feed that repeat another item of the feed.

    tags of repeated items -> pages that gave them first -> identities of the items of these pages
    fields of a repeated item -> its identity -> is it among them?

A tag has the page that gave the item first, but this item itself has no tag, and its page is not in
the feed. So each item without a tag is compared as an item of the pages that may have given it.

If the first item is not in the feed, since an earlier crawl exported it, one of the repeated items
stays. An item that cannot be compared stays, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from dedup.items import Naming
from dedup.review.clusters import Entry, ItemState, Rank, sort_key
from dedup.scope import domain_of

MOST_PAGES = 8  # Pages that may have given an item; each is tried.
Scope = Callable[[str], str]
Fields = Mapping[str, Any]
# The identity of an item, and its scope; the page that gave it first if its identity is brief.
_Key = tuple[bytes, str]


def repeated_items(
    entries: Sequence[Entry], items: Sequence[Fields], rank: Rank, naming: Naming, scope_of: Scope
) -> set[int]:
    """The places of the items that repeat another item of the feed.

    ``items`` are the fields of the entries. ``rank`` chooses among items that repeat one that is
    not in the feed. Items repeat each other only within the scope of their URLs, by ``scope_of``.
    """

    def key_of(place: int, page: str, giver: str) -> _Key | None:
        try:
            identity = naming.identify(items[place], page)
        except ValueError:  # It has too many values; the crawl exported it without a verdict.
            return None
        if identity is None:
            return None
        return identity.digest, giver if identity.brief else scope_of(page)

    places = [place for place, one in enumerate(entries) if one.state is ItemState.REPEATED]
    givers = _Givers(entries[place] for place in places)
    best: dict[_Key | None, int | None] = {
        key_of(place, page, page): None
        for place, entry in enumerate(entries)
        if entry.state is not ItemState.REPEATED
        for page in ((entry.page,) if entry.page else givers.of(entry, items[place]))
    }
    repeated = set()
    for place in places:
        key = key_of(place, entries[place].page, entries[place].of)
        if key is None:
            continue
        other = best.setdefault(key, place)
        if other == place:
            continue
        if other is not None and sort_key(entries[place], rank) < sort_key(entries[other], rank):
            best[key], place = place, other  # noqa: PLW2901  (the other one goes)
        repeated.add(place)
    return repeated


class _Givers:
    """The pages that gave the repeated items first."""

    def __init__(self, repeated: Iterable[Entry]) -> None:
        self._all: set[str] = set()
        self._by_url: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for entry in repeated:
            self._all.add(entry.of)
            pages = self._by_url[entry.url]  # The pages of one site identify an item alike.
            if len(pages) < MOST_PAGES:
                pages.setdefault(domain_of(entry.of), entry.of)

    def of(self, entry: Entry, fields: Fields) -> Iterator[str]:
        """The pages that may have given an item: by its URL, or since it names them."""
        yield from self._by_url.get(entry.url, {}).values()
        named = (value for value in fields.values() if isinstance(value, str))
        yield from islice((value for value in named if value in self._all), MOST_PAGES)
