"""Counting in how many documents a word stands, in bounded memory, and writing it down."""

import gzip
import os
import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.schemes.document_frequencies import DocumentFrequencies, write_table
from dedup.schemes.idf import load_idf

LAW = settings(derandomize=True, deadline=None, max_examples=200)
DOCUMENTS = st.lists(st.lists(st.sampled_from("abcdefghijkl"), max_size=6), min_size=1, max_size=60)


def count(documents: list[list[str]], limit: int) -> DocumentFrequencies:
    frequencies = DocumentFrequencies(limit)
    for words in documents:
        frequencies.add(words)
    return frequencies


def test_a_word_counts_once_a_document() -> None:
    frequencies = count([["tea", "tea", "quay"], ["tea"], []], limit=10)
    assert frequencies.documents == 3
    assert frequencies.counts(1) == {"tea": 2, "quay": 1}


def test_words_of_few_documents_can_be_left_out() -> None:
    assert count([["tea", "quay"], ["tea"]], limit=10).counts(2) == {"tea": 2}


def test_words_come_most_frequent_first_then_by_spelling() -> None:
    counts = count([["b", "c", "a"], ["c", "d"]], limit=10).counts(1)
    assert list(counts.items()) == [("c", 2), ("a", 1), ("b", 1), ("d", 1)]


@LAW
@given(DOCUMENTS, st.integers(2, 8))
def test_counts_are_never_too_small_nor_too_large_by_more_than_the_slack(
    documents: list[list[str]], limit: int
) -> None:
    truth = Counter(word for words in documents for word in set(words))
    frequencies = count(documents, limit)
    kept = frequencies.counts(1)
    for word, n in kept.items():
        assert truth[word] <= n <= truth[word] + frequencies.slack
    assert all(n <= frequencies.slack for word, n in truth.items() if word not in kept)


def test_memory_is_bounded_and_frequent_words_outlive_the_rare() -> None:
    chance = Random(5)
    documents = [["tea", *(str(chance.random()) for _ in range(9))] for _ in range(2000)]
    frequencies = DocumentFrequencies(100)
    for words in documents:
        frequencies.add(words)
        assert len(frequencies) <= 100
    assert frequencies.slack > 0
    assert frequencies.counts(frequencies.slack + 2) == {"tea": 2000}


def test_equal_counts_give_equal_bytes_that_say_what_they_are(tmp_path: Path) -> None:
    one, other = tmp_path / "one.gz", tmp_path / "other.gz"
    for path in (one, other):
        write_table(path, {"tea": 2, "quay": 1, "茶": 1}, 3, "poems", "2026-01-01")
    assert one.read_bytes() == other.read_bytes()
    head, *rows = gzip.decompress(one.read_bytes()).decode().splitlines()
    assert head == (
        '{"format": "neardup-idf/1", "documents": 3, "date": "2026-01-01", "made from": "poems"}'
    )
    assert rows == ["2 tea", "1 quay 茶"]
    assert load_idf(str(one)).weights(["茶"]).tolist() == [1.0]


def test_a_model_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "model.gz"
    write_table(path, {"tea": 2}, 3, "first", "2026-01-01")
    before = path.read_bytes()
    path.with_name(f"model.gz.{os.getpid()}.part").mkdir()
    with pytest.raises(OSError, match=re.escape(str(path))):
        write_table(path, {"quay": 2}, 3, "second", "2026-01-01")
    assert path.read_bytes() == before


def test_no_other_file_is_left_beside_a_model(tmp_path: Path) -> None:
    write_table(tmp_path / "model.gz", {"tea": 2}, 3, "first", "2026-01-01")
    assert [path.name for path in tmp_path.iterdir()] == ["model.gz"]
