"""What the review page shows in a real browser, and what it never does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from browsing import background, prefer, requested
from made_logs import write_log
from review_pages import Page, shown
from reviewing import TOKEN, entry, make_review, texts_of

from dedup.review.differences import Texts
from dedup.review.records import Drop

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

SCRIPT = "<script>document.title = 'taken'</script><img src=x onerror=\"document.title = 'taken'\">"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write_log(tmp_path / "site.jsonl", map(entry, range(3)))


@pytest.fixture
def page(chromium: Chrome, log: Path) -> Iterator[Page]:
    with shown(chromium, make_review(log)) as page:
        yield page


@pytest.mark.parametrize("width", [1280, 600])
def test_long_texts_are_scrolled_by_key_from_the_list(
    chromium: Chrome, log: Path, width: int
) -> None:
    from selenium.webdriver.common.keys import Keys

    long = Texts("One line.\n" * 100, "Another line.\n" * 100)
    chromium.set_window_size(width, 900)
    try:
        with shown(chromium, make_review(log, texts=lambda _: long)) as page:
            tops = []
            for key in ("f", Keys.PAGE_DOWN, Keys.PAGE_UP):
                page.press(key)
                place = "document.querySelector('main .sides').getBoundingClientRect().top"
                tops.append(page.run(place))
            assert 400 < tops[0] - tops[1] < 900
            assert tops[2] == tops[0]
    finally:
        chromium.set_window_size(1280, 900)


def test_what_differs_is_marked_on_its_side(page: Page) -> None:
    assert page.texts(".original del") == ["0"]
    assert page.texts(".dropped ins") == ["none"]
    assert page.texts(".original ins, .dropped del") == []


def facts(page: Page) -> dict[str, str]:
    """What is told of the record that is shown."""
    return dict(zip(page.texts(".facts dt"), page.texts(".facts dd"), strict=True))


def test_the_relation_is_told_and_what_is_new_as_far_as_it_is_known(
    chromium: Chrome, tmp_path: Path
) -> None:
    older = {name: value for name, value in entry(1).items() if name not in ("new", "new_words")}
    new = {"new": 0.25, "new_words": 1200, "similarity": 0.1234}
    entries = [entry(0, relation="contained", **new), older]
    with shown(chromium, make_review(write_log(tmp_path / "log.jsonl", entries))) as page:
        page.at(0)
        told = facts(page)
        assert (told["relation"], told["new"]) == ("contained", "25\u00a0%, 1,200 words")
        assert told["similarity"] == "0.12"
        page.press("j")
        page.at(1)
        assert "new" not in facts(page)


def test_a_page_that_was_exported_is_headed_as_kept(chromium: Chrome, tmp_path: Path) -> None:
    entries = [entry(0, action="keep"), entry(1)]
    with shown(chromium, make_review(write_log(tmp_path / "log.jsonl", entries))) as page:
        page.at(0)
        assert page.texts("main h2") == ["Repeated page", "Kept page"]
        page.press("j")
        page.at(1)
        assert page.texts("main h2") == ["Repeated page", "Dropped page"]


def test_a_text_that_could_not_be_had_is_asked_for_again(chromium: Chrome, log: Path) -> None:
    busy = {1}

    def texts(drop: Drop) -> Texts:
        return (
            Texts("", "", "A crawl has the store.") if drop.of_page_id in busy else texts_of(drop)
        )

    with shown(chromium, make_review(log, texts=texts)) as page:
        page.until(lambda: page.texts("main .problem") == ["A crawl has the store."])
        busy.clear()
        page.press("j", "k")
        page.until(lambda: page.texts(".dropped ins") == ["none"] and page.texts("del") == ["0"])


def test_what_comes_from_pages_is_shown_as_text(chromium: Chrome, tmp_path: Path) -> None:
    url = f"http://a.example/{SCRIPT}"
    evil = entry(0, url=url, of="javascript:document.title='taken'", action=SCRIPT)
    log = write_log(tmp_path / "log.jsonl", [evil])
    texts = Texts(dropped=f"{SCRIPT}\nA text.", original=f"A text.\n{SCRIPT}")
    with shown(chromium, make_review(log, texts=lambda _: texts, notes=(SCRIPT,))) as page:
        page.until(lambda: SCRIPT in "".join(page.texts(".dropped .text")))
        assert SCRIPT in "".join(page.texts(".original .text"))
        assert SCRIPT in page.texts(".facts dd")
        assert page.texts("main script, main img, .notes script, .notes img") == []
        assert page.run("[...document.querySelectorAll('main a')].map(one => one.protocol)") == [
            "http:"
        ]
        assert page.find("main a").get_attribute("rel") == "noopener noreferrer"
        assert page.browser.title == "0/1 · Review of drops"


def test_unseen_characters_are_named(chromium: Chrome, tmp_path: Path) -> None:
    url = "http://a.example/\u202egpj.exe"
    log = write_log(tmp_path / "log.jsonl", [entry(0, url=url)])
    texts = Texts(dropped="A te\u200bxt \U0001f37a.", original="A te xt \U0001f37a.")
    with shown(chromium, make_review(log, texts=lambda _: texts)) as page:
        page.until(lambda: page.texts(".dropped ins") == ["\u27e8U+200B\u27e9"])
        assert page.texts(".dropped .text") == ["A te\u27e8U+200B\u27e9xt \U0001f37a."]
        assert page.texts(".dropped .url") == ["http://a.example/\u27e8U+202E\u27e9gpj.exe"]
        assert page.find(".dropped a").get_attribute("href") == "http://a.example/%E2%80%AEgpj.exe"
        assert page.texts("#records .path") == ["/\u27e8U+202E\u27e9gpj.exe"]


def test_the_policy_is_in_force(page: Page) -> None:
    page.run(
        "void (window.blocked = [], addEventListener('securitypolicyviolation',"
        " event => blocked.push(event.effectiveDirective)))"
    )
    page.run("void (document.querySelector('main').innerHTML = '<img src=x onerror=\"taken=1\">')")
    page.run("void fetch('http://localhost:9/').catch(() => {})")
    page.run(
        "void document.body.append(Object.assign(document.createElement('iframe'), {src: '/'}))"
    )
    expected = {"img-src", "script-src-attr", "connect-src", "frame-src"}
    page.until(lambda: set(page.run("blocked")) >= expected)
    assert page.run("typeof taken") == "undefined"
    page.browser.get_log("browser")  # it complains of what was just tried


def test_nothing_is_asked_of_any_other_server_and_nothing_is_complained_of(page: Page) -> None:
    page.press("r", "w", "f", "p")
    page.until(lambda: page.run("document.querySelector('#standing').open"))
    asked = requested(page.browser)
    own = urlsplit(page.address).netloc
    hosts = {urlsplit(url).netloc for url in asked if not url.startswith(("data:", "about:"))}
    assert hosts == {own}
    assert page.browser.get_log("browser") == []


def test_the_address_opens_from_another_site_where_it_was_printed(page: Page) -> None:
    other_site = page.address.replace("127.0.0.1", "localhost")
    page.browser.delete_all_cookies()
    page.browser.get(other_site)
    assert "open the address" in page.find("body").text
    page.run(f"void (location.href = '{page.address}?token={TOKEN}')")
    page.until(lambda: page.run("document.body?.dataset.ready") == "true")
    assert page.browser.current_url == page.address


def test_the_token_does_not_stay_in_the_address(page: Page) -> None:
    assert TOKEN not in page.browser.current_url
    assert page.run("document.cookie") == ""


@pytest.mark.parametrize("width", [390, 320])
def test_nothing_is_wider_than_a_phone(page: Page, width: int) -> None:
    metrics = {"width": width, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    page.browser.refresh()
    page.until(lambda: page.run("document.body?.dataset.ready") == "true")
    assert page.run("document.documentElement.scrollWidth") <= width
    upper, lower = page.run(
        "[...document.querySelectorAll('.sides section')].map(one => one.getBoundingClientRect())"
    )
    assert lower["top"] >= upper["bottom"]


def test_it_is_dark_where_the_system_is(page: Page) -> None:
    prefer(page.browser, "light")
    assert background(page.browser) > 600
    prefer(page.browser, "dark")
    assert background(page.browser) < 150
    prefer(page.browser, "light")
