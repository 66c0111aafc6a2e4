"""The action that compares schemes on a labelled corpus: evaluate."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.table import Column

from dedup.extras import missing
from dedup.lab.evaluation.corpus import open_corpus
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
from dedup.lab.evaluation.run import Evaluation, default_schemes, scheme_config
from dedup.lab.evaluation.run import evaluate as run_evaluation
from dedup.lab.evaluation.truth import (
    ClusterLabels,
    Labels,
    make_catalogue,
    read_pairs,
)
from dedup.schemes import make_scheme, specify
from dedup.scrapy.commands.context import CommandError, Context, checked, count, number
from dedup.scrapy.commands.printing import make_table, plain

PRECISION = 0.99


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


def options(parser: argparse.ArgumentParser) -> None:
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
