"""Edited reposts in Chinese: first drafts are found to repeat the articles made from them.

All published articles are pages of one host and go through an index in order. Then each first
draft, a page of another host, is looked up; none is stored.

Recall is the share of drafts that would be dropped for the article of the same id, or for one that
is truly the same under another id; those of which much is new, such as paragraphs not translated
yet, are kept. A reported pair of different ids is true where
its exact 3-word-shingle Jaccard is 0.5 or more, else false. Precision is the share of reported
pairs that are true.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import track

from benchmarks.command import data_command
from benchmarks.corpus import Text, read_texts
from benchmarks.indexing import Engine, repeated
from benchmarks.report import Bar, Listing, Report, Value, at_most
from benchmarks.resemblance import ALIKE, jaccard, text_shingles
from dedup import Claim
from dedup.page.kept_text import unpack_text
from dedup.verdict import compare_texts

CONFIRMED = "drafts: ms a dropped page, confirmed on its text"
MOST_MS = 1.5
LEAST_RECALL = 0.975
LEAST_PRECISION = 0.998
BANDS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9)
PUBLISHED = "http://published.example/"
DRAFTS = "http://drafts.example/"


@dataclass(frozen=True, slots=True)
class Finding:
    """A draft, and the article it was reported to repeat, if any."""

    draft: Text
    of: str
    similarity: float
    tokens: int
    jaccard: float  # exact: against the article reported, or else the one of the same id

    @property
    def true(self) -> bool:
        """Whether the report is right; False where there is none."""
        return bool(self.of) and (self.of == self.draft.id or self.jaccard >= ALIKE)


def run(data: Path, console: Console) -> Report:
    """Index the articles, look the drafts up, judge."""
    articles = {text.id: text.text for text in read_texts(data / "lctt-zh/articles.jsonl.gz")}
    drafts = list(read_texts(data / "lctt-zh/first_drafts.jsonl.gz"))
    with Engine.open() as engine:
        claims = [
            engine.add(PUBLISHED + name, text=text)
            for name, text in track(articles.items(), "articles", console=console)
        ]
        times = _named("articles", engine)
        engine.reset_times()
        looked_up = [
            engine.look_up(DRAFTS + draft.id, text=draft.text)
            for draft in track(drafts, "drafts", console=console)
        ]
        times |= _named("drafts", engine)
        times[CONFIRMED] = _time_confirming(engine, looked_up)
    findings = [
        _finding(draft, claim, articles)
        for draft, claim in track(
            list(zip(drafts, looked_up, strict=True)), "comparing", console=console
        )
    ]
    repeating = sum(repeated(claim) is not None for claim in claims)
    return _report({"articles": len(articles), "- repeating another": repeating}, findings, times)


def _time_confirming(engine: Engine, claims: Iterable[Claim]) -> float:
    """Milliseconds of CPU to compare a draft with the article for which it would be dropped.

    All articles and drafts are in memory here, which they are not in a crawl: the garbage
    collector is kept from searching them.
    """
    gc.collect()
    gc.freeze()
    seconds, count = 0.0, 0
    for claim in claims:
        record = repeated(claim)
        kept = engine.index.store.text(record.page_id) if record is not None else None
        if kept is not None:
            started = time.process_time()
            compare_texts(unpack_text(claim.text), kept)
            seconds += time.process_time() - started
            count += 1
    gc.unfreeze()
    return 1000 * seconds / max(count, 1)


def _finding(draft: Text, claim: Claim, articles: dict[str, str]) -> Finding:
    record = repeated(claim)
    of = record.url.removeprefix(PUBLISHED) if record is not None else ""
    similarity = claim.match.comparison.similarity if claim.match else 0.0
    article = articles.get(of or draft.id, "")
    exact = 0.0
    if of != draft.id:  # else it is not asked for
        exact = jaccard(text_shingles(draft.text), text_shingles(article))
    return Finding(draft, of, similarity, claim.record.tokens, exact)


def _report(
    figures: dict[str, Value], findings: Sequence[Finding], times: dict[str, float]
) -> Report:
    reported = [finding for finding in findings if finding.of]
    true = [finding for finding in reported if finding.true]
    wrong = [finding for finding in reported if not finding.true]
    report = Report("edited_reposts", dict(figures))
    report.figures |= {
        "drafts": len(findings),
        "reported against the same id": sum(case.of == case.draft.id for case in reported),
        "reported against a true different id": sum(case.of != case.draft.id for case in true),
        "reported falsely": len(wrong),
        "not reported": len(findings) - len(reported),
    }
    report.figures |= times
    report.bars = [
        Bar("recall", len(true) / max(len(findings), 1), LEAST_RECALL),
        Bar("precision", len(true) / max(len(reported), 1), LEAST_PRECISION),
        at_most(CONFIRMED, times[CONFIRMED], MOST_MS),
    ]
    report.listings = [
        _bands(findings),
        _list("drafts not reported", (finding for finding in findings if not finding.of)),
        _list("reported falsely", wrong),
    ]
    return report


def _bands(findings: Iterable[Finding]) -> Listing:
    """Recall by how much of a draft survived the editing."""
    cases = list(findings)
    rows: list[tuple[Value, ...]] = []
    for low, high in zip(BANDS, (*BANDS[1:], 1.01), strict=True):
        band = [case for case in cases if low <= case.draft.jaccard_char3 < high]
        if band:
            found = sum(case.true for case in band)
            rows.append((f"{low:.1f}-{min(high, 1):.1f}", len(band), found, found / len(band)))
    return Listing(
        "recall by character-3-gram Jaccard", ("band", "drafts", "found", "recall"), rows
    )


def _list(title: str, findings: Iterable[Finding]) -> Listing:
    columns = ("draft", "of", "J char-3 to its article", "J words-3", "similarity", "tokens")
    rows: list[tuple[Value, ...]] = [
        (
            case.draft.id,
            case.of or "-",
            case.draft.jaccard_char3,
            case.jaccard,
            case.similarity,
            case.tokens,
        )
        for case in sorted(findings, key=lambda case: case.draft.jaccard_char3)
    ]
    return Listing(title, columns, rows)


def _named(what: str, engine: Engine) -> dict[str, float]:
    return {f"{what}: {name}": value for name, value in engine.times.items()}


main = data_command("edited_reposts", __doc__, run)

if __name__ == "__main__":
    sys.exit(main())
