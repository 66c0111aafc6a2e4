"""Look-ups before and after a flood: what one party's pages cost those of all others.

An index on disk is filled with pages, each another; then a flood comes, of one of three kinds:

    one SimHash     the words of one page in ever other orders
    one key         texts of their own that all quote that page's first paragraph
    one template    pages of one host that share half of their text

Looked up, before and after, are edited copies of stored pages, pages never seen, a copy of the page
that the flood aims at, and one page more of the flood, which is compared with as many others as are
compared at all. The copies must be found all the same. Times are of the index alone: the median of
all look-ups.
"""

from __future__ import annotations

import random
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median

from rich.console import Console

from benchmarks.command import as_command, make_parser, whole_number
from benchmarks.indexing import Engine
from benchmarks.report import Bar, Listing, Report, Value, at_most
from dedup import Verdict

VOCABULARY = 30_000
WORDS = 150  # a paragraph; a page has two
EDITS = 60  # words between two that an edited copy has otherwise
LOOKED_UP = 200
REPEATS = 3
MOST_SLOWDOWN = 2.0

OTHERS = ("edited copies", "new pages")
AIMED_AT = "the page aimed at"
OF_FLOOD = "one more of the flood"


@dataclass(frozen=True, slots=True)
class Looks:
    """Look-ups of one kind of page: median microseconds, and how many were duplicates."""

    p50_us: float
    found: int
    pages: int


def make_arguments() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = make_parser("flooded_lookups", __doc__, needs_data=False)
    add = parser.add_argument
    add("--pages", type=whole_number, default=5_000, help="in the index (default: 5000)")
    add("--flood", type=whole_number, default=5_000, help="pages of a flood (default: 5000)")
    return parser


def run(options: Namespace, console: Console) -> Report:
    """Flood a fresh index with each kind."""
    report = Report("flooded_lookups")
    report.figures = {"pages in the index": options.pages, "pages of a flood": options.flood}
    rows: list[tuple[Value, ...]] = []
    for name, flood in FLOODS.items():
        with console.status(name), Engine.open() as engine:
            for number in range(options.pages):
                engine.add(f"http://host{number % 100}.example/{number}", text=page(number))
            *texts, last = flood(options.flood + 1)
            before = look_up(engine, options.pages, last)
            for number, text in enumerate(texts):
                engine.add(f"http://flood.example/{number}", text=text)
            after = look_up(engine, options.pages, last)
        rows += [
            (name, kind, round(before[kind].p50_us), round(now.p50_us), now.found, now.pages)
            for kind, now in after.items()
        ]
        report.bars += bars(name, before, after)
    columns = ("flood", "looked up", "us before", "us after", "duplicates", "of")
    report.listings = [Listing("look-ups", columns, rows)]
    return report


def bars(name: str, before: dict[str, Looks], after: dict[str, Looks]) -> list[Bar]:
    """What a flood must leave as it was."""
    lost = sum(after[kind].pages - after[kind].found for kind in (OTHERS[0], AIMED_AT))
    slower = [
        at_most(
            f"{name}: {kind}, after / before",
            after[kind].p50_us / before[kind].p50_us,
            MOST_SLOWDOWN,
        )
        for kind in OTHERS
    ]
    return [*slower, at_most(f"{name}: copies not found", lost, 0)]


def look_up(engine: Engine, stored: int, last: str) -> dict[str, Looks]:
    """Look pages up, of every kind."""
    copies = range(1, min(LOOKED_UP, stored - 1) + 1)
    return {
        OTHERS[0]: _look_up(engine, [edited(page(number)) for number in copies]),
        OTHERS[1]: _look_up(engine, [page(-number) for number in copies]),
        AIMED_AT: _look_up(engine, [page(0)]),
        OF_FLOOD: _look_up(engine, [last]),
    }


def _look_up(engine: Engine, texts: Sequence[str]) -> Looks:
    taken, found = [], 0
    for repeat in range(REPEATS):
        for number, text in enumerate(texts):
            before = engine.index_seconds
            claim = engine.look_up(f"http://looked-up.example/{repeat}/{number}", text=text)
            taken.append(1e6 * (engine.index_seconds - before))
            found += claim.verdict is Verdict.DUPLICATE and repeat == 0
    return Looks(median(taken), found, len(texts))


@cache
def vocabulary() -> tuple[str, ...]:
    """Made words."""
    chance = random.Random(0)
    letters = "abcdefghijklmnoprstuvwy"
    return tuple(
        "".join(chance.choices(letters, k=chance.randint(3, 9))) for _ in range(VOCABULARY)
    )


def paragraph(seed: str) -> str:
    """Words drawn at random, common ones more often."""
    chance, words = random.Random(seed), vocabulary()
    return " ".join(words[int(VOCABULARY * chance.random() ** 2)] for _ in range(WORDS))


def page(number: int) -> str:
    """The text of a page of its own."""
    return f"{paragraph(f'{number} first')}\n{paragraph(f'{number} second')}"


def edited(text: str) -> str:
    """A text with some words changed."""
    words = text.split(" ")
    words[::EDITS] = [f"otherwise{place}" for place in range(len(words[::EDITS]))]
    return " ".join(words)


def shuffles(count: int) -> Iterator[str]:
    """The words of one page in other orders."""
    words, chance = page(0).split(), random.Random(1)
    for _ in range(count):
        chance.shuffle(words)
        yield " ".join(words)


def quotations(count: int) -> Iterator[str]:
    """Texts that quote one page's first paragraph."""
    quoted = paragraph("0 first")
    for number in range(count):
        yield f"{quoted}\n{paragraph(f'{number} quoting')}\n{paragraph(f'{number} on')}"


def templates(count: int) -> Iterator[str]:
    """Pages half of which is a template that the page aimed at has as well."""
    for number in range(count):
        yield f"{paragraph('0 second')}\n{paragraph(f'{number} own')}"


FLOODS: dict[str, Callable[[int], Iterator[str]]] = {
    "one SimHash": shuffles,
    "one key": quotations,
    "one template": templates,
}


main = as_command(make_arguments, run)

if __name__ == "__main__":
    sys.exit(main())
