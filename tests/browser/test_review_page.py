"""The review page in a real browser: keys, filters, judgements, and what it never does."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from browsing import background, open_browser, prefer, requested
from made_logs import write_log
from reviewing import TOKEN, entry, make_review, read_log, serving, texts_of

from dedup.review.judgements import Judgements
from dedup.review.records import Drop
from dedup.review.server_texts import Texts

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

WAIT = 20  # seconds, for what takes a moment
SCRIPT = "<script>document.title = 'taken'</script><img src=x onerror=\"document.title = 'taken'\">"


class Page:
    """The review page, open in a browser."""

    def __init__(self, browser: Chrome, address: str) -> None:
        self.browser = browser
        self.address = address
        for log in ("performance", "browser"):
            browser.get_log(log)  # what pages before this one left
        browser.get(f"{address}?token={TOKEN}")
        self.until(lambda: self.run("document.body?.dataset.ready") == "true")

    def run(self, script: str) -> Any:
        return self.browser.execute_script(f"return {script}")

    def until(self, condition: Callable[[], Any]) -> None:
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.browser, WAIT, 0.02).until(lambda _: condition())

    def press(self, *keys: str) -> None:
        for key in keys:
            self.browser.switch_to.active_element.send_keys(key)

    def find(self, selector: str) -> Any:
        return self.browser.find_element("css selector", selector)

    def texts(self, selector: str) -> list[str]:
        return self.run(
            f"[...document.querySelectorAll({json.dumps(selector)})].map(one => one.textContent)"
        )

    @property
    def current(self) -> str:
        """The URL of the record that is shown, and marked in the list."""
        return self.run("document.querySelector('#records [aria-current]')?.title")

    def at(self, number: int) -> None:
        """Wait for a record to be the current one, with its texts."""
        url = str(entry(number)["url"])
        self.until(lambda: self.current == url and url in self.texts(".dropped .url"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Chrome]:
    with open_browser() as running:
        running.set_window_size(1280, 900)
        yield running


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write_log(tmp_path / "site.jsonl", map(entry, range(120)))


@pytest.fixture
def page(browser: Chrome, log: Path) -> Iterator[Page]:
    with serving(make_review(log)) as address:
        yield Page(browser, address)
        browser.get("about:blank")


def judged(log: Path) -> dict[int, str]:
    """What the file says, by number of the record."""
    judgements = Judgements([log])
    verdicts = ((number, judgements.of(drop)) for number, drop in enumerate(read_log(log)))
    return {number: verdict for number, verdict in verdicts if verdict}


def test_keys_move_through_the_records(page: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    page.at(0)
    page.press("j", Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    page.at(3)
    page.press("k", Keys.ARROW_UP)
    page.at(1)


def test_a_verdict_is_on_disk_and_the_next_record_is_shown(page: Page, log: Path) -> None:
    page.press("r")
    page.at(1)
    page.press("w")
    page.at(2)
    page.press("u")
    page.at(3)
    page.until(lambda: page.find("#status").text == "Judged unsure, stored.")
    assert judged(log) == {0: "right", 1: "wrong", 2: "unsure"}
    assert page.texts("#records .mark")[:4] == ["✓", "✕", "?", ""]
    assert "3 of 120 records judged · precision 50.0" in page.find("#headline").text


def test_fast_fingers_lose_no_verdict(page: Page, log: Path) -> None:
    page.press("rrwwurrrrr")
    page.at(10)
    assert list(judged(log).values()) == ["right"] * 2 + ["wrong"] * 2 + ["unsure"] + ["right"] * 5


@pytest.fixture
def gapped(browser: Chrome, log: Path) -> Iterator[Page]:
    """The page of a log whose record 1 the server cannot show."""

    def texts(drop: Drop) -> Texts:
        if drop.of_page_id == 2:
            raise RuntimeError
        return texts_of(drop)

    with serving(make_review(log, texts=texts)) as address:
        yield Page(browser, address)
        browser.get("about:blank")


def test_a_verdict_is_told_as_stored_though_the_next_record_cannot_be_shown(
    gapped: Page, log: Path
) -> None:
    gapped.press("r")
    gapped.until(lambda: "Judged right, stored." in gapped.find("#status").text)
    assert "This record cannot be shown" in gapped.find("#status").text
    assert judged(log) == {0: "right"}


def test_nothing_is_judged_while_no_pair_is_shown(gapped: Page, log: Path) -> None:
    gapped.press("j")
    gapped.until(lambda: "This record cannot be shown" in gapped.find("main .empty").text)
    assert gapped.texts(".dropped") == []
    assert not gapped.find("[data-verdict=wrong][aria-pressed]").is_enabled()
    gapped.press("w")
    gapped.until(lambda: "Not done: no pair is shown" in gapped.find("#status").text)
    assert judged(log) == {}
    gapped.press("j")
    gapped.at(2)
    gapped.press("w")
    gapped.at(3)
    assert judged(log) == {2: "wrong"}


def test_a_verdict_is_told_as_stored_though_the_next_page_of_records_is_not_had(
    page: Page, log: Path
) -> None:
    page.press("k" + "j" * 49)
    page.at(49)
    page.run("void (fetch = ((ask) => (path, words) => words.method ? ask(path, words)"
             " : Promise.reject(new Error('gone')))(fetch))")  # fmt: skip
    page.press("w")
    told = "Judged wrong, stored. Not moved on: the server does not answer"
    page.until(lambda: page.find("#status").text.startswith(told))
    assert judged(log) == {49: "wrong"}


def test_a_key_held_down_judges_one_record(page: Page, log: Path) -> None:
    page.at(0)
    for held in (False, True, True):
        key = {"type": "keyDown", "key": "r", "text": "r", "autoRepeat": held}
        page.browser.execute_cdp_cmd("Input.dispatchKeyEvent", key)
    page.at(1)
    page.press("j")
    page.at(2)
    assert judged(log) == {0: "right"}


def test_the_last_verdict_is_undone(page: Page, log: Path) -> None:
    page.press("w", "r", "z")
    page.until(lambda: page.find("#status").text == "Undone: it is not judged.")
    page.at(1)
    assert judged(log) == {0: "wrong"}
    page.press("z")
    page.at(0)
    assert judged(log) == {}


@pytest.mark.parametrize("width", [1280, 600])
def test_long_texts_are_scrolled_by_key_from_the_list(
    browser: Chrome, log: Path, width: int
) -> None:
    from selenium.webdriver.common.keys import Keys

    long = Texts("One line.\n" * 100, "Another line.\n" * 100)
    browser.set_window_size(width, 900)
    try:
        with serving(make_review(log, texts=lambda _: long)) as address:
            page = Page(browser, address)
            tops = []
            for key in ("f", Keys.PAGE_DOWN, Keys.PAGE_UP):
                page.press(key)
                place = "document.querySelector('main .sides').getBoundingClientRect().top"
                tops.append(page.run(place))
            assert 400 < tops[0] - tops[1] < 900
            assert tops[2] == tops[0]
            browser.get("about:blank")
    finally:
        browser.set_window_size(1280, 900)


def test_buttons_do_what_keys_do(page: Page, log: Path) -> None:
    page.find("[data-verdict=wrong][aria-pressed]").click()
    page.at(1)
    page.find("#back").click()
    page.at(0)
    assert page.find("[data-verdict=wrong][aria-pressed]").get_attribute("aria-pressed") == "true"
    page.find("#undo").click()
    page.until(lambda: judged(log) == {})


def test_a_page_of_records_follows_the_last_one(page: Page) -> None:
    page.press("j" * 50)
    page.at(50)
    assert page.find("#place").text == "Records 51–100 of 120"
    page.press("k")
    page.at(49)
    assert page.find("#place").text == "Records 1–50 of 120"


def test_a_filter_narrows_the_records_and_keys_typed_in_it_judge_nothing(
    page: Page, log: Path
) -> None:
    from selenium.webdriver.common.keys import Keys

    page.press("/", "ORIGIN.example/page/11")
    page.until(lambda: page.find("#place").text == "Records 1–11 of 11")
    assert judged(log) == {}
    page.press(Keys.ESCAPE)
    page.press("w")
    page.at(110)
    assert judged(log) == {11: "wrong"}
    assert "text=ORIGIN.example" in page.browser.current_url


def test_a_bad_filter_is_told(page: Page) -> None:
    page.find("#more summary").click()
    page.find("[name=min]").send_keys("7")
    page.until(lambda: "min must be a similarity" in page.find("#filter-problem").text)


def test_what_differs_is_marked_on_its_side(page: Page) -> None:
    assert page.texts(".original del") == ["0"]
    assert page.texts(".dropped ins") == ["none"]
    assert page.texts(".original ins, .dropped del") == []


def test_a_text_that_could_not_be_had_is_asked_for_again(browser: Chrome, log: Path) -> None:
    busy = {1}

    def texts(drop: Drop) -> Texts:
        return (
            Texts("", "", "A crawl has the store.") if drop.of_page_id in busy else texts_of(drop)
        )

    with serving(make_review(log, texts=texts)) as address:
        page = Page(browser, address)
        page.until(lambda: page.texts("main .problem") == ["A crawl has the store."])
        busy.clear()
        page.press("j", "k")
        page.until(lambda: page.texts(".dropped ins") == ["none"] and page.texts("del") == ["0"])
        browser.get("about:blank")


def test_what_others_judged_meanwhile_is_restored_when_asked_for_again(
    page: Page, log: Path
) -> None:
    page.press("w")
    page.at(1)
    page.run(
        "fetch('/api/records/5/judgement', {method: 'POST', body: '{\"verdict\": \"wrong\"}',"
        " headers: {'Content-Type': 'application/json'}}).then((answer) => answer.ok)"
    )
    for told in ("Not done: 2 drops are judged wrong by now", "2 restored into "):
        page.find("#show-restore").click()
        page.find("#restore-yes").click()
        page.until(lambda start=told: page.find("#status").text.startswith(start))
    assert log.with_name("restored.txt").read_text().count("\n") == 2


def test_the_wrong_ones_are_restored_once_confirmed(page: Page, log: Path) -> None:
    page.press("w", "r", "w")
    page.at(3)
    file = log.with_name("restored.txt")
    button = page.find("#show-restore")
    assert button.text == "Restore 2 wrong"
    button.click()
    assert page.find("#restore-text").text == "2 judged wrong are put back as items."
    page.find("#restore [value=no]").click()
    assert not file.exists()
    button.click()
    page.find("#restore-yes").click()
    page.until(lambda: page.find("#status").text.startswith("2 restored into "))
    assert file.read_text().splitlines() == [entry(0)["url"], entry(2)["url"]]


def test_keys_do_nothing_while_a_dialog_is_open_or_they_are_off(page: Page, log: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    page.press("?", "w")
    page.find("#keys-on").click()
    page.press(Keys.ESCAPE)
    page.press("w", "j")
    page.find("#forth").click()
    page.at(1)
    assert judged(log) == {}


def test_what_comes_from_pages_is_shown_as_text(browser: Chrome, tmp_path: Path) -> None:
    url = f"http://a.example/{SCRIPT}"
    evil = entry(0, url=url, of="javascript:document.title='taken'", reason=SCRIPT)
    log = write_log(tmp_path / "log.jsonl", [evil])
    texts = Texts(dropped=f"{SCRIPT}\nA text.", original=f"A text.\n{SCRIPT}")
    with serving(make_review(log, texts=lambda _: texts, notes=(SCRIPT,))) as address:
        page = Page(browser, address)
        page.until(lambda: SCRIPT in "".join(page.texts(".dropped .text")))
        assert SCRIPT in "".join(page.texts(".original .text"))
        assert SCRIPT in page.texts(".facts dd")
        assert page.texts("main script, main img, .notes script, .notes img") == []
        assert page.run("[...document.querySelectorAll('main a')].map(one => one.protocol)") == [
            "http:"
        ]
        assert page.find("main a").get_attribute("rel") == "noopener noreferrer"
        assert page.browser.title == "0/1 · Review of drops"
        browser.get("about:blank")


def test_unseen_characters_are_named(browser: Chrome, tmp_path: Path) -> None:
    url = "http://a.example/\u202egpj.exe"
    log = write_log(tmp_path / "log.jsonl", [entry(0, url=url)])
    texts = Texts(dropped="A te\u200bxt \U0001f37a.", original="A te xt \U0001f37a.")
    with serving(make_review(log, texts=lambda _: texts)) as address:
        page = Page(browser, address)
        page.until(lambda: page.texts(".dropped ins") == ["\u27e8U+200B\u27e9"])
        assert page.texts(".dropped .text") == ["A te\u27e8U+200B\u27e9xt \U0001f37a."]
        assert page.texts(".dropped .url") == ["http://a.example/\u27e8U+202E\u27e9gpj.exe"]
        assert page.find(".dropped a").get_attribute("href") == "http://a.example/%E2%80%AEgpj.exe"
        assert page.texts("#records .path") == ["/\u27e8U+202E\u27e9gpj.exe"]
        browser.get("about:blank")


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
    try:
        page.browser.refresh()
        page.until(lambda: page.run("document.body?.dataset.ready") == "true")
        assert page.run("document.documentElement.scrollWidth") <= width
        upper, lower = page.run(
            "[...document.querySelectorAll('.sides section')]"
            ".map(one => one.getBoundingClientRect())"
        )
        assert lower["top"] >= upper["bottom"]
    finally:
        page.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_it_is_dark_where_the_system_is(page: Page) -> None:
    prefer(page.browser, "light")
    assert background(page.browser) > 600
    prefer(page.browser, "dark")
    assert background(page.browser) < 150
    prefer(page.browser, "light")
