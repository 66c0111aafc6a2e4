"""The action that makes labelled near-duplicates of clean texts: simulate."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import IO

from dedup.files import check_target, whole_file
from dedup.lab.evaluation.corpus import LINES, open_corpus
from dedup.lab.evaluation.truth import (
    distinct_pages,
)
from dedup.lab.simulator.edits import EDITS, RECIPES
from dedup.lab.simulator.simulate import Plan, Step, read_articles, simulate
from dedup.lab.simulator.templates import TEMPLATES
from dedup.scrapy.commands.context import CommandError, Context, count, share

STRENGTH = "0.3"


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


def options(parser: argparse.ArgumentParser) -> None:
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
