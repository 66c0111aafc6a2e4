"""``scrapy neardup text``: the main text of a page, for people and as JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Neardup
from crawling import Web, article

from dedup.page.limits import MOST_TAGS

PROSE = "The tea of the second harvest is darker, and so is what it leaves in the cup. " * 4
PAGE = (
    '<html lang="en-GB"><head><title>Tea | A site</title></head><body><nav><a href=/>Home</a></nav>'
    f"<article><h1>Tea</h1><p>{PROSE}</p><ul><li>Green\x1b[2J tea</li></ul><h2>Cups</h2>"
    f"<p>{PROSE}</p></article></body></html>"
)
pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def page() -> str:
    Path("page.html").write_text(PAGE)
    return "page.html"


def test_title_and_paragraphs_are_printed_and_no_sign_that_a_terminal_obeys(
    page: str, neardup: Neardup
) -> None:
    code, out, err = neardup("text", page)
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "Tea | A site"
    assert out.count(PROSE.strip()) == 2
    assert "Home" not in out
    assert "\x1b" not in out


@pytest.mark.usefixtures("compiled")
def test_as_json_it_has_kinds_language_and_whether_it_is_sure(page: str, neardup: Neardup) -> None:
    code, out, _ = neardup("text", page, "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["title"], found["heading"]) == ("Tea | A site", "Tea")
    assert (found["language"], found["sure"]) == ("en", True)
    kinds = [(one["kind"], one["section"]) for one in found["paragraphs"]]
    assert kinds == [("paragraph", 0), ("list-item", 0), ("heading", 2), ("paragraph", 2)]


@pytest.mark.usefixtures("compiled")
def test_a_text_that_is_only_likely_is_printed_alone_with_a_warning(neardup: Neardup) -> None:
    links = "".join(f"<li><a href=/{n}>Section {n}</a>" for n in range(40))
    likely = PROSE[:78] + ", says the gardener of the old estate."
    Path("page.html").write_text(
        f"<title>Tea</title><ul>{links}</ul><i>May</i><div><p>{likely}</p></div><p>Contact</p>"
    )
    code, out, err = neardup("text", "page.html")
    assert (code, out.splitlines()) == (0, ["Tea", likely])
    assert "no part clearly stands out" in err
    assert json.loads(neardup("text", "page.html", "--json")[1])["sure"] is False


@pytest.mark.usefixtures("compiled")
def test_another_extractor_shows_all_of_the_page(page: str, neardup: Neardup) -> None:
    assert "Home" in neardup("text", page, "--extractor", "plain")[1]


FOREIGN = """
from dedup.page import Kind, MainText, Paragraph

def read(html):
    return MainText("", (Paragraph("read elsewhere", Kind.TEXT, 0, 0),), sure=True)

read.version = 1
"""


def test_an_extractor_of_another_package_is_named_by_its_path(
    page: str, neardup: Neardup, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("foreign_reader.py").write_text(FOREIGN)
    monkeypatch.syspath_prepend(".")
    assert neardup("text", page, "--extractor", "foreign_reader.read")[1] == "read elsewhere\n"


def test_an_unknown_extractor_is_refused_with_the_names_of_the_others(
    page: str, neardup: Neardup
) -> None:
    code, _, err = neardup("text", page, "--extractor", "magic")
    assert code == 2
    assert "'magic' is no extractor; there are weighted_dom, readability, plain" in err


def test_a_page_is_fetched(web: Web, neardup: Neardup) -> None:
    web.pages["/tea"] = article("tea")
    code, out, _ = neardup("text", web.url("/tea"))
    assert (code, out.splitlines()[0]) == (0, "tea")


def test_a_page_is_fetched_by_its_url_in_the_form_of_a_crawl(web: Web, neardup: Neardup) -> None:
    web.pages = {"/t%C3%A9%20a": article("tea", title="Tea")}
    assert neardup("text", web.url("/té a"))[1].splitlines()[0] == "Tea"


def test_a_page_without_text_is_told_of(neardup: Neardup) -> None:
    Path("page.html").write_text("<html><img src=a.png></html>")
    assert neardup("text", "page.html") == (0, "", "page.html: it shows no text\n")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"%PDF-1.7 tea", "page.html is neither HTML nor plain text"),
        (b"<p>" * (MOST_TAGS + 1), "page.html is not read: it has"),
        (None, "page.html cannot be read: No such file or directory"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(
    content: bytes | None, told: str, neardup: Neardup
) -> None:
    if content is not None:
        Path("page.html").write_bytes(content)
    code, out, err = neardup("text", "page.html")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert told in err


WITHOUT_COMPILED_CODE = """
import sys
sys.modules["dedup.native.core"] = None
from scrapy.cmdline import execute
execute(["scrapy", "neardup", "text", *sys.argv[1:]])
"""


def test_an_extractor_that_was_not_built_is_refused_in_one_line(page: str) -> None:
    run = [sys.executable, "-c", WITHOUT_COMPILED_CODE, page, "--extractor", "weighted_dom"]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "extractor 'weighted_dom' is not there" in done.stderr
    assert "Traceback" not in done.stderr
