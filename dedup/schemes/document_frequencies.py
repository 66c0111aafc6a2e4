"""Counts in how many documents each word occurs, and writes them as an idf model.

documents, a set of words each -> DocumentFrequencies -> a table file, read by ``idf.load_idf``

A large collection has more different words than memory has room for, nearly all of them rare.
Past a limit the rarest are dropped, as in lossy counting (Manku and Motwani, "Approximate
Frequency Counts over Data Streams", VLDB 2002): a word that comes back later is counted as if it
had been seen ``slack`` times before, so no count is too small, and none too large by more.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from dedup.files import packed, whole_bytes
from dedup.schemes.idf import FORMAT


class DocumentFrequencies:
    """Document frequencies of a stream of documents, in bounded memory.

    Args:
        limit: different words kept at the most; 100 bytes or so each.

    Attributes:
        documents: documents counted.
        slack: by how much a count may be too large; 0 as long as no word was dropped.
    """

    def __init__(self, limit: int) -> None:
        self.documents = 0
        self.slack = 0
        self._limit = limit
        self._counts: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._counts)

    def add(self, words: Iterable[str]) -> None:
        """Count the words of one document, each once."""
        self.documents += 1
        counts, slack = self._counts, self.slack
        for word in set(words):
            counts[word] = min(counts.get(word, slack) + 1, self.documents)
        if len(counts) > self._limit:
            self._prune()

    def counts(self, least: int) -> dict[str, int]:
        """The words in ``least`` documents or more, most frequent first, then by spelling."""
        kept = {word: n for word, n in self._counts.items() if n >= max(least, self.slack + 1)}
        return dict(sorted(kept.items(), key=lambda item: (-item[1], item[0])))

    def _prune(self) -> None:
        while len(self._counts) > self._limit // 2:
            self.slack += 1
            self._counts = {word: n for word, n in self._counts.items() if n > self.slack}


def write_table(path: Path, counts: dict[str, int], documents: int, made: str, date: str) -> None:
    """Write a model: the same arguments give the same bytes; it never appears incomplete.

    Args:
        path: of the file, replaced where it exists.
        counts: document frequency of each word, as ``DocumentFrequencies.counts`` orders them.
        documents: number of documents counted.
        made: from what, in words.
        date: of the day, as YYYY-MM-DD.
    """
    about = {"format": FORMAT, "documents": documents, "date": date, "made from": made}
    lines = [json.dumps(about, ensure_ascii=False)]
    for count, group in groupby(counts.items(), key=lambda item: item[1]):
        lines.append(" ".join([str(count), *(word for word, _ in group)]))
    with whole_bytes(path) as raw, packed(raw) as out:
        out.write(("\n".join(lines) + "\n").encode("utf-8", "replace"))
