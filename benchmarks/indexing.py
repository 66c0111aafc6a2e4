"""Texts through the engine alone: fingerprint, look up, store; no crawl."""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from dedup import (
    Claim,
    Config,
    Fingerprinter,
    Index,
    Verdict,
    make_fingerprinter,
    make_index,
)
from dedup.assembly import opened_store
from dedup.index import words_reader
from dedup.store import Record


def repeated(claim: Claim) -> Record | None:
    """The page for which one would be dropped; None for a page that is kept."""
    if claim.verdict is not Verdict.DUPLICATE or claim.match is None:
        return None
    return claim.match.record


class Engine:
    """An index over a LevelDB store that keeps time."""

    def __init__(self, index: Index, fingerprinter: Fingerprinter, scope: str) -> None:
        self.index = index
        self.pages = 0
        self.fingerprint_seconds = 0.0
        self.index_seconds = 0.0
        self.candidates = 0
        self._fingerprinter = fingerprinter
        self._words_of = words_reader(index.scheme, scope)

    @classmethod
    @contextmanager
    def open(cls, config: Config | None = None) -> Iterator[Engine]:
        """An engine over a store in a temporary folder, with default settings or others."""
        config = replace(config or Config(), store="leveldb:store")
        with tempfile.TemporaryDirectory() as folder, opened_store(config, Path(folder)) as store:
            fingerprinter = make_fingerprinter(config)
            fingerprinter.of_text("词典 loaded before the first page")
            yield cls(make_index(config, store), fingerprinter, config.scope)

    def add(self, url: str, *, text: str = "", html: str = "") -> Claim:
        """Check a text or a page, and store it if it is new."""
        claim = self._check(url, text, html)
        started = time.perf_counter()
        self.index.commit(claim)
        self.index_seconds += time.perf_counter() - started
        return claim

    def look_up(self, url: str, *, text: str = "", html: str = "") -> Claim:
        """Check a text or a page, and store nothing."""
        claim = self._check(url, text, html)
        self.index.release(claim)
        return claim

    @property
    def times(self) -> dict[str, float]:
        """Milliseconds and candidates a page, over all pages so far."""
        pages = max(self.pages, 1)
        return {
            "ms a page, fingerprint": 1000 * self.fingerprint_seconds / pages,
            "ms a page, index": 1000 * self.index_seconds / pages,
            "candidates a page": self.candidates / pages,
        }

    def reset_times(self) -> None:
        """Begin to count anew."""
        self.pages = self.candidates = 0
        self.fingerprint_seconds = self.index_seconds = 0.0

    def _check(self, url: str, text: str, html: str) -> Claim:
        request = hashlib.sha256(url.encode()).digest()[:20]
        started = time.perf_counter()
        page = self._fingerprinter.of_html(html) if html else self._fingerprinter.of_text(text)
        made = time.perf_counter()
        claim = self.index.check(url, request, page)
        self.index_seconds += time.perf_counter() - made
        self.fingerprint_seconds += made - started
        self.pages += 1
        if not claim.reason:  # The store is asked once more, off the clock.
            found = self.index.store.near(self._words_of(claim.record))
            self.candidates += len(found.page_ids)
        return claim
