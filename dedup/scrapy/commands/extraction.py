"""The action that judges main-text extractors on gold pages: extraction."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from rich.box import SIMPLE
from rich.table import Table

from dedup.assembly import make_fingerprinter
from dedup.files import check_target, whole_file
from dedup.lab.main_text.footers import FooterCount, count_footers, make_footer_pages
from dedup.lab.main_text.gold import GoldPage, read_gold
from dedup.lab.main_text.joins import (
    LENGTHS,
    NEAR,
    SHORT,
    Brief,
    Donor,
    Joins,
    judge,
    judge_brief,
    make_pairs,
    prepare,
    shorten,
    sum_up,
)
from dedup.lab.main_text.readings import (
    FOLDS,
    KNOWN,
    YARDSTICK,
    Cost,
    Lines,
    Quality,
    Reading,
    SiteQuality,
    count_lines,
    judge_costs,
    judge_quality,
    judge_sites,
    known_extractors,
    read_pages,
)
from dedup.lab.main_text.scores import Score
from dedup.page import EXTRACTORS, built_extractors
from dedup.scrapy.commands.context import Context, count, extractor
from dedup.scrapy.commands.printing import plain

PAIRS = 200
MOST_PAIRS = 100_000
SEED = 1


class Heading(NamedTuple):
    """The columns of a table, and the note below it."""

    columns: tuple[str, ...]
    note: str


COSTS = Heading(
    ("extractor", "pages", "sure", "text\nkept", "ms\nmedian", "ms\nmean", f"ms to\n{YARDSTICK}"),
    "Sure: share of pages whose main text it claims to have found. Text kept: of what the page "
    "shows. CPU milliseconds a page, from decoded HTML.",
)
QUALITY = Heading(
    (
        *("group", "extractor", "pages"),
        *(f"{kind}\n{what}" for kind in ("bag", "4gram") for what in ("P", "R", "F1")),
    ),
    "Bag: tokens of each page as multisets, means over pages. 4gram: shingles of four tokens, F1 "
    "of mean precision and mean recall (scrapinghub/article-extraction-benchmark).",
)
JOINS = Heading(
    (
        *("language", "extractor", "same\narticle", "found", "found,\nshort", f"<= {NEAR}\nbits"),
        *("two\narticles", "one\nhost", "two\nhosts"),
    ),
    "Same article in two templates: share found again as pages of two hosts, among them articles "
    f"under {SHORT} tokens, and share within {NEAR} bits of SimHash. Two articles in one template: "
    "share wrongly joined as pages of one host, and as pages of two hosts.",
)
LINES = Heading(
    ("extractor", "length", "lines", "missing"),
    "Gold lines by letters and digits in them, and the share that is missing in the main text.",
)
BRIEF = Heading(
    ("language", "tokens", "extractor", "pages", "F1", "sure", "wrong"),
    "Articles cut down to some tokens (Han characters or words), each in its own template.",
)
SITES = Heading(
    (
        *("group", "extractor"),
        *(
            f"{which}\n{what}"
            for which in ("known", "held")
            for what in ("pages", "F1", "worst", "sure", "wrong")
        ),
    ),
    "F1 by shingles on pages that the rules were made from, and on pages held out. Worst: the "
    f"lowest of {FOLDS} folds of sites. Wrong: share of the pages it is sure of, with F1 under a "
    "half.",
)
FOOTERS = Heading(
    ("page", "footer", "extractor", "pages", "sure", "became\nfooter"),
    "Made pages without main text: share of which the site's footer was kept and not the page's "
    "own text.",
)


@dataclass(frozen=True, slots=True)
class Collection:
    """All figures of one collection of gold pages."""

    gold: str
    pages: int
    quality: list[Quality]
    costs: list[Cost]
    joins: list[Joins]
    lines: dict[str, list[Lines]]
    brief: list[Brief]


def extraction(context: Context) -> None:
    """Judge main-text extractors on gold pages."""
    options = context.options
    golds = [(path, read_gold(path)) for path in map(Path, options.gold)]
    if options.output:
        check_target(Path(options.output), (path for path, _ in golds))
    collections: list[Collection] = []
    everything: list[tuple[Path, Reading]] = []
    for path, pages in golds:
        read = read_pages(pages, options.extractors)
        readings = list(chain.from_iterable(context.each(f"{path.name}: pages", read, len(pages))))
        everything += ((path, reading) for reading in readings)
        collections.append(_judge(context, path, pages, readings))
    sites = judge_sites(everything, options.known)
    footers = count_footers(make_footer_pages(options.seed), options.extractors)
    if options.output:
        with whole_file(Path(options.output)) as out:
            out.writelines(_page_line(path, reading) for path, reading in everything)
    if context.json:
        told = (("collections", collections), ("sites", sites), ("footers", footers))
        context.print_json({name: [asdict(row) for row in rows] for name, rows in told})
    else:
        _print(context, collections, sites, footers)


def _judge(
    context: Context, path: Path, pages: Sequence[GoldPage], readings: list[Reading]
) -> Collection:
    lengths = LENGTHS if context.options.brief else ()
    fingerprinter = make_fingerprinter(context.config)
    prepared = (prepare(page, fingerprinter) for page in pages)
    # Pages that can be split into article and template.
    donors = list(filter(None, context.each(f"{path.name}: templates", prepared, len(pages))))
    return Collection(
        gold=str(path),
        pages=len(pages),
        quality=judge_quality(readings),
        costs=judge_costs(readings),
        joins=_judge_pairs(context, path, [*donors, *_shortened(donors, lengths)]),
        lines={name: count_lines(readings, name) for name in context.options.extractors},
        brief=[
            row
            for length in context.each(f"{path.name}: short texts", lengths, len(lengths))
            for name in context.options.extractors
            for row in judge_brief(donors, length, name)
        ],
    )


def _shortened(donors: Sequence[Donor], lengths: Sequence[int]) -> Iterator[Donor]:
    """The articles cut to each length, which is a part of their language's name."""
    for length in lengths:
        for donor in donors:
            if (short := shorten(donor, length)) is not None:
                yield replace(short, language=f"{donor.language}, {length}")


def _judge_pairs(context: Context, path: Path, donors: Sequence[Donor]) -> list[Joins]:
    options = context.options
    fingerprinter = make_fingerprinter(context.config)
    fingerprinters = [
        replace(fingerprinter, extractor=name, keep_text=True) for name in options.extractors
    ]
    total = 2 * options.pairs * len({donor.language for donor in donors})
    pairs = make_pairs(donors, options.pairs, options.seed)
    return sum_up(
        [
            judge(pair, one)
            for pair in context.each(f"{path.name}: pairs", pairs, total)
            for one in fingerprinters
        ]
    )


def _page_line(path: Path, reading: Reading) -> str:
    page = reading.page
    facts = {
        "gold": str(path),
        "id": page.id,
        "url": page.url,
        "language": page.language,
        "kind": page.kind,
        "extractor": reading.extractor,
        "sure": reading.sure,
        "kept": round(reading.kept, 4),
        "ms": round(1000 * reading.seconds, 3),
        "bag": _rounded(reading.bag),
        "shingles": _rounded(reading.shingles),
    }
    return json.dumps(facts, ensure_ascii=False) + "\n"


def _rounded(score: Score | None) -> list[float] | None:
    values = (score.precision, score.recall, score.f1) if score else ()
    return [round(value, 4) for value in values] or None


def _print(
    context: Context,
    collections: Sequence[Collection],
    sites: Sequence[SiteQuality],
    footers: Sequence[FooterCount],
) -> None:
    for one in collections:
        context.out.print(plain(f"{one.gold}: {one.pages} pages"), soft_wrap=True)
        _show(context, COSTS, map(astuple, one.costs))
        _show(context, QUALITY, map(astuple, one.quality))
        _show(context, JOINS, map(astuple, one.joins))
        if one.quality:
            lines = ((name, *astuple(row)) for name, rows in one.lines.items() for row in rows)
            _show(context, LINES, lines)
        _show(context, BRIEF, map(astuple, one.brief))
    _show(context, SITES, map(astuple, sites))
    marks = {True: "named", False: "unnamed"}
    _show(context, FOOTERS, ((row.shape, marks[row.named], *astuple(row)[2:]) for row in footers))


def _show(context: Context, heading: Heading, shown: Iterable[tuple[object, ...]]) -> None:
    """Print a table, if it has rows: names aligned left, figures aligned right, the note below.

    A tuple in a row is several cells.
    """
    rows = [
        [cell for value in row for cell in (value if isinstance(value, tuple) else (value,))]
        for row in shown
    ]
    if not rows:
        return
    table = Table(box=SIMPLE, caption=heading.note, caption_justify="left", pad_edge=False)
    table.collapse_padding = True
    for title, value in zip(heading.columns, rows[0], strict=True):
        named = isinstance(value, str)
        table.add_column(title, justify="left" if named else "right", no_wrap=named)
    for row in rows:
        table.add_row(*(plain(f"{v:.3f}" if isinstance(v, float) else v) for v in row))
    context.print_whole(table)


def _names(text: str) -> list[str]:
    return list(dict.fromkeys(name.strip() for name in text.split(",")))


def _extractors(text: str) -> list[str]:
    there = known_extractors()
    return [name if name in there else extractor(name) for name in _names(text)]


def options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("gold", nargs="+", metavar="GOLD", help="a folder, .tar.xz or .tar.gz with a gold.json")
    add(
        "--extractor",
        dest="extractors",
        type=_extractors,
        default=built_extractors(),
        metavar="NAMES",
        help=f"extractors, separated by commas ({','.join(EXTRACTORS)}; trafilatura if installed)",
    )
    about = f"largest number of transplanted pairs of each kind and language ({PAIRS})"
    add("--pairs", type=partial(count, least=0, most=MOST_PAIRS), default=PAIRS, help=about)
    add("--seed", type=int, default=SEED, help=f"seed of the pairs and the made pages ({SEED})")
    about = f"collections that the rules were made from, not held out ({','.join(KNOWN)})"
    add("--known", type=_names, default=list(KNOWN), metavar="NAMES", help=about)
    add("--brief", action="store_true", help="also judge articles cut down to their first tokens")
    add("-o", "--output", metavar="FILE", help="also write each page's figures as a line of JSON")
