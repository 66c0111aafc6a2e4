"""Extractors on pages of which a few passages are known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import snippets
from crawler.demo.texts import load_texts

TEXT = load_texts()["tea"].plain.splitlines()
MENU = "".join(f"<li><a href=/{number}>Section number {number}</a></li>" for number in range(12))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    body = "".join(f"<p>{line.replace(' ', '  ')}</p>" for line in TEXT)
    page = f"<title>Tea</title><body><ul>{MENU}</ul><article><h1>Tea</h1>{body}</article>"
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "tea.html").write_text(page, encoding="utf-8")
    known = {
        "file": "tea.html",
        "with": [TEXT[0][:40], TEXT[-1][-40:], "a passage that no page has"],
        "without": ["Section number 3"],
    }
    (tmp_path / "evaldata.json").write_text(json.dumps({"http://a.example/tea": known}))
    return tmp_path


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    ("extractor", "precision"), [("weighted_dom", 1.0), ("readability", 1.0), ("plain", 0.6667)]
)
def test_passages_are_found_missed_and_wrong(
    data: Path, capsys: pytest.CaptureFixture[str], extractor: str, precision: float
) -> None:
    assert snippets.main([str(data), "--extractor", extractor, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["listings"]["passages"]
    whole = next(row for row in rows if row["pages"] == "all")
    found = [whole[name] for name in ("extractor", "number", "precision", "recall")]
    assert found == [extractor, 1, precision, 0.6667]
    assert sorted(row["number"] for row in rows) == [0, 1, 1]


def test_a_missing_file_is_named(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data / "cache" / "tea.html").unlink()
    assert snippets.main([str(data)]) == 2
    assert capsys.readouterr().err.endswith("tea.html is missing\n")


def test_an_unknown_extractor_is_named(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        snippets.main([str(data), "--extractor", "readability,nosuch"])
    assert "'nosuch' is none of " in capsys.readouterr().err


@pytest.mark.parametrize("known", ["{", '{"http://a.example/tea": {"file": "tea.html"}}'])
def test_a_damaged_list_is_named(data: Path, known: str) -> None:
    (data / "evaldata.json").write_text(known)
    with pytest.raises(SystemExit) as ended:
        snippets.main([str(data)])
    assert f"{data / 'evaldata.json'} cannot be read: " in str(ended.value.code)
