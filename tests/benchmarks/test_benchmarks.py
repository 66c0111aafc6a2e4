"""Each benchmark runs end to end on a tiny made-up corpus, and its bars can be missed."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from benchmarks import (
    clang_docs,
    edited_reposts,
    inline_or_worker,
    install_guide,
    lookalikes,
    manuals,
    one_version_sites,
    page_to_fingerprint,
    simulated_reposts,
    sketch_contents,
    two_scripts,
)
from benchmarks.__main__ import NAMES
from benchmarks.__main__ import main as overview
from benchmarks.command import as_command, make_parser
from benchmarks.lookalike_pages import PAGES, SETS, make_lookalikes
from crawler.demo.texts import load_texts
from dedup import Config, make_fingerprinter
from tests.benchmarks.made_data import page, write_archive, write_texts
from tests.benchmarks.printed import result
from tests.lab.evaluation.made_corpora import prose

TABLE_HEAD = "page\tver_a\tver_b\tjaccard_main\tjaccard_full\twords_or_chars_a\twords_or_chars_b\n"


def write_pairs(table: Path, *rows: str) -> None:
    """A table of page pairs from rows such as ``a.html amd64 arm64 0.95 0.9 120 120``."""
    lines = ["\t".join(row.split()) + "\n" for row in rows]
    table.write_text(TABLE_HEAD + "".join(lines), encoding="utf-8")


def missed(content: dict[str, Any]) -> list[str]:
    """The bars that were missed."""
    return [bar["name"] for bar in content["bars"] if not bar["met"]]


@pytest.fixture
def guide(tmp_path: Path) -> Path:
    """A manual: one page in two architectures, one page in one, a stub in both."""
    pages = {
        "en/amd64/a.html": page(prose(1)),
        "en/arm64/a.html": page(prose(1) + "\nadded here"),
        "en/amd64/b.html": page(prose(2)),
        "en/amd64/stub.html": page(prose(3, 20)),
        "en/arm64/stub.html": page(prose(3, 20)),
    }
    write_archive(tmp_path / "install-guide.tar.xz", pages)
    write_pairs(
        tmp_path / "install-guide-pairs-en.tsv",
        "a.html amd64 arm64 0.95 0.95 120 122",
        "stub.html amd64 arm64 1.0 1.0 20 20",
    )
    write_pairs(tmp_path / "install-guide-pairs-zh_CN.tsv")
    return tmp_path


@pytest.mark.usefixtures("compiled")
def test_install_guide_finds_the_versions_of_a_page(
    guide: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert install_guide.main([str(guide), "--json"]) == 0
    figures = result(capsys)["figures"]
    assert figures["eligible pairs"] == figures["pairs found"] == 1
    assert (figures["pages exported"], figures["pages dropped"]) == (3, 2)
    assert figures["stubs (under 50 words)"] == 2
    assert figures["- dropped against an identical text"] == 1


@pytest.mark.usefixtures("compiled")
def test_install_guide_misses_its_bars_where_a_pair_is_not_found_and_different_pages_are_joined(
    guide: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = [f"{name}.html amd64 arm64 0.95 0.95 120 120" for name in "ab"]
    write_pairs(guide / "install-guide-pairs-en.tsv", *pairs)
    different = page(prose(2), navigation=prose(5, 400))
    pages = {"en/arm64/b.html": page(prose(4)), "en/arm64/c.html": different}
    write_archive(guide / "install-guide.tar.xz", pages)
    assert install_guide.main([str(guide), "--json"]) == 1
    content = result(capsys)
    assert missed(content) == ["share of eligible pairs found", "drops against different pages"]
    assert [row["page"][-12:] for row in content["listings"]["pairs missed"]] == ["amd64/b.html"]


def write_articles(data: Path, drafts: dict[str, str]) -> None:
    """Ten articles, and drafts."""
    articles = {f"text-{number}": prose(number) for number in range(10)}
    write_texts(data / "lctt-zh/articles.jsonl.gz", articles)
    write_texts(data / "lctt-zh/first_drafts.jsonl.gz", drafts)


def test_edited_reposts_finds_drafts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_articles(tmp_path, {f"text-{n}": prose(n) + "\nedited" for n in range(10)})
    assert edited_reposts.main([str(tmp_path), "--json"]) == 0
    content = result(capsys)
    assert content["figures"]["reported against the same id"] == 10
    assert [row["recall"] for row in content["listings"]["recall by character-3-gram Jaccard"]] == [
        1.0
    ]


def test_edited_reposts_misses_its_bars(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    part_of_another = " ".join(prose(0).split()[:50])  # which holds it, and is not much alike
    write_articles(tmp_path, {"text-1": prose(1), "text-2": prose(12), "text-3": part_of_another})
    assert edited_reposts.main([str(tmp_path), "--json"]) == 1
    content = result(capsys)
    assert missed(content) == ["recall", "precision"]
    assert [row["draft"] for row in content["listings"]["drafts not reported"]] == ["text-2"]
    assert [row["of"] for row in content["listings"]["reported falsely"]] == ["text-0"]


def test_edited_reposts_counts_no_draft_that_would_be_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drafts = {"text-1": prose(1), "text-2": f"{prose(2)}\n{prose(12)}"}
    write_articles(tmp_path, drafts)
    assert edited_reposts.main([str(tmp_path), "--json"]) == 1
    content = result(capsys)
    assert missed(content) == ["recall"]
    assert [row["draft"] for row in content["listings"]["drafts not reported"]] == ["text-2"]


@pytest.mark.usefixtures("compiled")
def test_one_version_sites_tells_pages_apart_and_finds_copies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = {f"site-{n % 2}/{n}.html": page(prose(n)) for n in range(6)}
    write_archive(tmp_path / "one-version-sites.tar.xz", pages)
    assert one_version_sites.main([str(tmp_path), "--json"]) == 0
    figures = result(capsys)["figures"]
    assert figures["pages dropped in it"] == 0
    assert figures["- found under the second host names"] == 6


@pytest.mark.usefixtures("compiled")
def test_one_version_sites_misses_its_bar_where_different_pages_are_joined(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = {f"site/{n}.html": page(prose(0), navigation=prose(n, 400)) for n in range(4)}
    write_archive(tmp_path / "one-version-sites.tar.xz", pages)
    assert one_version_sites.main([str(tmp_path), "--json"]) == 1
    content = result(capsys)
    assert missed(content) == ["wrong drops", "share found again"]
    assert len(content["listings"]["wrong drops"]) == 3


@pytest.mark.usefixtures("compiled")
def test_manuals_counts_drops_whose_text_stands_nowhere_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = {f"manual/{n}.html": page(prose(n % 20)) for n in range(40)}
    pages |= {f"menus/{n}.html": page(prose(0), navigation=prose(n, 400)) for n in range(40)}
    for name, html in (pages | {"leaflet/0.html": page(prose(1))}).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(html, encoding="utf-8")
    assert manuals.main([str(tmp_path), "--json"]) == 0
    content = result(capsys)
    rows = {
        row["manual"]: (row["dropped"], row["costly"]) for row in content["listings"]["manuals"]
    }
    assert rows == {"manual": (20, 0), "menus": (39, 39)}
    assert content["notes"] == ["leaflet has fewer than 30 pages"]


def write_versions(data: Path, *texts: str) -> None:
    """One page of a documentation in versions 13, 14 ..., and the pair of the first two."""
    pages = {f"clang-{13 + n}/a.html": page(text) for n, text in enumerate(texts)}
    write_archive(data / "clang-docs.tar.xz", pages)
    write_pairs(data / "clang-docs-pairs.tsv", "a.html clang-13 clang-14 0.95 0.95 121 121")


@pytest.mark.usefixtures("compiled")
def test_clang_docs_finds_the_versions_of_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_versions(tmp_path, prose(1) + "\n13", prose(1) + "\n14")
    assert clang_docs.main([str(tmp_path), "--json"]) == 0
    assert result(capsys)["figures"]["pairs found"] == 1


@pytest.mark.usefixtures("compiled")
def test_clang_docs_misses_its_bar_where_a_pair_is_not_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_versions(tmp_path, prose(1), prose(2))
    assert clang_docs.main([str(tmp_path), "--json"]) == 1
    assert missed(result(capsys)) == ["share of eligible pairs found"]


@pytest.mark.usefixtures("compiled")
def test_two_scripts_finds_texts_in_the_other_script(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {name: text.plain for name, text in load_texts().items() if text.lang == "zh-Hans"}
    write_texts(tmp_path / "lctt-zh/articles.jsonl.gz", texts)
    name = "debian-reference-{0}/debian-reference__{1}.{0}.html"
    book = {
        name.format("zh-cn", "tea"): page(load_texts()["tea"].plain),
        name.format("zh-tw", "tea"): page(load_texts()["tea.hant"].plain),
        name.format("zh-cn", "shadow"): page(load_texts()["shadow"].plain),
        name.format("zh-tw", "shadow"): page(prose(1)),
        name.format("en", "tea"): page(load_texts()["ferry"].plain),
    }
    write_archive(tmp_path / "debian-reference.tar.xz", book)
    assert two_scripts.main([str(tmp_path), "--json"]) == 0
    content = result(capsys)
    assert content["figures"]["chapters in both scripts"] == 2
    assert content["figures"]["found as pages of two hosts"] == 1
    rows = content["listings"]["chapters translated twice"]
    assert {row["chapter"]: row["of another host"] for row in rows} == {
        "shadow": "-",
        "tea": "found",
    }


@pytest.mark.usefixtures("compiled")
def test_sketch_contents_compares_the_same_pairs_with_each_sketch(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_articles(tmp_path, {f"text-{n}": prose(n) + "\nedited" for n in range(10)})
    write_versions(tmp_path, prose(1) + "\n13", prose(1) + "\n14")
    sites = {f"site/{n}.html": page(prose(0), navigation=prose(n, 400)) for n in range(2)}
    write_archive(tmp_path / "one-version-sites.tar.xz", sites)
    assert sketch_contents.main([str(tmp_path), "--json"]) == 0
    listings = result(capsys)["listings"]
    for sketch in ("shingles", "words", "half of each"):
        for where, wrong in (("across hosts", 0), ("within a host", 1)):
            assert listings[where][0][f"{sketch}: found"] == 1.0
            assert listings[where][0][f"{sketch}: wrong"] == wrong


def write_gold(archive: Path, articles: dict[str, str]) -> None:
    """Gold pages as the data files have them."""
    archive.parent.mkdir(exist_ok=True)
    pages = {f"{name}.html": page(text) for name, text in articles.items()}
    gold = {name: {"file": f"{name}.html", "text": text} for name, text in articles.items()}
    write_archive(archive, pages | {"gold.json": json.dumps(gold)})


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(("names", "short"), [(("ferry", "clock", "tea"), []), ((), ["a"])])
def test_simulated_reposts_finds_copies_of_articles_and_misses_its_bar_where_texts_are_too_short(
    names: tuple[str, ...], short: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    articles = {name: load_texts()[name].plain for name in names}
    articles |= {name: prose(1, 50) for name in short}  # too few words once some are dropped
    for name in simulated_reposts.SETS:
        write_gold(tmp_path / f"html-gold/{name}.tar.xz", articles)
    code = simulated_reposts.main([str(tmp_path), "--json"])
    content = result(capsys)
    assert (code, bool(missed(content))) == (bool(short), bool(short))
    rows = {row["edit"]: row for row in content["listings"]["gne-zh: shares of copies"]}
    assert rows["title 0.3"]["copies"] == len(articles)
    assert rows["wrongly dropped pages"]["dropped, combined"] == 0
    for edit in ("add 0.6", "numbers 0.6"):  # they need not be dropped, but are to be related
        assert short or rows[edit]["related"] == 1.0
        assert rows[edit]["dropped, combined"] <= rows[edit]["related"]


@pytest.mark.usefixtures("compiled")
def test_lookalikes_are_not_joined_by_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    run = partial(lookalikes.run, schemes=["combined", "simhash"])
    main = as_command(lambda: make_parser("lookalikes", None, needs_data=False), run)
    assert main(["--json"]) == 0
    content = result(capsys)
    joins = {row["scheme"]: row for row in content["listings"]["false joins"]}
    assert joins.keys() == {"combined", "simhash"}
    assert joins["combined"]["all"] == joins["combined"]["forum"]  # other words under one title
    assert joins["simhash"]["all"] > 0


def test_lookalikes_differ_and_are_of_the_length_their_set_says() -> None:
    make = make_fingerprinter(Config())
    lengths: dict[str, list[int]] = {kind: [] for kind in SETS}
    texts = set()
    for lookalike in make_lookalikes():
        read = make.of_html if lookalike.html else make.of_text
        made = read(lookalike.html or lookalike.text)
        lengths[lookalike.kind].append(made.tokens)
        texts.add(made.digest)
    assert len(texts) == sum(map(len, lengths.values())) == 2 * PAGES * len(SETS)
    assert max(lengths["short"]) < 40 <= min(lengths["numbered"] + lengths["sheets"])
    assert max(lengths["numbered"] + lengths["sheets"]) <= 95


@pytest.mark.parametrize(
    ("benchmark", "file"),
    [
        (clang_docs, "clang-docs.tar.xz"),
        (inline_or_worker, "html-gold/scrapinghub.tar.xz"),
        (page_to_fingerprint, "html-gold/scrapinghub.tar.xz"),
        (simulated_reposts, "html-gold/scrapinghub.tar.xz"),
    ],
)
def test_missing_data_is_named(
    benchmark: Any, file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert benchmark.main([str(tmp_path)]) == 2
    assert f"{tmp_path / file} is missing" in capsys.readouterr().err


@pytest.mark.parametrize("benchmark", [clang_docs, manuals])
def test_a_file_in_place_of_the_folder_is_named(
    benchmark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pages.html"
    file.touch()
    assert benchmark.main([str(file)]) == 2
    printed = capsys.readouterr().err
    assert str(file) in printed
    assert "is no folder, or not in one" in printed


def test_the_overview_names_every_benchmark(capsys: pytest.CaptureFixture[str]) -> None:
    assert overview([]) == 0
    printed = capsys.readouterr().out
    assert all(f"python -m benchmarks.{name} DATA_DIR" in printed for name in NAMES)
