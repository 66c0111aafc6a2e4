"""The site spider against real loopback servers, and the languages of its pages."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest
from scrapy import Request
from twisted.python.failure import Failure

from crawler.arguments import Arguments, parse_start, site_of
from crawler.language import detect_language
from crawler.spiders.site import SiteSpider

ROOT = Path(__file__).resolve().parents[2]
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
DRIVER = """
import json, sys
from pathlib import Path
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.project import get_project_settings

job = json.loads(sys.argv[1])
settings = get_project_settings()
settings.setdict(job["settings"], priority="cmdline")
process = AsyncCrawlerProcess(settings)
crawler = process.create_crawler("site")
task = process.crawl(crawler, **job["arguments"])
process.start()
task.result()
Path("stats.json").write_text(json.dumps(crawler.stats.get_stats(), default=str))
"""
PARAGRAPH = (
    "The harbour was quiet that morning, and the fishermen who had stayed ashore mended their "
    "nets and talked about the weather, the price of diesel and the long winter behind them. "
)


class Reply(NamedTuple):
    """An answer of the test server that is not a plain 200 HTML page."""

    body: bytes = b""
    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    location: str | None = None


class Site:
    """A loopback server with the given replies by path; `requests` lists the paths asked for."""

    def __init__(self, replies: dict[str, str | Reply] | None = None) -> None:
        self.replies = dict(replies or {})
        self.requests: list[str] = []
        self.gates: dict[str, threading.Event] = {}
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.requests.append(self.path)
                if gate := site.gates.get(self.path):
                    gate.wait(30)
                reply = site.replies.get(self.path, Reply(status=404))
                if isinstance(reply, str):
                    reply = Reply(reply.encode())
                self.send_response(reply.status)
                self.send_header("Content-Type", reply.content_type)
                self.send_header("Content-Length", str(len(reply.body)))
                if reply.location:
                    self.send_header("Location", reply.location)
                self.end_headers()
                self.wfile.write(reply.body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.host = f"127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    def url(self, path: str = "/") -> str:
        return f"http://{self.host}{path}"

    def close_gate(self, path: str) -> None:
        """Hold back the answer to a path until its gate is opened."""
        self.gates[path] = threading.Event()

    def open_gate(self, path: str) -> None:
        self.gates[path].set()

    def pages_asked(self) -> list[str]:
        return [path for path in self.requests if path not in {"/robots.txt", "/sitemap.xml"}]

    def __enter__(self) -> Site:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        for gate in self.gates.values():
            gate.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


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
    """The environment of a subprocess: this project importable, the default profile."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    drop = {"SCRAPY_PROJECT", "SCRAPY_SETTINGS_MODULE"}
    rest = {name: value for name, value in os.environ.items() if name not in drop}
    return rest | {"PYTHONPATH": path, "TERM": "xterm"}


def command(folder: Path, settings: dict | None = None, **arguments: str) -> list[str]:
    """The command line that crawls in ``folder``, which gets its own scrapy.cfg."""
    shutil.copy(ROOT / "scrapy.cfg", folder)
    job = {"settings": SETTINGS | (settings or {}), "arguments": arguments}
    return [sys.executable, "-c", DRIVER, json.dumps(job)]


def results(folder: Path, stdout: str = "", stderr: str = "") -> Result:
    """Read what a crawl left in its folder."""
    feed = folder / "items.jsonl"
    lines = feed.read_text(encoding="utf-8").splitlines() if feed.exists() else []
    stats = json.loads((folder / "stats.json").read_text())
    return Result([json.loads(line) for line in lines], stats, stdout, stderr)


def crawl(folder: Path, settings: dict | None = None, **arguments: str) -> Result:
    """Crawl in a process of its own, to the end."""
    done = subprocess.run(
        command(folder, settings, **arguments),
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return results(folder, done.stdout, done.stderr)


# --- one item a page


def test_a_page_becomes_one_item(tmp_path: Path) -> None:
    before = datetime.now(UTC) - timedelta(seconds=1)
    with Site(
        {"/": page("/b", title="Front"), "/b": page("/", title="Second", text=PARAGRAPH)}
    ) as site:
        result = crawl(tmp_path, start=site.url())
    items = {item["title"]: item for item in result.items}
    assert set(items) == {"Front", "Second"}
    assert len(result.items) == 2
    item = items["Second"]
    assert set(item) == {"url", "title", "text", "language", "fetched", "status", "depth"}
    assert item["url"] == site.url("/b")
    assert "mended their nets" in item["text"]
    assert "<p>" not in item["text"]
    assert (item["language"], item["status"], item["depth"]) == ("en", 200, 1)
    assert before <= datetime.fromisoformat(item["fetched"]) <= datetime.now(UTC)
    assert result.stats["finish_reason"] == "finished"
    assert result.stats["site/pages"] == 2
    assert "log_count/WARNING" not in result.stats
    assert "log_count/ERROR" not in result.stats


def test_what_is_not_html_is_counted_and_ignored(tmp_path: Path) -> None:
    replies = {
        "/": page("/data", "/plain"),
        "/data": Reply(b'{"a": 1}', content_type="application/json"),
        "/plain": Reply(b"words " * 50, content_type="text/plain"),
    }
    with Site(replies) as site:
        result = crawl(tmp_path, start=site.url())
    assert result.urls == [site.url()]
    assert result.stats["site/not_html"] == 2


def test_an_empty_page_and_a_broken_one_still_give_an_item(tmp_path: Path) -> None:
    replies = {"/": page("/empty", "/broken"), "/empty": "", "/broken": Reply(b"<p>\x00\xff<<a")}
    with Site(replies) as site:
        result = crawl(tmp_path, start=site.url())
    assert result.urls == [site.url(), site.url("/broken"), site.url("/empty")]
    assert "log_count/ERROR" not in result.stats


def test_robots_txt_is_obeyed(tmp_path: Path) -> None:
    replies = {
        "/robots.txt": Reply(b"User-agent: *\nDisallow: /private\n", content_type="text/plain"),
        "/": page("/private/a", "/open"),
        "/private/a": page(),
        "/open": page(),
    }
    with Site(replies) as site:
        result = crawl(tmp_path, start=site.url())
    assert result.urls == [site.url(), site.url("/open")]
    assert "/private/a" not in site.requests
    assert result.stats["robotstxt/forbidden"] == 1


# --- staying on the start hosts


def test_links_to_other_hosts_and_ports_are_not_followed(tmp_path: Path) -> None:
    with Site({"/": page()}) as other:
        elsewhere = f"http://localhost:{other.host.partition(':')[2]}/"
        links = (other.url(), elsewhere, "file:///etc/passwd", "ftp://127.0.0.1/", "/b", "//[bad")
        with Site({"/": page(*links), "/b": page()}) as site:
            result = crawl(tmp_path, start=site.url())
            assert result.urls == [site.url(), site.url("/b")]
        assert other.requests == []
    assert result.stats["site/offsite_links"] == 4


def test_a_redirect_off_the_host_gives_nothing_and_is_counted(tmp_path: Path) -> None:
    with Site({"/": page(title="Other")}) as other:
        replies = {"/": page("/out", "/b"), "/out": Reply(status=302, location=other.url())}
        with Site(replies | {"/b": page()}) as site:
            result = crawl(tmp_path, start=site.url())
            assert result.urls == [site.url(), site.url("/b")]
    assert result.stats["site/offsite_redirects"] == 1
    assert "log_count/WARNING" not in result.stats


def test_a_start_page_that_moved_to_another_host_is_said(tmp_path: Path) -> None:
    with (
        Site({"/": page()}) as other,
        Site({"/": Reply(status=301, location=other.url())}) as site,
    ):
        result = crawl(tmp_path, start=site.url())
        assert f"{site.url()} redirects to another host" in result.stderr
        assert f"start at {other.url()}" in result.stderr
    assert result.items == []


def test_a_redirect_that_leads_back_is_followed_and_only_the_way_is_skipped(
    tmp_path: Path,
) -> None:
    (tmp_path / "spy.py").write_text(
        "class Spy:\n"
        "    @classmethod\n"
        "    def from_crawler(cls, crawler):\n"
        "        spy = cls()\n"
        "        spy.stats = crawler.stats\n"
        "        return spy\n"
        "    def process_response(self, request, response):\n"
        "        path = request.url.rpartition('/')[2]\n"
        "        self.stats.set_value(f'skip/{path}', request.meta.get('neardup_skip', False))\n"
        "        return response\n"
    )
    spy = {"DOWNLOADER_MIDDLEWARES": {"spy.Spy": 900}}
    with Site() as other, Site() as site:
        site.replies |= {
            "/": page("/out"),
            "/out": Reply(status=302, location=other.url("/consent")),
            "/back": page(title="Back"),
        }
        other.replies["/consent"] = Reply(status=302, location=site.url("/back"))
        result = crawl(tmp_path, spy, start=site.url())
        assert result.urls == [site.url(), site.url("/back")]
    assert "site/offsite_redirects" not in result.stats
    skipped = {name for name, value in result.stats.items() if name.startswith("skip/") and value}
    assert skipped == {"skip/consent"}
    assert result.stats["skip/back"] is False


# --- arguments


def test_several_sites_and_files_of_urls_can_be_started_on(tmp_path: Path) -> None:
    with Site({"/": page("/x"), "/x": page()}) as one, Site({"/": page()}) as two:
        (tmp_path / "seeds.txt").write_text(f"# seeds\n{one.url()}\n\n{two.url()} # two\n")
        result = crawl(tmp_path, start="seeds.txt")
        assert result.urls == sorted([one.url(), one.url("/x"), two.url()])


def test_allow_and_deny_choose_the_links(tmp_path: Path) -> None:
    links = ("/news/1", "/news/2", "/blog/1", "/shop/1")
    with Site({"/": page(*links)} | {link: page() for link in links}) as site:
        result = crawl(tmp_path, start=site.url(), allow="/news/ /blog/", deny=r"2$ /never")
        assert result.urls == [site.url(), site.url("/blog/1"), site.url("/news/1")]
        assert "/shop/1" not in site.requests


def test_max_pages_is_met_exactly_and_nothing_else_is_fetched(tmp_path: Path) -> None:
    links = [f"/p{n}" for n in range(30)]
    with Site({"/": page(*links)} | {link: page(*links) for link in links}) as site:
        result = crawl(tmp_path, start=site.url(), max_pages="7")
        assert len(site.pages_asked()) == 7
    assert len(result.items) == 7
    assert result.stats["finish_reason"] == "max_pages"


def test_failures_redirects_and_other_files_do_not_count_as_pages(tmp_path: Path) -> None:
    bad = {
        "/gone": Reply(status=404),
        "/broken": Reply(status=500),
        "/data": Reply(b"{}", content_type="application/json"),
        "/moved": Reply(status=302, location="/p0"),
        "/home": Reply(status=302, location="/"),
        "/private": page(),
        "/robots.txt": Reply(b"User-agent: *\nDisallow: /private\n", content_type="text/plain"),
    }
    good = [f"/p{n}" for n in range(8)]
    with Site({"/": page(*bad, *good)} | bad | {link: page() for link in good}) as site:
        result = crawl(tmp_path, start=site.url(), max_pages="6")
    assert len(result.items) == 6
    assert result.stats["finish_reason"] == "max_pages"
    assert len(set(site.requests) & {"/", *good}) == 6


def test_a_site_smaller_than_max_pages_is_finished(tmp_path: Path) -> None:
    with Site({"/": page("/b", "/gone"), "/b": page()}) as site:
        result = crawl(tmp_path, start=site.url(), max_pages="9")
    assert len(result.items) == 2
    assert result.stats["finish_reason"] == "finished"


def test_a_request_lost_by_a_component_does_not_hang_a_limited_crawl(tmp_path: Path) -> None:
    (tmp_path / "lossy.py").write_text(
        "from scrapy import Request\n"
        "class Replace:\n"
        "    def process_response(self, request, response):\n"
        "        if not request.url.endswith('/lost'):\n"
        "            return response\n"
        "        url = request.url.replace('/lost', '/found')\n"
        "        return Request(url, callback=request.callback, errback=request.errback)\n"
    )
    settings = {"DOWNLOADER_MIDDLEWARES": {"lossy.Replace": 500}}
    with Site({"/": page("/lost"), "/lost": page(), "/found": page()}) as site:
        result = crawl(tmp_path, settings, start=site.url(), max_pages="2")
        assert result.urls == [site.url(), site.url("/found")]


def test_a_failed_or_redirected_request_gives_its_place_back_at_once() -> None:
    spider = SiteSpider(start="http://a.b/", max_pages="2")
    budget = spider.budget
    first, second = Request("http://a.b/1"), Request("http://a.b/2")
    budget.take(first)
    budget.take(second)
    assert not budget.open
    spider.request_scheduled(first.replace(url="http://a.b/moved"))
    assert (budget.under_way, budget.open) == (1, True)
    failure = Failure(OSError("refused"))
    failure.request = second
    assert spider.page_failed(failure) is failure
    spider.page_failed(failure)
    assert budget.under_way == 0


def test_max_pages_holds_under_another_scheduler_too(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from scrapy.core.scheduler import Scheduler\nclass Mine(Scheduler):\n    pass\n"
    )
    links = [f"/p{n}" for n in range(20)]
    with Site({"/": page(*links)} | {link: page() for link in links}) as site:
        result = crawl(tmp_path, {"SCHEDULER": "mine.Mine"}, start=site.url(), max_pages="3")
    assert len(result.items) == 3
    assert result.stats["finish_reason"] == "max_pages"


def test_a_limited_crawl_is_resumed_where_it_stopped(tmp_path: Path) -> None:
    links = [f"/p{n}" for n in range(6)]
    with Site({"/": page(*links)} | {link: page() for link in links}) as site:
        first = crawl(tmp_path, {"JOBDIR": "job"}, start=site.url(), max_pages="3")
        second = crawl(tmp_path, {"JOBDIR": "job"}, start=site.url())
        assert sorted(first.urls + second.urls) == sorted(map(site.url, ["/", *links]))
    assert len(first.items) == 3
    assert "scheduler/unserializable" not in first.stats


@pytest.mark.parametrize(("depth", "paths"), [("0", ["/"]), ("1", ["/", "/1"])])
def test_depth_limits_the_links_followed(tmp_path: Path, depth: str, paths: list[str]) -> None:
    replies = {"/": page("/1"), "/1": page("/2"), "/2": page("/3"), "/3": page()}
    with Site(replies) as site:
        result = crawl(tmp_path, start=site.url(), depth=depth)
        assert sorted(site.pages_asked()) == paths
    assert sorted(item["depth"] for item in result.items) == list(range(len(paths)))


def test_strip_decides_about_fragments_and_query_strings_stay(tmp_path: Path) -> None:
    with Site({"/": page("/b?x=1&y=#part"), "/b?x=1&y=": page()}) as site:
        stripped = crawl(tmp_path, start=site.url())
        kept = crawl(tmp_path, start=site.url(), strip="off")
        assert stripped.urls == [site.url(), site.url("/b?x=1&y=")]
        assert kept.urls == [site.url(), site.url("/b?x=1&y=#part")]


# --- sitemaps


def urlset(*urls: str) -> bytes:
    entries = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    return (
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'.encode()
    )


def test_sitemaps_named_in_robots_txt_are_read(tmp_path: Path) -> None:
    with Site({"/": page()}) as other, Site({"/": page()}) as site:
        index = (
            f"<sitemapindex><sitemap><loc>{site.url('/a.xml.gz')}</loc></sitemap></sitemapindex>"
        )
        pages = [site.url("/hidden"), site.url("/denied"), other.url()]
        site.replies |= {
            "/robots.txt": Reply(
                b"User-agent: *\nDisallow: /robots.txt\nSitemap: /index.xml\nSitemap: /bad.xml\n",
                content_type="text/plain",
            ),
            "/index.xml": Reply(index.encode(), content_type="application/xml"),
            "/bad.xml": Reply(b"", content_type="application/xml"),
            "/a.xml.gz": Reply(gzip.compress(urlset(*pages)), content_type="application/gzip"),
            "/hidden": page("/deep"),
            "/deep": page(),
            "/denied": page(),
        }
        result = crawl(tmp_path, start=site.url(), sitemap="on", deny="denied", depth="0")
        assert result.urls == [site.url(), site.url("/hidden")]
        assert other.requests == []
    assert {item["depth"] for item in result.items} == {0}
    assert "not a sitemap, ignored" in result.stderr
    assert "log_count/ERROR" not in result.stats


def test_without_robots_txt_the_usual_sitemap_is_read(tmp_path: Path) -> None:
    with Site({"/": page(), "/hidden": page()}) as site:
        site.replies["/sitemap.xml"] = Reply(urlset(site.url("/hidden")), content_type="text/xml")
        without = crawl(tmp_path, start=site.url())
        assert without.urls == [site.url()]
        assert "/sitemap.xml" not in site.requests
        result = crawl(tmp_path, start=site.url(), sitemap="on")
        assert result.urls == [site.url(), site.url("/hidden")]


# --- arguments that are wrong


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, r"argument start: not given; .*-a start=https://"),
        ({"start": " , "}, r"argument start: not given"),
        ({"start": "example.com"}, r"argument start: 'example.com' is neither an http"),
        ({"start": "ftp://a.b/"}, r"argument start: 'ftp://a.b/' is not an http"),
        ({"start": "http://"}, r"argument start: 'http://' is not an http"),
        ({"start": "http://a:b/"}, r"argument start: 'http://a:b/' is not an http"),
        ({"start": "http://a.b,c.d/"}, r"argument start: 'http://a.b,c.d/' is not an http"),
        ({"max_pages": "0"}, r"argument max_pages: '0' is not a whole number from 1 up"),
        ({"max_pages": "ten"}, r"argument max_pages: 'ten' is not a whole number"),
        ({"depth": "-1"}, r"argument depth: '-1' is not a whole number from 0 up"),
        ({"depth": "1.5"}, r"argument depth: '1.5' is not a whole number"),
        ({"sitemap": "perhaps"}, r"argument sitemap: 'perhaps' is neither on nor off"),
        ({"strip": "2"}, r"argument strip: '2' is neither on nor off"),
        ({"allow": "ok ("}, r"argument allow: '\(' is not a regular expression"),
        ({"deny": "[a"}, r"argument deny: '\[a' is not a regular expression"),
        ({"maxpages": "3"}, r"argument maxpages: unknown; allowed are start, allow, deny"),
    ],
)
def test_a_bad_argument_is_one_clear_sentence(arguments: dict[str, str], message: str) -> None:
    given = arguments if not arguments or "start" in arguments else {"start": "http://a.b/"}
    with pytest.raises(ValueError, match=f"^{message}") as caught:
        Arguments.parse({**given, **arguments})
    assert "\n" not in str(caught.value)


def test_a_file_without_urls_is_said(tmp_path: Path) -> None:
    seeds = tmp_path / "my seeds.txt"
    seeds.write_text("# nothing yet\n")
    with pytest.raises(ValueError, match="is a file without a URL"):
        parse_start(str(seeds))
    seeds.write_text("http://a.b/#top # comment\nHTTP://A.B/x\n")
    assert parse_start(str(seeds)) == ("http://a.b/#top", "http://a.b/x")


def test_start_urls_may_hold_commas() -> None:
    assert parse_start("http://a/x,y,http://b/, https://c\nhttp://d/") == (
        "http://a/x,y",
        "http://b/",
        "https://c",
        "http://d/",
    )


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("http://Example.com/a", "example.com"),
        ("https://example.com:443/", "example.com"),
        ("http://user:secret@example.com:8080/", "example.com:8080"),
        ("http://www.example.com/", "www.example.com"),
        ("ftp://example.com/", ""),
        ("http://example.com:99999999/", ""),
        ("http://[bad", ""),
    ],
)
def test_a_site_is_a_host_and_a_port(url: str, site: str) -> None:
    assert site_of(url) == site


# --- languages

HANS = "港口的早晨很安静，留在岸上的渔民一边修补渔网，一边谈论天气和柴油的价格。"
HANT = "港口的早晨很安靜，留在岸上的漁民一邊修補漁網，一邊談論天氣和柴油的價格。"


@pytest.mark.parametrize(
    ("text", "declared", "language"),
    [
        (PARAGRAPH, None, "en"),
        (PARAGRAPH, "zh-TW", "en"),
        ("Am Morgen war der Hafen still, und die Fischer flickten ihre Netze.", None, "de"),
        ("港の朝は静かで、漁師たちは網を繕いながら天気の話をしていた。", None, "ja"),
        (HANS, None, "zh-Hans"),
        (HANT, None, "zh-Hant"),
        (HANS, "zh-TW", "zh-Hans"),  # declared, but not consistent with the script
        (HANT, "zh-CN", "zh-Hant"),
        ("中文小山水火木土日月人口手中文小山水火", "zh-Hant-HK", "zh-Hant"),
        ("中文小山水火木土日月人口手中文小山水火", "zh_cn", "zh-Hans"),
        ("中文小山水火木土日月人口手中文小山水火", "zh", "zh"),
        ("", "en", ""),
        ("ok", "en", ""),
        ("1234567890 " * 50, "en", ""),
        ("\ud800" * 100, None, ""),
    ],
)
def test_the_language_of_a_text(text: str, declared: str | None, language: str) -> None:
    assert detect_language(text, declared) == language


def test_the_declared_language_reaches_the_item(tmp_path: Path) -> None:
    text = "中文小山水火木土日月人口手中文小山水火。" * 3
    with Site({"/": page(text=text, title="中文", lang="zh-HK")}) as site:
        result = crawl(tmp_path, start=site.url())
    assert [item["language"] for item in result.items] == ["zh-Hant"]
