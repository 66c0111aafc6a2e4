"""Simulated reposts of real articles: whole HTML pages, original and copy in two templates.

The articles are the gold texts of pages, or their main text where there is no gold. Each is
rendered in one template on one host and indexed; its copies, made by each edit and recipe of the
simulator, are rendered in other templates on other sites and looked up, extraction included. A copy
is dropped or kept, for its own original or wrongly for another one; so is an original that repeats
another original.

Copies that lose nothing (``LOSSLESS``) are to be dropped. The others have text or numbers of their
own, more of them with more strength: they are to be related to their original, be they dropped or
not. The scheme ``paragraphs`` stands beside the default for comparison.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import track

from benchmarks.command import data_command
from benchmarks.corpus import read_gold_set
from benchmarks.indexing import Engine, repeated
from benchmarks.report import Bar, Listing, Report, Value, at_most
from dedup import Config
from dedup.lab.main_text.gold import GoldPage
from dedup.lab.simulator.edits import EDITS, RECIPES
from dedup.lab.simulator.prose import make_text
from dedup.lab.simulator.simulate import Article, Plan, SimulatedPage, Step, simulate
from dedup.page import extract

SETS = ("scrapinghub", "magic-html", "gne-zh")
STRENGTHS = (0.3, 0.6)
STEPS = (*(Step(name, s) for name in EDITS for s in STRENGTHS), *map(Step, RECIPES))
LOSSLESS = ("title", "drop", "swap", "reorder", "reflow", "synonyms", "script", "punctuation")
SCHEMES = ("combined", "paragraphs")
LEAST_DROPPED = 0.93
LEAST_RELATED = 0.9
MOST_WRONG = 0.005


@dataclass(slots=True)
class Account:
    """Copies looked up, dropped and related to their originals, and pages dropped wrongly."""

    copies: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    related: Counter[str] = field(default_factory=Counter)
    pages: int = 0
    wrong: int = 0

    def share(self, found: Counter[str], *, lossless: bool) -> float:
        """The share found of the copies that lose nothing, or of the others."""
        names = [name for name in self.copies if name.startswith(LOSSLESS) is lossless]
        return sum(found[name] for name in names) / sum(self.copies[name] for name in names)


def run(data: Path, console: Console) -> Report:
    """Make the pages of each set and look them up under each scheme."""
    report = Report("simulated_reposts")
    for name in SETS:
        articles = list(_articles(read_gold_set(data, name)))
        made = simulate(articles, Plan(STEPS, copies=len(STEPS), html=True))
        number = len(articles) * (1 + len(STEPS))
        documents = list(track(made, name, number, console=console))
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


def _account(documents: Iterator[SimulatedPage], scheme: str) -> Account:
    account = Account()
    originals: dict[str, str] = {}
    with Engine.open(Config(scheme=scheme)) as engine:
        for document in documents:
            account.pages += 1
            if not document.edit:
                claim = engine.add(document.url, html=document.content)
                originals[document.url] = document.cluster
                account.wrong += repeated(claim) is not None
                continue
            claim = engine.look_up(document.url, html=document.content)
            name = _step(document)
            account.copies[name] += 1
            if claim.match is not None:
                own = originals[claim.match.record.url] == document.cluster
                account.related[name] += own
                account.dropped[name] += own and repeated(claim) is not None
                account.wrong += not own and repeated(claim) is not None
    return account


def _step(document: SimulatedPage) -> str:
    return f"{document.edit} {document.strength if document.strength is not None else ''}".strip()


def _bars(name: str, accounts: dict[str, Account]) -> list[Bar]:
    account = accounts[SCHEMES[0]]
    dropped = account.share(account.dropped, lossless=True)
    related = account.share(account.related, lossless=False)
    return [
        Bar(f"{name}: copies that lose nothing, dropped", dropped, LEAST_DROPPED),
        Bar(f"{name}: other copies, related", related, LEAST_RELATED),
        at_most(f"{name}: wrongly dropped", account.wrong / max(account.pages, 1), MOST_WRONG),
    ]


def _listing(name: str, accounts: dict[str, Account]) -> Listing:
    first = accounts[SCHEMES[0]]
    rows: list[tuple[Value, ...]] = [
        (
            step,
            copies,
            first.related[step] / copies,
            *(account.dropped[step] / copies for account in accounts.values()),
        )
        for step, copies in first.copies.items()
    ]
    wrong = (account.wrong for account in accounts.values())
    rows.append(("wrongly dropped pages", first.pages, "-", *wrong))
    columns = ("edit", "copies", "related", *(f"dropped, {scheme}" for scheme in accounts))
    return Listing(f"{name}: shares of copies", columns, rows)


main = data_command("simulated_reposts", __doc__, run)

if __name__ == "__main__":
    sys.exit(main())
