"""What a drop loses, kind by kind: pages made from real articles, and what users expect of each.

A kind (``benchmarks.kinds_made``, ``benchmarks.kinds_records``) makes two pages from an article:
one that came first, and one that comes now. The first pages of all articles are stored in an index.
Then the others are looked up, on the same site and on another one, in the same template. The tables
show the share that would be dropped, and how much of the text of the dropped pages is new: that is
what the drops lose.

Beside them stand sets of real pages with truth (``benchmarks.kinds_sets``). With ``--articles`` the
articles are your own, in any languages, and there are no sets. FOLDER has a folder for each
language. In it each article is a .txt file: the title in the first line, then a paragraph in each
line. The phrases that a kind puts in are Chinese or English.

A bar is what users expect of a kind: the tables of kinds have them.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from random import Random
from statistics import fmean

from rich.console import Console
from rich.progress import track

from benchmarks.command import as_command, make_parser
from benchmarks.corpus import read_gold_set, read_texts
from benchmarks.indexing import Engine
from benchmarks.kinds_made import KINDS, TABLE, Kind, Pair, make_pairs
from benchmarks.kinds_records import RECORDS
from benchmarks.kinds_sets import judge_sets, listing
from benchmarks.report import Bar, Listing, Report, Value, at_most
from dedup import Verdict
from dedup.lab.simulator.prose import Text, make_text
from dedup.lab.simulator.templates import TEMPLATES, make_page

ARTICLES = 40  # of each language
LENGTHS = (600, 8000)  # characters of an article
TEMPLATE = "semantic"
PLACES = ("same site", "other site")
TITLE = "share dropped; of each dropped page the share that is new text, mean and largest"
COLUMNS = ("kind", "language", "site", "pages", "dropped", "mean", "largest", "expected")
MOST_LOST, MOST_LOST_ONCE = 0.05, 0.25  # shares of a page: on average, and of any drop


@dataclass(frozen=True, slots=True)
class Outcome:
    """The pages of a kind: how many, and the share of new text of each that would be dropped."""

    kind: Kind
    language: str
    place: int
    pages: int
    lost: tuple[float, ...]

    @property
    def dropped(self) -> float:
        return len(self.lost) / max(self.pages, 1)

    @property
    def name(self) -> str:
        return f"{self.kind.name}, {self.language}, {PLACES[self.place]}"

    def bar(self) -> Bar | None:
        """What users expect."""
        least, most = self.kind.least[self.place], self.kind.most[self.place]
        if least is not None:
            return Bar(f"dropped: {self.name}", self.dropped, least)
        return None if most is None else at_most(f"dropped: {self.name}", self.dropped, most)


def make_arguments() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = make_parser("kinds", __doc__, needs_data=False, otherwise="not needed for --articles")
    parser.add_argument("--articles", type=Path, metavar="FOLDER", help="articles of your own")
    return parser


def run(options: Namespace, console: Console) -> Report:
    """Make the pages of every kind and look them up."""
    data, own = options.data, options.articles
    if not own and data == Path():
        sys.exit("benchmarks.kinds: needs DATA_DIR, or --articles FOLDER")
    articles = _read_own(own) if own else {"zh": _chinese(data), "en": _english(data)}
    cases = [(kind, language) for kind in (*KINDS, *RECORDS) for language in articles]
    outcomes = [
        outcome
        for kind, language in track(cases, "kinds", console=console)
        for outcome in _outcomes(kind, language, articles[language][::2], articles[language][1::2])
    ]
    lost = [share for outcome in outcomes for share in outcome.lost]
    figures = {f"articles, {name}": len(texts[::2]) for name, texts in articles.items()}
    report = Report("kinds", dict(figures))
    report.figures["pages looked up"] = sum(outcome.pages for outcome in outcomes)
    report.figures["pages that would be dropped"] = len(lost)
    report.bars = [bar for outcome in outcomes if (bar := outcome.bar()) is not None]
    report.bars += [
        at_most("new text lost a drop, share of the page, mean", fmean(lost or [0]), MOST_LOST),
        at_most("the same, largest", max(lost, default=0.0), MOST_LOST_ONCE),
    ]
    report.listings = [_listing(outcomes)]
    if not own:
        with console.status("sets with truth"):
            sets = list(judge_sets(data))
        report.listings.append(listing([outcome for outcome, _ in sets]))
        report.bars += [bar for _, bars in sets for bar in bars]
    return report


def _read_own(folder: Path) -> dict[str, list[Text]]:
    """The articles in a folder, by language: the name of the folder that they are in."""
    files: dict[str, list[Path]] = {}
    for file in sorted(filter(Path.is_file, folder.glob("*/*.txt"))):
        files.setdefault(file.parent.name, []).append(file)
    if not files:
        sys.exit(f"benchmarks.kinds: {folder} has no folder of a language with articles")
    return {
        language: _titled([make_text("", file.read_text(errors="replace")) for file in found])
        for language, found in files.items()
    }


def _chinese(data: Path) -> list[Text]:
    """Articles spread evenly over the collection."""
    texts = [make_text("", text.text) for text in read_texts(data / "lctt-zh/articles.jsonl.gz")]
    return _titled(texts)


def _english(data: Path) -> list[Text]:
    pages = read_gold_set(data, "scrapinghub")
    return _titled(make_text("", page.text or "") for page in pages if page.language == "en")


def _titled(texts: Iterator[Text] | Sequence[Text]) -> list[Text]:
    """Articles of a usual length, their first lines made titles: half to store, half for pieces."""
    least, most = LENGTHS
    fit = [
        Text(text.paragraphs[0][:60], text.paragraphs[1:])
        for text in texts
        if len(text.paragraphs) > 3 and least <= len(text.body) <= most
    ]
    if len(fit) < 2:
        sys.exit(f"benchmarks.kinds: needs two articles or more of {least} to {most} characters")
    most = 2 * ARTICLES
    return fit[:: max(1, len(fit) // most)][:most]


def _outcomes(
    kind: Kind, language: str, texts: Sequence[Text], others: Sequence[Text]
) -> Iterator[Outcome]:
    """A kind in a language, on each site; new text comes from articles that are not stored."""
    pairs = list(make_pairs(kind, texts, others))
    with Engine.open() as engine:
        for number, pair in pairs:
            url = f"http://first.example/{number}"
            engine.add(url, html=_html(kind, TEMPLATE, pair.first, url, texts))
        for place, host in enumerate(("first.example", "second.example")):
            lost = tuple(
                pair.new
                for number, pair in pairs
                if _is_dropped(engine, kind, pair, f"http://{host}/now/{number}", texts)
            )
            yield Outcome(kind, language, place, len(pairs), lost)


def _is_dropped(engine: Engine, kind: Kind, pair: Pair, url: str, texts: Sequence[Text]) -> bool:
    html = _html(kind, kind.template or TEMPLATE, pair.second, url, texts)
    claim = engine.look_up(url, html=html)
    return claim.verdict is Verdict.DUPLICATE


def _html(kind: Kind, template: str, text: Text, url: str, others: Sequence[Text]) -> str:
    """A page of its site: the site's words are the same on all its pages, all else is its own."""
    host = url.split("/")[2]
    html = TEMPLATES[template](make_page(text, url, host, others, Random(url)))
    for line in text.paragraphs:
        if line.startswith(TABLE):
            table = _table(line.removeprefix(TABLE), paragraphs=kind.paragraphs_in_cells)
            html = html.replace(escape(line), table)
    return html


def _table(rows: str, *, paragraphs: bool) -> str:
    before, after = ("<p>", "</p>") if paragraphs else ("", "")
    lines = (
        "".join(f"<td>{before}{escape(cell)}{after}</td>" for cell in row.split("\t"))
        for row in rows.split("\n")
    )
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def _listing(outcomes: Sequence[Outcome]) -> Listing:
    rows: list[tuple[Value, ...]] = []
    for outcome in outcomes:
        bar, lost = outcome.bar(), outcome.lost
        rows.append(
            (
                outcome.kind.name,
                outcome.language,
                PLACES[outcome.place],
                outcome.pages,
                outcome.dropped,
                fmean(lost) if lost else "-",
                max(lost) if lost else "-",
                bar.bound if bar is not None else "either",
            )
        )
    return Listing(TITLE, COLUMNS, rows)


main = as_command(make_arguments, run)

if __name__ == "__main__":
    sys.exit(main())
