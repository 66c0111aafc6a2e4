"""Jobs of a real Scrapyd: neither two of one spider nor two projects lose or share anything."""

from __future__ import annotations

import io
import os
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests
from crawling import ROOT, SETTINGS, Web, article, environment
from waiting import PATIENCE, wait_until

# Scrapyd needs an older setuptools than the rest, so `make scrapyd` puts both in a folder.
INSTALLED = Path(sys.prefix, "scrapyd")
SPIDER = """
from scrapy import Spider

class Pages(Spider):
    name = "pages"

    def __init__(self, start, **words):
        super().__init__(**words)
        self.start_urls = [start]

    def parse(self, response):
        yield {"url": response.url}
        yield from response.follow_all(css="li a")
"""


def egg(project: str) -> bytes:
    """A project as `scrapyd-deploy` packs it."""
    settings = SETTINGS | {"SPIDER_MODULES": [f"{project}.spiders"], "BOT_NAME": project}
    files = {
        f"{project}/__init__.py": "",
        f"{project}/settings.py": "".join(f"{name} = {of!r}\n" for name, of in settings.items()),
        f"{project}/spiders/__init__.py": "",
        f"{project}/spiders/pages.py": SPIDER,
        "EGG-INFO/PKG-INFO": f"Metadata-Version: 1.0\nName: {project}\nVersion: 1\n",
        "EGG-INFO/entry_points.txt": f"[scrapy]\nsettings = {project}.settings\n",
        "EGG-INFO/top_level.txt": f"{project}\n",
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return packed.getvalue()


@dataclass
class Scrapyd:
    """A running server."""

    folder: Path
    address: str

    def post(self, action: str, files: Any = None, **fields: str) -> dict[str, Any]:
        answer = requests.post(f"{self.address}/{action}.json", fields, files=files, timeout=30)
        reply: dict[str, Any] = answer.json()
        assert reply["status"] == "ok", reply
        return reply

    def deploy(self, project: str) -> None:
        self.post("addversion", {"egg": egg(project)}, project=project, version="1")

    def schedule(self, project: str, start: str) -> Path:
        """Start a job; returns the feed that it writes."""
        feed = self.folder / f"{project}-{time.monotonic_ns()}.txt"
        setting = f'FEEDS={{"{feed}": {{"format": "csv"}}}}'
        self.post("schedule", project=project, spider="pages", start=start, setting=setting)
        return feed

    def wait(self, jobs: int) -> None:
        """Wait until so many jobs have ended."""

        def have_ended() -> bool:
            reply = requests.get(f"{self.address}/listjobs.json", timeout=30).json()
            return len(reply["finished"]) >= jobs

        wait_until(have_ended, f"{jobs} jobs have ended")


@pytest.fixture
def scrapyd(tmp_path: Path) -> Iterator[Scrapyd]:
    if not INSTALLED.exists():
        assert "NEARDUP_REQUIRE_SERVERS" not in os.environ, f"no Scrapyd in {INSTALLED}"
        pytest.skip("Scrapyd is not installed; in this repository: make scrapyd")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (tmp_path / "scrapyd.conf").write_text(
        f"[scrapyd]\nhttp_port = {port}\nbind_address = 127.0.0.1\npoll_interval = 0.1\n"
        "max_proc = 4\n"
    )
    environ = environment()
    environ["PYTHONPATH"] = os.pathsep.join((str(INSTALLED), str(ROOT)))
    log = os.open(tmp_path / "scrapyd.log", os.O_WRONLY | os.O_CREAT)
    server = subprocess.Popen(
        [sys.executable, "-m", "scrapyd"],
        cwd=tmp_path,
        env=environ,
        stdout=log,
        stderr=log,
    )
    os.close(log)
    running = Scrapyd(tmp_path, f"http://127.0.0.1:{port}")

    def answers() -> bool:
        assert server.poll() is None, (tmp_path / "scrapyd.log").read_text()
        with suppress(requests.ConnectionError):
            return requests.get(f"{running.address}/daemonstatus.json", timeout=5).ok
        return False

    try:
        wait_until(answers, "Scrapyd answers")
        yield running
    finally:
        server.terminate()
        server.wait(PATIENCE)


def exported(feed: Path) -> list[str]:
    return sorted(feed.read_text().split()[1:])


def test_two_jobs_of_one_project_at_once_both_export_all(scrapyd: Scrapyd, web: Web) -> None:
    web.pages = {"/a": article("tides", "/b"), "/b": article("bread", "/c"), "/c": article("moors")}
    go_on = web.hold("/b", 2 * PATIENCE)  # the first job is amid its crawl when the second begins
    scrapyd.deploy("news")

    first = scrapyd.schedule("news", web.url("/a"))
    wait_until(lambda: web.requests.count("/b") == 1, "a job asks for /b")
    second = scrapyd.schedule("news", web.url("/a"))
    wait_until(lambda: web.requests.count("/b") == 2, "two jobs ask for /b")
    go_on.set()
    scrapyd.wait(2)

    assert exported(first) == exported(second) == web.urls("/a", "/b", "/c")
    logs = [path.read_text() for path in scrapyd.folder.glob("logs/news/pages/*.log")]
    warnings = [log.count("Another process uses the store") for log in logs]
    assert sorted(warnings) == [0, 1]


def test_two_projects_share_neither_store_nor_logs(scrapyd: Scrapyd, web: Web) -> None:
    web.pages = {"/a": article("tides", "/b"), "/b": article("tides", edits=1)}
    for project in ("news", "shop"):
        scrapyd.deploy(project)

    feeds = []
    for number, project in enumerate(("news", "shop"), start=1):
        feeds.append(scrapyd.schedule(project, web.url("/a")))
        scrapyd.wait(number)

    assert [exported(feed) for feed in feeds] == [web.urls("/a")] * 2
    for project in ("news", "shop"):
        names = sorted(
            path.name for path in (scrapyd.folder / ".scrapy/neardup" / project).iterdir()
        )
        assert names[0].startswith("drops-pages-")
        assert names[1:] == ["store-pages"]
