"""The report in a real browser: offline, silent, and safe whatever a page called itself."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from browsing import background, prefer, requested
from made_logs import entry, texts_with, write_log

from dedup.config import Config
from dedup.review.records import Drop, read_drops
from dedup.review.report import Report, render_report
from dedup.review.report_figures import sum_up
from dedup.review.report_samples import Kin, KinFound, make_sample
from dedup.verdict import Relation

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

SCRIPT = "<script>document.title = 'run'</script>"
IMAGE = "<img src=x onerror=\"document.title = 'run'\">"
LONG = "http://long.example/" + "a" * 900


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a report with everything in it that may go wrong."""
    entries = [
        entry(0, item={"title": SCRIPT, "text": f"{IMAGE}\nOne paragraph."}),
        entry(1, item={"title": "水库", "text": "水库的水位在春天升高，渔民们把船拖到岸上。" * 20}),
        entry(2, url=LONG, of=LONG + "b", item={"text": "unbroken" * 400}),
        entry(3, spider=SCRIPT, relation="equal", action=IMAGE, same_host=True),
    ]
    folder = tmp_path_factory.mktemp("report")
    lines = list(read_drops(write_log(folder / "drops.jsonl", entries, "damage\n")))
    drops = [line for line in lines if isinstance(line, Drop)]
    kin = KinFound((Kin(LONG, "http://b.example/", Relation.GROWN, 0.4, 0.6),), 9, 9)
    report = Report(
        sum_up([SCRIPT], drops, [line for line in lines if not isinstance(line, Drop)]),
        [make_sample(drop, texts_with(f"{SCRIPT}\nAnother.")) for drop in drops],
        kin,
        Config(),
        datetime(2026, 11, 21, tzinfo=UTC),
    )
    file = folder / "report.html"
    file.write_text(render_report(report), encoding="utf-8")
    return file.as_uri()


@pytest.fixture
def browser(chromium: Chrome, page: str) -> Chrome:
    """Chromium showing the report, its logs empty but for what that brought."""
    for name in ("browser", "performance"):
        chromium.get_log(name)
    chromium.get(page)
    return chromium


def test_it_opens_without_a_word_and_asks_for_nothing(browser: Chrome, page: str) -> None:
    assert browser.get_log("browser") == []
    assert [url for url in requested(browser) if not url.startswith("data:")] == [page]


def test_a_script_in_a_title_is_text(browser: Chrome) -> None:
    assert browser.title.startswith("Near-duplicates: ")
    assert SCRIPT in browser.execute_script("return document.body.textContent")
    assert browser.execute_script("return document.scripts.length + document.images.length") == 0


def test_the_policy_keeps_scripts_and_images_out(browser: Chrome) -> None:
    browser.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "let left = 2;"
        "addEventListener('securitypolicyviolation', () => { left -= 1; left || done(); });"
        "const box = document.createElement('div');"
        "document.body.append(box);"
        "box.innerHTML = `<img src='data:,x' onerror=\"document.title = 'run'\">"
        "<img src='http://127.0.0.1:9/'>`;"
    )
    blocked = [line["message"] for line in browser.get_log("browser")]
    assert any("Content Security Policy" in line and "inline event" in line for line in blocked)
    assert browser.title != "run"
    assert not [url for url in requested(browser) if url.startswith("http")]


def test_it_is_dark_where_dark_is_preferred(browser: Chrome) -> None:
    prefer(browser, "light")
    assert background(browser) > 700
    prefer(browser, "dark")
    assert background(browser) < 150
    ink = "return getComputedStyle(document.querySelector('svg text')).fill"
    dark = browser.execute_script(ink)
    prefer(browser, "light")
    assert browser.execute_script(ink) != dark


def test_the_reader_may_choose_otherwise(browser: Chrome) -> None:
    prefer(browser, "dark")
    browser.find_element("id", "light").click()
    assert background(browser) > 700
    browser.find_element("id", "dark").click()
    prefer(browser, "light")
    assert background(browser) < 150


def open_all(browser: Chrome) -> None:
    browser.execute_script("document.querySelectorAll('details').forEach(part => part.open = true)")


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_nothing_is_wider_than_the_page(browser: Chrome, width: int) -> None:
    size = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    open_all(browser)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    wide = browser.execute_script(
        "return [...document.querySelectorAll('body *')]"
        ".filter(part => !part.closest('.scroll, svg, .skip'))"
        ".filter(part => part.getBoundingClientRect().right > innerWidth + 1)"
        ".map(part => part.outerHTML.slice(0, 99))"
    )
    assert wide == []


def test_the_keyboard_reaches_every_part(browser: Chrome) -> None:
    from selenium.webdriver import ActionChains, Keys

    seen = []
    for _ in range(80):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        seen.append(
            browser.execute_script(
                "const now = document.activeElement, part = now.closest('section');"
                "return part ? part.id : now.className || now.closest('nav, fieldset')?.tagName"
            )
        )
    order = list(dict.fromkeys(seen))
    assert order[:3] == ["skip", "FIELDSET", "NAV"]
    parts = ["hosts", "repeated", "clusters", "samples", "kin", "settings", "damage"]
    assert [part for part in order if part in parts] == parts


def test_the_skip_link_is_seen_once_reached_and_leads_to_the_report(browser: Chrome) -> None:
    from selenium.webdriver import ActionChains, Keys

    ActionChains(browser).send_keys(Keys.TAB).perform()
    assert browser.execute_script("return document.activeElement.getBoundingClientRect().top") >= 0
    ActionChains(browser).send_keys(Keys.ENTER).perform()
    assert browser.execute_script("return document.activeElement.id") == "main"


def test_a_sample_opens_by_key(browser: Chrome) -> None:
    from selenium.webdriver import Keys

    summary = browser.find_elements("css selector", "#samples summary")[-1]
    opened = "return arguments[0].parentElement.open"
    assert not browser.execute_script(opened, summary)
    summary.send_keys(Keys.ENTER)
    assert browser.execute_script(opened, summary)


def test_every_image_of_figures_and_every_table_has_a_name(browser: Chrome) -> None:
    names = browser.execute_script(
        "return [...document.querySelectorAll('[role=img]')].map(one => one.ariaLabel)"
    )
    assert len(names) == 3
    assert all(names)
    assert browser.execute_script(
        "return [...document.querySelectorAll('table')].every(one => one.caption.textContent)"
    )
