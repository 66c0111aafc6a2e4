"""Extractors on pages whose markup is changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lxml.html import HtmlElement, document_fromstring

from benchmarks import changed_markup
from benchmarks.changed_markup_made import CHANGES, change_page
from crawler.demo.texts import load_texts
from dedup.lab.main_text.gold import GoldPage
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


@pytest.mark.parametrize("change", CHANGES)
def test_characters_that_no_markup_holds_are_left_out_of_what_is_put_beside(change: str) -> None:
    page = change_page(page_of(TEA), CHANGES[change], "a form feed\x0c, \x01, \ud800 and \ufffe")
    assert not {*page} & {*"\x0c\x01\ud800\ufffe"}


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
        ("150 links above", "//a[starts-with(@href, '/menu/')]", 150),
        ("15 teasers below", "//h3/a", 15),
        ("10 comments below", "//*[@class='comments']/*[@class='comment']", 10),
    ],
)
def test_the_markup_changes(change: str, path: str, number: int) -> None:
    assert len(changed(change).xpath(path)) == number


def test_what_is_put_beside_the_text_is_of_another_page() -> None:
    words = changed("60 words above").xpath("string(/html/body/div[1]/p)")
    assert words == " ".join(FERRY.split()[:60])
    han = changed("60 words above", ("\u6e2f\u53e3\u5c01\u95ed" * 10 + "\n") * 4)
    assert han.xpath("string(/html/body/div[1]/p)") == "\u6e2f\u53e3\u5c01\u95ed" * 30


@pytest.mark.parametrize(
    ("change", "page", "body"),
    [
        ("no class, id, role", "<p role=note title=a>x</p>", '<p title="a">x</p>'),
        ("br for p", "<p>x</p>y", "<span>x</span><br><br>y"),
        ("each p in two div", "<p>x</p>y", "<div><div><p>x</p></div></div>y"),
        (
            "a frame named sidebar, footer",
            "x<p>y</p>",
            '<a href="#content">Skip to content</a>'
            '<div class="has-sidebar sticky-footer">x<p>y</p></div>',
        ),
    ],
)
def test_text_beside_changed_elements_stays_in_its_place(change: str, page: str, body: str) -> None:
    html = change_page(f"<body>{page}</body>", CHANGES[change], FERRY)
    assert html.endswith(f"<body>{body}</body></html>")


@pytest.mark.parametrize(
    "element", ["main", "article", "section", "header", "footer", "nav", "aside"]
)
def test_each_element_with_a_meaning_becomes_a_div(element: str) -> None:
    page = f"<body><{element}>x</{element}></body>"
    html = change_page(page, CHANGES["main, article and the like are div"], FERRY)
    assert html.endswith("<body><div>x</div></body></html>")


def test_each_name_has_a_hash_of_its_own() -> None:
    page = "<body><p class='a b'></p><p class=b id=c></p></body>"
    root = document_fromstring(change_page(page, CHANGES["class and id hashed"], FERRY))
    first, second = (element.get("class").split() for element in root.iter("p"))
    assert first[1] == second[0] != first[0]


def test_a_page_of_frames_is_left_as_it_is() -> None:
    page = "<html><frameset><frame src=a></frameset></html>"
    assert "<frame" in change_page(page, CHANGES["180 words below"], FERRY)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("150 links above", 450),
        ("60 words above", 60),
        ("180 words below", 180),
        ("15 teasers below", 15 * 33),
        ("10 comments below", 10 * 36),
    ],
)
def test_so_many_words_are_put_beside_the_text(change: str, words: int) -> None:
    texts = [" ".join(changed(name).xpath("//body//text()")).split() for name in ("none", change)]
    assert len(texts[1]) - len(texts[0]) == words


def test_the_words_are_those_of_the_page_before_in_the_language() -> None:
    made = (("one", "en"), ("two", "xx"), ("three", "en"), ("four", "en"))
    pages = [GoldPage(word, page_of(TEA), word, "", language, "") for word, language in made]
    html = changed_markup.change_pages(pages, "60 words above")
    above = [document_fromstring(page).xpath("string(//body/div[1]/p)").split()[0] for page in html]
    assert above == ["four", "two", "one", "three"]


@pytest.mark.usefixtures("compiled")
def test_only_pages_that_are_sure_and_missed_are_wrong() -> None:
    gold = [GoldPage("tea", page_of(TEA), text, "", "en", "") for text in (TEA, "No", "None")]
    assert changed_markup.judge(gold, [page_of(TEA)] * 3, "weighted_dom") == (0.3333, 2)
    assert changed_markup.judge(gold[2:], ["<p>Hello</p>"], "weighted_dom") == (0.0, 0)


@pytest.mark.usefixtures("compiled")
def test_extractors_are_judged_after_each_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = {}
    for name, text in (("tea", TEA), ("ferry", FERRY)):
        (tmp_path / f"{name}.html").write_text(page_of(text), encoding="utf-8")
        gold[name] = {"file": f"{name}.html", "text": text}
    gold["bare"] = {"file": "tea.html"}
    (tmp_path / "gold.json").write_text(json.dumps(gold))
    assert changed_markup.main([str(tmp_path), "--extractor", "weighted_dom,plain", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    rows = report["listings"]["changes"]
    assert report["figures"]["pages"] == 2
    assert [row["change"] for row in rows[::2]] == list(CHANGES)
    assert rows[0]["F1"] == 1.0
    assert all(ours["F1"] > plain["F1"] for ours, plain in zip(rows[::2], rows[1::2], strict=True))


@pytest.mark.parametrize(
    ("gold", "told"),
    [
        (None, "has no gold.json; a collection of gold pages needs one"),
        ('{"tea": {"file": "tea.html"}}', "has a main text"),
    ],
)
def test_a_folder_without_gold_is_named(tmp_path: Path, gold: str | None, told: str) -> None:
    (tmp_path / "tea.html").write_text("<p>Tea</p>")
    if gold:
        (tmp_path / "gold.json").write_text(gold)
    with pytest.raises(SystemExit) as ended:
        changed_markup.main([str(tmp_path)])
    assert str(ended.value.code).startswith("benchmarks.changed_markup: ")
    assert str(tmp_path) in str(ended.value.code)
    assert str(ended.value.code).endswith(told)
