"""Count the documents in which each word occurs, and write the counts as an idf model.

documents, a set of words each -> DocumentFrequencies -> a table file, read by ``idf.load_idf``

The different words of a large collection do not fit into memory; nearly all are rare. Above a
limit the rarest words are dropped, as in lossy counting (Manku and Motwani, "Approximate Frequency
Counts over Data Streams", VLDB 2002). A dropped word that comes back starts at ``slack``. So every
count is at least the true count, and at most ``slack`` above it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from dedup.files import packed, whole_bytes
from dedup.schemes.idf import FORMAT


class DocumentFrequencies:
    """Document frequencies of a stream of documents, with at most ``limit`` different words.

    A word takes about 100 bytes.
    """

    def __init__(self, limit: int) -> None:
        self.documents = 0  # Documents counted.
        self.slack = 0  # Maximum excess of a count; 0 until a word is dropped.
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
            while len(self._counts) > self._limit // 2:
                self.slack += 1
                self._counts = {word: n for word, n in self._counts.items() if n > self.slack}

    def counts(self, least: int) -> dict[str, int]:
        """The words in ``least`` documents or more, most frequent first, then by spelling."""
        kept = {word: n for word, n in self._counts.items() if n >= max(least, self.slack + 1)}
        return dict(sorted(kept.items(), key=lambda item: (-item[1], item[0])))


def write_table(path: Path, counts: dict[str, int], documents: int, made: str, date: str) -> None:
    """Write a model. The same arguments give the same bytes; the file appears only complete.

    The counts are in the order of ``DocumentFrequencies.counts``. ``made`` is the source of the
    model, in words; the date is written YYYY-MM-DD.
    """
    about = {"format": FORMAT, "documents": documents, "date": date, "made from": made}
    lines = [json.dumps(about, ensure_ascii=False)]
    for count, group in groupby(counts.items(), key=lambda item: item[1]):
        lines.append(" ".join([str(count), *(word for word, _ in group)]))
    with whole_bytes(path) as raw, packed(raw) as out:
        out.write(("\n".join(lines) + "\n").encode("utf-8", "replace"))
