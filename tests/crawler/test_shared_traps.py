"""Two processes on one queue, over a site of traps."""

from __future__ import annotations

import subprocess
from contextlib import ExitStack
from typing import TYPE_CHECKING

from redis_servers import Server, running_server

from benchmarks.measured import PROJECT, crawl_command, crawl_environment
from crawler.demo.traps import TrapServer, content_of, real_urls

if TYPE_CHECKING:
    from pathlib import Path

REQUESTS = 400
FIRST_IN_FIRST_OUT = 105  # Real pages that two processes find at the most without patterns.


def real_pages(folder: Path, server: Server, name: str, **settings: object) -> set[str]:
    """The real pages among the first requests of a crawl by two processes."""
    folder.mkdir()
    settings |= {
        "AUTOTHROTTLE_ENABLED": False,
        "CLOSESPIDER_PAGECOUNT": REQUESTS // 2,
        "EXTENSIONS": "{}",
        "LOG_FILE": folder / "crawl.log",
        "NEARDUP_LOG": folder / "drops.jsonl",
        "NEARDUP_STORE": f"{server.url}?prefix={name}",
        "SHARED_ITEMS": folder / "%(worker)s.jsonl",
        "SHARED_QUEUE": server.url,
        "SHARED_QUEUE_NAME": name,
    }
    environment = crawl_environment("settings.shared")
    with TrapServer() as site, ExitStack() as stack:
        command = crawl_command("shared", {"start": site.url}, settings)
        crawls = [
            subprocess.Popen(command, cwd=PROJECT, env=environment, stderr=subprocess.DEVNULL)
            for _ in range(2)
        ]
        for crawl in crawls:
            stack.callback(crawl.wait)
            stack.callback(crawl.kill)
        assert [crawl.wait(120) for crawl in crawls] == [0, 0]
        asked = site.requests
    assert len(asked) >= REQUESTS
    real = {content_of(url) for url in real_urls()}
    return {content for url in asked[:REQUESTS] if (content := content_of(url)) in real}


def test_two_processes_find_more_real_pages_than_first_in_first_out(
    tmp_path: Path,
) -> None:
    with running_server() as server:
        postponing = real_pages(tmp_path / "postponing", server, "postponing")

    assert len(postponing) > FIRST_IN_FIRST_OUT
