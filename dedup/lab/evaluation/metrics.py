"""The counts of a scheme on a corpus, the measures made of them, and advice for thresholds.

A scheme **looks at** a pair if the earlier page is a candidate of the later one and is compared. It
**reports** the pair if the verdict is near-duplicate. T true pairs are reported, U pairs that have
no label but resemble each other, and F false pairs; the corpus has L labelled pairs:

    recall = T / L      precision = T / (T + F)      strict precision = T / (T + U + F)
    F1 = 2 T / (T + F + L), the harmonic mean of recall and precision

The counts are histograms of fixed size, by truth, host, band of resemblance and score. So memory
does not grow with the corpus, and they contain the counts for every threshold.

The advice is the similarity from which a scheme is as precise as the user wants, across hosts and
within a host. No threshold raises recall above the share of labelled pairs looked at. And few pairs
prove little: if n pairs are all true, the error may still be 3/n (the rule of three; Hanley and
Lippman-Hand, "If nothing goes wrong, is everything all right?", JAMA 1983). So a precision p takes
at least 3 / (1 - p) pairs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from dedup.config import PREFIX, SCHEME_SETTINGS
from dedup.index import Match
from dedup.lab.evaluation.truth import BANDS, Judgement, Numbers, Truth
from dedup.schemes import Comparison, Scheme, show_specification, specify
from dedup.schemes.options import rules

STEPS = 1000  # Steps of the score, from 0 to 1.

ACROSS, WITHIN = 0, 1
WHERE = ("across hosts", "within a host")


@dataclass(frozen=True, slots=True)
class Looked:
    """The pairs of one page that a scheme looked at; arrays of one length."""

    others: Numbers
    score: Numbers  # Similarity in steps, 0 to ``STEPS``.
    distance: Numbers  # Hamming distance; -1 if the scheme has none.
    reported: Numbers  # 1 or 0.


def note(matches: Iterable[tuple[Match, bool]]) -> Looked:
    """Note the comparisons of a page by an index; the other page's request is its number."""
    rows = [
        (
            int.from_bytes(match.record.request),
            score(match.comparison.similarity),
            -1 if match.comparison.distance is None else match.comparison.distance,
            reported,
        )
        for match, reported in matches
    ]
    return Looked(*np.array(rows, dtype=np.int64).reshape(-1, 4).T)


def score(similarity: float) -> int:
    """A similarity in steps, rounded down: the largest threshold that a pair reaches."""
    return int(similarity * STEPS)


@dataclass(slots=True)
class Tally:
    """The counts of one scheme."""

    pairs: Numbers  # Pairs looked at, by [reported][truth][within][band][score].
    kinds: Numbers  # Pairs reported, by [kind][within][truth].
    distances: Numbers  # The largest Hamming distance at each score; -1 if there was none.
    looked: int = 0  # Pairs looked at.
    fingerprints: int = 0  # Pages with a fingerprint.
    # In all.
    fingerprint_bytes: int = 0
    words: int = 0
    # Processor time, for looking up and storing together.
    fingerprint_ns: int = 0
    index_ns: int = 0

    @classmethod
    def empty(cls, kinds: int) -> Tally:
        """A tally for a corpus with some number of kinds."""
        return cls(
            pairs=np.zeros((2, len(Truth), len(WHERE), len(BANDS), STEPS + 1), dtype=np.int64),
            kinds=np.zeros((kinds, len(WHERE), len(Truth)), dtype=np.int64),
            distances=np.full(STEPS + 1, -1, dtype=np.int64),
        )

    def add(self, looked: Looked, judged: Judgement) -> None:
        """Count one page's pairs; ``judged`` has the truth of at least these."""
        if not len(looked.others):
            return
        places = np.searchsorted(judged.others, looked.others)
        truth, within, band = judged.truth[places], judged.within[places], judged.band[places]
        np.add.at(self.pairs, (looked.reported, truth, within, band, looked.score), 1)
        reported = looked.reported == 1
        kind = judged.kind[places]
        np.maximum.at(self.distances, looked.score, looked.distance)
        np.add.at(self.kinds, (kind[reported], within[reported], truth[reported]), 1)
        self.looked += len(looked.others)


@dataclass(slots=True)
class Totals:
    """The counts that are the same for all schemes."""

    labelled: Numbers  # Labelled pairs, by [within][band].
    kinds: Numbers  # Labelled pairs, by [kind][within].
    # Labelled pairs with a text too short for a fingerprint, by [within].
    short: Numbers = field(default_factory=lambda: np.zeros(len(WHERE), dtype=np.int64))
    pages: int = 0
    short_pages: int = 0  # Pages too short for a fingerprint.
    read_ns: int = 0  # Processor time to extract and segment them.

    @classmethod
    def empty(cls, kinds: int) -> Totals:
        """Totals for a corpus with some number of kinds."""
        return cls(
            labelled=np.zeros((len(WHERE), len(BANDS)), dtype=np.int64),
            kinds=np.zeros((kinds, len(WHERE)), dtype=np.int64),
        )

    def add(self, judged: Judgement, short: Numbers) -> None:
        """Count the labelled pairs of one page; ``short`` is 1 for pairs with too short a text."""
        true = judged.truth == Truth.TRUE
        within = judged.within[true]
        np.add.at(self.labelled, (within, judged.band[true]), 1)
        np.add.at(self.kinds, (judged.kind[true], within), 1)
        np.add.at(self.short, within, short[true])


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of pairs, and the measures; a measure is None if it is undefined."""

    labelled: int  # Pairs labelled as the same text.
    found: int  # Labelled pairs that were reported.
    unlabelled: int  # Reported pairs without a label that resemble each other.
    false: int  # All other reported pairs.

    @property
    def reported(self) -> int:
        return self.found + self.unlabelled + self.false

    @property
    def missed(self) -> int:
        return self.labelled - self.found

    @property
    def recall(self) -> float | None:
        return share(self.found, self.labelled)

    @property
    def precision(self) -> float | None:
        """The share of true pairs among the reported ones, without unlabelled ones."""
        return share(self.found, self.found + self.false) if self.labelled else None

    @property
    def strict_precision(self) -> float | None:
        """The share of true pairs among all reported."""
        return share(self.found, self.reported) if self.labelled else None

    @property
    def f1(self) -> float | None:
        """Harmonic mean of recall and precision."""
        both = self.found + self.false + self.labelled
        return share(2 * self.found, both) if self.labelled else None


def share(part: int, whole: int) -> float | None:
    """A part of a whole; None of nothing."""
    return part / whole if whole else None


def mean(whole: float, count: int) -> float:
    """A mean; 0 of nothing."""
    return whole / count if count else 0.0


def costs_of(tally: Tally, pages: int) -> dict[str, float]:
    """The costs of a scheme, as means per page; bytes and words per page with a fingerprint."""
    return {
        "candidates_a_page": mean(tally.looked, pages),
        "fingerprint_us_a_page": mean(tally.fingerprint_ns / 1000, pages),
        "index_us_a_page": mean(tally.index_ns / 1000, pages),
        "bytes_a_page": mean(tally.fingerprint_bytes, tally.fingerprints),
        "words_a_page": mean(tally.words, tally.fingerprints),
    }


def count_pairs(
    totals: Totals, tally: Tally, within: int | None = None, band: int | None = None
) -> Counts:
    """The counts of one scheme: all, or only across or within hosts, or only of one band."""
    hosts = slice(None) if within is None else slice(within, within + 1)
    bands = slice(None) if band is None else slice(band, band + 1)
    reported = tally.pairs[1, :, hosts, bands].sum(axis=(1, 2, 3))
    labelled = totals.labelled[hosts, bands].sum()
    return Counts(int(labelled), *(int(reported[truth]) for truth in Truth))


def count_kind(totals: Totals, tally: Tally, kind: int) -> Counts:
    """The counts of one scheme for pairs of one kind."""
    reported = tally.kinds[kind].sum(axis=0)
    return Counts(int(totals.kinds[kind].sum()), *(int(reported[truth]) for truth in Truth))


def make_curve(totals: Totals, tally: Tally, within: int) -> dict[int, Counts]:
    """The counts of the pairs looked at, with each of their scores in turn as the threshold.

    The scores ascend, in steps; between them nothing changes. Only pairs across hosts are counted,
    or pairs within one.
    """
    by_score = tally.pairs[:, :, within].sum(axis=(0, 2))
    above = by_score[:, ::-1].cumsum(axis=1)[:, ::-1]
    labelled = int(totals.labelled[within].sum())
    seen = np.flatnonzero(by_score.sum(axis=0)).tolist()
    return {step: Counts(labelled, *map(int, above[:, step])) for step in seen}


@dataclass(frozen=True, slots=True)
class Advice:
    """The threshold for one scheme, across hosts or within a host."""

    similarity: float | None  # The smallest one that reaches the precision; None if none does.
    setting: str  # The setting and value that make it the threshold; empty if there is none.
    counts: Counts | None  # The pairs that would be reported with it.
    few: bool  # Whether its pairs are too few to be sure of the precision.
    looked_at: float | None  # Share of the labelled pairs that were looked at: the maximum recall.
    # Similarity of the most similar false pair; None if there is none.
    most_alike_false: float | None


def advise(scheme: Scheme, totals: Totals, tally: Tally, within: int, precision: float) -> Advice:
    """Find the threshold of a scheme ``ACROSS`` or ``WITHIN`` hosts, for a precision below 1."""
    curve = make_curve(totals, tally, within)
    lowest = next(iter(curve.values()), count_pairs(totals, tally, within))
    looked_at = share(lowest.found, lowest.labelled)
    false = [step / STEPS for step, counts in curve.items() if counts.false]
    most_alike_false = max(false, default=None)
    reaching = (step for step, counts in curve.items() if (counts.precision or 0) >= precision)
    step = next(reaching, None)
    if step is None:
        return Advice(None, "", None, False, looked_at, most_alike_false)
    counts = curve[step]
    few = round((counts.found + counts.false) * (1 - precision), 9) < 3  # 1 - 0.9 is under 0.1
    setting = _setting(scheme, step, int(tally.distances[step]), within)
    return Advice(step / STEPS, setting, counts, few, looked_at, most_alike_false)


def _setting(scheme: Scheme, step: int, distance: int, within: int) -> str:
    """The setting that makes a score the threshold, found by a trial on the scheme itself."""
    same_host = within == WITHIN
    similarities = Comparison(step / STEPS, 0), Comparison((step - 1) / STEPS, 0)
    distances = Comparison(1.0, distance), Comparison(1.0, distance + 1)
    tries: list[tuple[str, float, tuple[Comparison, Comparison]]] = [
        ("min_similarity", step / STEPS, similarities),
        ("min_similarity_same_host", step / STEPS, similarities),
        ("distance", distance, distances),
    ]
    for option, value, around in tries:
        if option not in rules(scheme):
            continue
        try:
            changed = replace(scheme, **{option: value})
        except ValueError:  # Out of the option's range.
            continue
        if [changed.accepts(one, same_host=same_host) for one in around] == [True, False]:
            if option in SCHEME_SETTINGS:
                return f"{PREFIX}{option.upper()} = {value}"
            return f"{PREFIX}SCHEME = {show_specification(specify(changed))!r}"
    return ""
