"""``scrapy neardup build-idf``: what it writes and prints, and how it fails."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Neardup

from dedup.schemes.idf import load_idf
from tests.lab.evaluation.made_corpora import write_lines

Run = Callable[..., tuple[int, str, str]]

LINES = ["The tea of the quay.", "Tea and 茶叶.", "The heron."]


@pytest.fixture
def run(neardup: Neardup) -> Run:
    return lambda *arguments: neardup("build-idf", *map(str, arguments))


def texts(path: Path) -> Path:
    return write_lines(path, [{"id": str(n), "text": text} for n, text in enumerate(LINES)])


def rows(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().splitlines()


@pytest.mark.parametrize("name", ["texts.jsonl", "texts.jsonl.gz"])
def test_it_counts_the_documents_of_each_word(name: str, run: Run, tmp_path: Path) -> None:
    model = tmp_path / "model.gz"
    code, out, _ = run(texts(tmp_path / name), "-o", model, "--least", 1, "--json")
    facts = json.loads(out)
    assert code == 0
    assert rows(model)[1:] == ["2 tea the", "1 and heron of quay 茶叶"]
    assert (facts["documents"], facts["words"]) == (3, 7)
    assert facts["counts_too_large_by_at_most"] == 0
    assert facts["bytes"] == model.stat().st_size
    assert facts["version"] == load_idf(str(model)).version


def test_words_of_one_document_are_left_out_unless_asked_for(run: Run, tmp_path: Path) -> None:
    model = tmp_path / "model.gz"
    run(texts(tmp_path / "texts.jsonl"), "-o", model)
    assert rows(model)[1:] == ["2 tea the"]


def test_folders_of_pages_and_files_of_lines_go_together(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    (folder / "deep").mkdir(parents=True)
    (folder / "one.txt").write_text("tea", encoding="utf-8")
    page = "<body><script>coffee</script><p>Tea here.</p></body>"
    (folder / "deep" / "two.html").write_text(page, encoding="utf-8")
    lines = write_lines(tmp_path / "more.jsonl", [{"id": "1", "html": "<p>Tea again.</p>"}])
    model = tmp_path / "model.gz"
    code, out, _ = run(folder, lines, "-o", model)
    assert code == 0
    assert "documents" in out
    assert rows(model)[1:] == ["3 tea"]


def test_the_model_says_what_it_was_made_from_and_when(run: Run, tmp_path: Path) -> None:
    source, model = texts(tmp_path / "texts.jsonl"), tmp_path / "model.gz"
    run(source, "-o", model, "--date", "2026-01-01")
    about = json.loads(rows(model)[0])
    assert about == {
        "format": "neardup-idf/1",
        "documents": 3,
        "date": "2026-01-01",
        "made from": "texts.jsonl",
    }
    run(source, "-o", model, "--made-from", "three lines")
    assert json.loads(rows(model)[0])["made from"] == "three lines"


def test_the_same_texts_and_date_give_the_same_bytes(run: Run, tmp_path: Path) -> None:
    source = texts(tmp_path / "texts.jsonl")
    models = [tmp_path / "one.gz", tmp_path / "other.gz"]
    for model in models:
        run(source, "-o", model, "--date", "2026-01-01")
    assert models[0].read_bytes() == models[1].read_bytes()


def test_past_the_limit_of_words_the_rarest_go(run: Run, tmp_path: Path) -> None:
    many = ({"id": str(n), "text": f"tea {n}a {n}b {n}c"} for n in range(50))
    source, model = write_lines(tmp_path / "texts.jsonl", many), tmp_path / "model.gz"
    code, out, _ = run(source, "-o", model, "--most-words", 20, "--json")
    assert code == 0
    assert json.loads(out)["counts_too_large_by_at_most"] > 0
    assert rows(model)[1] == "50 tea"
    assert len(rows(model)) < 20


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('{"id": "1", "text": "tea"}\n{"id"', "texts.jsonl, line 2"),
        ('{"id": "1"}\n', "texts.jsonl, line 1"),
        ('{"id": "1", "text": "tea"}\n', "1 documents"),
        ("", "0 documents with 0 words"),
    ],
)
def test_what_cannot_be_used_is_an_error_of_one_line(
    lines: str, message: str, run: Run, tmp_path: Path
) -> None:
    source, model = tmp_path / "texts.jsonl", tmp_path / "model.gz"
    source.write_text(lines, encoding="utf-8")
    code, out, err = run(source, "-o", model)
    assert (code, out) == (1, "")
    assert message in err
    assert err.count("\n") == 1
    assert not model.exists()


def test_a_model_that_the_scheme_names_can_be_made_and_made_anew(run: Run, tmp_path: Path) -> None:
    model, source = tmp_path / "model.gz", texts(tmp_path / "texts.jsonl")
    scheme = ("-s", f"NEARDUP_SCHEME=i-match:idf={model}", "--json")
    versions = []
    for least in (2, 1):
        code, out, err = run(source, "-o", model, "--least", least, *scheme)
        assert (code, err) == (0, "")
        versions.append(json.loads(out)["version"])
    assert versions[0] != versions[1]


def test_a_page_of_a_folder_that_is_read_is_not_replaced(run: Run, tmp_path: Path) -> None:
    pages = [tmp_path / f"{number}.txt" for number in range(len(LINES))]
    for page, text in zip(pages, LINES, strict=True):
        page.write_text(text)
    model = tmp_path / "model.gz"
    assert [run(tmp_path, "-o", model)[0] for _ in range(2)] == [0, 0]
    code, _, err = run(tmp_path, "-o", pages[0])
    assert code == 1
    assert f"{pages[0]}: is among what is read" in err
    assert pages[0].read_text() == LINES[0]


def test_a_missing_corpus_or_folder_is_an_error_that_names_it(run: Run, tmp_path: Path) -> None:
    source = texts(tmp_path / "texts.jsonl")
    before = source.read_bytes()
    for arguments in (
        (tmp_path / "none", "-o", tmp_path / "m"),
        (source, "-o", tmp_path / "x/m"),
        (source, "-o", tmp_path),
        (source, "-o", source),
    ):
        code, _, err = run(*arguments)
        assert code == 1
        assert str(tmp_path) in err
        assert err.count("\n") == 1
    assert source.read_bytes() == before
    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--least", "0"),
        ("--least", "x"),
        ("--most-words", "-1"),
        ("--date", "today"),
        ("--date", "2026-99-99"),
        ("--date", "20260101"),
    ],
)
def test_a_bad_option_is_wrong_usage(option: str, value: str, run: Run, tmp_path: Path) -> None:
    source = texts(tmp_path / "texts.jsonl")
    code, _, err = run(source, "-o", tmp_path / "model.gz", option, value)
    assert code == 2
    assert f"{option}: must be" in err
    assert f"got {value!r}" in err
