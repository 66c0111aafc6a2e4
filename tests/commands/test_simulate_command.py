"""``scrapy neardup simulate``: what it writes, prints and refuses."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Protocol

import pytest
from conftest import Neardup

from crawler.demo.texts import load_texts
from dedup.lab.simulator.edits import EDITS
from tests.waiting import wait_until

NAMES = ("bridge", "ferry", "solar", "tea")


class Run(Protocol):
    def __call__(self, *arguments: object) -> tuple[int, str, str]: ...


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "texts.jsonl"
    texts = load_texts()
    rows = [{"id": n, "title": texts[n].title, "text": texts[n].plain} for n in NAMES]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


@pytest.fixture
def run(neardup: Neardup) -> Run:
    """Run the action: its exit code, what it printed, its errors."""
    return lambda *arguments: neardup("simulate", *map(str, arguments))


def read(path: Path) -> list[dict[str, Any]]:
    raw = path.read_bytes()
    text = gzip.decompress(raw) if path.suffix == ".gz" else raw
    return [json.loads(line) for line in text.decode("utf-8").splitlines()]


def test_it_writes_originals_and_copies_and_says_how_many(run: Run, corpus: Path) -> None:
    out = corpus.with_name("out.jsonl")
    code, printed, _ = run(corpus, "-o", out, "--copies", 2, "--json")
    assert code == 0
    said = json.loads(printed)
    assert (said["articles"], said["documents"], said["output"]) == (4, 12, str(out))
    documents = read(out)
    assert [row["cluster"] for row in documents[:3]] == ["texts/bridge"] * 3
    assert {row["edit"] for row in documents} <= {"", *EDITS}


def test_edits_strengths_and_recipes_take_turns(run: Run, corpus: Path) -> None:
    out = corpus.with_name("out.jsonl")
    chosen = ("--edits", "drop,add", "--strength", "0.1,0.5", "--recipe", "heavy")
    run(corpus, "-o", out, *chosen, "--copies", 5)
    assert [(row["edit"], row["strength"]) for row in read(out)[:6]] == [
        ("", 0.0),
        *(("drop", 0.1), ("add", 0.1), ("drop", 0.5), ("add", 0.5), ("heavy", None)),
    ]


def test_a_recipe_alone_leaves_the_single_edits_out(run: Run, corpus: Path) -> None:
    out = corpus.with_name("out.jsonl")
    run(corpus, "-o", out, "--recipe", "light", "--limit", 2)
    assert [row["edit"] for row in read(out)] == ["", "light"] * 2


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_the_same_seed_gives_the_same_bytes(run: Run, corpus: Path, name: str) -> None:
    one, other, third = (corpus.with_name(f"{n}{name}") for n in "123")
    run(corpus, "-o", one, "--html", "--seed", 3)
    run(corpus, "-o", other, "--html", "--seed", 3)
    run(corpus, "-o", third, "--html", "--seed", 4)
    assert one.read_bytes() == other.read_bytes() != third.read_bytes()
    assert all("html" in row for row in read(one))
    if name.endswith(".gz"):
        assert one.read_bytes()[4:8] == bytes(4)  # no time in its head


def test_nothing_half_written_stays(run: Run, corpus: Path) -> None:
    out = corpus.with_name("out.jsonl")
    out.write_text("from before")
    with corpus.open("a") as lines:
        lines.write('\n{"id": "bad"}\n')
    code, _, error = run(corpus, "-o", out)
    assert code == 1
    assert "line 5" in error
    assert sorted(path.name for path in corpus.parent.iterdir()) == ["out.jsonl", "texts.jsonl"]
    assert out.read_text() == "from before"


def test_two_texts_of_one_id_are_refused_naming_both(run: Run, corpus: Path) -> None:
    with corpus.open("a") as lines:
        lines.write('\n{"id": "ferry", "text": "Another text."}\n')
    says = r"line 5: 'texts/ferry' is also the key of .*line 2"
    for limit in ((), ("--limit", 4)):  # pages without text do not count, so it bounds no pages
        code, _, error = run(corpus, "-o", corpus.with_name("out.jsonl"), *limit)
        assert code == 1
        assert re.search(says, error)


@pytest.mark.parametrize("folder", [False, True])
def test_the_texts_themselves_are_not_replaced(run: Run, corpus: Path, folder: bool) -> None:
    before = corpus.read_bytes()
    code, _, error = run(corpus.parent if folder else corpus, "-o", corpus)
    assert code == 1
    assert "is among what is read, so it cannot be the output" in error
    assert corpus.read_bytes() == before


def test_a_corpus_without_any_text_is_an_error(run: Run, corpus: Path) -> None:
    corpus.write_text('{"id": 1, "text": " "}\n')
    code, _, error = run(corpus, "-o", corpus.with_name("out.jsonl"))
    assert code == 1
    assert "holds no text" in error


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--edits", "blur"], "'blur'"),
        (["--recipe", "drop"], "light, medium, heavy"),
        (["--strength", "1.5"], "from 0 to 1"),
        (["--strength", "much"], "got 'much'"),
        (["--copies", "0"], "whole number from 1"),
        (["--output", "a.txt"], ".jsonl or .jsonl.gz"),
        (["--template", "fancy"], "portal"),
    ],
)
def test_wrong_usage_is_exit_code_2(run: Run, corpus: Path, options: list[str], says: str) -> None:
    code, _, error = run(corpus, "-o", "out.jsonl", *options)
    assert code == 2
    assert says in error


def test_one_that_is_terminated_leaves_no_half_a_file(corpus: Path, tmp_path: Path) -> None:
    line = ["neardup", "simulate", str(corpus), "-o", "out.jsonl", "--copies", "9999999"]
    started = subprocess.Popen([sys.executable, "-m", "scrapy", *line], cwd=tmp_path)

    def has_begun() -> bool:
        assert started.poll() is None
        return any(part.stat().st_size for part in tmp_path.glob("out.jsonl.*.part"))

    wait_until(has_begun, "a part of the file is written")
    started.terminate()

    assert started.wait(30) == 143
    assert list(tmp_path.iterdir()) == [corpus]
