"""Small collections, and what a crawl makes of them: the index itself, on LevelDB."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from crawler.demo.texts import load_texts
from dedup.assembly import make_fingerprinter, make_index, opened_store
from dedup.batch.sources import request_of
from dedup.config import Config
from dedup.index import Verdict
from dedup.lab.simulator.edits import EDITS
from dedup.lab.simulator.prose import make_text
from dedup.lab.simulator.simulate import Article, Plan, Step, simulate

Row = dict[str, Any]
# URL -> the URL repeated, similarity, relation, the share that is new
Repeats = dict[str, tuple[str, float, str, float]]


def edited_copies(articles: int, copies: int) -> list[Row]:
    """Texts of the demo and edited copies of them, on many hosts, copies of one text apart."""
    texts = islice(load_texts().values(), articles)
    plan = Plan(tuple(Step(name, 0.5) for name in EDITS), copies=copies)
    made = simulate((Article(t.name, make_text(t.title, t.plain)) for t in texts), plan)
    rows = [{"url": document.url, "text": document.content} for document in made]
    return [row for start in range(copies + 1) for row in rows[start :: copies + 1]]


def write_lines(path: Path, rows: Iterable[Row]) -> Path:
    """Write rows as JSON lines."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def crawled(
    rows: Iterable[Row], config: Config, folder: Path, store: str = "leveldb:store"
) -> Repeats:
    """What an index drops of some rows, one after the other; a relative one is in ``folder``."""
    return dict(_crawled(rows, replace(config, store=store), folder))


def _crawled(
    rows: Iterable[Row], config: Config, folder: Path
) -> Iterator[tuple[str, tuple[str, float, str, float]]]:
    fingerprinter = make_fingerprinter(config)
    with opened_store(config, folder) as store:
        index = make_index(config, store)
        for number, row in enumerate(rows):
            page = fingerprinter.of_text(row["text"])
            claim = index.check(row["url"], request_of(row["url"], number), page)
            match = claim.match
            if claim.verdict is Verdict.DUPLICATE and match is not None:
                likeness = match.comparison.similarity, match.relation.value, match.kinship.new
                yield row["url"], (match.record.url, *likeness)
            index.commit(claim)
