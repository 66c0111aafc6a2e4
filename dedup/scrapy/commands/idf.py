"""The action that makes an idf model of a collection of texts: build-idf."""

from __future__ import annotations

import argparse
import re
from datetime import UTC, datetime
from pathlib import Path

from dedup.config import Config
from dedup.evaluation.corpus import CorpusError, Page, open_corpus
from dedup.page import Document, decode_html, extract, from_text, read_document
from dedup.schemes.document_frequencies import DocumentFrequencies, write_table
from dedup.schemes.idf import load_idf
from dedup.scrapy.commands.context import Action, CommandError, Context

LEAST = 2  # documents a word must stand in
MOST_WORDS = 2_000_000
PROGRESS_STEP = 100


def build_idf(context: Context) -> int:
    """Count in how many documents of a collection each word stands, and write the model."""
    options = context.options
    output = Path(options.output)
    if not output.parent.is_dir():
        raise CommandError(f"--output {output}: there is no folder {output.parent}")
    frequencies = _count(context)
    counts = frequencies.counts(options.least)
    if frequencies.documents < 2 or not counts:
        raise CommandError(
            f"{frequencies.documents} documents with {len(counts)} words of {options.least} or "
            "more documents make no model: give more documents, or a smaller --least"
        )
    names = options.made_from or ", ".join(Path(name).name for name in options.corpus)
    write_table(output, counts, frequencies.documents, names, options.date)
    context.print_facts(
        {
            "output": str(output),
            "documents": frequencies.documents,
            "words": len(counts),
            "counts_too_large_by_at_most": frequencies.slack,
            "bytes": output.stat().st_size,
            "version": load_idf(str(output)).version,
        }
    )
    return 0


def _count(context: Context) -> DocumentFrequencies:
    options = context.options
    frequencies = DocumentFrequencies(options.most_words)
    try:
        corpus = open_corpus(map(Path, options.corpus))
        pages = sum(1 for _ in corpus) if context.err.is_terminal else 0
        with context.progress("documents", pages) as progress:
            for number, page in enumerate(corpus, start=1):
                if tokens := _read(page, context.config).tokens:
                    frequencies.add(tokens)
                if number % PROGRESS_STEP == 0:
                    progress(number)
    except CorpusError as error:
        raise CommandError(str(error)) from None
    return frequencies


def _read(page: Page, config: Config) -> Document:
    """The tokens of a page, cut as a crawl of these settings cuts them."""
    content = page.content
    if page.html:
        html = content if isinstance(content, str) else decode_html(content)
        return read_document(extract(html, config.extractor), config.segmenter)
    return read_document(from_text(str(content)), config.segmenter)


def _whole(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1; got {text}")
    return number


def _date(text: str) -> str:
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        raise argparse.ArgumentTypeError(f"must be a day as YYYY-MM-DD; got {text}")
    return text


def _options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("corpus", nargs="+", metavar="CORPUS", help="a file of JSON lines, or a folder of pages")
    add("-o", "--output", required=True, metavar="FILE", help="the model to write")
    add(
        "--least",
        type=_whole,
        default=LEAST,
        metavar="N",
        help=f"leave out words of fewer documents ({LEAST})",
    )
    add(
        "--most-words",
        type=_whole,
        default=MOST_WORDS,
        metavar="N",
        help=f"words to keep in memory; past it the rarest are dropped ({MOST_WORDS:,})",
    )
    add("--made-from", metavar="TEXT", help="what the model was made from (the names of CORPUS)")
    add(
        "--date",
        type=_date,
        default=datetime.now(UTC).date().isoformat(),
        help="day that the model bears, as YYYY-MM-DD (today)",
    )


ACTIONS = (Action("build-idf", "make an idf model of a collection of texts", _options, build_idf),)
