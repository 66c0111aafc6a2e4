"""The drop log: one JSON line per verdict, with all data that is needed to undo it.

verdict -> DropLog.write -> a line -> one write -> the file; dedup.review.records reads it

A line is written before the item is dropped, so a killed crawl loses at most the line that is being
written, and the lines of unfinished pages with several items.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dedup.index import Match
from dedup.review.records import KEPT, VERSION, now
from dedup.scope import host_of
from dedup.scrapy.jsonlog import JsonLog
from dedup.scrapy.messages import new_words
from dedup.scrapy.values import Encoded, to_base64
from dedup.store import Record

MOST_PASSAGES, LONGEST_PASSAGE = 20, 500  # New passages in a record, and characters of each.


class DropLog(JsonLog):
    """Appends the verdicts of one crawl of a spider."""

    def __init__(self, path: Path, spider: str, job: str = "") -> None:
        super().__init__(path)
        self._spider = spider
        self._crawl = {"crawl": now()} | ({"job": job} if job else {})

    def write(
        self,
        action: str,
        items: Sequence[Encoded],
        record: Record,
        match: Match,
        text: bytes = b"",
        given: int = 1,
    ) -> None:
        """Append the verdict on a page; docs/drop-log.md explains each field.

        Args:
            action: ``drop`` or ``tag``; ``keep`` for a page that was exported.
            items: the dropped or tagged items of the page; empty for an exported page.
            record: the page.
            match: the page that it repeats.
            text: the packed main text of a dropped page; empty if texts are not kept.
            given: the number of items that the page gave.

        Raises:
            OSError: the file cannot be written.
        """
        found = match.kinship.text
        new = found.passages[:MOST_PASSAGES] if found is not None else ()
        passages = [passage[:LONGEST_PASSAGE] for passage in new]
        (item_type, fields), *more = items or [("", {})]
        light = {
            "version": VERSION,
            "time": now(),
            "spider": self._spider,
            "action": action,
            **_pages(record, match),
            "items_dropped": len(items),
            "items_given": given,
            **({"plain": match.plain} if match.plain else {}),
            **({"by_items": True} if match.kinship.of_item else {}),
        }
        bulk = {  # Last, so that dedup.review.records can skip it.
            "item_type": item_type,
            "item": fields,
            **({"more_items": more} if more else {}),
            **({"text": to_base64(text)} if text else {}),
            **({"passages": passages} if passages else {}),
        }
        if action != KEPT:
            bulk["fingerprint"] = to_base64(record.fingerprint)
            bulk["of_fingerprint"] = to_base64(match.original.fingerprint)
        self.append(light | self._crawl | bulk)


def _pages(record: Record, match: Match) -> dict[str, Any]:
    """The fields on a page and the page that it repeats."""
    original = match.original
    return {
        **match.measures,
        "url": record.url,
        "request": record.request.hex(),
        **match.urls,
        "of_page_id": original.page_id,
        "of_seen": datetime.fromtimestamp(original.seen, UTC).isoformat(timespec="seconds"),
        "containment": match.comparison.containment,
        "new_words": new_words(match, record),
        "confirmed": match.kinship.text is not None,
        "same_host": host_of(record.url) == host_of(original.url),
        "tokens": record.tokens,
        "of_tokens": original.tokens,
    }
