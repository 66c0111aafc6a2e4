"""The truth of pairs: exact resemblance, its bands, and what labels say."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryFile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.lab.evaluation.corpus import open_corpus
from dedup.lab.evaluation.truth import (
    BANDS,
    ClusterLabels,
    Judgement,
    Labels,
    Shingles,
    Truth,
    judge,
    make_catalogue,
    read_pairs,
)
from tests.lab.evaluation.made_corpora import write_lines
from tests.schemes.reading import document


def shingle_set(text: str) -> set[tuple[str, ...]]:
    words = text.split()
    width = min(3, len(words))
    return {tuple(words[i : i + width]) for i in range(len(words) - width + 1) if width}


TEXTS = st.lists(st.text("ab", min_size=1, max_size=2), max_size=12).map(" ".join)


@given(TEXTS, st.lists(TEXTS, max_size=5))
def test_resemblance_is_the_jaccard_of_three_word_shingles(mine: str, others: list[str]) -> None:
    with TemporaryFile() as file:
        shingles = Shingles(file)
        for text in (*others, mine):
            shingles.append(document(text))
        found = shingles.resemblances(len(others), np.arange(len(others)))
    for text, resemblance in zip(others, found, strict=True):
        one, other = shingle_set(mine), shingle_set(text)
        assert resemblance == (len(one & other) / len(one | other) if one | other else 0.0)


def sharing(common: int, own: int, name: str) -> str:
    """A text of ``common`` shingles that all such texts share, and ``own`` more."""
    return " ".join([*(f"c{n}" for n in range(common + 2)), *(f"{name}{n}" for n in range(own))])


def judge_last(folder: Path, texts: list[str], pairs: str | None = None) -> Judgement:
    """Judge the last of some texts against all others."""
    lines = [
        {"id": f"p{n}", "text": text, "url": f"http://{'ab'[n % 2]}.test/{n}"}
        for n, text in enumerate(texts)
    ]
    catalogue = make_catalogue(open_corpus([write_lines(folder / "x.jsonl", lines)]))
    labels: Labels = ClusterLabels(catalogue)
    if pairs is not None:
        (folder / "pairs.tsv").write_text("a\tb\tsame\n" + pairs)
        labels = read_pairs(folder / "pairs.tsv", catalogue)
    with TemporaryFile() as file:
        shingles = Shingles(file)
        for text in texts:
            shingles.append(document(text))
        last = len(texts) - 1
        return judge(catalogue, labels, shingles, last, np.arange(last)[::-1])


@pytest.mark.parametrize(
    ("common", "own", "band"),
    [
        (7, 4, 1),  # 7 / 15
        (3, 7, 0),  # 3 / 17
        (6, 3, 2),  # 6 / 12: an edge belongs to the band above it
        (14, 3, 3),  # 14 / 20, the same
        (18, 1, 5),  # 18 / 20, the same
        (19, 0, 5),  # equal: the last band holds 1
    ],
)
def test_bands_hold_their_lower_edge(tmp_path: Path, common: int, own: int, band: int) -> None:
    judged = judge_last(tmp_path, [sharing(common, own, "x"), sharing(common, own, "y")])
    assert judged.band.tolist() == [band]
    assert BANDS[band] <= common / (common + 2 * own)


def test_a_pair_without_a_label_is_false_only_where_it_differs(tmp_path: Path) -> None:
    texts = [sharing(20, 10, "x"), sharing(20, 11, "y"), sharing(20, 10, "z")]  # 20/40, 20/41
    judged = judge_last(tmp_path, texts)
    assert judged.others.tolist() == [0, 1]
    assert judged.truth.tolist() == [Truth.UNLABELLED, Truth.FALSE]
    assert judged.within.tolist() == [1, 0]


def test_labels_are_believed_against_the_resemblance(tmp_path: Path) -> None:
    texts = [sharing(20, 5, "x"), sharing(20, 30, "y"), sharing(20, 4, "z")]
    judged = judge_last(tmp_path, texts, "p0\tp2\t0\np1\tp2\t1\n")
    assert judged.truth.tolist() == [Truth.FALSE, Truth.TRUE]
