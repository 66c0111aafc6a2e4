"""``scrapy neardup batch``: what it refuses, and what it hands on."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Neardup

from dedup import extras
from dedup.batch.job import BatchError, Fields
from dedup.config import Config
from dedup.scrapy.commands import batch
from dedup.scrapy.commands.context import Context


def run(folder: Path, *arguments: object) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true")
    batch.options(parser)
    words = [*map(str, arguments), "--output", str(folder / "out")]
    return batch.batch(Context(Config(), folder, parser.parse_args(words)))


def test_a_missing_package_is_one_line_that_names_the_extra(
    neardup: Neardup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(extras.PACKAGES, "spark", ("json", "pyspark_that_is_missing"))
    code, _, error = neardup("batch", "in.jsonl", "--output", str(tmp_path / "out"))
    assert (code, error) == (
        1,
        "scrapy neardup: batch needs pyspark_that_is_missing: "
        "pip install '.[spark]' in a checkout of scrapy-neardup, or 'WHEEL[spark]' with the path "
        "of its wheel\n",
    )


def test_a_missing_java_is_one_line_that_says_where_it_was_looked_for(
    neardup: Neardup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(extras.PACKAGES, "spark", ("json",))
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    code, _, error = neardup("batch", "in.jsonl", "--output", str(tmp_path / "out"))
    assert code == 1
    assert "Java 17 or newer, and JAVA_HOME = " in error


@pytest.mark.parametrize(
    ("pages", "skipped", "told"),
    [
        (0, {"no_text": 3}, True),
        (0, {"no_text": 3, "short_text": 2}, True),
        (2, {"no_text": 3}, False),
        (0, {"not_html": 3}, False),
    ],
)
def test_fields_that_hold_no_text_are_told_of(
    pages: int, skipped: dict[str, int], told: bool
) -> None:
    advice = batch._advice({"pages": pages, "skipped_for": skipped}, Fields(text=("main",)))
    assert ("nor in main, a title aside: 3; name" in advice) == told
    assert bool(advice) == told


def test_the_line_says_what_a_batch_does(tmp_path: Path, capsys: Any) -> None:
    with pytest.raises(SystemExit):
        run(tmp_path, "--help")
    told = " ".join(capsys.readouterr().out.split())
    assert "a store or an export: pages that were there before" in told


def test_the_fields_are_those_of_the_settings_unless_named(tmp_path: Path) -> None:
    parser = argparse.ArgumentParser()
    batch.options(parser)
    options = parser.parse_args(["in.jsonl", "-o", "out", "--html-field", "page"])
    config = Config(text_fields=("lead", "body"), url_field="link")
    fields = batch.make_job(Context(config, tmp_path, options)).fields
    assert json.dumps([fields.url, fields.html, fields.text]) == (
        '["link", ["page"], ["lead", "body"]]'
    )


def test_a_relative_index_is_in_the_folder_of_the_project(packages: None, tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.touch()
    with pytest.raises(BatchError, match=f"no store in {tmp_path}/old"):
        run(tmp_path, source, "--against", "leveldb:old")
