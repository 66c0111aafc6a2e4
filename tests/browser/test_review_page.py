"""The review page in a real browser: keys, filters and judgements."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from made_logs import write_log
from review_pages import Page, shown
from reviewing import entry, make_review, read_log, texts_of

from dedup.review.differences import Texts
from dedup.review.judgements import Judgements
from dedup.review.records import Drop

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write_log(tmp_path / "site.jsonl", map(entry, range(120)))


@pytest.fixture
def page(chromium: Chrome, log: Path) -> Iterator[Page]:
    with shown(chromium, make_review(log)) as page:
        yield page


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
def gapped(chromium: Chrome, log: Path) -> Iterator[Page]:
    """The page of a log whose record 1 the server cannot show."""

    def texts(drop: Drop) -> Texts:
        if drop.of_page_id == 2:
            raise RuntimeError
        return texts_of(drop)

    with shown(chromium, make_review(log, texts=texts)) as page:
        yield page


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
    assert page.find("#undo").is_enabled()
    page.press("z")
    page.at(0)
    assert judged(log) == {}
    page.until(lambda: not page.find("#undo").is_enabled())


def test_a_verdict_that_replaced_another_is_undone_to_that_one(page: Page, log: Path) -> None:
    page.press("r")
    page.at(1)
    page.press("k", "w")
    page.at(1)
    assert judged(log) == {0: "wrong"}
    page.press("z")
    page.until(lambda: page.find("#status").text == "Undone: it is right again.")
    assert judged(log) == {0: "right"}
    for verdict, pressed in (("right", "true"), ("wrong", "false")):
        button = page.find(f"[data-verdict={verdict}][aria-pressed]")
        assert button.get_attribute("aria-pressed") == pressed


def test_what_is_undone_is_shown_though_another_page_of_records_is(page: Page, log: Path) -> None:
    page.press("j" * 49)
    page.at(49)
    page.press("w")
    page.at(50)
    page.press("z")
    page.at(49)
    assert judged(log) == {}


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


def test_records_of_one_relation_are_chosen_from_those_that_there_are(
    chromium: Chrome, tmp_path: Path
) -> None:
    relations = ["edited", "contained", "edited"]
    entries = [entry(number, relation=name) for number, name in enumerate(relations)]
    with shown(chromium, make_review(write_log(tmp_path / "log.jsonl", entries))) as page:
        page.find("#more summary").click()
        assert page.texts("[name=relation] option") == ["all", "edited", "contained"]
        page.find("[name=relation]").send_keys("contained")
        page.until(lambda: page.find("#place").text == "Records 1–1 of 1")
        page.at(1)


def test_a_bad_filter_is_told(page: Page) -> None:
    page.find("#more summary").click()
    page.find("[name=min]").send_keys("7")
    page.until(lambda: "min must be a similarity" in page.find("#filter-problem").text)


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
