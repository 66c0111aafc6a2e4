"""One pass over a corpus for any number of schemes.

    page -> extracted and segmented, once
         -> each scheme: fingerprint -> look up (the index of a crawl, the same verdicts) -> store
         -> the truth about every pair looked at or labelled, once -> each scheme's tally

A page is compared with the pages before it, so every pair is judged once. Unlike in a crawl, near-
duplicates are stored too: each pair counts for itself. Each scheme has a LevelDB store in a
temporary folder, and the shingle sets are on disk too. Memory holds about 1 KB per page, and about
30 MB per scheme.

Times are the processor time of the thread, without LevelDB's compaction in the background.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from dedup.assembly import make_fingerprinter, make_index, opened_store
from dedup.config import Config
from dedup.fingerprint import Fingerprinter
from dedup.index import Index
from dedup.lab.evaluation.corpus import Corpus, CorpusPage
from dedup.lab.evaluation.metrics import Looked, Tally, Totals, note
from dedup.lab.evaluation.truth import SEVERAL_KINDS, Catalogue, Labels, Shingles, judge
from dedup.page import Document, MainText, extract, from_text, read_document
from dedup.page.limits import is_too_long
from dedup.schemes import PUBLISHED, Scheme, show_specification, specify
from dedup.store import Record

NO_TEXT = MainText("", (), sure=False)  # Of a page that is too long.
STORE_CACHE_MB = 8
PROGRESS_STEP = 20  # Pages between two calls of a progress function.


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A scheme, its specification, and its counts."""

    name: str
    scheme: Scheme
    tally: Tally


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The results of all schemes on one corpus."""

    totals: Totals
    schemes: tuple[Evaluated, ...]
    hosts: int
    kind_names: tuple[str, ...]


def kinds_of(evaluation: Evaluation) -> list[int]:
    """The kinds of the corpus's pages; the last is of pairs of two kinds, if there are any."""
    named = list(range(SEVERAL_KINDS + 1, len(evaluation.kind_names)))
    pairs = [evaluation.totals.kinds, *(entry.tally.kinds for entry in evaluation.schemes)]
    return [*named, SEVERAL_KINDS] if any(kinds[SEVERAL_KINDS].any() for kinds in pairs) else named


def default_schemes(config: Config) -> list[str]:
    """The scheme of the settings, then all others with their published variants."""
    configured = specify(config.make_scheme())
    return [configured, *(name for name in PUBLISHED if name != configured)]


def scheme_config(config: Config, specification: str, folder: Path) -> Config:
    """The settings for one scheme, with its store in a folder.

    Raises ValueError if there is no such scheme or option, or the store's layout does not allow it.
    """
    return replace(
        config,
        scheme=specification,
        distance=None,
        hash_seed=None,
        store=f"leveldb:{folder}",
        cache_mb=STORE_CACHE_MB,
        reset=False,
        read_only=False,
        ttl=0.0,
    )


def evaluate(
    corpus: Corpus,
    catalogue: Catalogue,
    labels: Labels,
    schemes: Sequence[str],
    config: Config,
    progress: Callable[[int], None] | None = None,
) -> Evaluation:
    """Let schemes, given by their specifications, find the near-duplicates of a corpus.

    Extractor, segmenter, shortest text, scope and layout are as in the settings. ``progress`` is
    called with the number of pages done.

    Raises:
        ValueError: a specification is bad.
        CorpusError: the corpus cannot be read.
    """
    with TemporaryDirectory(prefix="neardup-evaluation-") as place, ExitStack() as stack:
        root, kinds = Path(place), len(catalogue.kind_names)
        shingles = Shingles(stack.enter_context((root / "shingles").open("x+b")))
        runs = []
        for number, name in enumerate(schemes):
            own = scheme_config(config, name, root / str(number))
            index = make_index(own, stack.enter_context(opened_store(own)))
            runs.append(_Run(make_fingerprinter(own), index, Tally.empty(kinds)))
        totals = Totals.empty(kinds)
        is_short = np.zeros(len(catalogue), dtype=np.int64)
        for number, page in enumerate(corpus):
            read_at = time.thread_time_ns()
            document = read_page(page, config)
            totals.read_ns += time.thread_time_ns() - read_at
            totals.pages += 1
            is_short[number] = len(document.tokens) < config.min_tokens
            shingles.append(document)
            looked = [run.look(number, page.url, document) for run in runs]
            found = np.concatenate([pairs.others for pairs in looked])
            judged = judge(catalogue, labels, shingles, number, found)
            totals.add(judged, is_short[judged.others] | is_short[number])
            for run, pairs in zip(runs, looked, strict=True):
                run.tally.add(pairs, judged)
            if progress is not None and totals.pages % PROGRESS_STEP == 0:
                progress(totals.pages)
    totals.short_pages = int(is_short.sum())
    entries = tuple(
        Evaluated(show_specification(specify(run.index.scheme)), run.index.scheme, run.tally)
        for run in runs
    )
    return Evaluation(totals, entries, len(np.unique(catalogue.hosts)), catalogue.kind_names)


def read_page(page: CorpusPage, config: Config) -> Document:
    """Extract and segment a page, as a crawl of these settings does."""
    if page.html:
        main = extract(page.decoded, config.extractor)
    else:
        main = from_text(page.decoded, page.title)
    document = read_document(NO_TEXT if is_too_long(main) else main, config.segmenter)
    _ = document.tokens, document.digest  # Made once and kept: no scheme's time.
    return document


@dataclass(frozen=True, slots=True)
class _Run:
    """One scheme over its own store."""

    fingerprinter: Fingerprinter
    index: Index
    tally: Tally

    def look(self, number: int, url: str, document: Document) -> Looked:
        """Fingerprint a page, look it up among the pages before it, and store it."""
        tally = self.tally
        started = time.thread_time_ns()
        page = self.fingerprinter.of_document(document)
        fingerprinted = time.thread_time_ns()
        tally.fingerprint_ns += fingerprinted - started
        if page.short:  # As in a crawl: no verdict, and not stored.
            return note(())
        record = Record(
            url=url,
            request=number.to_bytes(8),
            seen=0.0,
            exported=True,
            tokens=page.tokens,
            digest=page.digest,
            fingerprint=page.value,
        )
        matches = list(self.index.comparisons(record))
        self.index.store.put(record)
        tally.index_ns += time.thread_time_ns() - fingerprinted
        if page.value:
            tally.fingerprints += 1
            tally.fingerprint_bytes += len(page.value)
            tally.words += len(self.index.scheme.words(page.value))
        return note(matches)
