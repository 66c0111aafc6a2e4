"""Whole crawls with NEARDUP_SKIP_PREDICTED: what is not downloaded, and what comes after all."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import Crawler, Neardup
from crawling import ALONE, Crawl, Pages, Reply, Web, article
from scrapy import Request
from scrapy.core.scheduler import BaseScheduler
from scrapy.http import Response

pytestmark = pytest.mark.usefixtures("late_samples")
ARTICLES, PRINTS = 6, 120
ENOUGH, SAMPLED = 20, 20
SKIPPED = 95  # Of those after the first ENOUGH, but one in SAMPLED.
SKIPPING: dict[str, Any] = {
    "SCHEDULER_PRIORITY_QUEUE": "dedup.scrapy.PostponingQueue",
    "NEARDUP_SKIP_PREDICTED": True,
    "NEARDUP_STORE": "memory:",
    "CONCURRENT_REQUESTS": 1,
}
ARTICLE_PATHS = [f"/article/{number}" for number in range(ARTICLES)]
WORD_PATHS = [f"/print/{one}{other}" for one in "abcdefghijkl" for other in "mnopqrstuv"]
PRINT_PATHS = [f"/print?id={number % ARTICLES}&x={number}" for number in range(PRINTS)]


def linking(paths: Iterable[str], html: str = "<html><body></body></html>") -> str:
    """A page that links to others."""
    items = "".join(f'<li><a href="{path.replace("&", "&amp;")}">x</a></li>' for path in paths)
    return html.replace("</body>", f"<ul>{items}</ul></body>")


@pytest.fixture
def site(web: Web) -> Web:
    """Articles, and print versions of them, which link to nothing else."""
    web.pages = {"/": linking([*ARTICLE_PATHS, *PRINT_PATHS])}
    for number, path in enumerate(ARTICLE_PATHS):
        web.pages[path] = linking(ARTICLE_PATHS, article(f"story {number}"))
    for number, path in enumerate(PRINT_PATHS):
        web.pages[path] = web.pages[ARTICLE_PATHS[number % ARTICLES]]
    return web


def skipped(done: Crawl) -> list[dict[str, Any]]:
    """The records of the log of skipped requests."""
    path = done.stats.get("neardup/skip_log")
    return [json.loads(line) for line in Path(path).read_text().splitlines()] if path else []


def test_print_versions_are_skipped_once_they_have_proven_to_repeat(
    crawl: Crawler, site: Web, caplog: pytest.LogCaptureFixture
) -> None:
    done = crawl(urls=[site.url()], **SKIPPING)
    left = [path for path in PRINT_PATHS if path not in site.requests]
    assert len(left) == done["urls/skipped"] == SKIPPED
    late = PRINT_PATHS[ENOUGH:]
    assert left == [path for number, path in enumerate(late, 1) if number % SAMPLED]
    assert set(ARTICLE_PATHS) <= {*site.requests}
    assert done["urls/failed_patterns"] == done["urls/postponed"] == 0
    assert done.reason == "finished"
    assert done["urls/not_downloaded"] == SKIPPED
    assert done["urls/sampled"] == (PRINTS - ENOUGH) // SAMPLED
    bytes_left = sum(len(site.pages[path].encode()) for path in left)
    assert done["urls/saved_bytes"] == pytest.approx(bytes_left, rel=0.02)

    lines = skipped(done)
    assert sum(line["size"] for line in lines) == pytest.approx(bytes_left, rel=0.02)
    assert [line["url"] for line in lines] == site.urls(*left)
    assert {line["pattern"] for line in lines} == {f"127.0.0.1:{site.port} /print?id=#&x=#"}
    assert lines[0]["downloads"] == lines[0]["hits"] == ENOUGH
    assert lines[0]["example"] == site.url(PRINT_PATHS[ENOUGH - 1])
    assert lines[0]["example_of"] in site.urls(*ARTICLE_PATHS)
    log = Path(done.stats["neardup/skip_log"])
    assert log.name.startswith("skipped-drops-pages-")
    assert log.with_name(log.name.removeprefix("skipped-")) == Path(done.stats["neardup/drop_log"])
    (told,) = [line for line in caplog.messages if line.startswith("Skipped requests: ")]
    assert told.startswith(f"Skipped requests: {SKIPPED} not downloaded, which saved about ")
    assert told.endswith(f"; 5 downloaded as samples (scrapy neardup urls skipped {log})")


def test_the_first_words_of_a_place_count_for_the_sign_that_replaces_them(
    crawl: Crawler, web: Web
) -> None:
    """The first words at a place are literal, until there are many."""
    web.pages = {"/": linking(WORD_PATHS)} | dict.fromkeys(WORD_PATHS, article("tides"))
    done = crawl(urls=[web.url()], **SKIPPING)
    late = len(WORD_PATHS) - ENOUGH - 1  # The first of all has a new text.
    assert done["urls/skipped"] == late - late // SAMPLED


def test_skips_of_first_words_are_taken_back_with_those_of_their_sign(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {"/": linking(WORD_PATHS)} | dict.fromkeys(WORD_PATHS, article("tides"))
    web.pages |= {path: article(path) for path in WORD_PATHS[60:]}
    done = crawl(urls=[web.url()], **SKIPPING)
    assert done["urls/failed_patterns"] == 1
    assert {*WORD_PATHS} <= {*web.requests}


OFF: dict[str, dict[str, Any]] = {
    "by default": {"NEARDUP_SKIP_PREDICTED": None},
    "with False": {"NEARDUP_SKIP_PREDICTED": "False"},
    "without the extension": {"NEARDUP_ENABLED": False},
    "with Scrapy's queue": {"SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.ScrapyPriorityQueue"},
}


@pytest.mark.parametrize("settings", OFF.values(), ids=OFF)
def test_nothing_is_skipped_where_that_is_off(
    crawl: Crawler, site: Web, settings: dict[str, Any]
) -> None:
    site.pages["/"] = linking([*ARTICLE_PATHS, *PRINT_PATHS[: 3 * ENOUGH]])
    for path in PRINT_PATHS[3 * ENOUGH :]:
        del site.pages[path]
    words = {name: value for name, value in (SKIPPING | settings).items() if value is not None}
    done = crawl(urls=[site.url()], **words)
    assert {*site.requests} == site.pages.keys()
    assert done["urls/skipped"] == done["urls/failed_patterns"] == 0
    assert skipped(done) == []
    assert not [*Path().rglob("skipped-*")]


class OwnScheduler(BaseScheduler):
    """A scheduler that has a queue of its own, as scrapy-redis does."""

    def __init__(self) -> None:
        self.requests: list[Request] = []

    def has_pending_requests(self) -> bool:
        return bool(self.requests)

    def enqueue_request(self, request: Request) -> bool:
        self.requests.append(request)
        return True

    def next_request(self) -> Request | None:
        return self.requests.pop() if self.requests else None


NO_EFFECT: dict[str, dict[str, Any]] = {
    "SCHEDULER is test_skipped_requests.OwnScheduler": {"SCHEDULER": OwnScheduler},
    "is scrapy.pqueues.ScrapyPriorityQueue": OFF["with Scrapy's queue"],
    "the two middlewares are not enabled": ALONE,
}


@pytest.mark.parametrize(("reason", "settings"), NO_EFFECT.items())
def test_the_log_warns_once_that_nothing_can_be_skipped(
    crawl: Crawler,
    site: Web,
    caplog: pytest.LogCaptureFixture,
    reason: str,
    settings: dict[str, Any],
) -> None:
    site.pages = {"/": article("front")}
    crawl(urls=[site.url()], **SKIPPING | settings)

    lines = [entry.getMessage() for entry in caplog.records]
    (line,) = [line for line in lines if "NEARDUP_SKIP_PREDICTED" in line]
    assert reason in line


@pytest.mark.parametrize("settings", [SKIPPING, {"NEARDUP_SKIP_PREDICTED": False}])
def test_the_log_warns_of_nothing_where_the_settings_fit(
    crawl: Crawler, site: Web, caplog: pytest.LogCaptureFixture, settings: dict[str, Any]
) -> None:
    site.pages = {"/": article("front")}
    crawl(urls=[site.url()], **settings)
    assert "NEARDUP_SKIP_PREDICTED" not in caplog.text


def test_where_late_ones_are_new_all_that_was_skipped_is_requested(
    crawl: Crawler, site: Web
) -> None:
    late = PRINT_PATHS[70:]
    site.pages |= {path: article(path) for path in late}
    done = crawl(urls=[site.url()], **SKIPPING)
    assert sorted(site.requests) == sorted(site.pages)
    assert {*site.urls(*late)} <= {*done.urls}
    assert done["urls/failed_patterns"] == 1
    assert done["urls/skipped"] == len(skipped(done)) == 3 * (SAMPLED - 1)


def test_where_a_late_one_has_a_new_link_all_that_was_skipped_is_requested(
    crawl: Crawler, site: Web
) -> None:
    for number in range(70, PRINTS):
        path, new = PRINT_PATHS[number], f"/new/{number}"
        site.pages[path] = linking([new], site.pages[path])
        site.pages[new] = article(new)
    done = crawl(urls=[site.url()], **SKIPPING)
    assert sorted(site.requests) == sorted(site.pages)
    assert done["urls/failed_patterns"] == 1


def test_a_crawl_that_goes_on_requests_what_was_skipped_before(crawl: Crawler, site: Web) -> None:
    before = crawl(urls=[site.url()], **SKIPPING, JOBDIR="job")
    assert before["urls/skipped"] == SKIPPED
    after = crawl(urls=[site.url()], **SKIPPING, JOBDIR="job")
    assert after["urls/skipped"] == 0  # Too few are left: the first of each article is new here.
    assert {*site.requests} == site.pages.keys()


def test_a_page_limit_counts_only_what_is_downloaded(crawl_site: Crawler, site: Web) -> None:
    everything = ARTICLES + PRINTS + 1
    words = SKIPPING | {"ADDONS": {"dedup.scrapy.Addon": 500}, "ROBOTSTXT_OBEY": False}
    limit = everything - SKIPPED
    done = crawl_site(start=site.url(), max_pages=str(limit), **words)
    assert len(site.requests) == limit == done.stats["site/pages"]
    assert done.reason in {"finished", "max_pages"}


def test_many_at_once_are_skipped_and_the_crawl_ends(crawl: Crawler, site: Web) -> None:
    done = crawl(urls=[site.url()], **SKIPPING | {"CONCURRENT_REQUESTS": 16})
    # A print version may come before its article, and then it is new: so the number varies.
    assert len(skipped(done)) == done["urls/skipped"] <= SKIPPED
    urls = {line["url"] for line in skipped(done)} | {*site.urls(*site.requests)}
    assert urls == {*site.urls(*site.pages)}
    assert done.reason == "finished"


# What is no hit

MANY = 3 * ENOUGH


class Odd(Pages):
    """Takes pages that are not found, and follows its links as if they had rel=nofollow."""

    handle_httpstatus_list = [404]  # noqa: RUF012
    nofollow = False

    def parse(self, response: Response) -> Any:
        for request in response.follow_all(css="li a"):
            if self.nofollow:
                request.meta["neardup_nofollow"] = True
            yield request


def refreshing(path: str) -> str:
    """A page that leads on by itself."""
    return f'<html><head><meta http-equiv="refresh" content="0; url={path}"></head></html>'


@pytest.mark.parametrize("nofollow", [False, True])
@pytest.mark.parametrize("by", ["redirect", "refresh"])
def test_what_leads_to_new_pages_is_no_hit(
    crawl: Crawler, web: Web, by: str, *, nofollow: bool
) -> None:
    paths = [f"/go?id={number}" for number in range(MANY)]
    web.pages = {"/": linking(paths)}
    for number, path in enumerate(paths):
        new = f"/article/{number}"
        leads = Reply(b"", status=302, location=new) if by == "redirect" else refreshing(new)
        is_dead = by == "refresh" and number % 2
        web.pages |= {path: Reply(b"", status=404) if is_dead else leads, new: article(new)}
    done = crawl(Odd, urls=[web.url()], nofollow=nofollow, **SKIPPING)
    assert done["urls/skipped"] == 0
    assert {*paths} <= {*web.requests}


def test_an_endless_space_ends_once_it_has_proven_to_repeat(crawl: Crawler, web: Web) -> None:
    pages = [f"/day?on={number}" for number in range(2 * MANY)]
    web.pages = {path: linking([after]) for path, after in pairwise(pages)}
    web.pages[pages[-1]] = linking([])
    done = crawl(urls=[web.url(pages[0])], **SKIPPING)
    assert ENOUGH < len(web.requests) <= MANY
    assert done["urls/skipped"] == 1
    assert done.reason == "finished"


def test_redirects_to_what_is_known_are_hits(crawl: Crawler, web: Web) -> None:
    paths = [f"/go?id={number}" for number in range(MANY)]
    web.pages = {"/": linking(["/login", *paths]), "/login": article("login")}
    web.pages |= {path: Reply(b"", status=302, location="/login") for path in paths}
    done = crawl(urls=[web.url()], **SKIPPING)
    assert done["urls/skipped"] > MANY / 2


def test_pages_that_are_not_found_and_have_new_links_are_no_hits(crawl: Crawler, web: Web) -> None:
    paths = [f"/gone?id={number}" for number in range(MANY)]
    web.pages = {"/": linking(paths)}
    for number, path in enumerate(paths):
        new = f"/article/{number}"
        web.pages[path] = Reply(linking([new]).encode(), status=404)
        web.pages[new] = article(new)
    done = crawl(Odd, urls=[web.url()], **SKIPPING)
    assert {*web.requests} == web.pages.keys()
    assert done["urls/skipped"] == 0


FAILURES = {"status 503": Reply(status=503), "a lost connection": Reply(b"tea", missing=9)}


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
def test_pages_whose_links_fail_are_no_hits(crawl: Crawler, web: Web, failure: Reply) -> None:
    paths = [f"/old?id={number}" for number in range(MANY)]
    web.pages = {"/": linking(paths)}
    for path in paths:
        new = path.replace("old", "new")
        web.pages |= {path: linking([new], article("tides")), new: failure}
    done = crawl(urls=[web.url()], **SKIPPING, DOWNLOAD_FAIL_ON_DATALOSS=True)
    assert {*web.requests} == web.pages.keys()
    assert done["urls/skipped"] == 0


def test_pages_with_links_that_robots_txt_forbids_are_hits(crawl: Crawler, web: Web) -> None:
    paths = [f"/old?id={number}" for number in range(MANY)]
    web.pages = {"/": linking(paths), "/robots.txt": Reply(b"User-agent: *\nDisallow: /new")}
    web.pages |= {path: linking([path.replace("old", "new")], article("tides")) for path in paths}
    done = crawl(urls=[web.url()], **SKIPPING, ROBOTSTXT_OBEY=True)
    assert done["urls/skipped"] == (MANY - ENOUGH) // SAMPLED * (SAMPLED - 1)


LARGE = "<!-- large -->" * 9_000
UNREAD: dict[str, str | Reply] = {
    "too large": LARGE,
    "no text": Reply(b"%PDF-1.4", "application/pdf"),
    "another status": Reply(article("tides").encode(), status=203),
    "forbidden": Reply(b"no", status=403),
}


@pytest.mark.parametrize("unread", UNREAD.values(), ids=UNREAD)
def test_what_was_not_read_is_no_hit(crawl: Crawler, web: Web, unread: str | Reply) -> None:
    paths = [f"/old?id={number}" for number in range(MANY)]
    web.pages = {"/": linking(paths)} | dict.fromkeys(paths[::2], unread)
    done = crawl(urls=[web.url()], **SKIPPING, NEARDUP_MAX_BODY=100_000)
    assert {*paths} <= {*web.requests}
    assert done["urls/skipped"] == 0


FILES: dict[str, Reply] = {
    "plain text": Reply(b"oak tea tide", "text/plain"),
    "JSON": Reply(b'{"tea": "oak"}', "application/json"),
}
files = pytest.mark.parametrize("file", FILES.values(), ids=FILES)


class Choosy(Pages):
    """Takes nothing from files, unless one of its attributes names what it takes."""

    takes = ""

    def parse(self, response: Response) -> Any:
        if "/old" not in response.url:
            yield from super().parse(response)
        elif self.takes == "items":
            yield {"url": response.url}
        elif self.takes == "links":
            # Before the other files, so that each file has led to something when the next comes.
            yield response.follow(f"{response.url}&more=1", self.more, priority=1)
        elif self.takes == "nothing, as it fails":
            raise ValueError(response.url)

    def more(self, response: Response) -> Any:
        yield {"url": response.url}


def crawl_files(crawl: Crawler, web: Web, file: Reply, takes: str = "") -> Crawl:
    """Crawl a page with links to files, of which the spider takes something."""
    paths = [f"/old?id={number}" for number in range(2 * MANY)]
    web.pages = {"/": linking(paths)} | dict.fromkeys(paths, file)
    web.pages |= {f"{path}&more=1": file for path in paths}
    return crawl(Choosy, urls=[web.url()], takes=takes, **SKIPPING)


@files
def test_files_of_which_the_spider_takes_nothing_are_hits(
    crawl: Crawler, web: Web, file: Reply
) -> None:
    done = crawl_files(crawl, web, file)
    assert done["urls/skipped"] == (2 * MANY - ENOUGH) // SAMPLED * (SAMPLED - 1)


@pytest.mark.parametrize("content_type", ["application/pdf", "text/plain", "text/html"])
def test_files_that_are_no_text_are_no_hits_whatever_they_say(
    crawl: Crawler, web: Web, content_type: str
) -> None:
    done = crawl_files(crawl, web, Reply(b"%PDF-1.4 tides", content_type))
    assert done["urls/skipped"] == 0


@files
@pytest.mark.parametrize("takes", ["items", "links", "nothing, as it fails"])
def test_files_of_which_the_spider_takes_something_are_no_hits(
    crawl: Crawler, web: Web, file: Reply, takes: str
) -> None:
    done = crawl_files(crawl, web, file, takes)
    assert {f"/old?id={number}" for number in range(2 * MANY)} <= {*web.requests}
    assert done["urls/skipped"] == 0


class Shells(Pages):
    """Takes the items of pages that all look the same from JSON."""

    def parse(self, response: Response) -> Any:
        if "/old" in response.url:
            yield response.follow(response.url.replace("old", "data"), self.read, priority=1)
        else:
            yield from super().parse(response)

    def read(self, response: Response) -> Any:
        yield {"url": response.url}


def test_pages_whose_items_are_in_files_are_no_hits(crawl: Crawler, web: Web) -> None:
    paths = [f"/old?id={number}" for number in range(2 * MANY)]
    web.pages = {"/": linking(paths)} | dict.fromkeys(paths, article("tides"))
    web.pages |= {path.replace("old", "data"): FILES["JSON"] for path in paths}
    done = crawl(Shells, urls=[web.url()], **SKIPPING)
    assert done["urls/skipped"] == 0


def test_a_failing_server_proves_nothing_and_fails_nothing(crawl: Crawler, site: Web) -> None:
    site.pages |= dict.fromkeys(PRINT_PATHS[54:95:20], Reply(b"", status=503))
    done = crawl(urls=[site.url()], **SKIPPING)
    assert done["urls/skipped"] == SKIPPED
    assert done["urls/failed_patterns"] == 0


def test_a_sample_that_is_tried_again_comes(crawl: Crawler, site: Web) -> None:
    sample = PRINT_PATHS[ENOUGH + SAMPLED - 1]
    site.pages[sample] = Reply(b"", status=503)
    crawl(urls=[site.url()], **SKIPPING, RETRY_ENABLED=True, RETRY_TIMES=2)
    assert site.requests.count(sample) == 3


def test_without_the_middlewares_no_page_teaches_so_nothing_is_skipped(
    crawl: Crawler, web: Web
) -> None:
    paths = [f"/old?id={number}" for number in range(MANY)]
    web.pages = {"/": linking(paths)} | {path: article(path) for path in paths[::2]}
    done = crawl(urls=[web.url()], **SKIPPING, **ALONE, NEARDUP_TEXT_FIELDS="title")
    assert {*paths} <= {*web.requests}
    assert done["urls/skipped"] == 0


class Starting(Pages):
    """Its URLs are start requests like others, as in the spider ``site``."""

    async def start(self) -> Any:
        for url in self.urls:
            yield Request(url)


def test_start_requests_are_not_skipped(crawl: Crawler, site: Web) -> None:
    paths = [*ARTICLE_PATHS, *PRINT_PATHS]
    done = crawl(Starting, urls=site.urls(*paths), **SKIPPING)
    assert sorted(site.requests) == sorted(paths)
    assert done["urls/skipped"] == 0


def test_what_was_skipped_can_be_requested_by_the_list_of_it(
    crawl: Crawler, crawl_site: Crawler, site: Web, neardup: Neardup, folder: Path
) -> None:
    crawl(urls=[site.url()], **SKIPPING)
    before = {*site.requests}
    code, out, errors = neardup("urls", "skipped", "--urls")
    assert (code, errors) == (0, "")
    (folder / "urls.txt").write_text(out)
    site.requests.clear()
    words = SKIPPING | {"ADDONS": {"dedup.scrapy.Addon": 500}, "ROBOTSTXT_OBEY": False}
    crawl_site(start="urls.txt", depth="0", **words)
    assert sorted(site.requests) == sorted(site.pages.keys() - before)
    assert code == 0
