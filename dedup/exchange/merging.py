"""Merge the pages of a source into a store, and find the pages that repeat pages of the store.

source -> mark_exempt -> find_duplicates -> put_pages -> add_tallies -> store

Each step ends before the next begins, so all duplicates are found before the first page is put.
Pages of one source are therefore no duplicates of each other: their own crawl kept them all. Every
step may be interrupted and run again. Pages are identified by their requests, so putting a page
twice changes nothing. Only tallies are added once more; so they come last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from dedup.chunks import chunks, weighed_chunks
from dedup.exchange.entries import ExportedPage
from dedup.index import Index, Match
from dedup.page.kept_text import pack_text
from dedup.store import Record, Store
from dedup.store.interface import WordsOf
from dedup.urls import Tally

BATCH = 2_000  # Most pages in memory at a time.
BATCH_BYTES = 1 << 26  # Approximate limit for the bytes of pages in memory at a time.


def mark_exempt(store: Store, requests: Iterable[bytes]) -> int:
    """Mark the pages of requests as never duplicates in the store; returns how many."""
    count = 0
    for batch in chunks(requests, BATCH):
        store.exempt(batch)
        count += len(batch)
    return count


def add_tallies(store: Store, tallies: Iterable[tuple[str, Tally]]) -> int:
    """Add tallies of URL patterns to those of the store; returns of how many patterns."""
    count = 0
    for batch in chunks(tallies, BATCH):
        store.tally(dict(batch))
        count += len(batch)
    return count


def find_duplicates(
    index: Index, words_of: WordsOf, pages: Iterable[ExportedPage], batch_bytes: int = BATCH_BYTES
) -> Iterator[tuple[ExportedPage, Match | None]]:
    """Look pages up; yields each with the best match that it repeats among exported pages.

    If the store already has a page of the same request, the page may repeat only older pages. So
    the result is the same after the page was put. Pages of about ``batch_bytes`` bytes are in
    memory at a time.
    """
    for batch in weighed_chunks(pages, BATCH, batch_bytes, _weight):
        found = index.store.near_many([words_of(page.record) for page in batch])
        for page, candidates in zip(batch, found, strict=True):
            yield page, _best_match(index, page, candidates.page_ids)


def put_pages(
    store: Store,
    pages: Iterable[ExportedPage],
    merged: Counter[str],
    *,
    texts: bool,
    batch_pages: int = BATCH,
) -> None:
    """Put pages into a store; of two pages of one request, the one seen later stays.

    Pages get numbers in their order. A batch is counted in ``merged`` after it is put: ``added``
    are new pages, ``replaced`` had an older page of the same request, and ``unchanged`` were left
    out, since the store's page is as new or newer. ``texts`` is whether to keep main texts too.
    """
    for batch in weighed_chunks(pages, batch_pages, BATCH_BYTES, _weight):
        chosen, counts = _choose(store, batch)
        for has_text, group in groupby(chosen, lambda page: bool(texts and page.text)):
            if has_text:
                for page in group:
                    store.put(page.record, pack_text(page.text.split("\n")))
            else:
                store.put_many(page.record for page in group)
        merged.update(counts)


def newer(known: Record, other: Record) -> Record:
    """The later of two records of one request; ``known`` if both were seen at the same time.

    If their texts are equal, the result is exported if either record is.
    """
    chosen = other if other.seen > known.seen else known
    if known.digest != other.digest:
        return chosen
    return chosen._replace(exported=known.exported or other.exported, page_id=known.page_id)


def _best_match(index: Index, page: ExportedPage, found: frozenset[int]) -> Match | None:
    """The match that a page repeats, by the rules of a crawl; None if there is none."""
    if not found:
        return None
    record = page.record
    known = index.store.find_request(record.request)
    newest = max(found) + 1 if known is None else known.page_id
    if min(found) >= newest or index.store.is_exempt(record.request):
        return None
    text = pack_text(page.text.split("\n")) if page.text else b""
    return index.find(record, text, lambda match: match.certain and match.record.page_id < newest)


def _choose(store: Store, batch: list[ExportedPage]) -> tuple[list[ExportedPage], Counter[str]]:
    """The pages of a batch that change the store, one for each request, and all outcomes."""
    chosen: dict[bytes, ExportedPage] = {}
    counts: Counter[str] = Counter()
    for page in batch:
        request = page.record.request
        earlier = chosen.get(request)
        known = earlier.record if earlier else store.find_request(request)
        if known is None:
            counts["added"] += 1
            chosen[request] = page
        elif (record := newer(known, page.record)) == known:
            counts["unchanged"] += 1
        else:
            counts["replaced"] += 1
            chosen[request] = ExportedPage(record, page.text)
    return list(chosen.values()), counts


def _weight(page: ExportedPage) -> int:
    return len(page.record.url) + len(page.record.fingerprint) + len(page.text)
