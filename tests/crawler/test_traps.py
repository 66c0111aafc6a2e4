"""The site of traps: what it serves, that its repeats are repeats, and that its truth is true."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection, HTTPMessage
from itertools import combinations, pairwise, permutations
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import lxml.html
import pytest

from crawler.demo.traps import TrapServer, content_of, real_urls, space_of
from crawler.demo.traps.articles import SLUGS
from crawler.demo.traps.missing import ITEMS
from crawler.demo.traps.wiki import REVISIONS, TITLES
from crawler.demo.traps.writing import length_of
from tests.crawler.sites import ROOT, crawl, environment

if TYPE_CHECKING:
    from pathlib import Path

WORD = re.compile(r"\w+")
REAL = sorted(real_urls())
REAL_OF_SPACE = {
    "article": 60,
    "docs": 6,
    "forum": 30,
    "item": 10,
    "lies": 12,
    "product": 20,
    "wiki": 25,
}
REPEATS = [
    ("/article/zh-2", "/article/zh-2?utm=1"),
    ("/article/zh-2", "/print/zh-2"),
    (f"/article/{SLUGS[0]}", f"/print/{SLUGS[0]}"),
    ("/calendar/", "/calendar/2031/05/"),
    ("/docs/limits/", "/docs/limits/moving/words/"),
    ("/docs/limits/", "/docs/limits/words/words/words/words/errors/"),
    ("/forum/", "/forum/?page=1&sid=1"),
    ("/forum/thread/8", "/forum/thread/8?sid=0123456789abcdef"),
    ("/item/6", "/item/123456"),
    ("/login", "/login?next=/members/4"),
    ("/shop/?color=red", "/shop/?color=red&unknown=1"),
    ("/shop/?color=red&size=small", "/shop/?size=small&color=red"),
    ("/wiki/Anchor", "/wiki/Anchor?oldid=5"),
    ("/wiki/Anchor?oldid=2", "/wiki/Anchor?diff=2&oldid=2"),
]
NOTHING = """
    /calendar/2031/04/ /item/5 /login?next=/members/1 /members/1 /nowhere /search
    /wiki/Anchor?action=history /shop/?color=red&size=small&brand=brise
""".split()
MISSING = """
    /nowhere /robots.txt /article/ /article/x /print/x /list/7 /list/0 /lies/13 /product/21
    /calendar/2031/ /calendar/2031/13/ /docs/x/ /forum/?page=4 /forum/thread/31 /forum/x
    /item/x /item/0 /item/1/2 /members/x /login/x /shop/x /search/x
    /wiki/X /wiki/Anchor?oldid=6 /wiki/Anchor?diff=x&oldid=1
""".split()


@dataclass(frozen=True)
class Answer:
    """One response."""

    status: int
    headers: HTTPMessage
    body: bytes

    @property
    def tree(self) -> lxml.html.HtmlElement:
        return lxml.html.fromstring(self.body.decode())

    @property
    def text(self) -> str:
        """What stands in the page's own part."""
        return " ".join(" ".join(self.tree.xpath("//main//text()")).split())

    @property
    def canonical(self) -> list[str]:
        return self.tree.xpath("//link[@rel='canonical']/@href")

    def links(self, url: str) -> list[str]:
        """The links of the page, without those in the frame of the site."""
        hrefs = self.tree.xpath("//a[not(ancestor::nav)]/@href")
        return [urljoin(url, href) for href in hrefs]


Get = Callable[[str], Answer]


def ask(server: TrapServer, url: str, method: str = "GET") -> Answer:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=10)
    try:
        connection.request(method, url)
        response = connection.getresponse()
        return Answer(response.status, response.headers, response.read())
    finally:
        connection.close()


@pytest.fixture(scope="module")
def server() -> Iterator[TrapServer]:
    with TrapServer() as running:
        yield running


@pytest.fixture(scope="module")
def get(server: TrapServer) -> Get:
    """Asks for a path, once."""
    return cache(lambda url: ask(server, url))


def shingles(text: str) -> frozenset[str]:
    """Every five letters of Chinese, otherwise every three words."""
    words = WORD.findall(text.lower())
    joined = "".join(words)
    if not joined.isascii():
        return frozenset(joined[i : i + 5] for i in range(len(joined) - 4))
    return frozenset(" ".join(words[i : i + 3]) for i in range(len(words) - 2))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other)


def test_real_pages_are_those_with_a_text_of_their_own() -> None:
    spaces = [space_of(url) for url in REAL]

    assert {space: spaces.count(space) for space in spaces} == REAL_OF_SPACE
    assert len({content_of(url) for url in REAL}) == len(REAL) == 163
    assert None not in map(content_of, REAL)


def test_real_pages_are_unlike_each_other(get: Get) -> None:
    answers = {url: get(url) for url in REAL}
    assert {answer.status for answer in answers.values()} == {200}

    texts = {url: shingles(answer.text) for url, answer in answers.items()}
    near = [pair for pair in combinations(REAL, 2) if jaccard(*map(texts.get, pair)) > 0.12]
    assert near == []


def test_articles_have_the_length_of_articles(get: Get) -> None:
    texts = [get(url) for url in REAL if space_of(url) == "article"]
    by_language = {"en": [], "zh": []}
    for answer in texts:
        by_language[answer.tree.get("lang")].append(length_of(answer.text))

    assert {lang: len(found) for lang, found in by_language.items()} == {"en": 40, "zh": 20}
    assert 150 <= min(by_language["en"]) <= max(by_language["en"]) <= 400
    assert 250 <= min(by_language["zh"]) <= max(by_language["zh"]) <= 600  # letters


def test_articles_are_reached_within_seven_clicks_by_plain_urls(get: Get) -> None:
    reached = {"/list/1"}  # in the frame of each page, the front page too
    assert "/list/1" in get("/").links("/")
    for _ in range(6):
        lists = [url for url in reached if space_of(url) == "list"]
        reached |= {link for url in lists for link in get(url).links(url)}

    assert {f"/article/{slug}" for slug in SLUGS} <= reached
    assert not any(urlsplit(url).query for url in reached)
    assert all(len(get(url).tree.xpath("//ul[@class='rows']/li")) == 10 for url in lists)


def worth_following(url: str) -> bool:
    """Whether a crawl that knows the site goes on behind a page which shows nothing of its own."""
    number = urlsplit(url).path.rpartition("/")[2]
    return space_of(url) == "item" and int(number) <= max(ITEMS)


def test_all_real_pages_are_reached_without_following_a_repeat(get: Get) -> None:
    seen, waiting, contents = {"/"}, ["/"], set()
    while waiting:
        url = waiting.pop(0)
        answer, content = get(url), content_of(url)
        if content in contents or (content is None and not worth_following(url)):
            continue
        contents.add(content or url)
        if space_of(url) != "search":
            new = [link for link in answer.links(url) if link not in seen]
            waiting += dict.fromkeys(new)
            seen.update(new)

    assert {content_of(url) for url in REAL} <= contents


@pytest.mark.parametrize(("url", "other"), REPEATS)
def test_a_repeat_shows_the_same_text_and_has_the_same_content(
    get: Get, url: str, other: str
) -> None:
    assert get(url).status == get(other).status == 200
    assert get(url).text == get(other).text
    assert content_of(url) == content_of(other)


def test_a_url_shows_the_same_page_always(get: Get) -> None:
    urls = ["/", "/forum/?sid=77", "/search?q=boat", "/wiki/Anchor?diff=1&oldid=3", "/shop/"]
    with TrapServer() as another:
        assert all(ask(another, url).body == get(url).body for url in urls)


def test_content_does_not_depend_on_the_host(server: TrapServer) -> None:
    url = f"{server.url}wiki/Anchor?oldid=1#top"

    assert content_of(url) == content_of("/wiki/Anchor") == "wiki:Anchor"
    assert {urlsplit(real).path for real in real_urls(server.url)} == set(REAL)
    assert f"{server.url}wiki/Anchor" in real_urls(server.url)


@pytest.mark.parametrize("url", NOTHING)
def test_pages_with_nothing_of_their_own_have_no_content(url: str) -> None:
    assert content_of(url) is None


@pytest.mark.parametrize(
    ("month", "before", "after"),
    [
        ("2031/12", "2031/11", "2032/01"),
        ("2031/01", "2030/12", "2031/02"),
        ("9999/12", "9999/11", "10000/01"),
        ("123456/02", "123456/01", "123456/03"),
    ],
)
def test_the_calendar_goes_on_without_end(get: Get, month: str, before: str, after: str) -> None:
    links = get(f"/calendar/{month}/").links("/")
    assert links[-2:] == [f"/calendar/{before}/", f"/calendar/{after}/"]


def test_a_month_shows_its_days_and_a_few_lead_to_articles(get: Get) -> None:
    assert get("/calendar/2032/02/").text == " ".join(["February 2032", *map(str, range(1, 30))])
    months = [f"/calendar/{year}/{n:02}/" for year in range(2025, 2038) for n in range(1, 13)]
    events = [link for url in months for link in get(url).links(url) if "/article/" in link]
    assert 5 < len(events) < 20
    assert set(events) <= set(REAL)


def test_filters_in_any_order_show_the_same_rows(get: Get) -> None:
    query = ("color=blue", "size=medium", "sort=price")
    texts = {get("/shop/?" + "&".join(order)).text for order in permutations(query)}
    assert len(texts) == 1


def test_sorting_shows_the_same_rows_in_another_order(get: Get) -> None:
    pages = [get(f"/shop/?color=blue{more}") for more in ("", "&sort=name", "&sort=newest")]
    rows = [answer.tree.xpath("//ul[@class='rows']/li/a/@href") for answer in pages]

    assert len({tuple(order) for order in rows}) == 3
    assert len({frozenset(order) for order in rows}) == 1
    assert content_of("/shop/?color=blue&sort=name") == content_of("/shop/?color=blue")
    assert content_of("/shop/?color=blue") != content_of("/shop/")


def test_only_the_sort_links_of_the_shop_say_nofollow(get: Get) -> None:
    tree = get("/shop/?color=blue").tree
    marked = tree.xpath("//a[contains(@rel, 'nofollow')]/@href")

    assert marked == [f"/shop/?color=blue&sort={order}" for order in ("price", "name", "newest")]
    assert get("/forum/").tree.xpath("//a[@rel]") == []


def test_a_filter_is_appended_and_taken_out_again(get: Get) -> None:
    links = get("/shop/?size=small").links("/")
    assert {"/shop/?size=small&color=red", "/shop/?size=medium", "/shop/"} <= set(links)


def test_relative_links_of_documents_grow(get: Get) -> None:
    url = "/docs/install/"
    for depth in range(3, 12):
        url = get(url).links(url)[depth % 2]
        assert len(url.strip("/").split("/")) == depth
        assert content_of(url) == "docs:install"
    assert get(url).text == get("/docs/install/").text


def test_each_page_of_the_forum_has_a_session_of_its_own(get: Get) -> None:
    sessions = []
    for url in ("/forum/", "/forum/?page=2", "/forum/thread/1", "/forum/thread/1?sid=1"):
        found = {urlsplit(link).query.partition("sid=")[2] for link in get(url).links(url)}
        assert len(found) == 1
        sessions += found
    assert len(set(sessions)) == 4
    assert all(re.fullmatch("[0-9a-f]{16}", session) for session in sessions)


@pytest.mark.parametrize("title", TITLES[:3])
def test_revisions_differ_by_a_few_words(get: Get, title: str) -> None:
    texts = [get(f"/wiki/{title}?oldid={n}").text for n in range(1, REVISIONS + 1)]

    assert len(set(texts)) == REVISIONS
    for one, other in pairwise(texts):
        assert 2 <= length_of(one) - length_of(other) <= 6
        assert jaccard(shingles(one), shingles(other)) > 0.9


def test_a_history_leads_to_all_revisions_and_differences(get: Get) -> None:
    links = get("/wiki/Anchor?action=history").links("/")
    pairs = [link for link in links if "diff=" in link]

    assert [link for link in links if "?oldid" in link] == [
        f"/wiki/Anchor?oldid={n}" for n in range(1, REVISIONS + 1)
    ]
    assert len(pairs) == 10
    assert {content_of(link) for link in links} == {"wiki:Anchor"}
    for link in pairs:
        new = urlsplit(link).query.partition("&")[0].removeprefix("diff=")
        whole = get(f"/wiki/Anchor?oldid={new}").text.removeprefix("Anchor ")
        assert get(link).text.endswith(whole)
        assert len(get(link).text) > len(get(f"/wiki/Anchor?oldid={new}").text)


def test_a_search_finds_new_text_and_three_more_words_always(get: Get) -> None:
    url, texts = "/search?q=harbour", set()
    for number in range(40):
        links = get(url).links(url)
        assert len({*links}) == 3
        assert content_of(url) not in map(content_of, links)
        texts.add(get(url).text)
        url = links[number % 3]
    assert len(texts) == 40


def test_the_letters_name_the_front_page_as_canonical(get: Get) -> None:
    letters = [url for url in REAL if space_of(url) == "lies"]
    assert all(get(url).canonical == ["/"] for url in letters)
    assert set(letters) == set(get("/lies/").links("/"))


def test_a_print_version_names_its_article_as_canonical(get: Get) -> None:
    for slug in SLUGS:
        assert f"/print/{slug}" in get(f"/article/{slug}").links("/")
        assert get(f"/print/{slug}").canonical == [f"/article/{slug}"]


def test_items_that_do_not_exist_answer_well_and_lead_to_others(get: Get) -> None:
    missing = [n for n in range(1, 301) if content_of(f"/item/{n}") is None]

    assert len(missing) == 300 - len(ITEMS)
    assert {get(f"/item/{n}").text for n in (missing[20], missing[-1])} == {get("/item/1").text}
    assert len(get("/item/12345").links("/")) == 10


def test_members_lead_to_the_login(get: Get) -> None:
    links = get("/members/").links("/")
    answers = [get(link) for link in links]

    assert {answer.status for answer in answers} == {302}
    places = [answer.headers["Location"] for answer in answers]
    assert places == [f"/login?next={link}" for link in links]
    assert all(get(place).status == 200 for place in places)
    assert get(places[0]).tree.xpath("//form//input[@type='password']")


@pytest.mark.parametrize("url", MISSING)
def test_all_else_is_missing(get: Get, url: str) -> None:
    assert get(url).status == 404
    assert content_of(url) is None


@pytest.mark.parametrize("url", ["//a.example/wiki/Anchor", "//[", "/%ff%00", "/?q=%"])
def test_odd_urls_get_an_answer(get: Get, url: str) -> None:
    assert get(url).status in {200, 404}


@pytest.mark.parametrize("url", ["/", "/members/1", "/nowhere"])
def test_each_answer_closes_its_connection(get: Get, url: str) -> None:
    assert get(url).headers["Connection"] == "close"
    assert int(get(url).headers["Content-Length"]) == len(get(url).body)


def test_head_sends_no_body(server: TrapServer) -> None:
    assert ask(server, "/", "HEAD").body == b""


def test_requests_are_logged_in_order() -> None:
    with TrapServer() as server:
        ask(server, "/shop/?sort=name")
        ask(server, "/nowhere")
        assert server.requests == ("/shop/?sort=name", "/nowhere")


def test_a_crawl_exports_each_real_page_that_it_met_once(tmp_path: Path) -> None:
    settings = {"ADDONS": {"dedup.scrapy.Addon": 500}, "NEARDUP_STORE": "memory:"}
    with TrapServer() as server:
        done = crawl(tmp_path, settings, start=server.url, max_pages="400")
    real = set(map(content_of, REAL))
    met = [content for content in map(content_of, server.requests) if content in real]
    exported = [content for content in map(content_of, done.urls) if content in real]

    assert 60 < len(set(met)) < len(met)
    assert sorted(exported) == sorted(set(met))


def test_the_traps_are_served_by_hand() -> None:
    words = [sys.executable, "-m", "crawler.demo", "--traps"]
    with subprocess.Popen(
        words, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True
    ) as serving:
        try:
            name, address = serving.stdout.readline().split()
            connection = HTTPConnection("127.0.0.1", urlsplit(address).port, timeout=10)
            connection.request("GET", "/shop/")
            assert (name, connection.getresponse().status) == ("traps", 200)
            connection.close()
        finally:
            serving.terminate()


BREADTH_FIRST = {
    "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.ScrapyPriorityQueue",
    "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
    "DEPTH_PRIORITY": 1,
}


@pytest.mark.parametrize(
    ("order", "least", "most"),
    [({}, 126, len(REAL)), (BREADTH_FIRST, 40, 122)],
    ids=["postponed", "breadth first"],
)
def test_with_repeats_postponed_more_real_pages_are_met(
    tmp_path: Path, order: dict[str, object], least: int, most: int
) -> None:
    settings = {
        "ADDONS": {"dedup.scrapy.Addon": 500},
        "NEARDUP_STORE": "memory:",
        "NEARDUP_HASH_SEED": 0,
        "CONCURRENT_REQUESTS": 1,
        "CLOSESPIDER_PAGECOUNT": 400,  # Of the first 300 it is chance which pages stand in them.
    }
    with TrapServer() as server:
        done = crawl(tmp_path, settings | order, start=server.url)
    real = set(map(content_of, REAL))
    asked = [url for url in server.requests if url != "/robots.txt"]
    met = real.intersection(map(content_of, asked[:400]))
    exported = [content for content in map(content_of, done.urls) if content in real]

    assert least <= len(met) <= most
    assert sorted(exported) == sorted(real.intersection(map(content_of, asked)))
