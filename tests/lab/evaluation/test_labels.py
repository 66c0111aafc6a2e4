"""Labels: from clusters and from files of pairs, and what is refused in these."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.lab.evaluation.corpus import CorpusError, open_corpus
from dedup.lab.evaluation.truth import Catalogue, ClusterLabels, make_catalogue, read_pairs
from tests.lab.evaluation.made_corpora import write_lines


def catalogue_of(folder: Path, clusters: list[str]) -> Catalogue:
    """Pages p0, p1 ... of a file x, of some clusters."""
    lines = [{"id": f"p{n}", "text": "t", "cluster": name} for n, name in enumerate(clusters)]
    return make_catalogue(open_corpus([write_lines(folder / "x.jsonl", lines)]))


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=12))
def test_earlier_pages_of_the_cluster_are_the_same_text(clusters: list[str]) -> None:
    with TemporaryDirectory() as folder:
        labels = ClusterLabels(catalogue_of(Path(folder), clusters))
    pairs = [(e, n) for n in range(len(clusters)) for e in labels.earlier(n).same.tolist()]
    expected = [(a, b) for a, b in combinations(range(len(clusters)), 2)]
    assert sorted(pairs) == [(a, b) for a, b in expected if clusters[a] == clusters[b]]


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    return catalogue_of(tmp_path, ["1", "2", "3", "4"])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pairs.tsv", "a\tb\tsame\np2\tx/p0\t1\np1\tp2\t0\n"),
        ("pairs.csv", "b,note,a,same\np0,hello,p2,1\np2,,p1,0\n"),
        ("pairs.csv", '"a","b","same"\n"p0","p2","1"\n"p1","p2","0"\n'),
        ("pairs.csv", "\ufeffa,b,same\np0,p2,1\np1,p2,0\n"),
        ("pairs.jsonl", '\ufeff{"a": "p0", "b": "p2"}\n{"a": "p1", "b": "p2", "same": 0}\n'),
        ("pairs.jsonl", '{"a": "p0", "b": "p2"}\n{"a": "p1", "b": "p2", "same": 0}\n'),
        ("pairs.jl", '{"a": "p0", "b": "p2"}\n{"a": "p1", "b": "p2", "same": 0}\n'),
    ],
)
def test_pairs_are_read_in_any_form_and_order(
    tmp_path: Path, catalogue: Catalogue, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text)
    labels = read_pairs(tmp_path / name, catalogue)
    assert labels.earlier(2).same.tolist() == [0]
    assert labels.earlier(2).different.tolist() == [1]
    assert labels.earlier(1).same.tolist() == labels.earlier(0).same.tolist() == []


def test_pairs_without_a_word_on_it_are_the_same_text(tmp_path: Path, catalogue: Catalogue) -> None:
    (tmp_path / "pairs.tsv").write_text("a\tb\np0\tp1\np1\tp0\n")
    assert read_pairs(tmp_path / "pairs.tsv", catalogue).earlier(1).same.tolist() == [0]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("one\ttwo\n", "line 1: the header must name the columns a and b"),
        ("a\tb\np0\tp1\np0\tp9\n", "line 3: no page of the corpus has the id 'p9'"),
        ("a\tb\np0\n", "line 2: there is no b"),
        ("", "line 1: the header must name the columns a and b"),
        ('a\tb\np0\tp1\n"p1\tp2\np2\tp3\n', "line 3: a quote is out of place"),
        ('a\tb\n"p1"x\tp2\n', "line 2: a quote is out of place"),
        ('a\t"b\np0\tp1\n', "line 1: a quote is out of place"),
        ("a\tb\np0\tx/p0\n", "line 2: a page is paired with itself: 'p0'"),
        ("a\tb\tsame\np0\tp1\tmaybe\n", "line 2: same must be 0 or 1; got 'maybe'"),
        ("a\tb\tsame\np0\tp1\t0\np1\tp0\t1\n", "said to be the same text and to be different"),
    ],
)
def test_a_bad_pair_is_named(tmp_path: Path, catalogue: Catalogue, text: str, says: str) -> None:
    (tmp_path / "pairs.tsv").write_text(text)
    with pytest.raises(CorpusError) as raised:
        read_pairs(tmp_path / "pairs.tsv", catalogue)
    assert says in str(raised.value)
    assert "pairs.tsv" in str(raised.value)


def test_pairs_of_pages_cut_off_by_a_limit_are_left_out(
    tmp_path: Path, catalogue: Catalogue
) -> None:
    (tmp_path / "pairs.tsv").write_text("a\tb\np0\tp9\np0\tp1\n")
    labels = read_pairs(tmp_path / "pairs.tsv", catalogue, partial=True)
    assert labels.earlier(1).same.tolist() == [0]


def test_an_id_of_two_pages_is_refused_and_their_keys_are_not(tmp_path: Path) -> None:
    files = [write_lines(tmp_path / f"{x}.jsonl", [{"id": "p", "text": "t"}]) for x in "xy"]
    catalogue = make_catalogue(open_corpus(files))
    (tmp_path / "pairs.tsv").write_text("a\tb\np\ty/p\n")
    with pytest.raises(CorpusError, match="line 2: 2 pages have the id 'p'"):
        read_pairs(tmp_path / "pairs.tsv", catalogue)
    (tmp_path / "pairs.tsv").write_text("a\tb\nx/p\ty/p\n")
    assert read_pairs(tmp_path / "pairs.tsv", catalogue).earlier(1).same.tolist() == [0]
