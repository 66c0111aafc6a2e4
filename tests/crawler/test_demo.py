"""The demo site: what it serves, how its pages hang together, how similar they really are."""

import re
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection
from itertools import combinations
from urllib.parse import urljoin, urlsplit

import lxml.html
import opencc
import pytest

from crawler.demo import PAGES, DemoServer, Page
from crawler.demo.catalogue import text_of
from crawler.demo.texts import load_texts, parse_text

HAN = re.compile(r"[\u4e00-\u9fff]")
WORD = re.compile(r"\w+")
CHARSET = re.compile(r"charset=\"?([\w-]+)")
NOTHING = frozenset({"empty", "index", "about", "soft-404", "private"})
SAME_HOST = (0.93, 1.0)
ACROSS_HOSTS = {
    "exact-copy": (1.0, 1.0),
    "light-edit": (0.75, 0.95),
    "heavy-edit": (0.50, 0.70),
    "wrapped": (0.50, 0.75),
    "script-variant": (1.0, 1.0),
}

Url = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Answer:
    """One response of the demo server."""

    status: int
    content_type: str
    body: bytes

    @property
    def charset(self) -> str:
        """The declared charset: of the header if it has one, else of the meta element."""
        declared = CHARSET.search(self.content_type) or CHARSET.search(
            self.body[:1024].decode("ascii", "replace")
        )
        assert declared, "no charset declared"
        return declared[1]

    @property
    def html(self) -> str:
        return self.body.decode(self.charset)


def get(port: int, url: Url, method: str = "GET") -> Answer:
    site, path = url
    connection = HTTPConnection("127.0.0.1" if site == "news" else "localhost", port, timeout=10)
    try:
        connection.request(method, path)
        response = connection.getresponse()
        return Answer(response.status, response.headers["Content-Type"], response.read())
    finally:
        connection.close()


@pytest.fixture(scope="module")
def server() -> Iterator[DemoServer]:
    with DemoServer() as running:
        yield running


@pytest.fixture(scope="module")
def answers(server: DemoServer) -> dict[Url, Answer]:
    """Every page as the server sends it."""
    return {(row.site, row.path): get(server.port, (row.site, row.path)) for row in PAGES}


def links(server: DemoServer, url: Url, answer: Answer) -> set[Url]:
    """The pages of the two sites that a page links to."""
    base = urljoin(server.urls[url[0]], url[1])
    found = set()
    for href in lxml.html.fromstring(answer.html).xpath("//a/@href"):
        target = urlsplit(urljoin(base, href))
        query = f"?{target.query}" if target.query else ""
        found.add(("mirror" if target.hostname == "localhost" else "news", target.path + query))
    return found


def visible_text(html: str) -> str:
    return " ".join(lxml.html.fromstring(html).xpath("//body//text()[not(parent::style)]"))


@cache
def to_simplified(text: str) -> str:
    return opencc.OpenCC("t2s").convert(text)


@cache
def shingles(text: str) -> frozenset[str]:
    """Chinese: every five characters; otherwise every three words, lower case."""
    words = WORD.findall(text.lower())
    joined = "".join(words)
    if len(HAN.findall(joined)) > len(joined) / 2:
        simplified = to_simplified(joined)
        return frozenset(simplified[i : i + 5] for i in range(len(simplified) - 4))
    return frozenset(" ".join(words[i : i + 3]) for i in range(len(words) - 2))


def jaccard(one: str, other: str) -> float:
    a, b = shingles(one), shingles(other)
    return len(a & b) / len(a | b)


def article_text(page: Page) -> str:
    text = text_of(page)
    assert text is not None
    return f"{text.title}\n{text.plain}"


ARTICLE_PAGES = [page for page in PAGES if page.kind not in NOTHING]
PAIRS = list(combinations(ARTICLE_PAGES, 2))
NEAR_PAIRS = [(one, other) for one, other in PAIRS if one.cluster == other.cluster]


def pair_name(page: Page) -> str:
    return f"{page.site}{page.path}"


def test_every_url_is_listed_once() -> None:
    urls = [(row.site, row.path) for row in PAGES]

    assert len(urls) == len(set(urls))
    assert 60 <= len(urls) <= 90


@pytest.mark.parametrize(
    ("kind", "expect"),
    [("index", "keep"), ("about", "keep"), ("empty", "skip"), ("private", "never")],
)
def test_pages_that_are_no_articles_have_a_cluster_of_their_own(kind: str, expect: str) -> None:
    rows = [row for row in PAGES if row.kind == kind]

    assert {row.expect for row in rows} == {expect}
    assert len({row.cluster for row in rows}) == len(rows) > 0


def test_one_of_cluster_is_said_of_shared_clusters_only() -> None:
    def others(row: Page) -> int:
        return sum(other.cluster == row.cluster for other in PAGES) - 1

    rows = [row for row in PAGES if row.kind != "wrapped"]
    assert all((row.expect == "one-of-cluster") == (others(row) > 0) for row in rows)


def test_a_wrapped_page_is_to_be_kept_as_much_of_it_is_its_own() -> None:
    rows = [row for row in PAGES if row.kind == "wrapped"]
    assert {row.expect for row in rows} == {"keep"}
    assert len(rows) == 4
    for row in rows:
        own, original = (load_texts()[name].plain for name in (row.text, row.cluster))
        new = [line for line in own.splitlines() if line not in original.splitlines()]
        assert 0.3 < sum(map(len, new)) / len(own) < 0.5
        assert all(line in own.splitlines() for line in original.splitlines())


def test_every_page_is_served_and_decodes_as_declared(answers: dict[Url, Answer]) -> None:
    for url, answer in answers.items():
        assert answer.status == 200, url
        assert lxml.html.fromstring(answer.html) is not None, url


def test_one_page_declares_gb18030_in_its_meta_element_only(answers: dict[Url, Answer]) -> None:
    answer = answers["news", "/zh/archive/metro.html"]

    assert answer.content_type == "text/html"
    assert answer.charset == "gb18030"
    assert "四号线开通首日" in answer.html


def test_one_page_declares_big5_in_its_header_only(answers: dict[Url, Answer]) -> None:
    answer = answers["mirror", "/hant/bridge.html"]

    assert answer.content_type == "text/html; charset=big5"
    assert b"charset" not in answer.body
    assert "修一座石橋" in answer.html


def test_the_language_is_declared(answers: dict[Url, Answer]) -> None:
    for page in ARTICLE_PAGES:
        html = answers[page.site, page.path].html
        assert f'<html lang="{text_of(page).lang}">' in html, page


def test_every_page_is_reachable_from_the_two_start_pages(
    server: DemoServer, answers: dict[Url, Answer]
) -> None:
    seen: set[Url] = {("news", "/"), ("mirror", "/")}
    waiting = list(seen)
    while waiting:
        url = waiting.pop()
        new = links(server, url, answers[url]) - seen
        seen |= new
        waiting += [found for found in new if not found[1].startswith("/private/")]

    assert seen == set(answers)


def test_links_lead_from_one_host_to_the_other(
    server: DemoServer, answers: dict[Url, Answer]
) -> None:
    assert ("news", "/a/solar.html") in links(
        server, ("mirror", "/p/solar.html"), answers["mirror", "/p/solar.html"]
    )


@pytest.mark.parametrize("site", ["news", "mirror"])
def test_robots_and_sitemap(server: DemoServer, site: str) -> None:
    robots = get(server.port, (site, "/robots.txt")).body.decode()
    sitemap = get(server.port, (site, "/sitemap.xml"))
    places = lxml.etree.fromstring(sitemap.body).xpath("//*[local-name()='loc']/text()")
    articles = [page for page in PAGES if page.site == site and page.section]

    assert "Disallow: /private/" in robots
    assert places == [urljoin(server.urls[site], page.path) for page in articles]


def test_an_unknown_query_is_ignored_and_an_unknown_path_is_missing(server: DemoServer) -> None:
    assert get(server.port, ("news", "/a/ferry.html?utm=1")).status == 200
    assert get(server.port, ("news", "/a/nothing.html")).status == 404
    assert get(server.port, ("mirror", "/a/ferry.html")).status == 404


def test_head_sends_no_body(server: DemoServer) -> None:
    answer = get(server.port, ("news", "/"), method="HEAD")

    assert (answer.status, answer.body) == (200, b"")


def test_requests_are_logged_in_order() -> None:
    with DemoServer() as server:
        get(server.port, ("news", "/"))
        get(server.port, ("mirror", "/picks/"))

        assert server.requests == (("news", "/"), ("mirror", "/picks/"))


def test_the_server_stops_with_its_context() -> None:
    before = set(threading.enumerate())
    with DemoServer() as server:
        get(server.port, ("news", "/"))
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", server.port)) != 0
    for thread in set(threading.enumerate()) - before:  # the one that answered may still be ending
        thread.join(20)
        assert not thread.is_alive()


def test_base_articles_have_the_length_of_articles() -> None:
    texts = [text for text in load_texts().values() if text.author and "." not in text.name]
    chinese = [len(HAN.findall(text.plain)) for text in texts if text.lang == "zh-Hans"]
    english = [len(WORD.findall(text.plain)) for text in texts if text.lang == "en"]

    assert 26 <= len(texts) <= 36
    assert 400 <= min(chinese) <= max(chinese) <= 900
    assert 250 <= min(english) <= max(english) <= 600


@pytest.mark.parametrize("page", ARTICLE_PAGES, ids=pair_name)
def test_the_article_is_clearly_more_than_its_surroundings(
    page: Page, answers: dict[Url, Answer]
) -> None:
    whole = "".join(WORD.findall(visible_text(answers[page.site, page.path].html)))

    assert len("".join(WORD.findall(article_text(page)))) >= 0.6 * len(whole)


@pytest.mark.parametrize(("one", "other"), NEAR_PAIRS, ids=pair_name)
def test_near_duplicates_lie_in_their_band(one: Page, other: Page) -> None:
    same_host = one.site == other.site
    reworked = other if other.site == "mirror" else one
    low, high = SAME_HOST if same_host else ACROSS_HOSTS[reworked.kind]

    assert low <= jaccard(article_text(one), article_text(other)) <= high


def test_a_script_variant_converts_back_to_its_original() -> None:
    texts = load_texts()
    variants = [name for name in texts if name.endswith(".hant")]

    assert len(variants) >= 2
    for name in variants:
        original = texts[name.removesuffix(".hant")]
        assert to_simplified(texts[name].plain) == original.plain
        assert texts[name].plain != original.plain


def test_pages_of_different_clusters_lie_far_apart() -> None:
    apart = [(one, other) for one, other in PAIRS if one.cluster != other.cluster]
    too_near = [
        (one.path, other.path)
        for one, other in apart
        if jaccard(article_text(one), article_text(other)) > 0.10
    ]

    assert too_near == []


def test_index_and_about_pages_differ_in_their_whole_visible_text(
    answers: dict[Url, Answer],
) -> None:
    pages = [page for page in PAGES if page.kind in {"index", "about", "soft-404", "private"}]
    texts = {page: visible_text(answers[page.site, page.path].html) for page in pages}
    too_near = [
        (one.path, other.path)
        for one, other in combinations(pages, 2)
        if one.cluster != other.cluster and jaccard(texts[one], texts[other]) > 0.15
    ]

    assert too_near == []


def test_the_soft_404_is_one_page_at_three_urls(answers: dict[Url, Answer]) -> None:
    bodies = [answers[row.site, row.path].body for row in PAGES if row.kind == "soft-404"]

    assert len(bodies) == 3
    assert len(set(bodies)) == 1


def test_the_empty_page_shows_nothing(answers: dict[Url, Answer]) -> None:
    (row,) = (row for row in PAGES if row.kind == "empty")

    assert visible_text(answers[row.site, row.path].html).strip() == ""


def test_a_text_with_an_unknown_header_is_refused() -> None:
    with pytest.raises(ValueError, match=r"notes: unknown headers \['titel'\]"):
        parse_text("notes", "titel: Notes\nlang: en\n\nText.")
