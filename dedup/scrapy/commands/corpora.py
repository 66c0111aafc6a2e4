"""Actions on collections of texts: simulate, evaluate, build-idf."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path
from typing import IO

from rich.table import Column

from dedup.extras import missing
from dedup.files import check_target, whole_file
from dedup.lab.evaluation.corpus import LINES, Corpus, open_corpus
from dedup.lab.evaluation.report import (
    TITLE,
    listings,
    prepare_folder,
    render_report,
    summary,
    to_json,
    to_markdown,
    write_files,
)
from dedup.lab.evaluation.run import Evaluation, default_schemes, read_page, scheme_config
from dedup.lab.evaluation.run import evaluate as run_evaluation
from dedup.lab.evaluation.truth import (
    ClusterLabels,
    Labels,
    distinct_pages,
    make_catalogue,
    read_pairs,
)
from dedup.lab.simulator.edits import EDITS, RECIPES
from dedup.lab.simulator.simulate import Plan, Step, read_articles, simulate
from dedup.lab.simulator.templates import TEMPLATES
from dedup.schemes import make_scheme, specify
from dedup.schemes.document_frequencies import DocumentFrequencies, write_table
from dedup.schemes.idf import load_idf
from dedup.scrapy.commands.context import CommandError, Context, checked, count, number, share
from dedup.scrapy.commands.printing import make_table, plain

STRENGTH = "0.3"

PRECISION = 0.99

LEAST = 2  # Documents that must contain a word.
MOST_WORDS = 2_000_000


def run_simulate(context: Context) -> None:
    """Make a labelled corpus of near-duplicates from clean texts."""
    options = context.options
    corpus = open_corpus([options.corpus])
    check_target(options.output, corpus.files())
    pages = sum(1 for _ in distinct_pages(corpus))
    started = time.perf_counter()
    with (
        whole_file(options.output) as out,
        context.progress("simulate", min(pages, options.limit or pages)) as progress,
    ):
        articles, documents = _write(context, out, progress)
    seconds = time.perf_counter() - started
    context.print_facts(
        {
            "output": options.output,
            "articles": articles,
            "documents": documents,
            "seconds": round(seconds, 2),
        }
    )


def _write(context: Context, out: IO[str], progress: Callable[[int], None]) -> tuple[int, int]:
    """Write all documents; returns the number of articles and of documents."""
    options = context.options
    # Each edit at each strength, then the recipes; all edits if the options name nothing.
    edits = options.edits or ([] if options.recipe else list(EDITS))
    steps = [Step(name, strength) for strength in options.strength for name in edits]
    plan = Plan(
        (*steps, *map(Step, options.recipe)),
        options.copies,
        options.html,
        options.same_host,
        options.template,
        options.seed,
    )
    articles = documents = 0
    for document in simulate(islice(read_articles(options.corpus), options.limit), plan):
        out.write(json.dumps(document.fields(), ensure_ascii=False) + "\n")
        documents += 1
        if not document.edit:
            articles += 1
            progress(articles)
    if not documents:
        raise CommandError(f"{options.corpus} holds no text to make copies of")
    return articles, documents


def _names(allowed: tuple[str, ...]) -> Callable[[str], list[str]]:
    def read(text: str) -> list[str]:
        names = [name.strip() for name in text.split(",") if name.strip()]
        for name in names:
            if name not in allowed:
                raise argparse.ArgumentTypeError(
                    f"must be of {', '.join(allowed)}, separated by commas; got {name!r}"
                )
        return names

    return read


def _strengths(text: str) -> list[float]:
    return list(map(share, text.split(",")))


def _output(text: str) -> Path:
    if not text.endswith(LINES):
        raise argparse.ArgumentTypeError(f"must end in {' or '.join(LINES)}; got {text!r}")
    return Path(text)


def simulate_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    about = "clean texts: .jsonl or .jl, also packed, or a folder of .txt or .html"
    add("corpus", type=Path, metavar="CORPUS", help=about)
    add("--output", "-o", type=_output, required=True, metavar="FILE.jsonl[.gz]")
    add("--edits", type=_names(tuple(EDITS)), default=[], help=f"out of {', '.join(EDITS)} (all)")
    add("--recipe", type=_names(tuple(RECIPES)), default=[], help=f"out of {', '.join(RECIPES)}")
    add("--strength", type=_strengths, default=STRENGTH, help=f"edit strength, 0 to 1 ({STRENGTH})")
    add("--copies", type=count, default=1, help="copies of each text; the edits take turns (1)")
    add("--html", action="store_true", help="whole pages; originals and copies in two templates")
    add("--template", choices=tuple(TEMPLATES), default="portal", help="of originals (portal)")
    add("--same-host", action="store_true", help="put copies on the host of the originals")
    add("--seed", type=int, default=0, help="the same seed gives the same file (0)")
    add("--limit", type=count, help="largest number of texts (all)")


def evaluate(context: Context) -> None:
    """Compare schemes on a labelled corpus."""
    options = context.options
    names = list(dict.fromkeys(options.scheme or default_schemes(context.config)))
    _check(context, names)
    corpus = open_corpus(map(Path, options.corpus), options.limit)
    catalogue = make_catalogue(corpus)
    labels: Labels = ClusterLabels(catalogue)
    if options.pairs is not None:
        labels = read_pairs(Path(options.pairs), catalogue, partial=options.limit is not None)
    if options.output:
        pairs = (Path(options.pairs),) if options.pairs else ()
        prepare_folder(Path(options.output), (*corpus.files(), *pairs))
    with context.progress("evaluate", len(catalogue)) as progress:
        evaluation = run_evaluation(corpus, catalogue, labels, names, context.config, progress)
    if options.output:
        write_files(Path(options.output), render_report(evaluation, options.precision))
    _print(context, evaluation)


def _check(context: Context, names: list[str]) -> None:
    """Find errors that would otherwise stop a long run, perhaps only at its end."""
    for name in names:
        try:
            scheme_config(context.config, name, Path("store"))
        except ValueError as error:
            raise CommandError(str(error)) from None
    if context.options.output and (lacking := missing("report")):
        raise CommandError(f"--output needs {lacking}")


def _print(context: Context, evaluation: Evaluation) -> None:
    precision = context.options.precision
    if context.json:
        context.print_json(to_json(evaluation, precision))
        return
    about, tables = summary(evaluation), listings(evaluation, precision)
    if not context.out.is_terminal:  # A pipe or a file has no width.
        print(to_markdown(TITLE, about, tables), end="")
        return
    context.out.print(plain(about))
    for table in tables:
        context.out.print()
        context.out.print(plain(table.title), style="bold")
        first, *others = table.columns
        columns = [Column(first), *(Column(name, justify="right") for name in others)]
        context.print_whole(make_table(columns, table.rows))
        if table.note:
            context.out.print(plain(table.note))


@checked
def _specification(text: str) -> str:
    return specify(make_scheme(text))


def _precision(text: str) -> float:
    return number(text, lambda value: 0 < value < 1, "a number over 0 and under 1")


def evaluate_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("corpus", nargs="+", metavar="CORPUS", help="a file of JSON lines, or a folder")
    add(
        "--scheme",
        action="append",
        type=_specification,
        metavar="NAME[:OPTION=VALUE,...]",
        help="a scheme to compare; repeatable (all, with their defaults)",
    )
    add("--pairs", metavar="FILE", help="labelled pairs, used instead of clusters")
    about = f"precision of the advised thresholds ({PRECISION})"
    add("--precision", type=_precision, default=PRECISION, help=about)
    add("--limit", type=count, metavar="N", help="read N pages of each file or folder")
    add("-o", "--output", metavar="DIR", help="write tables, figures, a page and a picture there")


def build_idf(context: Context) -> None:
    """Make an idf model: count for each word the documents of a collection that contain it."""
    options = context.options
    output = Path(options.output)
    corpus = open_corpus(map(Path, options.corpus))
    check_target(output, corpus.files())
    frequencies = _count(context, corpus)
    counts = frequencies.counts(options.least)
    if frequencies.documents < 2 or not counts:
        raise CommandError(
            f"{frequencies.documents} documents with {len(counts)} words of {options.least} or "
            "more documents make no model: give more documents, or a smaller --least"
        )
    names = options.made_from or ", ".join(Path(name).name for name in options.corpus)
    write_table(output, counts, frequencies.documents, names, options.date)
    load_idf.cache_clear()  # An older model of that name may be in the cache.
    context.print_facts(
        {
            "output": output,
            "documents": frequencies.documents,
            "words": len(counts),
            "counts_too_large_by_at_most": frequencies.slack,
            "bytes": output.stat().st_size,
            "version": load_idf(str(output)).version,
        }
    )


def _count(context: Context, corpus: Corpus) -> DocumentFrequencies:
    frequencies = DocumentFrequencies(context.options.most_words)
    pages = sum(1 for _ in corpus) if context.err.is_terminal else 0
    for page in context.each("documents", corpus, pages):
        if tokens := read_page(page, context.config).tokens:
            frequencies.add(tokens)
    return frequencies


def _date(text: str) -> str:
    try:
        day = date.fromisoformat(text).isoformat()
    except ValueError:
        day = ""
    if day != text:  # Python also reads dates without dashes, or by weeks.
        raise argparse.ArgumentTypeError(f"must be a day as YYYY-MM-DD; got {text!r}")
    return text


def build_idf_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("corpus", nargs="+", metavar="CORPUS", help="a file of JSON lines, or a folder")
    add("-o", "--output", required=True, metavar="FILE", help="the model to write")
    about = f"leave out words that fewer documents contain ({LEAST})"
    add("--least", type=count, default=LEAST, metavar="N", help=about)
    about = f"largest number of words in memory; the rarest are dropped ({MOST_WORDS:,})"
    add("--most-words", type=count, default=MOST_WORDS, metavar="N", help=about)
    add("--made-from", metavar="TEXT", help="origin of the texts (the names of CORPUS)")
    about = "date of the model, as YYYY-MM-DD (today)"
    add("--date", type=_date, default=datetime.now(UTC).date().isoformat(), help=about)
