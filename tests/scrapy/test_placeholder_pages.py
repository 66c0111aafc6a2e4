"""Crawls of a site that answers missing pages with a page: soft 404s, logins, empty lists."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from conftest import Crawler
from crawling import HOLD_AT_MOST, Crawl, OneAfterAnother, Pages, Reply, Web, article, prepared
from redis_servers import Servers
from test_kept_pages import kept, kept_counts

from crawler.demo.traps import TrapServer, content_of
from dedup.scrapy.session import Session
from dedup.urls.placeholders import LEAST

EACH = 20  # URLs of each kind.
NAMED = EACH - LEAST  # The first page is new, and seven repeat it before it is named.
WITHOUT = ["equal", "edited", "contained"]
GONE = """The product that you look for is not here any more. Maybe it was sold this morning,
maybe it was never here at all. Look at the products that are like it, or write to
us and ask when it comes back; we answer every letter on the same day, and on
Sundays on the next."""
GONE_ZH = """很抱歉，您访问的商品已经下架或者不存在。可能是链接输入有误，
也可能是卖家已经删除了这个商品。
您可以返回首页继续浏览其他商品，
或者使用上方的搜索框查找相似的宝贝。
如果您认为这是系统错误，请联系客服，
我们会在二十四小时之内回复您的问题。
感谢您的理解与支持，祝您购物愉快。"""
LOGIN = """Please sign in to change a page. Your name and your password are on the card that
you got when you joined. If you have lost it, ask for another at the desk in the
hall on any day but Thursday. Whoever is no member yet can join there as well, and
it takes no more than a few minutes of your time."""
EMPTY = """There is nothing in this month. The events of the house are announced some weeks
before they take place, so come back a little later, or have a look at the months
before this one. Groups that want to use the rooms write to the office, which
answers as soon as the plan of the season has been made."""
KINDS = {
    "/product?id={}": GONE,
    "/shangpin/{}.html": GONE_ZH,
    "/edit?do=edit&page=word{}": LOGIN,
    "/calendar/{}": EMPTY,
}
COPIES = "/article?id=5&sid={:08x}"
SHARED = [f"/article?id={number}" for number in range(3, 8)]
NAMES = ["tea", "rum", "ale", "gin", "rye", "oat", "nut", "fig", "pea", "cod"]


def show(text: str, title: str = "House") -> str:
    paragraphs = "".join(f"<p>{paragraph}</p>" for paragraph in text.split("\n\n"))
    return f"<html><head><title>{title}</title></head><body><article>{paragraphs}</article></body>"


class Shop(dict[str, Any]):
    """The pages of a site, by path: whatever is no article has a placeholder."""

    def get(self, path: str, default: Any = None) -> Any:
        if path in self:
            return self[path]
        if found := re.match(r"/article\?id=(\d+)", path):
            return article(f"subject {found[1]}")
        for kind, text in KINDS.items():
            if re.fullmatch(
                re.escape(kind).replace(r"word\{\}", ".*").replace(r"\{\}", ".*"), path
            ):
                return show(text)
        return default


@pytest.fixture
def shop(web: Web) -> Web:
    web.pages = Shop()
    return web


def urls_of(web: Web, kind: str, number: int = EACH) -> list[str]:
    return web.urls(*(kind.format(100 + n) for n in range(number)))


def all_urls(web: Web) -> list[str]:
    """URLs of all kinds, in turns."""
    kinds = [SHARED * (EACH // len(SHARED)), *(urls_of(web, kind) for kind in [*KINDS, COPIES])]
    urls = [
        url if url.startswith("http") else web.url(url)
        for row in zip(*kinds, strict=True)
        for url in row
    ]
    return list(dict.fromkeys(urls))


def run(crawl: Crawler, web: Web, urls: list[str] | None = None, **settings: Any) -> Crawl:
    done = crawl(urls=urls or all_urls(web), **{"CONCURRENT_REQUESTS": 1, **settings})
    done.check_sums()
    return done


def relations(done: Crawl, kind: str) -> Counter[str]:
    """The relations of the dropped pages of a kind."""
    sign = kind.partition("{")[0]
    return Counter(record["relation"] for record in done.log if sign in record["url"])


def is_made_up(path: str) -> bool:
    """Whether a path has a random word or number; of a session this is not known."""
    return re.search("[a-z]{12}|[0-9]{6}", path.partition("sid=")[0]) is not None


def test_pages_that_many_urls_give_are_named_and_dropped_in_any_language(
    crawl: Crawler, shop: Web
) -> None:
    done = run(crawl, shop)

    for kind in KINDS:
        assert relations(done, kind) == {"equal": LEAST - 1, "placeholder": NAMED}, kind
    assert relations(done, "sid=") == {"equal": EACH - 1}
    assert done["relation/placeholder"] == NAMED * len(KINDS)
    assert (
        done["new"] == len(done.urls) == len(KINDS) + len(SHARED)
    )  # /article?id=5 repeats a copy of it.
    assert not any(map(is_made_up, shop.requests))


def test_named_pages_are_exported_and_logged_if_they_are_not_to_be_dropped(
    crawl: Crawler, shop: Web, folder: Path
) -> None:
    done = run(crawl, shop, NEARDUP_DROP=WITHOUT)

    for kind in KINDS:
        assert relations(done, kind) == {"equal": LEAST - 1}
        exported = [url for url in done.urls if kind.partition("{")[0] in url]
        assert len(exported) == 1 + NAMED
    assert relations(done, "sid=") == {"equal": EACH - 1}
    assert kept_counts(done) == {"placeholder": NAMED * len(KINDS)}
    assert {record["relation"] for record in kept(folder)} == {"placeholder"}
    assert done["duplicates"] == done["items/dropped"]


def test_what_is_exported_is_the_same_whether_pages_are_named_or_not(
    crawl: Crawler, shop: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = run(crawl, shop, NEARDUP_STORE="memory:")
    monkeypatch.setattr("dedup.urls.placeholders.LEAST", 10_000)
    unnamed = run(crawl, shop, NEARDUP_STORE="memory:")

    assert unnamed["relation/placeholder"] == 0 < named["relation/placeholder"]
    assert named.urls == unnamed.urls


@pytest.mark.parametrize("drop", [[*WITHOUT, "placeholder"], WITHOUT])
def test_many_pages_at_once_are_named_too(crawl: Crawler, shop: Web, drop: list[str]) -> None:
    urls = urls_of(shop, "/product?id={}", 60)

    done = run(crawl, shop, urls, NEARDUP_DROP=drop, CONCURRENT_REQUESTS=16)

    placeholders = done["relation/placeholder"] + done["kept/placeholder"]
    assert (done["relation/equal"], placeholders) == (LEAST - 1, 60 - LEAST)
    assert done["items/exported"] == 1 + done["kept/placeholder"]


def test_a_name_is_found_again_if_the_first_page_is_not_exported(crawl: Crawler, shop: Web) -> None:
    """The first page fails slowly. Those that wait for it are decided again."""
    urls = urls_of(shop, "/product?id={}", 30)
    settings = {"ITEM_PIPELINES": {"crawling.SlowFailure": 300}, "CONCURRENT_REQUESTS": 30}
    shop.hold_until_asked(*(url.partition(str(shop.port))[2] for url in urls))

    done = run(crawl, shop, urls, CONCURRENT_REQUESTS_PER_DOMAIN=30, **settings)

    assert done["items/errors"] == 1
    assert done["items/exported"] == 1
    assert done["relation/placeholder"] >= 30 - LEAST - 1


def test_items_of_other_facts_are_kept_under_any_name(crawl: Crawler, shop: Web) -> None:
    class Prices(Pages):
        def item(self, response: Any) -> Any:
            return {"url": response.url, "price": response.url[-3:]}

    urls = urls_of(shop, "/product?id={}")
    done = crawl(Prices, urls=urls, CONCURRENT_REQUESTS=1)

    assert done.urls == sorted(urls)
    assert kept_counts(done) == {"variant": EACH - 1}


def test_items_of_pages_of_several_are_judged_each_under_any_name(
    crawl: Crawler, shop: Web
) -> None:
    class Lists(Pages):
        def parse(self, response: Any) -> Any:
            yield {"name": "An item of the list that each of the pages has, and of all others"}
            yield {"name": f"An item of the one page that has it, which is at {response.url}"}

    done = crawl(Lists, urls=urls_of(shop, "/product?id={}"), CONCURRENT_REQUESTS=1)

    assert done["items/exported"] == 1 + EACH
    assert done["items/dropped"] == EACH - 1


def test_a_page_that_shows_the_name_of_what_is_missing_is_named(crawl: Crawler, shop: Web) -> None:
    """Two of the names are alike but for a number: a variant, whose repeats are named at once."""
    paths = [f"/find?word={NAMES[n % 10]}{n}" for n in range(EACH)]
    shop.pages |= {path: show(f"{GONE} You asked for {path[11:]}.") for path in paths}

    done = run(crawl, shop, shop.urls(*paths))

    assert done["relation/placeholder"] == NAMED - 1
    assert kept_counts(done) == {"variant": 1}
    assert len(done.urls) == 2


def test_a_kept_page_that_shows_the_name_of_what_is_missing_is_repeated_by_others(
    crawl: Crawler, shop: Web
) -> None:
    """The twelfth page is equal to the ninth, which was exported as a placeholder."""
    names = [*NAMES[:9], "tee", "fir", NAMES[8], "ash"]
    paths = [f"/find?word={name}&n={n}" for n, name in enumerate(names)]
    texts = (f"{GONE} You asked for {name}." for name in names)
    shop.pages |= {path: show(text) for path, text in zip(paths, texts, strict=True)}

    done = run(crawl, shop, shop.urls(*paths), NEARDUP_DROP=WITHOUT)

    assert kept_counts(done) == {"placeholder": len(paths) - LEAST}
    assert done["items/dropped"] == LEAST - 1


def test_each_crawl_over_a_shared_store_names_by_its_own_pages(
    crawl: Crawler, shop: Web, servers: Servers
) -> None:
    urls = urls_of(shop, "/product?id={}", 2 * EACH)
    store = servers.address("redis")

    first = run(crawl, shop, urls[:EACH], NEARDUP_STORE=store, NEARDUP_DROP=WITHOUT)
    second = run(crawl, shop, urls[EACH:], NEARDUP_STORE=store)

    assert (first["relation/equal"], first["kept/placeholder"]) == (LEAST - 1, NAMED)
    assert len(first.urls) == 1 + NAMED
    assert (second["relation/equal"], second["relation/placeholder"]) == (LEAST - 1, NAMED + 1)
    assert second.urls == []


def test_variants_keep_their_name(crawl: Crawler, shop: Web) -> None:
    shop.pages |= {f"/tides/{n}": article("tides", title=f"Tides of {2000 + n}") for n in range(20)}

    done = run(crawl, shop, shop.urls(*shop.pages), NEARDUP_DROP=[*WITHOUT, "variant"])

    assert (done["relation/variant"], len(done.urls)) == (19, 1)


def test_on_a_site_of_traps_no_page_of_its_own_is_named(
    crawl: Crawler, caplog: pytest.LogCaptureFixture
) -> None:
    """Items that are not there, and a login: no print versions, sessions, filters, revisions."""
    caplog.set_level(logging.WARNING)

    class All(Pages):
        def parse(self, response: Any) -> Any:
            yield self.item(response)
            yield from response.follow_all(css="a")

    queue = "dedup.scrapy.PostponingQueue"
    with TrapServer() as site:
        done = crawl(
            All, urls=[site.url], SCHEDULER_PRIORITY_QUEUE=queue, CLOSESPIDER_PAGECOUNT=1_000
        )
    named = [record["url"] for record in done.log if record["relation"] == "placeholder"]
    assert len(named) > 20
    assert not any(map(content_of, named))


# Made-up URLs


def made_up_by(web: Web) -> list[str]:
    return [path for path in web.requests if is_made_up(path)]


def test_a_made_up_url_names_such_a_page_from_its_first_repeat(crawl: Crawler, shop: Web) -> None:
    """Each kind has pages that are there, and then pages that are not."""
    real = {kind: [kind.format(n) for n in range(10, 20)] for kind in KINDS}
    for paths in real.values():
        shop.pages |= {path: article(path) for path in paths}
    urls = [shop.url(path) for paths in zip(*real.values(), strict=True) for path in paths]
    missing = [urls_of(shop, kind) for kind in KINDS]
    urls += [url for row in zip(*missing, strict=True) for url in row]

    done = crawl(OneAfterAnother, urls=urls, NEARDUP_PROBE=True)

    assert len(made_up_by(shop)) == len(KINDS) == done["probes"] == done["probes/proven"]
    for kind in KINDS:
        assert relations(done, kind) == {"placeholder": EACH - 1}, kind
    assert len(done.urls) == len(KINDS) * 11
    assert done["urls/downloads"] == done["checked"] == len(urls)
    assert not any(is_made_up(url.partition(str(shop.port))[2]) for url in done.urls)


def test_a_made_up_url_whose_answer_shows_its_name_names_pages_that_show_theirs(
    crawl: Crawler, shop: Web
) -> None:
    class Echo(Shop):
        def get(self, path: str, default: Any = None) -> Any:
            return super().get(path) or show(f"{GONE} You asked for {path.partition('=')[2]}.")

    real = {f"/find?word=real{n}": article(n) for n in range(10)}
    shop.pages = Echo(real)
    missing = [f"/find?word={name}" for name in NAMES]

    done = crawl(OneAfterAnother, urls=shop.urls(*real, *missing), NEARDUP_PROBE=True)

    assert (done["probes"], done["probes/proven"]) == (1, 1)
    assert done["relation/placeholder"] == len(missing) - 1


def test_a_crawl_makes_only_so_many_urls_up(
    crawl: Crawler, shop: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dedup.scrapy.probing.MOST_PROBES", 2)
    paths = [kind.format(n) for n in range(10, 16) for kind in KINDS]
    shop.pages |= {path: article(path) for path in paths}

    done = crawl(OneAfterAnother, urls=shop.urls(*paths), NEARDUP_PROBE=True)

    assert len(made_up_by(shop)) == done["probes"] == 2


def test_a_crawl_of_known_pages_makes_a_url_up_too(crawl: Crawler, shop: Web) -> None:
    urls = shop.urls(*SHARED)
    crawl(OneAfterAnother, urls=urls)
    done = crawl(OneAfterAnother, urls=urls, NEARDUP_PROBE=True)
    assert (done["revisits"], done["probes"]) == (len(urls), 1)


def test_no_url_is_made_up_unless_asked(crawl: Crawler, shop: Web) -> None:
    done = run(crawl, shop)
    assert made_up_by(shop) == []
    assert done["probes"] == 0


def test_a_server_that_ignores_a_value_proves_nothing(crawl: Crawler, shop: Web) -> None:
    """The made-up session shows the article, as each session does."""
    articles = shop.urls(*(f"/article?id={n}&sid=0000000{n}" for n in range(1, 10)))

    done = crawl(OneAfterAnother, urls=articles + urls_of(shop, COPIES), NEARDUP_PROBE=True)

    assert (done["probes"], done["probes/proven"]) == (1, 0)
    assert relations(done, "sid=") == {"equal": EACH}


def test_no_url_is_made_up_like_those_of_pages_that_repeat_one(crawl: Crawler, shop: Web) -> None:
    missing = [url for kind in KINDS for url in urls_of(shop, kind)]

    done = run(crawl, shop, missing, NEARDUP_PROBE=True)

    assert (done["probes"], made_up_by(shop)) == (0, [])
    assert done["relation/placeholder"] == NAMED * len(KINDS)


@pytest.mark.parametrize(
    "reply",
    [
        Reply(b"no", status=404),
        Reply(status=302, location="/article?id=5"),
        Reply(b"", status=500),
        Reply(b"{}", "application/json"),
        Reply(b"short"),
    ],
)
def test_an_answer_that_is_no_page_proves_nothing(crawl: Crawler, shop: Web, reply: Reply) -> None:
    class Strict(Shop):
        def get(self, path: str, default: Any = None) -> Any:
            return reply if is_made_up(path) else super().get(path, default)

    shop.pages = Strict({f"/product?id={n}": article(n) for n in range(10)})
    done = crawl(OneAfterAnother, urls=shop.urls(*shop.pages), NEARDUP_PROBE=True)

    assert len(made_up_by(shop)) == done["probes"] == 1
    assert done["probes/proven"] == 0
    assert done.reason == "finished"


def test_a_made_up_url_that_robots_txt_forbids_is_not_requested(crawl: Crawler, shop: Web) -> None:
    numbers = range(10)
    shop.pages |= {f"/product?id={n}": article(n) for n in numbers}
    allowed = "".join(f"Allow: /product?id={n}$\n" for n in numbers)
    text = f"User-agent: *\n{allowed}Disallow: /product\n"
    shop.pages["/robots.txt"] = Reply(text.encode(), "text/plain")

    urls = shop.urls(*(f"/product?id={n}" for n in numbers))
    done = crawl(OneAfterAnother, urls=urls, NEARDUP_PROBE=True, ROBOTSTXT_OBEY=True)

    assert done["probes"] == 1
    assert made_up_by(shop) == []
    assert len(done.urls) == 10


def test_a_made_up_url_outside_the_allowed_domains_is_not_requested(
    crawl: Crawler, shop: Web
) -> None:
    class Abroad(Pages):
        allowed_domains = ("elsewhere.example",)  # Its own requests insist: dont_filter.

    shop.pages |= {f"/product?id={n}": article(n) for n in range(10)}
    done = crawl(Abroad, urls=shop.urls(*shop.pages), NEARDUP_PROBE=True)

    assert (done["probes"], made_up_by(shop)) == (1, [])
    assert len(done.urls) == 10


def test_forms_and_pages_without_a_verdict_make_no_url_up(crawl: Crawler, shop: Web) -> None:
    class Forms(Pages):
        words: dict[str, Any] = {}  # noqa: RUF012

        async def start(self) -> Any:
            async for request in super().start():
                yield request.replace(**self.words)

    urls = shop.urls(*(f"/article?id={n}" for n in range(10)))
    for words in ({"method": "POST"}, {"meta": {"neardup_skip": True}}):
        done = crawl(Forms, urls=urls, words=words, NEARDUP_PROBE=True)
        assert (len(done.urls), done["probes"]) == (10, 0)
    assert made_up_by(shop) == []


def test_a_server_that_does_not_answer_a_made_up_url_holds_the_crawl_up_for_a_moment(
    crawl: Crawler, shop: Web
) -> None:
    def hurry(session: Session) -> None:
        assert session.probing is not None
        session.probing.most_seconds = 0.5

    held: list[threading.Event] = []

    def hold(_: int, path: str) -> None:
        if is_made_up(path):
            held.append(shop.hold(path))

    shop.on_request = hold
    shop.pages |= {f"/product?id={n}": article(n) for n in range(10)}
    began = time.monotonic()
    settings = {"NEARDUP_PROBE": True, "EXTENSIONS": prepared(hurry)}
    done = crawl(OneAfterAnother, urls=shop.urls(*shop.pages), **settings)
    took = time.monotonic() - began
    held[0].set()

    assert (done["probes"], len(done.urls), done.reason) == (1, 10, "finished")
    assert took < HOLD_AT_MOST / 2
