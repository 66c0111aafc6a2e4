"""``scrapy neardup query`` of a URL: fetched as a crawl would fetch it, or it says why not."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from urllib.parse import unquote

import pytest
from conftest import Crawler, Neardup
from crawling import Web
from crawling import article as web_article
from scrapy import Request
from scrapy.utils.request import RequestFingerprinter

from dedup import Config
from dedup.page.limits import MOST_TAGS
from dedup.scrapy.commands.context import CommandError
from dedup.scrapy.commands.pages import fetch

ARTICLE = Path(__file__).parents[2] / "crawler" / "demo" / "articles" / "tea.txt"
PAGE = f"<html><body><article><p>{ARTICLE.read_text(encoding='utf-8')}</p></article></body></html>"
ANSWERS = {
    "/plain": ({}, PAGE.encode()),
    "/moved": ({"Location": "/plain"}, b""),
    "/tags": ({}, b"<p>" * (MOST_TAGS + 1)),
    "/中 文": ({}, PAGE.encode()),
    "/gzip": ({"Content-Encoding": "gzip"}, gzip.compress(PAGE.encode())),
    "/deflate": ({"Content-Encoding": "deflate"}, zlib.compress(PAGE.encode())),
    "/broken": ({"Content-Encoding": "gzip"}, PAGE.encode()),
    "/bomb": ({"Content-Encoding": "gzip"}, gzip.compress(bytes(20_000_000))),
    "/br": ({"Content-Encoding": "br"}, b"\x0b\x02\x80"),
    "/cut": ({"Content-Length": "9999"}, PAGE.encode()[:500]),
    "/cut-gzip": ({"Content-Encoding": "gzip"}, gzip.compress(PAGE.encode())[:-200]),
    "/pdf": ({}, b"%PDF-1.7 " + PAGE.encode()),
}

Query = Callable[..., tuple[int, str, str]]


@pytest.fixture
def site() -> Iterator[str]:
    """A server of the answers, and of a page that drips as long as the test runs."""
    over = Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            headers, body = ANSWERS.get(unquote(self.path), ({}, b""))
            self.send_response(302 if "Location" in headers else 200)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
            while self.path == "/drip" and not over.wait(0.05):
                try:
                    self.wfile.write(b"x")
                except OSError:
                    break

        def log_message(self, *args: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        over.set()
        server.shutdown()
        thread.join()


@pytest.fixture
def query(neardup: Neardup, crawl: Crawler) -> Query:
    crawl(urls=[], NEARDUP_STORE="leveldb:store")
    return lambda *arguments: neardup("query", *arguments, "-s", "NEARDUP_STORE=leveldb:store")


@pytest.mark.parametrize("path", ["/plain", "/中 文", "/gzip", "/deflate"])
def test_a_page_is_read_whatever_its_address_and_coding(query: Query, site: str, path: str) -> None:
    plain = json.loads(query(site + "/plain", "--json")[1])
    code, out, errors = query(site + path, "--json")
    assert (code, errors) == (0, "")
    assert json.loads(out)["tokens"] == plain["tokens"] > 100
    upper = query(site.replace("http:", "HTTP:") + path, "--json")
    assert json.loads(upper[1])["from"] == "the web"


def test_a_page_that_is_stored_under_another_url_is_found(
    query: Query, site: str, crawl: Crawler, web: Web
) -> None:
    web.pages = {"/tea": PAGE}
    crawl(urls=web.urls("/tea"), NEARDUP_STORE="leveldb:store")
    [match] = json.loads(query(site + "/plain", "--json")[1])["related"]
    assert match["url"] == web.url("/tea")


def test_a_page_is_known_by_what_it_is_redirected_to(
    query: Query, site: str, crawl: Crawler
) -> None:
    crawl(urls=[site + "/moved"], NEARDUP_STORE="leveldb:store")
    answers = [json.loads(query(site + path, "--json")[1]) for path in ("/plain", "/moved")]
    assert [answer["from"] for answer in answers] == ["the store", "the web"]
    assert [answer["related"] for answer in answers] == [[], []]


def test_a_file_does_not_repeat_the_page_that_it_stands_for(
    query: Query, site: str, crawl: Crawler, folder: Path
) -> None:
    crawl(urls=[site + "/plain"], NEARDUP_STORE="leveldb:store")
    (folder / "page.html").write_text(PAGE)
    related = [
        len(json.loads(query("page.html", "--json", *of)[1])["related"])
        for of in ((), ("--url", site + "/other"), ("--url", site + "/plain"))
    ]
    assert related == [1, 1, 0]


def test_a_page_over_the_size_limit_is_refused(query: Query, site: str) -> None:
    code, _, errors = query(site + "/plain", "-s", "NEARDUP_MAX_BODY=10")
    assert code == 1
    assert "larger than NEARDUP_MAX_BODY = 10 bytes" in errors


def test_a_page_that_is_cut_at_the_size_limit_is_refused(query: Query, site: str) -> None:
    code, _, errors = query(site + "/cut", "-s", "NEARDUP_MAX_BODY=500")
    assert code == 1
    assert "its end is missing" in errors


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/pdf", "/pdf is neither HTML nor plain text"),
        ("/tags", "/tags gets no verdict: it has more tags, references or line ends than are read"),
        ("/br", "compressed as 'br', though not asked to be"),
        ("/broken", "/broken cannot be fetched"),
        ("/cut", "/cut cannot be fetched: its end is missing"),
        ("/cut-gzip", "/cut-gzip cannot be fetched: its end is missing"),
        ("/bomb", "/bomb is larger than NEARDUP_MAX_BODY"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(
    query: Query, site: str, path: str, says: str
) -> None:
    code, out, errors = query(site + path)
    assert (code, out) == (1, "")
    assert says in errors
    assert errors.count("\n") == 1


def test_a_page_that_drips_is_not_waited_for_to_its_end(site: str) -> None:
    with pytest.raises(CommandError, match=r"/drip cannot be fetched within 0\.5 s"):
        fetch(Config(), f"{site}/drip", timeout=0.5)


@pytest.mark.parametrize(
    ("arguments", "says", "exits"),
    [
        (("http://a.example/", "--url", "http://b.example/"), "--url and --text go with a file", 2),
        (("http://a.example/", "--text"), "--url and --text go with a file", 2),
        (("",), "name a page by its URL, or a file", 2),
        (("ftp://a.example/x",), "URLs begin with http:// or https://", 1),
        (("a.example/x",), "URLs begin with http:// or https://", 1),
    ],
)
def test_what_makes_no_sense_together_is_refused(
    query: Query, arguments: tuple[str, ...], says: str, exits: int
) -> None:
    code, out, errors = query(*arguments)
    assert (code, out) == (exits, "")
    assert says in errors
    assert errors.count("\n") == 1


def test_a_packed_file_is_no_page(query: Query, folder: Path) -> None:
    (folder / "page.html").write_bytes(gzip.compress(PAGE.encode()))
    code, _, errors = query("page.html")
    assert code == 1
    assert "page.html is neither HTML nor plain text" in errors


def test_what_is_no_url_is_wrong_usage(query: Query) -> None:
    code, _, errors = query("http://[::1")
    assert code == 2
    assert "http://[::1 is no URL" in errors
    assert errors.count("\n") == 1
    code, _, errors = query("page.html", "--url", "b.example/x")
    assert code == 2
    assert "b.example/x is no URL" in errors


class ByPath(RequestFingerprinter):
    """Two hosts of one site: the path alone tells requests apart."""

    def fingerprint(self, request: Request) -> bytes:
        return request.url.split("/", 3)[-1].encode().ljust(20, b".")


class OfSpiders(RequestFingerprinter):
    """Tells what only a crawl knows of a request, as scrapy-poet does."""

    def fingerprint(self, request: Request) -> bytes:
        made = super().fingerprint(request)
        return made[::-1] if request.callback or request.dont_filter else made


# No host stands for that of the crawl.
@pytest.mark.parametrize(("kind", "host"), [(ByPath, "other.example"), (OfSpiders, "")])
def test_a_page_is_known_by_its_request_in_the_project_or_else_by_its_url(
    crawl: Crawler, neardup: Neardup, web: Web, kind: type[RequestFingerprinter], host: str
) -> None:
    web.pages = {"/a": web_article("tides")}
    settings = {
        "NEARDUP_STORE": "leveldb:store",
        "REQUEST_FINGERPRINTER_CLASS": f"{__name__}.{kind.__name__}",
    }
    crawl(urls=web.urls("/a"), **settings)
    options = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
    asked = f"http://{host}/a" if host else web.url("/a")
    code, out, _ = neardup("query", asked, "--json", *options)
    assert code == 0
    assert json.loads(out)["from"] == "the store"
    assert json.loads(out)["related"] == []
