"""Corpora: what is read, under which key, URL and cluster, and what is refused."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import numpy as np
import pytest

from dedup.lab.evaluation.corpus import CorpusError, open_corpus
from dedup.lab.evaluation.truth import SEVERAL_KINDS, make_catalogue
from dedup.scope import host_of
from tests.lab.evaluation.made_corpora import write_drafts, write_lines


def test_a_line_is_a_page_and_its_file_a_host(tmp_path: Path) -> None:
    write_lines(tmp_path / "news.jsonl", [{"id": 7, "text": "words", "title": "a title"}])
    [page] = open_corpus([tmp_path / "news.jsonl"])
    assert (page.key, page.id, page.url) == ("news/7", "7", "http://news.example/7")
    assert (page.title, page.content, page.html) == ("a title", "words", False)


def test_a_feed_of_a_crawl_is_a_corpus_whose_ids_are_its_urls(tmp_path: Path) -> None:
    items = [{"url": f"http://h.test/{n}", "text": "words", "tags": ["a"]} for n in range(2)]
    write_lines(tmp_path / "items.jsonl", items)
    pages = list(open_corpus([tmp_path / "items.jsonl"]))
    assert [page.id for page in pages] == [page.url for page in pages] == [i["url"] for i in items]
    assert pages[0].cluster != pages[1].cluster


def test_given_urls_clusters_and_edits_are_taken(tmp_path: Path) -> None:
    fields = {"id": "x", "html": "<p>y", "url": "http://h.test/", "cluster": 3}
    write_lines(tmp_path / "a.jsonl", [fields | {"edit": "excerpt", "strength": 0.5}])
    [page] = open_corpus([tmp_path / "a.jsonl"])
    assert (page.url, page.html, page.kind) == ("http://h.test/", True, "excerpt 0.5")
    assert page.cluster.endswith("3")


def test_equal_ids_in_two_files_are_one_cluster(tmp_path: Path) -> None:
    pages = list(open_corpus([write_drafts(tmp_path / "drafts", 2)]))
    assert [page.key for page in pages] == ["articles/a0", "articles/a1", "drafts/a0", "drafts/a1"]
    assert pages[0].cluster == pages[2].cluster != pages[1].cluster


def test_pages_of_one_file_are_clusters_of_their_own(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl", [{"id": n, "text": "same"} for n in range(3)])
    assert len({page.cluster for page in open_corpus([tmp_path / "a.jsonl"])}) == 3


def test_a_folder_of_pages_is_one_host_with_paths_for_ids(tmp_path: Path) -> None:
    (tmp_path / "site" / "deep").mkdir(parents=True)
    (tmp_path / "site" / "deep" / "b.html").write_bytes(b"<p>\xd0\xd5")
    (tmp_path / "site" / "a.txt").write_text("words")
    (tmp_path / "site" / "style.css").write_text("p {}")
    pages = list(open_corpus([tmp_path / "site"]))
    assert [(page.id, page.html, page.content) for page in pages] == [
        ("a.txt", False, "words"),
        ("deep/b.html", True, b"<p>\xd0\xd5"),
    ]
    assert {host_of(page.url) for page in pages} == {"site.example"}


def test_a_pipe_in_a_folder_is_no_page(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("tea")
    os.mkfifo(tmp_path / "b.txt")
    corpus = open_corpus([tmp_path])
    assert [*corpus.files()] == [tmp_path / "a.txt"]
    assert [page.id for page in corpus] == ["a.txt"]


def test_a_link_to_a_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "a.txt").write_text("words")
    (tmp_path / "site" / "round").symlink_to(tmp_path / "site", target_is_directory=True)
    assert [page.id for page in open_corpus([tmp_path / "site"])] == ["a.txt"]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path, name: str) -> None:
    line = b'\xef\xbb\xbf{"id": 1, "text": "t"}'
    (tmp_path / name).write_bytes(gzip.compress(line) if name.endswith("gz") else line)
    assert [page.id for page in open_corpus([tmp_path / name])] == ["1"]


def test_lone_surrogates_are_replaced_wherever_they_stand(tmp_path: Path) -> None:
    names = ("id", "cluster", "edit", "title", "url", "text")
    (tmp_path / "a.jsonl").write_text(json.dumps({name: f"{name} \ud800" for name in names}))
    [page] = open_corpus([tmp_path / "a.jsonl"])
    found = (page.id, page.cluster, page.kind, page.title, page.url, page.content)
    assert found == ("id ?", "cluster cluster ?", "edit ?", "title ?", "url ?", "text ?")


def test_one_key_in_two_files_is_refused_with_a_way_out(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder in folders:
        folder.mkdir()
        write_lines(folder / "a.jsonl", [{"id": 1, "text": "t"}])
    with pytest.raises(CorpusError, match="rename one of the files, or change the id"):
        make_catalogue(open_corpus(folders))


def test_too_many_kinds_are_refused_with_a_way_out(tmp_path: Path) -> None:
    lines = [{"id": n, "text": "t", "edit": "cut", "strength": n} for n in range(250)]
    with pytest.raises(CorpusError, match=r"more than 200 kinds .* leave out strength"):
        make_catalogue(open_corpus([write_lines(tmp_path / "a.jsonl", lines)]))


def test_a_limit_holds_for_each_file(tmp_path: Path) -> None:
    pages = open_corpus([write_drafts(tmp_path / "drafts", 5)], limit=2)
    assert [page.id for page in pages] == ["a0", "a1", "a0", "a1"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{broken", "line 2: not JSON: Expecting property name enclosed in double quotes\n"),
        ("[1]", "line 2: a line must be a JSON object"),
        ('{"text": "t"}', "line 2: there is neither an id nor a url"),
        ('{"id": "x"}', "line 2: a page has either text or html"),
        ('{"id": "x", "text": "t", "html": "h"}', "line 2: a page has either text or html"),
        ('{"id": "x", "text": 5}', "line 2: text must be a string; got 5"),
        ('{"id": ["x"], "text": "t"}', "line 2: id must be a string or a number"),
        ('{"id": 1, "text": "t"}', "line 2: 'a/1' is also the key of"),
    ],
)
def test_a_bad_line_is_named_before_the_run(tmp_path: Path, line: str, says: str) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"id": "1", "text": "first"}\n' + line + "\n")
    with pytest.raises(CorpusError) as raised:
        make_catalogue(open_corpus([file]))
    assert f"{file}, {says}" in f"{raised.value}\n"


def test_what_is_no_corpus_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.md").write_text("words")
    (tmp_path / "empty.jsonl").write_text("\n")
    (tmp_path / "cut.jsonl.gz").write_bytes(b"\x1f\x8bnothing")
    for name, says in (
        ("missing", "there is no .*missing"),
        ("notes.md", "must be a folder or a file named .jsonl or .jsonl.gz or .jl"),
        ("empty", "holds neither"),
        ("empty.jsonl", "the corpus is empty"),
        ("cut.jsonl.gz", "cannot be read"),
    ):
        with pytest.raises(CorpusError, match=says):
            make_catalogue(open_corpus([tmp_path / name]))


def test_a_pair_is_of_the_kind_of_its_pages(tmp_path: Path) -> None:
    kinds = ["", "cut", "cut", "wrapped"]
    lines = [{"id": n, "text": "t", "edit": kind} for n, kind in enumerate(kinds)]
    catalogue = make_catalogue(open_corpus([write_lines(tmp_path / "a.jsonl", lines)]))
    cut, wrapped = (catalogue.kind_names.index(kind) for kind in ("cut", "wrapped"))
    assert catalogue.pair_kinds(1, np.array([0])).tolist() == [cut]
    assert catalogue.pair_kinds(2, np.array([0, 1])).tolist() == [cut, cut]
    assert catalogue.pair_kinds(3, np.array([0, 1])).tolist() == [wrapped, SEVERAL_KINDS]
