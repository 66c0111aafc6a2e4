"""Drop logs made for tests: as a crawl writes them, with what a test needs to be otherwise."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from crawling import text

from dedup.review.differences import Texts
from dedup.review.records import Drop
from dedup.scrapy.commands.drops import dropped_text


def entry(number: int = 0, **fields: Any) -> dict[str, Any]:
    """One record: page ``number`` of b.example repeats the story of a.example."""
    light = {
        "version": 3,
        "time": f"2026-11-{10 + number // 24:02d}T{number % 24:02d}:00:00.000+00:00",
        "spider": "site",
        "action": "drop",
        "relation": "edited",
        "url": f"http://b.example/{number}",
        "of": "http://a.example/story",
        "of_page_id": 1,
        "of_seen": "2026-11-09T00:00:00+00:00",
        "similarity": 0.5,
        "distance": 4,
        "containment": 0.75,
        "new": 0.05,
        "new_words": 12,
        "confirmed": True,
        "same_host": False,
        "tokens": 240,
        "of_tokens": 240,
    }
    bulk = {  # Last, as in a real log.
        "fingerprint": "",
        "of_fingerprint": "",
        "item_type": "builtins.dict",
        "item": {"title": f"Story {number}", "text": text("story", edits=number % 5)},
    }
    return (
        light | {name: value for name, value in fields.items() if name not in bulk} | bulk | fields
    )


def texts_with(original: str) -> Callable[[Drop], Texts]:
    """Reads the texts of a record, which repeats a page with this text."""
    return lambda drop: Texts(dropped_text(drop, ("title", "text")), original)


def pack_text(words: str, title: str = "", h1: str = "") -> str:
    """A text as a log keeps it: with the titles of its page in two lines before it."""
    kept = f"{title}\n{h1}\n{words}"
    return base64.b64encode(zlib.compress(kept.encode())).decode()


def write_log(path: Path, entries: Iterable[dict[str, Any]], tail: str = "") -> Path:
    """Write a log, ended by ``tail``; returns its path."""
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries) + tail)
    return path
