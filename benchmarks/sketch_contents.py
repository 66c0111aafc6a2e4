"""What the sketch of ``combined`` should hold: shingles, single words, or half of each.

Candidates are found by the default keys; the three sketches, of equal size, then compare the same
pairs of pages. Across hosts: first drafts against the articles made from them, as in
``benchmarks.edited_reposts``; a pair of different ids is wrong where its exact 3-word-shingle
Jaccard is under 0.5. Within a host: two sites whose pages all differ, and versions of one
documentation; a pair of different pages is wrong where the Jaccard of the whole visible texts is
under 0.5, and a pair of versions that must be found is one of main-text Jaccard 0.8 or more.

A wrong pair is counted here whether or not the page would also have repeated a right one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import track

from benchmarks.command import data_command
from benchmarks.corpus import read_archive, read_pairs, read_texts
from benchmarks.report import Listing, Report, Value
from benchmarks.resemblance import ALIKE, Resemblance, jaccard, shingles_of
from dedup.index import Index, index_spaces, words_reader
from dedup.page import Document, decode_html, extract, from_text, read_document
from dedup.schemes import Combined
from dedup.store import MemoryStore, Record

SHINGLES, WORDS = Combined(), Combined(shingle=1)
HALVES = Combined(sketch=64), Combined(shingle=1, sketch=64)
ACROSS = (0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6)
WITHIN = (0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
LEAST_TOKENS = 40

Similar = Callable[[str, str], float]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two pages that the keys bring together, or that must be found, and what is true of them."""

    names: tuple[str, str]
    wanted: bool
    wrong: bool


def run(data: Path, console: Console) -> Report:
    """Judge the same pairs with each sketch."""
    report = Report("sketch_contents")
    documents, pairs = _reposts(data, console)
    report.figures["pairs across hosts"] = len(pairs)
    report.listings.append(_table("across hosts", documents, pairs, ACROSS))
    documents, pairs = _sites(data, console)
    report.figures["pairs within a host"] = len(pairs)
    report.listings.append(_table("within a host", documents, pairs, WITHIN))
    return report


def _table(
    title: str,
    documents: Mapping[str, Document],
    pairs: Sequence[Pair],
    thresholds: Iterable[float],
) -> Listing:
    sketches = _sketches(documents)
    scores = {name: [similar(*pair.names) for pair in pairs] for name, similar in sketches.items()}
    wanted = max(sum(pair.wanted for pair in pairs), 1)
    rows: list[tuple[Value, ...]] = []
    for threshold in thresholds:
        row: list[Value] = [threshold]
        for name in sketches:
            joined = [p for p, score in zip(pairs, scores[name], strict=True) if score >= threshold]
            row.append(sum(pair.wanted for pair in joined) / wanted)
            row.append(sum(pair.wrong for pair in joined))
        rows.append(tuple(row))
    heads = [head for name in sketches for head in (f"{name}: found", f"{name}: wrong")]
    return Listing(title, ("threshold", *heads), rows)


def _sketches(documents: Mapping[str, Document]) -> dict[str, Similar]:
    def by(scheme: Combined) -> Similar:
        values = {name: scheme.fingerprint(document) for name, document in documents.items()}
        return lambda one, other: scheme.compare(values[one], values[other]).similarity

    one, other = map(by, HALVES)
    return {
        "shingles": by(SHINGLES),
        "words": by(WORDS),
        "half of each": lambda a, b: (one(a, b) + other(a, b)) / 2,
    }


def _reposts(data: Path, console: Console) -> tuple[dict[str, Document], list[Pair]]:
    documents = {
        f"{name}/{text.id}": read_document(from_text(text.text))
        for name in ("articles", "first_drafts")
        for text in track(
            list(read_texts(data / f"lctt-zh/{name}.jsonl.gz")), name, console=console
        )
    }
    pairs = []
    for one, other in _candidates(documents):
        if one.partition("/")[0] == other.partition("/")[0]:
            continue
        same = one.partition("/")[2] == other.partition("/")[2]
        wrong = not same and _exact(documents, one, other) < ALIKE
        pairs.append(Pair((one, other), wanted=same, wrong=wrong))
    return documents, pairs


def _sites(data: Path, console: Console) -> tuple[dict[str, Document], list[Pair]]:
    sites = read_archive(data / "one-version-sites.tar.xz")
    manual = read_archive(data / "clang-docs.tar.xz")
    pages = sites | manual
    documents = {}
    for url, body in track(pages.items(), "sites", console=console):
        document = read_document(extract(decode_html(body, "text/html")))
        if len(document.tokens) >= LEAST_TOKENS:
            documents[url] = document
    resemblance = Resemblance(pages)
    versions = {tuple(sorted(pair.urls)) for pair in read_pairs(data / "clang-docs-pairs.tsv")}
    candidates = {tuple(sorted(pair)) for pair in _candidates(documents)}
    pairs = [
        Pair(names, names in versions, wrong=resemblance.whole(*names) < ALIKE)
        for names in sorted(candidates | versions)
        if all(name in documents for name in names)
    ]
    return documents, pairs


def _exact(documents: Mapping[str, Document], one: str, other: str) -> float:
    return jaccard(shingles_of(documents[one]), shingles_of(documents[other]))


def _candidates(documents: Mapping[str, Document]) -> Iterator[tuple[str, str]]:
    """Every pair that the default keys bring together."""
    words_of = words_reader(SHINGLES)
    store = MemoryStore(index_spaces(SHINGLES), words_of)
    index = Index(store, SHINGLES)
    for name, document in documents.items():
        value = SHINGLES.fingerprint(document)
        record = Record(
            name, name.encode(), 0.0, True, len(document.tokens), document.digest, value
        )
        for match, _ in index.comparisons(record):
            yield name, match.record.url
        store.put(record)


main = data_command("sketch_contents", __doc__, run)

if __name__ == "__main__":
    sys.exit(main())
