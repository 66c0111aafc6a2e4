"""Samples of a report: which records are chosen, and what is shown of their texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from made_logs import entry, texts_with, write_log

from dedup.review.differences import Piece, Row, compare_texts, fold
from dedup.review.records import Drop, read_drops
from dedup.review.report_samples import (
    LONGEST,
    MOST_PARTS,
    choose_samples,
    make_sample,
    make_samples,
)

CHINESE = "水库的水位在春天升高，渔民们把船拖到岸上。"


def drops(folder: Path, *entries: dict[str, Any]) -> list[Drop]:
    lines = read_drops(write_log(folder / "drops.jsonl", entries))
    return [line for line in lines if isinstance(line, Drop)]


def test_samples_span_the_range_and_the_least_alike_are_first(tmp_path: Path) -> None:
    likeness = [0.2] + [0.97] * 50 + [0.5] * 50
    found = drops(tmp_path, *(entry(n, similarity=value) for n, value in enumerate(likeness)))
    assert [drop.similarity for drop in choose_samples(found, 5)] == [0.2, 0.5, 0.5, 0.97, 0.97]
    assert choose_samples(found, 5) == choose_samples(found, 5)
    assert len(choose_samples(found, 1_000)) == len(found)
    assert choose_samples([], 5) == []


def test_a_page_that_swallows_others_does_not_fill_the_samples(tmp_path: Path) -> None:
    entries = [entry(n) for n in range(60)] + [entry(60, of="http://rare.example/")]
    assert "http://rare.example/" in {
        drop.of for drop in choose_samples(drops(tmp_path, *entries), 2)
    }


def test_texts_are_compared(tmp_path: Path) -> None:
    [drop] = drops(tmp_path, entry(item={"title": "Boats", "text": "One red boat."}))
    sample = make_sample(drop, texts_with("Boats\nOne blue boat."))
    assert sample.problem == ""
    assert sample.parts[1] == Row(
        (Piece("One ", True), Piece("blue", False), Piece(" boat.", True)),
        (Piece("One ", True), Piece("red", False), Piece(" boat.", True)),
    )


def test_without_the_other_text_the_one_is_shown(tmp_path: Path) -> None:
    [drop] = drops(tmp_path, entry(item={"text": CHINESE}))
    sample = make_sample(drop, texts_with(""))
    assert (sample.text, sample.lang, sample.parts) == (CHINESE, "zh", ())
    assert "keeps no text" in sample.problem


def test_long_texts_are_cut(tmp_path: Path) -> None:
    [drop] = drops(tmp_path, entry(item={"text": "word\n" * LONGEST}))
    sample = make_sample(drop, texts_with("word\n" * LONGEST))
    assert sample.cut
    [part] = sample.parts
    assert isinstance(part, int)
    assert part <= LONGEST // 5 + 1


def test_a_text_of_very_many_paragraphs_is_cut(tmp_path: Path) -> None:
    [drop] = drops(tmp_path, entry(item={"text": "a\n" * 500}))
    sample = make_sample(drop, texts_with("b\n" * 500))
    assert sample.cut
    assert len(sample.parts) == MOST_PARTS


def test_no_sample_is_begun_once_time_is_up(tmp_path: Path) -> None:
    found = drops(tmp_path, entry(0), entry(1))
    seen: list[int] = []
    assert len(make_samples(found, texts_with(""), seen.append, seconds=300)) == 2
    assert seen == [1, 2]
    assert make_samples(found, texts_with(""), seen.append, seconds=-1) == []


def test_a_log_changed_since_is_a_sample_with_a_problem(tmp_path: Path) -> None:
    [drop] = drops(tmp_path, entry())
    drop.log.write_text("[" * 10)
    assert "cannot be read again" in make_sample(drop, texts_with("")).problem
    drop.log.unlink()
    assert "cannot be read again" in make_sample(drop, texts_with("")).problem


def test_equal_paragraphs_far_from_a_difference_are_folded() -> None:
    left = [f"paragraph {number}" for number in range(9)]
    right = [*left[:4], "paragraph four", *left[5:]]
    parts = fold(compare_texts("\n".join(left), "\n".join(right)), 1)
    assert parts[0] == parts[-1] == 3
    assert [part.same for part in parts if isinstance(part, Row)] == [True, False, True]
