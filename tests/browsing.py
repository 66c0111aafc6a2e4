"""A headless Chromium for tests of pages, driven by selenium."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def open_browser() -> Iterator[Chrome]:
    """Chromium with an empty profile, which logs its console ("browser") and its network
    ("performance"); where it is missing the test is skipped, or fails if servers are required.
    """
    if missing := _missing():
        message = (
            f"needs {', '.join(missing)} (Debian: apt install chromium chromium-driver; "
            "pip install selenium)"
        )
        required = os.environ.get("CI") or os.environ.get("NEARDUP_REQUIRE_SERVERS") == "1"
        (pytest.fail if required else pytest.skip)(message)
    from selenium.webdriver import Chrome, ChromeOptions, ChromeService

    options = ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for argument in (*ARGUMENTS, f"--user-data-dir={profile}"):
            options.add_argument(argument)
        driver = Chrome(options, ChromeService(shutil.which("chromedriver")))
        try:
            yield driver
        finally:
            driver.quit()


def background(browser: Chrome) -> int:
    """How light the page is, 0 to 765."""
    colour = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    return sum(int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(","))


def prefer(browser: Chrome, scheme: str) -> None:
    """Have the system prefer "light" or "dark"."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def requested(browser: Chrome) -> list[str]:
    """The addresses that pages asked for since the log was last read.

    Left out is what their policy held back, and what the browser's own first tab asks for.
    """
    lines = browser.get_log("performance")
    events = [json.loads(line["message"])["message"] for line in lines]
    held_back = {
        event["params"]["requestId"]
        for event in events
        if event["params"].get("blockedReason") == "csp"
    }
    return [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
        and event["params"]["requestId"] not in held_back
        and not event["params"]["documentURL"].startswith("chrome:")
    ]


def _missing() -> list[str]:
    programs = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    return programs + ([] if find_spec("selenium") else ["selenium"])
