"""Collections of gold pages: what is read, what is made of it, and what is refused."""

from __future__ import annotations

import io
import json
import lzma
import tarfile
from pathlib import Path
from typing import Any

import pytest

from dedup.lab.main_text.gold import GoldError, declared_kind, detect_language, read_gold

HTML = "<html><body><p>A ferry leaves at nine.</p></body></html>"
ENTRY = {
    "file": "a.html",
    "text": "A ferry leaves at nine.",
    "url": "http://x.example/",
    "lang": "en",
}


def write_folder(folder: Path, entries: Any, html: bytes = HTML.encode()) -> Path:
    (folder / "pages").mkdir(parents=True)
    (folder / "gold.json").write_text(json.dumps(entries), encoding="utf-8")
    (folder / "pages" / "a.html").write_bytes(html)
    return folder


def write_archive(archive: Path, members: dict[str, bytes]) -> Path:
    mode = "w:xz" if archive.suffix == ".xz" else "w:gz"
    with tarfile.open(archive, mode) as tar:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return archive


def test_a_folder_is_read(tmp_path: Path) -> None:
    [page] = read_gold(write_folder(tmp_path / "gold", {"a": ENTRY}))
    assert (page.id, page.html, page.text) == ("a", HTML, ENTRY["text"])
    assert (page.url, page.language, page.kind) == ("http://x.example/", "en", "undeclared")


@pytest.mark.parametrize("name", ["gold.tar.xz", "gold.tar.gz", "gold.tgz"])
def test_an_archive_is_read_like_the_folder_it_holds(tmp_path: Path, name: str) -> None:
    index = json.dumps({"a": ENTRY}).encode()
    members = {"set/pages/a.html": HTML.encode(), "set/gold.json": index}
    folder = write_folder(tmp_path / "gold", {"a": ENTRY})
    assert read_gold(write_archive(tmp_path / name, members)) == read_gold(folder)


def test_html_beside_the_index_is_found_too(tmp_path: Path) -> None:
    members = {"gold.json": json.dumps({"a": ENTRY}).encode(), "a.html": HTML.encode()}
    [page] = read_gold(write_archive(tmp_path / "gold.tar.gz", members))
    assert page.html == HTML


@pytest.mark.usefixtures("compiled")
def test_a_page_may_have_no_gold_but_its_file(tmp_path: Path) -> None:
    html = "<html><body><p>渡船每天早上九点离开码头。</p></body></html>"
    folder = write_folder(tmp_path / "gold", {"a": {"file": "a.html"}}, html.encode())
    [page] = read_gold(folder)
    assert page.text is None
    assert page.url == ""
    assert page.language == "zh"


def test_saved_pages_are_utf8_whatever_they_declare(tmp_path: Path) -> None:
    html = '<html><head><meta charset="gb2312"></head><body>渡船</body></html>'
    folder = write_folder(tmp_path / "gold", {"a": ENTRY}, html.encode())
    assert "渡船" in read_gold(folder)[0].html


def test_pages_that_are_no_utf8_are_decoded_as_declared(tmp_path: Path) -> None:
    html = '<html><head><meta charset="gb2312"></head><body>渡船</body></html>'
    folder = write_folder(tmp_path / "gold", {"a": ENTRY}, html.encode("gb18030"))
    assert "渡船" in read_gold(folder)[0].html


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ([], "must be an object of at least one page"),
        ({}, "must be an object of at least one page"),
        ({"a": "a.html"}, "page 'a' in gold.json"),
        ({"a": {"text": "x"}}, "no string for 'file'"),
        ({"a": ENTRY | {"text": 3}}, "no string for 'text': 3"),
        ({"a": {"file": "b.html"}}, "lacks the file 'b.html' of page 'a'"),
        ({"a": {"file": "../../secret.html"}}, "lacks the file"),
        ({"a": {"file": "/etc/hostname"}}, "lacks the file"),
        ({"a": {"file": "a\0.html"}}, "lacks the file 'a\\x00.html'"),
    ],
)
def test_what_an_index_lacks_is_one_sentence(tmp_path: Path, entries: Any, says: str) -> None:
    (tmp_path / "secret.html").write_text(HTML)
    folder = write_folder(tmp_path / "gold", entries)
    with pytest.raises(GoldError) as raised:
        read_gold(folder)
    assert says in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_place_without_an_index_is_named(tmp_path: Path) -> None:
    with pytest.raises(GoldError, match="there is no"):
        read_gold(tmp_path / "nothing.tar.xz")
    with pytest.raises(GoldError, match=r"has no gold\.json"):
        read_gold(tmp_path)
    with pytest.raises(GoldError, match=r"has no gold\.json"):
        read_gold(write_archive(tmp_path / "empty.tar.gz", {"a.html": b""}))


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe\x00", b"[" * 100_000])
def test_an_index_that_is_no_json_is_named(tmp_path: Path, content: bytes) -> None:
    archive = write_archive(tmp_path / "gold.tar.gz", {"gold.json": content})
    with pytest.raises(GoldError, match=r"gold\.json in .* is no JSON"):
        read_gold(archive)


def test_a_damaged_archive_is_named(tmp_path: Path) -> None:
    members = {"gold.json": json.dumps({"a": ENTRY}).encode(), "a.html": HTML.encode() * 100}
    archive = write_archive(tmp_path / "gold.tar.xz", members)
    archive.write_bytes(archive.read_bytes()[:150])
    with pytest.raises(GoldError, match="cannot be read"):
        read_gold(archive)
    other = tmp_path / "gold.zip"
    other.write_bytes(b"PK")
    with pytest.raises(GoldError, match=r"\.tar\.xz, \.tar\.gz, \.tgz"):
        read_gold(other)


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "bomb.tar.xz", {"a.html": bytes(1 << 21)})
    assert archive.stat().st_size < 1 << 16
    with pytest.raises(GoldError, match="unpacks to more than 1,048,576 bytes"):
        read_gold(archive, limit=1 << 20)


def test_an_archive_in_an_archive_is_not_unpacked(tmp_path: Path) -> None:
    members = {"gold.json": json.dumps({"a": ENTRY}).encode(), "a.html": bytes(1 << 21)}
    inner = write_archive(tmp_path / "inner.tar.gz", members)
    outer = tmp_path / "outer.tar.xz"
    outer.write_bytes(lzma.compress(inner.read_bytes()))
    with pytest.raises(GoldError, match=r"^.*outer\.tar\.xz cannot be read: .*$"):
        read_gold(outer, limit=1 << 20)


def test_members_that_lead_elsewhere_are_not_followed(tmp_path: Path) -> None:
    archive = tmp_path / "gold.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        index = json.dumps({"a": ENTRY}).encode()
        info = tarfile.TarInfo("gold.json")
        info.size = len(index)
        tar.addfile(info, io.BytesIO(index))
        link = tarfile.TarInfo("a.html")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/hostname"
        tar.addfile(link)
    with pytest.raises(GoldError, match=r"lacks the file 'a\.html'"):
        read_gold(archive)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("渡船每天早上九点离开码头。", "zh"),
        ("用 Python 写的爬虫 spider 框架", "zh"),
        ("フェリーは毎朝九時に出発します。", "other"),
        ("A ferry leaves at nine.", "other"),
        ("12 + 3", "other"),
        ("", "other"),
    ],
)
def test_language_is_told_by_script(text: str, language: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ('<script type="application/ld+json">{"@type": "NewsArticle"}</script>', "news"),
        ('<script>{"@type": ["ReportageNewsArticle"]}</script>', "news"),
        ('<script>{"@type":"BlogPosting"}</script>', "article"),
        ('<script>{"@type":"QAPage","@graph":[{"@type":"Article"}]}</script>', "forum"),
        ('<meta property="og:type" content="article">', "article"),
        ('<meta content="news" property="og:type">', "news"),
        ('<meta property="og:type" content="website">', "undeclared"),
        ("<p>news article forum</p>", "undeclared"),
    ],
)
def test_the_kind_of_a_page_is_what_it_declares(html: str, kind: str) -> None:
    assert declared_kind(html) == kind
