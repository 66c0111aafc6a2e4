"""Sets of real pages with truth, judged by what a drop loses: reposts, versions, manuals.

A draft counts as found where it is reported as related to its article, or as equal to, an edit of,
part of or more than another one that is truly much alike. Lost is the share of a dropped page that
is new: of a draft by the verdict itself, of a manual's page the share of its five-word shingles
that stand in no exported page.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from random import Random
from statistics import fmean

from benchmarks.corpus import read_archive, read_texts
from benchmarks.indexing import Engine
from benchmarks.report import Bar, Listing, Value, at_most
from benchmarks.resemblance import ALIKE, jaccard, text_shingles
from dedup import Claim, Config, Verdict, make_fingerprinter
from dedup.fingerprint import PageFingerprint
from dedup.index import Judge
from dedup.page import decode_html, extract, read_document
from dedup.page.kept_text import unpack_text
from dedup.page.plain_text import from_text
from dedup.store import Record
from dedup.verdict import Relation

REPOSTS = (
    ("lctt-zh", "articles", "first_drafts"),
    ("gold-miner-zh", "published", "drafts"),
    ("gctt-zh", "published", "drafts"),
)
ONE_VERSION = "one-version-sites"
MANUALS = (ONE_VERSION, "install-guide", "clang-docs")
VERSIONS = "wiki-versions/pages.jsonl.gz"
FOUND = frozenset((Relation.EQUAL, Relation.EDITED, Relation.CONTAINED, Relation.GROWN))
SHINGLE = 5  # words
LOST = 0.25  # share of a page in no exported one from which on its drop is wrong
HELD = 0.9  # share of a version's shingles in a later one that holds it
STRANGERS = 20  # versions of other articles that each is compared with
LEAST_RECALL, LEAST_PRECISION = 0.975, 0.998
COLUMNS = ("set", "pages", "found", "precision", "dropped", "lost, mean", "lost, largest")


@dataclass(slots=True)
class Outcome:
    """What became of a set."""

    name: str
    pages: int = 0  # Pages looked up.
    found: int = 0  # Of these, reported as related to a page that they are truly related to.
    false: int = 0  # Reported as related to another page.
    # Of each page dropped, the share that is in no exported page.
    lost: list[float] = field(default_factory=list)

    @property
    def recall(self) -> float:
        return self.found / max(self.pages, 1)

    @property
    def precision(self) -> float:
        return self.found / max(self.found + self.false, 1)

    @property
    def row(self) -> tuple[Value, ...]:
        told = (self.recall, self.precision) if self.found else ("-", "-")
        lost = (fmean(self.lost), max(self.lost)) if self.lost else ("-", "-")
        return (self.name, self.pages, *told, len(self.lost), *lost)


def judge_sets(data: Path) -> Iterator[tuple[Outcome, list[Bar]]]:
    """All sets that are in the folder."""
    yield from _judge_reposts(data)
    if (data / VERSIONS).exists():
        yield _judge_versions(data)
    yield from _judge_manuals(data)


def _judge_reposts(data: Path) -> Iterator[tuple[Outcome, list[Bar]]]:
    """Published articles are stored; drafts of them are looked up on another site."""
    for name, published, drafts in REPOSTS:
        if not (data / name / f"{drafts}.jsonl.gz").exists():
            continue
        articles = {
            text.id: text.text for text in read_texts(data / name / f"{published}.jsonl.gz")
        }
        outcome = Outcome(name)
        with Engine.open() as engine:
            for key, text in articles.items():
                engine.add(f"http://published.example/{key}", text=text)
            for draft in read_texts(data / name / f"{drafts}.jsonl.gz"):
                claim = engine.look_up(f"http://drafts.example/{draft.id}", text=draft.text)
                _note(outcome, claim, draft.id, draft.text, articles)
                if claim.verdict is Verdict.DUPLICATE and claim.match is not None:
                    outcome.lost.append(claim.match.kinship.new)
        yield (
            outcome,
            [
                Bar(f"{name}: found", outcome.recall, LEAST_RECALL),
                Bar(f"{name}: precision", outcome.precision, LEAST_PRECISION),
            ],
        )


def _note(outcome: Outcome, claim: Claim, key: str, text: str, articles: dict[str, str]) -> None:
    outcome.pages += 1
    if claim.match is None:
        return
    of = claim.match.record.url.removeprefix("http://published.example/")
    if of == key:
        outcome.found += 1
    elif claim.match.relation in FOUND:
        same = jaccard(text_shingles(text), text_shingles(articles[of])) >= ALIKE
        outcome.found += same
        outcome.false += not same


def _judge_versions(data: Path) -> tuple[Outcome, list[Bar]]:
    """Versions of one encyclopedia article, each with each other; and with those of others."""
    pages = _read_versions(data)
    judge = Judge(Config().make_scheme())
    clusters: dict[str, list[_Version]] = {}
    for page in pages:
        clusters.setdefault(page.cluster, []).append(page)
    outcome = Outcome("wiki-versions, pairs")
    held = held_found = 0
    for versions in clusters.values():
        for earlier, later in permutations(versions, 2):
            relation = _relation(judge, later, earlier)
            outcome.pages += 1
            outcome.found += relation is not Relation.NONE
            if earlier.is_held_by(later):
                held += 1
                held_found += relation in FOUND
    chance = Random(1)
    strangers = wrong = 0
    for page in pages:
        for other in chance.sample(pages, STRANGERS):
            if other.cluster != page.cluster:
                strangers += 1
                wrong += _relation(judge, page, other) is not Relation.NONE
    return (
        outcome,
        [
            Bar(
                "wiki-versions: found of those that hold the other", held_found / max(held, 1), 0.9
            ),
            Bar("wiki-versions: pairs with a relation", outcome.recall, 0.8),
            at_most("wiki-versions: strangers with one", wrong / max(strangers, 1), 0.005),
        ],
    )


@dataclass(frozen=True, slots=True)
class _Version:
    cluster: str
    record: Record
    text: str
    shingles: frozenset[int]

    def is_held_by(self, other: _Version) -> bool:
        return len(self.shingles & other.shingles) >= HELD * len(self.shingles)


def _read_versions(data: Path) -> list[_Version]:
    fingerprinter = make_fingerprinter(Config())
    pages = []
    with gzip.open(data / VERSIONS, "rt", encoding="utf-8") as lines:
        for number, row in enumerate(map(json.loads, lines)):
            page = fingerprinter.of_text(row["text"])
            if page.value:
                record = _record(f"http://w{number}.example/", page)
                shingles = frozenset(text_shingles(row["text"]))
                pages.append(_Version(row["cluster"], record, unpack_text(page.text), shingles))
    return pages


def _record(url: str, page: PageFingerprint) -> Record:
    return Record(url, url.encode()[-60:], 0.0, True, page.tokens, page.digest, page.value)


def _relation(judge: Judge, later: _Version, earlier: _Version) -> Relation:
    comparison = judge.compare(later.record, earlier.record)
    if comparison is None:
        return Relation.NONE
    if judge.is_nominated(later.record, earlier.record, comparison):
        texts = later.text, earlier.text
        return judge.confirm(later.record, earlier.record, comparison, texts).relation
    return judge.relate(later.record, earlier.record, comparison).relation


def _judge_manuals(data: Path) -> Iterator[tuple[Outcome, list[Bar]]]:
    """Manuals go through an index in order, on one host, and spread over twenty subdomains."""
    for name in MANUALS:
        if not (data / f"{name}.tar.xz").exists():
            continue
        pages = read_archive(data / f"{name}.tar.xz")
        for hosts in (1, 20):
            outcome = Outcome(f"{name}, {hosts} host{'s' if hosts > 1 else ''}")
            yield outcome, _judge_manual(outcome, pages, hosts)


def _judge_manual(outcome: Outcome, pages: dict[str, bytes], hosts: int) -> list[Bar]:
    exported, dropped = set[int](), []
    with Engine.open() as engine:
        for number, (path, body) in enumerate(pages.items()):
            html = decode_html(body)
            claim = engine.add(f"http://s{number % hosts}.manual.example/{path}", html=html)
            outcome.pages += 1
            text = extract(html, "plain").text
            if claim.verdict is Verdict.DUPLICATE:
                dropped.append(text)
            else:
                exported |= _shingles(text)
    outcome.lost = [len(own - exported) / len(own) for own in map(_shingles, dropped)]
    wrong = sum(share > LOST for share in outcome.lost)
    if not outcome.name.startswith(ONE_VERSION):  # the others have several versions of a page
        return []
    return [at_most(f"{outcome.name}: drops that lose much", wrong, 2)]


def _shingles(text: str) -> set[int]:
    """The hashed shingles of a text; a shorter text is one shingle."""
    words = read_document(from_text(text)).spaced.split()
    return {hash(tuple(words[at : at + SHINGLE])) for at in range(max(1, len(words) - SHINGLE + 1))}


def listing(outcomes: Sequence[Outcome]) -> Listing:
    """The outcomes as a table."""
    title = (
        "sets with truth; found: as equal, edited, contained or grown; lost: in no exported page"
    )
    return Listing(title, COLUMNS, [outcome.row for outcome in outcomes])
