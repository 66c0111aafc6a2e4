"""What is shown of an evaluation: tables, figures, a page, a picture; whole or not at all."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from dedup import Config
from dedup.lab.evaluation.corpus import open_corpus
from dedup.lab.evaluation.report import (
    FILES,
    Listing,
    listings,
    prepare_folder,
    render_report,
    summary,
    to_json,
    to_markdown,
    write_files,
)
from dedup.lab.evaluation.run import Evaluation, evaluate
from dedup.lab.evaluation.truth import ClusterLabels, make_catalogue
from tests.lab.evaluation.made_corpora import write_drafts


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    corpus = open_corpus([write_drafts(tmp_path_factory.mktemp("corpus") / "drafts")])
    catalogue = make_catalogue(corpus)
    names = ["combined", "simhash:distance=7"]
    return evaluate(corpus, catalogue, ClusterLabels(catalogue), names, Config())


def test_tables_have_a_row_a_scheme_and_a_cell_a_column(evaluation: Evaluation) -> None:
    tables = listings(evaluation, 0.99)
    assert [row[0] for row in tables[0].rows] == ["combined", "simhash:distance=7"]
    for table in tables:
        assert {len(row) for row in table.rows} == {len(table.columns)}


def test_the_main_table_tells_the_measures(evaluation: Evaluation) -> None:
    table = listings(evaluation, 0.99)[0]
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert row["recall"] == row["precision"] == row["F1"] == "1.0000"
    assert row["false"] == row["no label"] == "0"
    assert row["words"] == "9.0"


def test_hosts_stand_apart(evaluation: Evaluation) -> None:
    tables = {table.title: table for table in listings(evaluation, 0.99)}
    assert "Recall by exact resemblance, across hosts" in tables
    assert "Recall by exact resemblance, within a host" not in tables  # there are no such pairs
    assert tables["Pairs across hosts"].rows[0][:4] == ("combined", "12", "12", "0")
    assert "Thresholds for precision 0.99, across hosts" in tables
    assert "Thresholds for precision 0.99, within a host" not in tables


def test_the_summary_says_what_was_evaluated_on(evaluation: Evaluation) -> None:
    text = summary(evaluation)
    assert "24 pages of 2 hosts" in text
    assert "12 labelled pairs across hosts, 0 within a host" in text
    one = replace(evaluation, hosts=1, totals=replace(evaluation.totals, pages=1))
    assert summary(one).startswith("1 page of 1 host, ")


def test_markdown_is_aligned_and_escaped() -> None:
    table = Listing("T", "a note", ("name", "n"), (("a|b", "10"), ("中文", "9")))
    assert to_markdown("Title", "about", [table]) == (
        "# Title\n\nabout\n\n## T\n\na note\n\n"
        "| name |  n |\n|------|---:|\n| a\\|b | 10 |\n| 中文 |  9 |\n"
    )


def test_json_holds_all_figures(evaluation: Evaluation) -> None:
    value = json.loads(json.dumps(to_json(evaluation, 0.99)))
    assert value["labelled_pairs"] == {"across hosts": 12, "within a host": 0}
    combined = value["schemes"][0]
    across = combined["hosts"]["across hosts"]
    assert combined["recall"] == 1.0
    assert sum(band["labelled"] for band in across["bands"]) == 12
    assert across["advice"]["setting"] == ""  # it judges by what is new
    simhash = value["schemes"][1]["hosts"]["across hosts"]
    assert simhash["advice"]["setting"].startswith("NEARDUP_DISTANCE = ")
    assert across["curve"][0]["found"] == 12
    assert combined["bytes_a_page"] > simhash_bytes(value) == 8.0


def simhash_bytes(value: dict[str, list[dict[str, float]]]) -> float:
    return value["schemes"][1]["bytes_a_page"]


def test_the_page_stands_alone_and_is_escaped(evaluation: Evaluation) -> None:
    entry = replace(evaluation.schemes[0], name="<script>alert($x$)</script>")
    files = render_report(replace(evaluation, schemes=(entry,)), 0.99)
    page = files["report.html"]
    assert "<script" not in page
    assert "&lt;script&gt;alert($x$)" in page
    assert entry.name in [text.text for text in ET.fromstring(files["curves.svg"]).iter()]
    assert "src=" not in page
    assert 'href="http' not in page.replace('href="http://www.w3.org', "")
    assert page.count("<svg") == 1
    assert '<th scope="row">&lt;script' in page
    assert "prefers-color-scheme" in page or "color-scheme: light dark" in page


def test_the_picture_is_svg_and_the_same_each_time(evaluation: Evaluation) -> None:
    one, other = (render_report(evaluation, 0.99)["curves.svg"] for _ in range(2))
    assert one == other
    assert ET.fromstring(one).tag.endswith("svg")
    assert "simhash:distance=7" in one
    assert "Pairs across hosts" in one
    assert "Pairs within a host" not in one


def test_files_are_written_over_older_ones(tmp_path: Path) -> None:
    prepare_folder(tmp_path / "new" / "folder")
    write_files(tmp_path / "new" / "folder", {"a": "old", "b": "b"})
    write_files(tmp_path / "new" / "folder", {"a": "new"})
    found = {file.name: file.read_text() for file in (tmp_path / "new" / "folder").iterdir()}
    assert found == {"a": "new", "b": "b"}


def test_where_one_file_cannot_be_written_none_is(tmp_path: Path) -> None:
    write_files(tmp_path, {"a": "old"})
    with pytest.raises(OSError, match="name too long"):
        write_files(tmp_path, {"a": "new", "b" * 300: "b"})
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {"a": "old"}


def test_a_folder_where_a_file_cannot_be_written_is_refused_beforehand(tmp_path: Path) -> None:
    (tmp_path / FILES[-1]).mkdir()
    with pytest.raises(OSError, match=FILES[-1]):
        prepare_folder(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == [FILES[-1]]


def test_a_report_replaces_nothing_that_it_is_made_of(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    page.write_text("a page of the corpus")
    with pytest.raises(OSError, match="cannot be the output too"):
        prepare_folder(tmp_path, [page])
    assert page.read_text() == "a page of the corpus"
