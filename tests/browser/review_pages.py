"""The review page, served and open in a browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from reviewing import TOKEN, entry, serving

from dedup.review.server import Review

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

WAIT = 20  # seconds, for what takes a moment


@contextmanager
def shown(browser: Chrome, review: Review) -> Iterator[Page]:
    """The page of a review, until the end of a ``with``."""
    with serving(review) as address:
        yield Page(browser, address)
        browser.get("about:blank")


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
