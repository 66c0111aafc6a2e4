"""``scrapy neardup evaluate``: what it prints and writes, and what it refuses before it runs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from conftest import Neardup

ARTICLES = Path(__file__).parent.parent.parent / "crawler" / "demo" / "articles"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, neardup: Neardup, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS")
    return partial(neardup, "evaluate")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Demo articles as two files: the originals, and two of them shortened by a sentence."""
    texts = {
        name: (ARTICLES / f"{name}.txt").read_text(encoding="utf-8").split("\n\n", 1)[1]
        for name in ("solar", "tea", "metro")
    }
    folder = tmp_path / "corpus"
    folder.mkdir()
    write(folder / "first.jsonl", texts)
    write(folder / "second.jsonl", {n: texts[n][: -len(texts[n]) // 9] for n in ("solar", "tea")})
    return folder


def write(path: Path, texts: dict[str, str]) -> None:
    path.write_text("".join(json.dumps({"id": n, "text": t}) + "\n" for n, t in texts.items()))


def test_all_schemes_are_in_one_table(run: Run, corpus: Path) -> None:
    code, out, err = run(str(corpus))
    assert (code, err) == (0, "")
    assert "5 pages of 2 hosts" in out
    rows = [line.split("|")[1].strip() for line in out.splitlines() if line.startswith("| ")]
    assert rows[0] == "scheme"
    assert rows[1] == "combined"
    assert "simhash" in rows


def test_the_schemes_asked_for_are_compared(run: Run, corpus: Path) -> None:
    code, out, _ = run(
        str(corpus), "--scheme", "simhash:distance=7", "--scheme", "combined", "--json"
    )
    value = json.loads(out)
    assert code == 0
    assert [scheme["scheme"] for scheme in value["schemes"]] == ["simhash:distance=7", "combined"]
    assert value["schemes"][1]["found"] == 2


def test_the_configured_scheme_is_the_first(run: Run, corpus: Path) -> None:
    _, out, _ = run(str(corpus), "--json", "-s", "NEARDUP_DISTANCE=4")
    assert json.loads(out)["schemes"][0]["scheme"] == "combined:distance=4"


def test_pairs_take_the_place_of_clusters(run: Run, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("a,b,same\nfirst/solar,second/solar,1\nmetro,first/tea,0\n")
    _, out, _ = run(str(corpus), "--pairs", str(tmp_path / "pairs.csv"), "--json")
    scheme = json.loads(out)["schemes"][0]
    assert (scheme["labelled"], scheme["found"], scheme["unlabelled"]) == (1, 1, 1)


def test_output_holds_every_form(run: Run, corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    code, out, _ = run(str(corpus), "--scheme", "combined", "-o", str(folder))
    assert code == 0
    names = ["curves.svg", "report.html", "results.json", "table.md"]
    assert sorted(file.name for file in folder.iterdir()) == names
    assert (folder / "table.md").read_text() == out
    assert json.loads((folder / "results.json").read_text())["pages"] == 5


def test_a_report_replaces_no_page_that_is_read(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    page.write_text("<p>a page of the corpus")
    code, _, err = run(str(tmp_path), "--output", str(tmp_path))
    assert code == 1
    assert f"{page}: is among what is read" in err
    assert page.read_text() == "<p>a page of the corpus"


def test_a_run_that_cannot_begin_leaves_no_folder(run: Run, corpus: Path, tmp_path: Path) -> None:
    code, _, _ = run(str(corpus), "--pairs", "missing", "--output", str(tmp_path / "out"))
    assert code == 1
    assert not (tmp_path / "out").exists()


def test_figures_are_whole_on_a_narrow_terminal(
    run: Run, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("FORCE_COLOR", "1")  # makes rich see a terminal
    name = "minhash:min_similarity=0.45,min_similarity_same_host=0.7"
    code, out, _ = run(str(corpus), "--scheme", name)
    assert code == 0
    assert name in out
    assert "fingerprint µs" in out
    assert "…" not in out


def test_advice_is_for_the_precision_asked_for(run: Run, corpus: Path) -> None:
    _, out, _ = run(str(corpus), "--scheme", "combined", "--precision", "0.9")
    assert "Thresholds for precision 0.9, across hosts" in out


def test_a_limit_is_a_number_of_pages_of_each_file(run: Run, corpus: Path) -> None:
    _, out, _ = run(str(corpus), "--scheme", "simhash", "--limit", "1", "--json")
    assert json.loads(out)["pages"] == 2


def test_without_its_packages_a_report_is_refused_first(
    run: Run, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, _, err = run(str(corpus), "--output", str(tmp_path / "out"))
    assert code == 1
    assert "--output needs matplotlib: pip install '.[report]'" in err
    assert run(str(corpus), "--scheme", "simhash")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["missing"], "there is no missing"),
        (["corpus", "--pairs", "missing"], "missing cannot be read"),
        (["corpus", "--output", "corpus/first.jsonl"], "corpus/first.jsonl: is no folder"),
        (["corpus", "--scheme", "simhash:distance=9"], "NEARDUP_LAYOUT"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_code_1(
    run: Run, corpus: Path, arguments: list[str], says: str
) -> None:
    code, out, err = run(*arguments)
    assert code == 1
    assert err.startswith("scrapy neardup: ")
    assert err.count("\n") == 1
    assert says in err
    assert out == ""


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "CORPUS"),
        (["corpus", "--scheme", "simhsah"], "did you mean 'simhash'?"),
        (["corpus", "--precision", "1"], "over 0 and under 1"),
        (["corpus", "--precision", "abc"], "over 0 and under 1; got 'abc'"),
        (["corpus", "--limit", "0"], "a whole number from 1"),
        (["corpus", "--limit", "x"], "a whole number from 1; got 'x'"),
    ],
)
def test_wrong_usage_is_exit_code_2(run: Run, arguments: list[str], says: str) -> None:
    code, _, err = run(*arguments)
    assert code == 2
    assert says in err
