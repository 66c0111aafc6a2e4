"""Progress and summary of real crawls: on a terminal, without one, and switched off."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.test import get_crawler

from crawler.progress import Progress
from tests.crawler.sites import Reply, Site, command, crawl, environment, page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PROGRESS = {"EXTENSIONS": {"crawler.progress.Progress": 500}}
SUMMARY = {"EXTENSIONS": {"crawler.summary.Summary": 500}}
ERASE_LINE = "\x1b[2K"


@pytest.fixture
def linked_site() -> Iterator[Site]:
    """A site of two pages, of which the first links to the second."""
    with Site({"/": page("/held"), "/held": page()}) as site:
        yield site


def start(folder: Path, stderr: int, settings: dict, site: Site) -> subprocess.Popen[bytes]:
    """Begin a crawl; whoever reads stderr decides when it goes on."""
    return subprocess.Popen(
        [sys.executable, "-m", *command(folder, PROGRESS | settings, start=site.url())],
        cwd=folder,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=stderr,
    )


def read_until(descriptor: int, text: bytes, seen: bytes = b"") -> bytes:
    """Read until ``text`` has been seen; all of it for an empty ``text``. Fails at the end."""
    while not text or text not in seen:
        try:
            chunk = os.read(descriptor, 65536)
        except OSError:  # how a pseudo-terminal says that the other side is closed
            chunk = b""
        if not chunk:
            assert not text, f"{text!r} never came in: {seen.decode()}"
            return seen
        seen += chunk
    return seen


def shown_lines(raw: str) -> list[str]:
    """The lines that a terminal shows after all the output, however long they are."""
    rows, row, column = [""], 0, 0
    for token in re.split(r"(\r|\n|\x1b\[\??\d*[A-Za-z])", raw):
        if token == "\r":
            column = 0
        elif token == "\n":
            row += 1
            rows += [""] * (row + 1 - len(rows))
        elif token == ERASE_LINE:
            rows[row] = ""
        elif token.startswith("\x1b[") and token.endswith("A"):
            row -= int(token[2:-1] or 1)
        elif not token.startswith("\x1b["):
            rows[row] = rows[row][:column].ljust(column) + token + rows[row][column + len(token) :]
            column += len(token)
    return rows


def test_on_a_terminal_one_live_line_stays_below_the_log(tmp_path: Path, linked_site: Site) -> None:
    gate = linked_site.hold("/held")
    master, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    # The interval is that of log lines: it plays no part here.
    process = start(
        tmp_path, terminal, {"PROGRESS_INTERVAL": 3600, "LOG_LEVEL": "DEBUG"}, linked_site
    )
    os.close(terminal)
    seen = read_until(master, b"1 items, 0 near-duplicates, 0 revisits, 0 queued")
    gate.set()
    raw = read_until(master, b"", seen).decode()
    os.close(master)
    assert process.wait(30) == 0

    assert re.search(rf"{re.escape(ERASE_LINE)}1 pages \(\d+\.\d/s\), 1 items", raw)
    shown = shown_lines(raw)
    assert not [line for line in shown if "near-duplicates" in line], "the live line is gone"
    (crawled,) = [line for line in shown if f"<GET {linked_site.url('/held')}>" in line]
    assert re.fullmatch(
        rf"[-\d]+ [:\d]+ \[scrapy\.core\.engine\] DEBUG: Crawled \(200\) "
        rf"<GET {linked_site.url('/held')}> \(referer: {linked_site.url()}\)",
        crawled,
    )
    assert len(crawled) > 100, "longer than the terminal is wide, and still one line"
    assert any("Spider closed (finished)" in line for line in shown)


def test_without_a_terminal_the_log_gets_a_line_each_interval(
    tmp_path: Path, linked_site: Site
) -> None:
    gate = linked_site.hold("/held")
    process = start(tmp_path, subprocess.PIPE, {"PROGRESS_INTERVAL": "0.05"}, linked_site)
    assert process.stderr is not None
    figures = b"1 items, 0 near-duplicates, 0 revisits, 0 queued\n"
    seen = read_until(process.stderr.fileno(), figures)
    gate.set()
    log = read_until(process.stderr.fileno(), b"", seen).decode()
    assert process.wait(30) == 0
    process.stderr.close()
    assert re.search(r"\[crawler\.progress\] INFO: 1 pages \(\d+\.\d/s\), 1 items, ", log)
    assert ERASE_LINE not in log


def test_progress_can_be_switched_off(tmp_path: Path) -> None:
    with Site({"/": page()}) as site:
        off = PROGRESS | {"PROGRESS_ENABLED": "False", "PROGRESS_INTERVAL": "never"}
        result = crawl(tmp_path, off, start=site.url())
        assert len(result.items) == 1
        assert "[crawler.progress]" not in result.stderr
        assert "WARNING" not in result.stderr


@pytest.mark.parametrize("value", ["never", "0", "-1", "inf", "nan"])
def test_a_bad_interval_is_named(value: str) -> None:
    crawler = get_crawler(settings_dict={"PROGRESS_INTERVAL": value})
    with pytest.raises(ValueError, match=f"PROGRESS_INTERVAL must be .*; got '{value}'"):
        Progress.from_crawler(crawler)


LATE_STATS = """
from scrapy import signals

class Late:
    '''Counts as the near-duplicate extension does, some of it only when the spider closes.'''
    @classmethod
    def from_crawler(cls, crawler):
        extension = cls()
        extension.stats = crawler.stats
        crawler.signals.connect(extension.spider_closed, signal=signals.spider_closed)
        return extension

    async def spider_closed(self):
        counts = {"checked": 9, "new": 4, "duplicates": 2, "revisits": 1,
                  "skipped/too_short": 1, "skipped/no_text": 1,
                  "urls/downloads": 5_000, "urls/repeats": 1_250, "urls/wasted_bytes": 47_753,
                  "urls/skipped": 1_300, "urls/not_downloaded": 1_200, "urls/sampled": 60,
                  "urls/saved_bytes": 4_560_000, "urls/postponed": 7_000,
                  "skip_log": "skipped-drops.jsonl",
                  "drop_log": "[red]drops[/red]\\x1b]0;x\\x07.jsonl"}
        for name, value in counts.items():
            self.stats.set_value(f"neardup/{name}", value)
"""


def table(stdout: str) -> dict[str, str]:
    """The rows of a printed summary."""
    rows = (re.split(r"  +", line.strip(), maxsplit=1) for line in stdout.splitlines())
    return dict(row for row in rows if len(row) == 2)


def test_the_summary_says_what_became_of_the_pages(tmp_path: Path) -> None:
    (tmp_path / "late.py").write_text(LATE_STATS)
    extensions = SUMMARY["EXTENSIONS"] | {"late.Late": 900}
    robots = Reply(b"User-agent: *\nDisallow:\n", content_type="text/plain")
    with Site({"/": page("/b", "/gone"), "/b": page(), "/robots.txt": robots}) as site:
        result = crawl(tmp_path, {"EXTENSIONS": extensions}, start=site.url())
    rows = table(result.stdout)
    elapsed, rate = rows.pop("elapsed"), rows.pop("pages/s")
    assert rows == {
        "pages fetched": "3",
        "pages checked": "9",
        "new": "4",
        "near-duplicates": "2",
        "revisits": "1",
        "pages without verdict": "2",
        "items exported": "2",
        "downloads that brought nothing new": "1,250 (25%), 47.8 kB",
        "requests not downloaded": "1,200, about 4.6 MB saved",
        "sampled": "60",
        "postponed": "7,000",
        "errors": "0",
        "finish reason": "finished",
        "feed": "items.jsonl",
        "drop log": "[red]drops[/red]\N{REPLACEMENT CHARACTER}]0;x\N{REPLACEMENT CHARACTER}.jsonl",
        "log of skipped requests": "skipped-drops.jsonl",
    }
    assert re.fullmatch(r"\d+\.\d s", elapsed)
    assert float(rate) > 0
    assert result.stdout.count("finish reason") == 1


def test_the_summary_keeps_off_a_stdout_that_holds_the_items(tmp_path: Path) -> None:
    feeds = {"stdout:": {"format": "jsonlines"}}
    with Site({"/": page(title="Only")}) as site:
        result = crawl(tmp_path, SUMMARY | {"FEEDS": feeds}, start=site.url())
    assert result.stdout.count("\n") == 1
    assert '"title": "Only"' in result.stdout
    assert table(result.stderr)["finish reason"] == "finished"


def test_the_summary_can_be_switched_off(tmp_path: Path) -> None:
    with Site({"/": page()}) as site:
        result = crawl(tmp_path, SUMMARY | {"SUMMARY_ENABLED": "False"}, start=site.url())
    assert result.stdout == ""
    assert "WARNING" not in result.stderr


def test_the_summary_names_the_feed_as_it_is_called(tmp_path: Path) -> None:
    feeds = {"%(name)s-items.jsonl": {"format": "jsonlines"}}
    with Site({"/": page()}) as site:
        result = crawl(tmp_path, SUMMARY | {"FEEDS": feeds}, start=site.url())
    assert table(result.stdout)["feed"] == "site-items.jsonl"


def test_a_long_path_is_on_one_line_where_no_terminal_is(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    feeds = {str(folder / "items.jsonl"): {"format": "jsonlines"}}
    with Site({"/": page()}) as site:
        result = crawl(tmp_path, SUMMARY | {"FEEDS": feeds}, start=site.url())
    assert table(result.stdout)["feed"] == str(folder / "items.jsonl")


def test_a_crawl_that_a_component_ends_at_once_has_one_summary(tmp_path: Path) -> None:
    (tmp_path / "locked.py").write_text(
        "from scrapy.exceptions import CloseSpider\n"
        "class Pipeline:\n"
        "    def open_spider(self):\n"
        "        raise CloseSpider('[b]store_locked')\n"
        "    def process_item(self, item):\n"
        "        return item\n"
    )
    with Site({"/": page()}) as site:
        settings = SUMMARY | {"ITEM_PIPELINES": {"locked.Pipeline": 1}}
        result = crawl(tmp_path, settings, start=site.url())
        assert site.requests == []
    assert result.stdout.count("finish reason") == 1
    assert table(result.stdout)["finish reason"] == "[b]store_locked"
    assert table(result.stdout)["pages fetched"] == "0"
    assert not {"requests not downloaded", "sampled", "postponed"} & table(result.stdout).keys()
