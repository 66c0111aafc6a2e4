"""Extractors on pages whose markup is changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lxml.html import HtmlElement, document_fromstring

from benchmarks import changed_markup
from benchmarks.changed_markup_made import CHANGES, change_page
from crawler.demo.texts import load_texts
from dedup.page import extract

TEA, FERRY = (load_texts()[name].plain for name in ("tea", "ferry"))
MENU = "".join(f"<li><a href=/{number}>Section number {number}</a></li>" for number in range(12))


def page_of(text: str) -> str:
    body = "".join(f"<p>{line}</p>" for line in text.splitlines())
    return (
        f"<title>River Post</title><body><nav><ul>{MENU}</ul></nav>"
        f"<main id=text><h1 class=big>River</h1>{body}</main>"
    )


def changed(change: str, other: str = FERRY) -> HtmlElement:
    return document_fromstring(change_page(page_of(TEA), CHANGES[change], other))


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("change", CHANGES)
def test_the_main_text_stays_as_it_is(change: str) -> None:
    text = extract(change_page(page_of(TEA), CHANGES[change], FERRY), "weighted_dom").text
    assert TEA in text


@pytest.mark.parametrize(
    ("change", "path", "number"),
    [
        ("none", "//*[@class or @id]", 2),
        ("no class, id, role", "//*[@class or @id]", 0),
        ("class and id hashed", "//*[@class='big' or @id='text']", 0),
        ("class and id hashed", "//h1[@class]", 1),
        ("main, article and the like are div", "//main | //nav", 0),
        ("class and id hashed, main is div", "//main | //h1[@class='big']", 0),
        ("p is div", "//p", 0),
        ("br for p", "//p", 0),
        ("br for p", "//br", 2 * len(TEA.splitlines())),
        ("each p in two div", "//main/div/div/p", len(TEA.splitlines())),
        ("h1 is div", "//h1", 0),
        ("a frame named sidebar, footer", "/html/body/div/main", 1),
        ("150 links above", "/html/body/div[1]//a", 150),
        ("60 words above", "/html/body/div[1]/p", 1),
        ("180 words below", "/html/body/div/p", 3),
        ("15 teasers below", "/html/body/div/div/h3", 15),
        ("10 comments below", "//*[@class='comment']", 10),
    ],
)
def test_the_markup_changes(change: str, path: str, number: int) -> None:
    assert len(changed(change).xpath(path)) == number


def test_what_is_put_beside_the_text_is_of_another_page() -> None:
    words = changed("60 words above").xpath("string(/html/body/div[1]/p)")
    assert words == " ".join(FERRY.split()[:60])
    han = changed("60 words above", "\u6e2f\u53e3\u5c01\u95ed" * 40)
    assert han.xpath("string(/html/body/div[1]/p)") == "\u6e2f\u53e3\u5c01\u95ed" * 30


@pytest.mark.usefixtures("compiled")
def test_extractors_are_judged_after_each_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = {}
    for name, text in (("tea", TEA), ("ferry", FERRY)):
        (tmp_path / f"{name}.html").write_text(page_of(text), encoding="utf-8")
        gold[name] = {"file": f"{name}.html", "text": text}
    (tmp_path / "gold.json").write_text(json.dumps(gold))
    assert changed_markup.main([str(tmp_path), "--extractor", "weighted_dom,plain", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["listings"]["changes"]
    assert [row["change"] for row in rows[::2]] == list(CHANGES)
    assert rows[0]["F1"] == 1.0
    assert all(ours["F1"] > plain["F1"] for ours, plain in zip(rows[::2], rows[1::2], strict=True))
