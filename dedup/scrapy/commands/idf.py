"""The action that makes an idf model: build-idf."""

from __future__ import annotations

import argparse
from datetime import UTC, date, datetime
from pathlib import Path

from dedup.files import check_target
from dedup.lab.evaluation.corpus import Corpus, open_corpus
from dedup.lab.evaluation.run import read_page
from dedup.schemes.document_frequencies import DocumentFrequencies, write_table
from dedup.schemes.idf import load_idf
from dedup.scrapy.commands.context import CommandError, Context, count

LEAST = 2  # Documents that must contain a word.
MOST_WORDS = 2_000_000


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


def options(parser: argparse.ArgumentParser) -> None:
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
