"""Commands that look at a page or two leave the store as it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import forking
import pytest
from conftest import Crawler
from crawling import SETTINGS, Web, article, environment

from tests.crawler.sites import run_apart

STORE = Path(".scrapy/neardup/default/store-pages")
COMMANDS = {
    "fetch": ["fetch", "{url}"],
    "fetch without log": ["--nolog", "fetch", "{url}"],
    "shell": ["shell", "-c", "response.meta['neardup']", "{url}"],
    "parse": ["parse", "--spider", "pages", "--pipelines", "{url}"],
}
PROGRAMS = {
    "scrapy": [str(Path(sys.executable).with_name("scrapy"))],
    "module": [sys.executable, "-m", "scrapy"],
    "module with options": [sys.executable, "-W", "error", "-m", "scrapy.cmdline"],
}


@pytest.fixture
def project(folder: Path) -> Path:
    """A project with the extension and the spider ``pages``."""
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = config\n")
    lines = [f"{name} = {value!r}" for name, value in SETTINGS.items()]
    (folder / "config.py").write_text("\n".join([*lines, "SPIDER_MODULES = ['crawling']", ""]))
    return folder


def scrapy(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command as ``python -m scrapy`` does."""
    return forking.run(["scrapy", *words], project, environment())


def look(project: Path, command: str, url: str) -> str:
    done = scrapy(project, *(word.format(url=url) for word in COMMANDS[command]))
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_that_looks_makes_no_store(project: Path, web: Web, program: str) -> None:
    web.pages = {"/a": article("tides")}

    done = run_apart(project, [*PROGRAMS[program], "fetch", web.url("/a")])

    assert done.returncode == 0, done.stderr
    assert web.requests == ["/a"]
    assert not (project / STORE).exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_looking_makes_no_store(project: Path, web: Web, command: str) -> None:
    web.pages = {"/a": article("tides")}

    look(project, command, web.url("/a"))

    assert web.requests == ["/a"]
    assert not (project / STORE).exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_looking_needs_no_place_for_logs(project: Path, web: Web, command: str) -> None:
    """In a checkout that cannot be written, say."""
    web.pages = {"/a": article("tides")}
    (project / "a.txt").touch()
    with (project / "config.py").open("a") as config:
        config.write("NEARDUP_LOG = 'a.txt/drops.jsonl'\nNEARDUP_STORE = 'leveldb:a.txt/store'\n")

    seen = look(project, command, web.url("/a"))

    assert web.requests == ["/a"]
    assert "cannot be the drop log" not in seen


def test_a_bench_makes_no_store(project: Path) -> None:
    """Scrapy crawls pages that it makes up."""
    done = scrapy(project, "bench", "-s", "CLOSESPIDER_TIMEOUT=0.5")

    assert "Closing spider (closespider_timeout)" in done.stderr
    assert not (project / STORE).exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_looking_finds_near_duplicates_and_stores_nothing(
    project: Path, crawl: Crawler, web: Web, command: str
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides"), "/c": article("bread")}
    crawl(urls=web.urls("/a"))

    seen = look(project, command, web.url("/b"))
    assert "no page is known for" not in seen
    look(project, command, web.url("/c"))

    if command == "shell":
        assert web.url("/a") in seen
    later = crawl(urls=web.urls("/c"))
    assert (later["new"], later["store_pages"]) == (1, 2)


def test_looking_as_a_spider_without_a_store_takes_no_other_spiders_store(
    project: Path, crawl: Crawler, web: Web
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides")}
    crawl(urls=web.urls("/a"))
    (project / "mine.py").write_text(
        "from crawling import Pages\nclass Mine(Pages): name = 'mine'\n"
    )
    command = ["parse", web.url("/b"), "-s", "SPIDER_MODULES=mine,crawling"]

    seen = {
        spider: scrapy(project, *command, "--spider", spider).stderr for spider in ("mine", "pages")
    }

    assert "'neardup/duplicates': 1" in seen["pages"]
    assert "'neardup/new': 1" in seen["mine"]
    assert "store-mine" in seen["mine"]


def test_a_crawl_by_command_does_write(project: Path, crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides")}
    (project / "mine.py").write_text(
        "from crawling import Pages\nclass Mine(Pages):\n    name = 'pages'\n"
        f"    urls = {web.urls('/a')}\n"
    )
    command = [*PROGRAMS["scrapy"], "crawl", "pages", "-s", "SPIDER_MODULES=mine"]
    subprocess.run(command, cwd=project, env=environment(), check=True, capture_output=True)

    assert crawl(urls=web.urls("/b"))["duplicates"] == 1


def test_a_script_with_words_of_a_command_among_its_arguments_does_write(
    project: Path, web: Web
) -> None:
    web.pages = {"/a": article("tides")}
    (project / "run.py").write_text(
        "from crawling import Pages\n"
        "from scrapy.crawler import CrawlerProcess\n"
        "from scrapy.utils.project import get_project_settings\n"
        "process = CrawlerProcess(get_project_settings())\n"
        f"process.crawl(Pages, urls={web.urls('/a')})\n"
        "process.start()\n"
    )

    run_apart(project, [sys.executable, "run.py", "/data/scrapy", "check"])

    assert (project / STORE).exists()


def test_checking_contracts_makes_no_store(project: Path, web: Web) -> None:
    web.pages = {"/a": article("tides")}
    (project / "mine.py").write_text(
        "from crawling import Pages\nclass Mine(Pages):\n    name = 'mine'\n"
        "    def parse(self, response):\n"
        f'        """One item.\n\n        @url {web.url("/a")}\n        @returns items 1 1\n'
        '        """\n        yield {"url": response.url}\n'
    )
    done = scrapy(project, "check", "-s", "SPIDER_MODULES=mine")
    assert "OK" in done.stdout + done.stderr
    assert web.requests == ["/a"]
    assert not (project / STORE).exists()
