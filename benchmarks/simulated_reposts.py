"""Simulated reposts of real articles: whole HTML pages, original and copy in two templates.

The articles are the gold texts of pages, or their main text where there is no gold. Each is
rendered in one template on one host and indexed; its copies, made by each edit and recipe of the
simulator, are rendered in other templates on other hosts and looked up, extraction included. A copy
is found where it is reported to repeat its own original, and wrongly joined where it is reported to
repeat another one; so is an original that repeats another original.

Excerpts, and articles wrapped in other text, are what ``paragraphs`` is for; the other edits and
the recipes are the measure of ``combined``.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import track

from benchmarks.command import data_command
from benchmarks.corpus import read_gold_set
from benchmarks.indexing import Engine
from benchmarks.report import Bar, Listing, Report, Value, at_most
from dedup import Claim, Config
from dedup.evaluation.main_text.gold import GoldPage
from dedup.evaluation.simulator.edits import EDITS, RECIPES
from dedup.evaluation.simulator.prose import make_text
from dedup.evaluation.simulator.simulate import Article, Document, Plan, Step, simulate
from dedup.page import extract

SETS = ("scrapinghub", "magic-html", "gne-zh")
STRENGTHS = (0.3, 0.6)
STEPS = (*(Step(name, s) for name in EDITS for s in STRENGTHS), *map(Step, RECIPES))
PARTIAL = ("excerpt", "wrapped")
SCHEMES = ("combined", "paragraphs")
LEAST_RECALL = 0.97
LEAST_PARTIAL = 0.9
MOST_WRONG = 0.005


@dataclass(slots=True)
class Account:
    """Copies looked up and found, by edit and strength, and pages joined wrongly."""

    copies: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    pages: int = 0
    wrong: int = 0

    def recall(self, *, partial: bool) -> float:
        """Share of copies found: of excerpts and wrapped ones, or of all others."""
        names = [name for name in self.copies if name.startswith(PARTIAL) == partial]
        copies = sum(self.copies[name] for name in names)
        return sum(self.found[name] for name in names) / max(copies, 1)


def run(data: Path, console: Console) -> Report:
    """Make the pages of each set and look them up under each scheme."""
    report = Report("simulated_reposts")
    for name in SETS:
        articles = list(_articles(read_gold_set(data, name)))
        documents = list(track(_simulated(articles), name, console=console))
        report.figures[f"{name}: articles"] = len(articles)
        report.figures[f"{name}: pages"] = len(documents)
        accounts = {
            scheme: _account(track(documents, f"{name}, {scheme}", console=console), scheme)
            for scheme in SCHEMES
        }
        report.bars += _bars(name, accounts)
        report.listings.append(_listing(name, accounts))
    return report


def _articles(pages: list[GoldPage]) -> Iterator[Article]:
    for page in pages:
        main = extract(page.html)
        body = page.text if page.text is not None else main.text if main.sure else ""
        text = make_text(main.title, body)
        if text.paragraphs:
            yield Article(page.id, text)


def _simulated(articles: Sequence[Article]) -> list[Document]:
    return list(simulate(articles, Plan(STEPS, copies=len(STEPS), html=True)))


def _account(documents: Iterator[Document], scheme: str) -> Account:
    account = Account()
    originals: dict[str, str] = {}
    with Engine.open(Config(scheme=scheme)) as engine:
        for document in documents:
            account.pages += 1
            if not document.edit:
                claim = engine.add_html(document.url, document.content)
                originals[document.url] = document.cluster
                account.wrong += claim.match is not None
                continue
            claim = engine.look_up_html(document.url, document.content)
            name = _step(document)
            account.copies[name] += 1
            if (of := _original(claim)) is not None:
                own = originals[of] == document.cluster
                account.found[name] += own
                account.wrong += not own
    return account


def _original(claim: Claim) -> str | None:
    return claim.match.record.url if claim.match else None


def _step(document: Document) -> str:
    return f"{document.edit} {document.strength if document.strength is not None else ''}".strip()


def _bars(name: str, accounts: dict[str, Account]) -> list[Bar]:
    combined, paragraphs = (accounts[scheme] for scheme in SCHEMES)
    return [
        Bar(f"{name}: recall, combined", combined.recall(partial=False), LEAST_RECALL),
        at_most(
            f"{name}: wrongly joined, combined", combined.wrong / max(combined.pages, 1), MOST_WRONG
        ),
        Bar(
            f"{name}: excerpts and wrapped, paragraphs",
            paragraphs.recall(partial=True),
            LEAST_PARTIAL,
        ),
    ]


def _listing(name: str, accounts: dict[str, Account]) -> Listing:
    first = accounts[SCHEMES[0]]
    rows: list[tuple[Value, ...]] = [
        (
            step,
            copies,
            *(account.found[step] / copies for account in accounts.values()),
        )
        for step, copies in first.copies.items()
    ]
    rows.append(("wrongly joined pages", first.pages, *(a.wrong for a in accounts.values())))
    return Listing(f"{name}: share of copies found", ("edit", "copies", *accounts), rows)


main = data_command("simulated_reposts", __doc__, run)

if __name__ == "__main__":
    sys.exit(main())
