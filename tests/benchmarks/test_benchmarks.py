"""Each benchmark runs end to end on a tiny made-up corpus, and its bars can be missed."""

from __future__ import annotations

import gzip
import json
import random
import tarfile
from pathlib import Path
from typing import Any

import pytest

from benchmarks import clang_docs, edited_reposts, install_guide, one_version_sites
from benchmarks.__main__ import NAMES
from benchmarks.__main__ import main as overview

TABLE_HEAD = "page\tver_a\tver_b\tjaccard_main\tjaccard_full\twords_or_chars_a\twords_or_chars_b\n"
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def prose(seed: int, words: int = 120) -> str:
    """Made-up words, the same for the same seed."""
    chance = random.Random(seed)
    return " ".join("".join(chance.choices(LETTERS, k=7)) for _ in range(words))


def page(text: str, navigation: str = "") -> str:
    """A page with its main text and, beside it, navigation."""
    links = "".join(f'<li><a href="#">{word}</a></li>' for word in navigation.split())
    paragraphs = "".join(f"<p>{part}.</p>" for part in text.split("\n"))
    return (
        '<html><head><meta charset="utf-8"><title>page</title></head><body>'
        f"<ul>{links}</ul><main>{paragraphs}</main></body></html>"
    )


def write_archive(archive: Path, pages: dict[str, str]) -> None:
    """Pages as the data files have them."""
    root = archive.with_suffix(".folder")
    for name, html in pages.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html, encoding="utf-8")
    with tarfile.open(archive, "w:xz") as tar:
        for path in sorted(root.iterdir()):
            tar.add(path, path.name)


def write_pairs(table: Path, *rows: str) -> None:
    """A table of page pairs from rows such as ``a.html amd64 arm64 0.95 0.9 120 120``."""
    lines = ["\t".join(row.split()) + "\n" for row in rows]
    table.write_text(TABLE_HEAD + "".join(lines), encoding="utf-8")


def write_texts(collection: Path, texts: dict[str, str]) -> None:
    """Texts as the data files have them."""
    collection.parent.mkdir(exist_ok=True)
    with gzip.open(collection, "wt", encoding="utf-8") as lines:
        for name, text in texts.items():
            row = {"id": name, "text": text, "jaccard_char3": 0.8, "jaccard_char5": 0.7}
            lines.write(json.dumps(row) + "\n")


def result(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """What a benchmark printed under --json."""
    content: dict[str, Any] = json.loads(capsys.readouterr().out)
    return content


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


def test_install_guide_finds_the_versions_of_a_page(
    guide: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert install_guide.main([str(guide), "--json"]) == 0
    figures = result(capsys)["figures"]
    assert figures["eligible pairs"] == figures["pairs found"] == 1
    assert (figures["pages exported"], figures["pages dropped"]) == (3, 2)
    assert figures["stubs (under 50 words)"] == 2
    assert figures["- dropped against an identical text"] == 1


def test_install_guide_misses_its_bar_where_a_pair_is_not_found(
    guide: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = [f"{name}.html amd64 arm64 0.95 0.95 120 120" for name in "ab"]
    write_pairs(guide / "install-guide-pairs-en.tsv", *pairs)
    write_archive(guide / "install-guide.tar.xz", {"en/arm64/b.html": page(prose(4))})
    assert install_guide.main([str(guide), "--json"]) == 1
    content = result(capsys)
    assert missed(content) == ["share of eligible pairs found"]
    assert [row["page"][-12:] for row in content["listings"]["pairs missed"]] == ["amd64/b.html"]


def test_install_guide_misses_its_bar_where_different_pages_are_joined(
    guide: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    different = page(prose(2), navigation=prose(5, 400))
    write_archive(guide / "install-guide.tar.xz", {"en/arm64/c.html": different})
    assert install_guide.main([str(guide), "--json"]) == 1
    assert missed(result(capsys)) == ["drops against different pages"]


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
    half_of_another = " ".join([*prose(0).split()[:60], *prose(11).split()[:60]])
    write_articles(tmp_path, {"text-1": prose(1), "text-2": prose(12), "text-3": half_of_another})
    assert edited_reposts.main([str(tmp_path), "--json"]) == 1
    content = result(capsys)
    assert missed(content) == ["recall", "precision"]
    assert [row["draft"] for row in content["listings"]["drafts not reported"]] == ["text-2"]
    assert [row["of"] for row in content["listings"]["reported falsely"]] == ["text-0"]


def test_one_version_sites_tells_pages_apart_and_finds_copies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = {f"site-{n % 2}/{n}.html": page(prose(n)) for n in range(6)}
    write_archive(tmp_path / "one-version-sites.tar.xz", pages)
    assert one_version_sites.main([str(tmp_path), "--json"]) == 0
    figures = result(capsys)["figures"]
    assert figures["pages dropped in it"] == 0
    assert figures["- found under the second host names"] == 6


def test_one_version_sites_misses_its_bar_where_different_pages_are_joined(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = {f"site/{n}.html": page(prose(0), navigation=prose(n, 400)) for n in (1, 2)}
    write_archive(tmp_path / "one-version-sites.tar.xz", pages)
    assert one_version_sites.main([str(tmp_path), "--json"]) == 1
    content = result(capsys)
    assert missed(content) == ["wrong drops by pages", "share found again"]
    assert len(content["listings"]["wrong drops"]) == 1


def test_clang_docs_informs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = {f"clang-{version}/a.html": page(prose(1) + f"\n{version}") for version in (13, 14)}
    write_archive(tmp_path / "clang-docs.tar.xz", pages)
    write_pairs(tmp_path / "clang-docs-pairs.tsv", "a.html clang-13 clang-14 0.95 0.95 121 121")
    assert clang_docs.main([str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "pairs found" in printed
    assert "1.0000" in printed


def test_missing_data_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert clang_docs.main([str(tmp_path)]) == 2
    assert f"{tmp_path / 'clang-docs.tar.xz'} is missing" in capsys.readouterr().err


def test_the_overview_names_every_benchmark(capsys: pytest.CaptureFixture[str]) -> None:
    assert overview([]) == 0
    printed = capsys.readouterr().out
    assert all(f"python -m benchmarks.{name} DATA_DIR" in printed for name in NAMES)
