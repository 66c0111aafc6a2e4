"""Sites on the loopback, and crawls of them by the site spider in processes of their own."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, NamedTuple

import crawling
import forking
from crawling import ROOT, Reply, Web

if TYPE_CHECKING:
    from pathlib import Path

# The spider alone, at full speed: nothing of the extension and no politeness towards loopback.
SETTINGS = {
    "ADDONS": {},
    "ITEM_PIPELINES": {},
    "DOWNLOADER_MIDDLEWARES": {},
    "SPIDER_MIDDLEWARES": {},
    "EXTENSIONS": {},
    "AUTOTHROTTLE_ENABLED": False,
    "DOWNLOAD_DELAY": 0,
    "HTTPCACHE_ENABLED": False,
    "ROBOTSTXT_OBEY": True,
    "TELNETCONSOLE_ENABLED": False,
    "FEEDS": {"items.jsonl": {"format": "jsonlines", "encoding": "utf8", "overwrite": True}},
}
PARAGRAPH = (
    "The harbour was quiet that morning, and the fishermen who had stayed ashore mended their "
    "nets and talked about the weather, the price of diesel and the long winter behind them. "
)


class Site(Web):
    """A loopback web with the given pages to begin with."""

    def __init__(self, pages: dict[str, str | Reply] | None = None) -> None:
        super().__init__()
        self.pages |= pages or {}

    def pages_asked(self) -> list[str]:
        return [path for path in self.requests if path not in {"/robots.txt", "/sitemap.xml"}]


class Result(NamedTuple):
    """What a crawl exported, counted and wrote."""

    items: list[dict]
    stats: dict
    stdout: str
    stderr: str

    @property
    def urls(self) -> list[str]:
        return sorted(item["url"] for item in self.items)


def page(*links: str, title: str = "A page", text: str = "Short.", lang: str = "en") -> str:
    """An HTML page with the given links; by default too short a text to load languages for."""
    anchors = "".join(f'<li><a href="{link}">&rarr;</a></li>' for link in links)
    return (
        f'<!doctype html><html lang="{lang}"><head><title>{title}</title></head>'
        f"<body><main><h1>{title}</h1><p>{text}</p></main><ul>{anchors}</ul></body></html>"
    )


def environment() -> dict[str, str]:
    """The environment of a process that can import the project and writes to a terminal."""
    return crawling.environment() | {"TERM": "xterm"}


def command(folder: Path, settings: dict | None = None, **arguments: str) -> list[str]:
    """The module and argument that crawl in ``folder``, which gets its own scrapy.cfg."""
    shutil.copy(ROOT / "scrapy.cfg", folder)
    job = {"settings": SETTINGS | (settings or {}), "arguments": arguments}
    return ["tests.crawler.driving", json.dumps(job)]


def run_apart(folder: Path, words: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command in ``folder``, to its end."""
    return subprocess.run(
        words,
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def crawl(folder: Path, settings: dict | None = None, **arguments: str) -> Result:
    """Crawl in a process of its own, to the end."""
    done = forking.run(command(folder, settings, **arguments), folder, environment())
    assert done.returncode == 0, done.stderr
    feed = folder / "items.jsonl"
    lines = feed.read_text(encoding="utf-8").splitlines() if feed.exists() else []
    stats = json.loads((folder / "stats.json").read_text())
    return Result([json.loads(line) for line in lines], stats, done.stdout, done.stderr)
