"""``scrapy neardup extraction``: what it prints, and how it ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from conftest import Neardup

from crawler.demo.texts import load_texts

pytestmark = pytest.mark.usefixtures("compiled")


NAMES = ("solar", "clock", "marathon", "lighthouse")

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """Four articles, each on a site of its own."""
    folder = tmp_path / "articles"
    (folder / "pages").mkdir(parents=True)
    entries = {}
    for name in NAMES:
        text = load_texts()[name].plain
        paragraphs = "".join(f"<p>{line}</p>" for line in text.splitlines())
        html = f"<html><body><nav>{name}</nav><article>{paragraphs}</article></body></html>"
        (folder / "pages" / f"{name}.html").write_text(html, encoding="utf-8")
        url = f"http://{name}.example/"
        entries[name] = {"file": f"{name}.html", "text": text, "url": url, "lang": "en"}
    (folder / "gold.json").write_text(json.dumps(entries), encoding="utf-8")
    return folder


@pytest.fixture
def run(neardup: Neardup, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "80")
    return partial(neardup, "extraction")


def test_json_has_every_figure(run: Run, gold: Path) -> None:
    code, out, _ = run(str(gold), "--json", "--pairs", "3", "--extractor", "plain,weighted_dom")
    answer = json.loads(out)
    [collection] = answer["collections"]
    assert code == 0
    assert (collection["gold"], collection["pages"]) == (str(gold), 4)
    assert [cost["extractor"] for cost in collection["costs"]] == ["plain", "weighted_dom"]
    ours = collection["quality"][1]
    assert (ours["group"], ours["extractor"], ours["pages"]) == ("all", "weighted_dom", 4)
    assert ours["bag"]["f1"] > 0.95
    joins = collection["joins"][1]
    assert (joins["language"], joins["same"], joins["different"]) == ("en", 3, 3)
    assert (joins["found"], joins["wrong_one_host"], joins["wrong_two_hosts"]) == (1.0, 0.0, 0.0)
    assert {count["shape"] for count in answer["footers"]} == {"index", "links", "tiny"}


def test_tables_fit_a_terminal_of_80_columns(run: Run, gold: Path) -> None:
    code, out, _ = run(str(gold), "--pairs", "2")
    assert code == 0
    assert f"{gold}: 4 pages" in out.replace("\n", "")
    for extractor in ("weighted_dom", "readability", "plain"):
        assert extractor in out
    assert "…" not in out


def test_figures_are_whole_where_the_terminal_is_narrow(
    run: Run, gold: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = run(str(gold), "--pairs", "0")[1]
    monkeypatch.setenv("COLUMNS", "40")
    narrow = run(str(gold), "--pairs", "0")[1]
    assert "…" not in narrow
    assert narrow.count("\n") == wide.count("\n")


def test_collections_are_judged_one_by_one(run: Run, gold: Path) -> None:
    entries = {"solar": {"file": "solar.html", "lang": "en"}}
    (gold / "gold.json").write_text(json.dumps(entries), encoding="utf-8")
    code, out, _ = run(str(gold), str(gold), "--json", "--extractor", "plain", "--pairs", "0")
    first, second = json.loads(out)["collections"]
    assert code == 0
    assert first["pages"] == second["pages"] == 1
    assert first["quality"] == first["joins"] == []


def test_each_pages_figures_are_written_where_asked(run: Run, gold: Path, tmp_path: Path) -> None:
    target = tmp_path / "pages.jsonl"
    code, _, _ = run(str(gold), "--pairs", "0", "--extractor", "plain", "-o", str(target))
    lines = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert code == 0
    assert [line["id"] for line in lines] == list(NAMES)
    assert lines[0]["extractor"] == "plain"
    assert 0 < lines[0]["bag"][0] < 1
    assert lines[0]["bag"][1] == 1.0


def test_an_output_that_cannot_be_written_is_refused_first(run: Run, gold: Path) -> None:
    code, out, err = run(str(gold), "-o", str(gold))
    assert (code, out) == (1, "")
    assert err == f"scrapy neardup: {gold}: is not a file that can be replaced\n"


@pytest.mark.parametrize("name", ["gold.json", "pages/tea.html"])
def test_gold_is_not_replaced(run: Run, gold: Path, name: str) -> None:
    (gold / name).touch()
    before = (gold / name).read_bytes()
    code, _, err = run(str(gold), "-o", str(gold / name))
    assert code == 1
    assert "is among what is read" in err
    assert (gold / name).read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["/no/such/gold"], 1, "there is no /no/such/gold"),
        (["{gold}", "-o", "/no/such/folder/x"], 1, "/no/such/folder: there is no such folder"),
        (["{gold}", "--extractor", "plain,magic"], 2, "'magic' is no extractor"),
        (["{gold}", "--pairs", "-1"], 2, "a whole number from 0 to 100000; got '-1'"),
        ([], 2, "GOLD"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    run: Run, gold: Path, arguments: list[str], code: int, says: str
) -> None:
    ended, out, err = run(*(argument.format(gold=gold) for argument in arguments))
    assert ended == code
    assert says in err.splitlines()[-1]
    assert "Traceback" not in out + err
