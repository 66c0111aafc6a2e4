"""Pages of a source into a store: which of them repeat pages of the store, and which are put.

source -> mark_exempt -> find_duplicates -> put_pages -> store

The steps follow each other, so that all is found out before a page is put: pages of one source,
which its own crawl kept beside each other, are no duplicates of each other here. Every step may be
interrupted and run again: a page is known by its request, and putting it twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from dedup.chunks import chunks, weighed_chunks
from dedup.exchange.entries import ExportedPage
from dedup.index import Index, Match
from dedup.page.kept_text import pack_text
from dedup.store import Record, Store
from dedup.store.interface import WordsOf

BATCH = 2_000  # pages held in memory at a time,
BATCH_BYTES = 1 << 26  # or so many bytes of them


@dataclass(slots=True)
class Merged:
    """What became of the pages of a source.

    Attributes:
        added: new in the store.
        replaced: in place of the page of the same request, which was seen earlier.
        unchanged: the store's own page of the same request was seen as late, or later.
    """

    added: int = 0
    replaced: int = 0
    unchanged: int = 0


def mark_exempt(store: Store, requests: Iterable[bytes]) -> int:
    """Mark what requests fetch as no duplicates, as the source has it; returns how many."""
    count = 0
    for batch in chunks(requests, BATCH):
        store.exempt(batch)
        count += len(batch)
    return count


def find_duplicates(
    index: Index, words_of: WordsOf, pages: Iterable[ExportedPage], batch_bytes: int = BATCH_BYTES
) -> Iterator[tuple[ExportedPage, Match | None]]:
    """Each page, with the exported page of the index that it repeats, the most alike.

    A page that the store has by its request may repeat older ones only, so that the answer is the
    same once it was put.

    Args:
        index: over the store, with the rules of what repeats what.
        words_of: reads the words of a record, as that of the store.
        pages: to be looked up.
        batch_bytes: bytes of pages held in memory at a time.
    """
    for batch in _batches(pages, BATCH, batch_bytes):
        found = index.store.near_many([words_of(page.record) for page in batch])
        for page, candidates in zip(batch, found, strict=True):
            yield page, _best_match(index, page, candidates.page_ids)


def put_pages(
    store: Store,
    pages: Iterable[ExportedPage],
    merged: Merged,
    *,
    texts: bool,
    batch_pages: int = BATCH,
) -> None:
    """Put pages into a store; of two of one request the one seen later stays.

    Args:
        store: the target.
        pages: to be put, in the order of the numbers they get.
        merged: counts; a batch is counted once it is put.
        texts: keep their main texts too.
        batch_pages: pages held in memory at a time.
    """
    for batch in _batches(pages, batch_pages, BATCH_BYTES):
        counts = Merged(merged.added, merged.replaced, merged.unchanged)
        chosen = _choose(store, batch, counts)
        for has_text, group in groupby(chosen, lambda page: bool(texts and page.text)):
            if has_text:
                for page in group:
                    store.put(page.record, pack_text(page.text.split("\n")))
            else:
                store.put_many(page.record for page in group)
        merged.added, merged.replaced = counts.added, counts.replaced
        merged.unchanged = counts.unchanged


def newer(known: Record, other: Record) -> Record:
    """Of two records of one request the one seen later, and ``known`` of two seen at once.

    If the text is unchanged, a page once exported still counts as exported.
    """
    chosen = other if other.seen > known.seen else known
    if known.digest != other.digest:
        return chosen
    return chosen._replace(exported=known.exported or other.exported, page_id=known.page_id)


def _best_match(index: Index, page: ExportedPage, found: frozenset[int]) -> Match | None:
    """What a page repeats, by the rules of a crawl; most find nothing to be compared with."""
    if not found:
        return None
    record = page.record
    known = index.store.find_request(record.request)
    newest = max(found) + 1 if known is None else known.page_id
    if min(found) >= newest or index.store.is_exempt(record.request):
        return None
    text = pack_text(page.text.split("\n")) if page.text else b""
    return index.find(record, text, lambda match: match.certain and match.record.page_id < newest)


def _choose(store: Store, batch: list[ExportedPage], merged: Merged) -> list[ExportedPage]:
    """The pages of a batch that change the store, one a request."""
    chosen: dict[bytes, ExportedPage] = {}
    for page in batch:
        request = page.record.request
        earlier = chosen.get(request)
        known = earlier.record if earlier else store.find_request(request)
        if known is None:
            merged.added += 1
            chosen[request] = page
        elif (record := newer(known, page.record)) == known:
            merged.unchanged += 1
        else:
            merged.replaced += 1
            chosen[request] = ExportedPage(record, page.text)
    return list(chosen.values())


def _batches(pages: Iterable[ExportedPage], count: int, size: int) -> Iterator[list[ExportedPage]]:
    """Pages in lists of a bounded number and a bounded size in memory."""
    return weighed_chunks(pages, count, size, _weight)


def _weight(page: ExportedPage) -> int:
    return len(page.record.url) + len(page.record.fingerprint) + len(page.text)
