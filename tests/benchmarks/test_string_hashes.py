"""The eight string hashes are those published, and the benchmark counts what collides."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from benchmarks.string_hashes import HASHES, collisions, elf, main, pjw

# What the authors' own test programs print for this string.
KEY = b"abcdefghijklmnopqrstuvwxyz1234567890"
PUBLISHED = {
    "ELF": 126631744,
    "RS": 4097835502,
    "JS": 1651003062,
    "PJW": 126631744,
    "BKDR": 3153586616,
    "SDBM": 3449571336,
    "DJB": 729241521,
    "AP": 882643939,
}


@pytest.mark.parametrize(("name", "value"), PUBLISHED.items())
def test_the_hashes_are_those_published(name: str, value: int) -> None:
    bits, function = HASHES[name]
    assert (bits, function(KEY)) == (32, value)


@pytest.mark.parametrize("text", [b"", b"a", "茶树".encode(), KEY * 3])
def test_every_hash_fits_its_width(text: bytes) -> None:
    for bits, function in HASHES.values():
        assert 0 <= function(text) < 1 << bits
    assert elf(text) == pjw(text)


def test_collisions_are_pairs_of_equal_hashes() -> None:
    assert collisions(len, [b"a", b"b", b"c", b"dd", b"ee", b"fff"]) == 3 + 1
    assert collisions(len, []) == 0


def test_it_counts_texts_strings_and_collisions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, texts in (("one", ["tea quay", "heron"]), ("other", ["Quay: tea!", ""])):
        with gzip.open(tmp_path / f"{name}.jsonl.gz", "wt", encoding="utf-8") as lines:
            for n, text in enumerate(texts):
                lines.write(json.dumps({"id": str(n), "text": text}) + "\n")
    assert main([str(tmp_path), "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    figures = content["figures"]
    assert figures["texts"] == 3
    assert figures["pairs of texts with equal feature strings"] == 1
    assert figures["different feature strings"] == 2
    assert figures["different words"] == 3
    [rows] = content["listings"].values()
    assert [row["hash"] for row in rows] == list(HASHES)
    assert all(row["words"] == 0 for row in rows)


def test_a_folder_without_collections_is_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path)]) == 2
    assert "jsonl.gz is missing" in capsys.readouterr().err
