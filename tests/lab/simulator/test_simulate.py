"""Simulated corpora: labelled, seeded, streamed."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from crawler.demo.texts import load_texts
from dedup.lab.evaluation.corpus import CorpusError
from dedup.lab.simulator.edits import EDITS, RECIPES
from dedup.lab.simulator.prose import Text, make_text
from dedup.lab.simulator.simulate import (
    ORIGIN,
    POOL,
    Article,
    Plan,
    SimulatedPage,
    Step,
    read_articles,
    simulate,
)
from dedup.page import extract

ARTICLES = [
    Article(name, make_text(text.title, text.plain))
    for name, text in load_texts().items()
    if "." not in name
]
ALL = tuple(Step(name, 0.3) for name in EDITS) + tuple(Step(name) for name in RECIPES)


def made(plan: Plan) -> list[SimulatedPage]:
    return list(simulate(ARTICLES, plan))


def host(document: SimulatedPage) -> str:
    return urlsplit(document.url).netloc


def test_each_article_is_followed_by_its_copies_in_one_cluster() -> None:
    documents = made(Plan(ALL, copies=3))
    assert len(documents) == 4 * len(ARTICLES)
    for place, article in enumerate(ARTICLES):
        original, *copies = documents[4 * place : 4 * place + 4]
        assert (original.id, original.edit, original.content) == (article.id, "", article.text.body)
        assert {document.cluster for document in (original, *copies)} == {article.id}
        assert all(copy.edit for copy in copies)
    assert len({document.id for document in documents}) == len(documents)
    assert len({document.url for document in documents}) == len(documents)


def test_edits_take_turns() -> None:
    documents = made(Plan(ALL, copies=len(ALL)))
    assert Counter(document.edit for document in documents if document.edit) == {
        step.name: len(ARTICLES) for step in ALL
    }


@pytest.mark.parametrize("html", [False, True])
def test_the_same_seed_gives_the_same_documents(html: bool) -> None:
    plan = Plan(ALL, copies=2, html=html, seed=7)
    assert made(plan) == made(plan)
    assert made(plan) != made(Plan(ALL, copies=2, html=html, seed=8))


def test_originals_share_a_host_and_copies_stand_elsewhere() -> None:
    documents = made(Plan(ALL, copies=2))
    assert {host(document) for document in documents if not document.edit} == {ORIGIN}
    assert ORIGIN not in {host(document) for document in documents if document.edit}
    clusters = defaultdict(set)
    for document in documents:
        clusters[host(document)].add(document.cluster)
    assert max(len(clusters[other]) for other in clusters if other != ORIGIN) > 1


def test_copies_stand_on_the_originals_host_if_wanted() -> None:
    documents = made(Plan(ALL, copies=2, same_host=True))
    assert {host(document) for document in documents} == {ORIGIN}


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("template", ["portal", "forum"])
def test_pages_hold_the_copy_in_another_template(template: str) -> None:
    documents = made(Plan((Step("script", 0.3),), html=True, template=template))
    texts = made(Plan((Step("script", 0.3),)))
    for page, text in zip(documents, texts, strict=True):
        assert (page.id, page.edit) == (text.id, text.edit)
        shown = extract(page.content, "plain").text
        assert all(line in shown for line in text.content.splitlines())
    forums = {bool(page.edit) for page in documents if 'id="postlist"' in page.content}
    assert forums == ({False} if template == "forum" else {True})


def test_articles_of_equal_text_are_taken_once() -> None:
    again = [*ARTICLES[:3], Article("again", ARTICLES[0].text)]
    assert [d.id for d in simulate(again, Plan(ALL)) if not d.edit] == [a.id for a in again[:3]]


def test_articles_are_read_as_documents_are_asked_for() -> None:
    read = 0

    def endless() -> Iterator[Article]:
        nonlocal read
        while True:
            read += 1
            yield Article(str(read), Text("", (f"Text number {read}.",)))

    documents = list(islice(simulate(endless(), Plan(ALL)), 4 * POOL))
    assert len(documents) == 4 * POOL
    assert read <= 2 * POOL + 1


def test_documents_are_lines_of_json_with_text_or_html() -> None:
    [text, copy] = islice(simulate(ARTICLES, Plan((Step("heavy"),))), 2)
    assert [*text.fields()] == ["id", "url", "cluster", "title", "text", "edit", "strength"]
    assert (copy.fields()["edit"], copy.fields()["strength"]) == ("heavy", None)
    [page] = islice(simulate(ARTICLES, Plan(ALL, html=True)), 1)
    assert "html" in page.fields()
    assert "text" not in page.fields()


def test_articles_come_from_lines_of_json_and_from_folders(tmp_path: Path) -> None:
    lines = tmp_path / "texts.jsonl"
    rows = [{"id": 1, "title": "Tea", "text": "One.\n\nTwo\x00."}, {"id": 2, "text": " \n"}]
    lines.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert [a.text for a in read_articles(lines)] == [Text("Tea", ("One.", "Two ."))]
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "a.txt").write_text("茶。", encoding="utf-8")
    [page] = islice(simulate(ARTICLES, Plan(ALL, html=True)), 1)
    (folder / "b.html").write_text(page.content, encoding="utf-8")
    (folder / "c.html").write_text("<ul><li><a href='/'>Home</a></ul>", encoding="utf-8")
    one, other = read_articles(folder)
    assert one.text == Text("", ("茶。",))
    assert set(ARTICLES[0].text.paragraphs) <= set(other.text.paragraphs)


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"id": 1, "text": "a"}\n{"id"', encoding="utf-8")
    with pytest.raises(CorpusError, match=r"bad\.jsonl, line 2"):
        list(read_articles(tmp_path / "bad.jsonl"))
