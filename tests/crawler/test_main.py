"""`python -m crawler` as a user runs it: exit codes, one line on what went wrong, the demo."""

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import forking
import pytest
from test_progress import table

from crawler.demo import PAGES
from dedup import native
from tests.crawler.sites import ROOT, SETTINGS, Reply, Site, environment, page, run_apart

if TYPE_CHECKING:
    from pathlib import Path

EXTENSIONS = {"crawler.progress.Progress": 500, "crawler.summary.Summary": 510}


def options(settings: dict) -> list[str]:
    """Settings as -s options."""
    texts = {
        name: json.dumps(value) if isinstance(value, dict) else str(value)
        for name, value in settings.items()
    }
    return [word for name, text in texts.items() for word in ("-s", f"{name}={text}")]


def run(
    folder: Path, *words: str, module: str = "crawler", fresh: bool = False, **settings: object
):
    """Run the module in a folder with a scrapy.cfg of its own, to the end; or a fresh Python."""
    if not (folder / "scrapy.cfg").exists():
        shutil.copy(ROOT / "scrapy.cfg", folder)
    alone = {name: value for name, value in SETTINGS.items() if name != "FEEDS"}
    given = alone | {"EXTENSIONS": EXTENSIONS, "LOG_ENABLED": False} | settings
    command = [module, *words, *options(given)]
    if fresh:
        return run_apart(folder, [sys.executable, "-m", *command])
    return forking.run(command, folder, environment())


def items(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_sites_are_crawled_and_summed_up(tmp_path: Path) -> None:
    with Site({"/": page("/b"), "/b": page("/c"), "/c": page()}) as one, Site() as two:
        two.pages["/"] = page()
        done = run(tmp_path, one.url(), two.url(), "-a", "depth=1", fresh=True)
        assert (done.returncode, done.stderr) == (0, "")
        rows = table(done.stdout)
        assert (rows["items exported"], rows["finish reason"]) == ("3", "finished")
        feed = tmp_path / rows["feed"]
        assert {item["url"] for item in items(feed)} == {one.url(), one.url("/b"), two.url()}


def test_reaching_max_pages_is_a_success(tmp_path: Path) -> None:
    with Site({"/": page("/b"), "/b": page()}) as site:
        done = run(tmp_path, "-a", f"start={site.url()}", "-a", "max_pages=1")
    assert done.returncode == 0
    assert table(done.stdout)["finish reason"] == "max_pages"


def exported_texts(feed: Path) -> Counter[str]:
    """How many pages of each text of the demo a feed has.

    Those around which another site wrote much of its own are left out: it takes which of the two
    came first to say whether one is exported or both.
    """
    of_page = {(row.site, row.path): row.cluster for row in PAGES}
    wrapped = {row.cluster for row in PAGES if row.kind == "wrapped"}
    urls = [urlsplit(item["url"]) for item in items(feed)]
    sites = {"127.0.0.1": "news", "localhost": "mirror"}
    counts = Counter(
        of_page[sites[str(url.hostname)], url._replace(scheme="", netloc="").geturl()]
        for url in urls
    )
    assert wrapped <= counts.keys()
    return Counter({text: count for text, count in counts.items() if text not in wrapped})


def test_the_demo_is_crawled_without_a_start_and_again_with_the_same_result(
    tmp_path: Path,
) -> None:
    feed = tmp_path / "output/demo/items.jsonl"
    texts = []
    for _ in range(2):
        done = run(tmp_path, ADDONS={"dedup.scrapy.Addon": 500})
        assert (done.returncode, done.stderr) == (0, "")
        rows = table(done.stdout)
        assert rows["feed"] == "output/demo/items.jsonl"
        exported = items(feed)
        assert len(exported) == int(rows["items exported"]) > 20
        dropped = items(tmp_path / "output/demo/drops.jsonl")  # of this crawl alone
        assert len(dropped) == int(rows["near-duplicates"]) > 0
        texts.append(exported_texts(feed))
    assert set(texts[0]) == set(texts[1])
    if native.is_compiled:  # readability finds less of some pages, and a copy of them is kept.
        assert texts[0] == texts[1] == dict.fromkeys(texts[0], 1)


def test_no_item_is_a_failure_that_says_why(tmp_path: Path) -> None:
    robots = Reply(b"User-agent: *\nDisallow: /\n", content_type="text/plain")
    with Site({"/": page(), "/robots.txt": robots}) as site:
        forbidden = run(tmp_path, site.url())
    assert forbidden.returncode == 1
    why = "python -m crawler: no page gave an item: 1 forbidden by robots.txt\n"
    assert forbidden.stderr == why

    with Site() as site:
        missing = run(tmp_path, site.url())
    assert missing.returncode == 1
    assert missing.stderr.endswith("no page gave an item: 1 answered with an HTTP error\n")
    # the server is gone by now
    refused = run(tmp_path, site.url(), RETRY_ENABLED=False, ROBOTSTXT_OBEY=False)
    assert refused.returncode == 1
    assert refused.stderr.endswith("1 failed attempts to connect or download\n")


def test_a_crawl_that_ends_early_is_a_failure(tmp_path: Path) -> None:
    with Site({"/": page("/b"), "/b": page()}) as site:
        done = run(tmp_path, site.url(), CLOSESPIDER_ITEMCOUNT=1)
    assert done.returncode == 1
    assert "the crawl ended early, reason closespider_itemcount" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["nowhere.txt"], 2, "argument start: 'nowhere.txt' is neither an http(s) URL"),
        (["-a", "max_pages=many"], 2, "argument max_pages: 'many' is not a whole number"),
        (["-a", "max_pages"], 2, "-a max_pages: NAME=VALUE is wanted"),
        (["-s", "=x"], 2, "-s =x: NAME=VALUE is wanted"),
        (["http://a.b/", "-a", "start=http://c.d/"], 2, "give only one of them"),
        (["--profile", "nosuch"], 2, "profile 'nosuch' is unknown; scrapy.cfg has default"),
        (["http://a.b/", "-s", "PROGRESS_INTERVAL=x"], 1, "PROGRESS_INTERVAL must be a number"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    tmp_path: Path, words: list[str], code: int, message: str
) -> None:
    done = run(tmp_path, *words)
    assert done.returncode == code
    assert message in done.stderr
    assert done.stderr.startswith("python -m crawler: ")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_scrapy_crawl_names_the_bad_argument_too(tmp_path: Path) -> None:
    words = ("crawl", "site", "-a", "start=http://a.b/", "-a", "depth=deep")
    done = run(tmp_path, *words, module="scrapy", LOG_ENABLED=True)
    assert done.returncode == 1
    assert "ValueError: argument depth: 'deep' is not a whole number from 0 up" in done.stderr


def test_a_profile_is_chosen_by_name(tmp_path: Path) -> None:
    (tmp_path / "early.py").write_text("from settings.base import *\nCLOSESPIDER_ITEMCOUNT = 1\n")
    (tmp_path / "scrapy.cfg").write_text((ROOT / "scrapy.cfg").read_text() + "early = early\n")
    with Site({"/": page("/b"), "/b": page()}) as site:
        done = run(tmp_path, site.url(), "--profile", "early")
    assert "reason closespider_itemcount" in done.stderr


def test_help_tells_the_arguments(tmp_path: Path) -> None:
    done = run(tmp_path, "--help")
    assert done.returncode == 0
    for word in ("START", "--profile", "-s NAME=VALUE", "-a NAME=VALUE", "max_pages", "sitemap"):
        assert word in done.stdout
