"""Requests that are skipped by the queue: none is lost, each is logged, some come after all."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scrapy import Request
from test_frontier import Tea, ask, drain, make_crawler

from dedup.scrapy.frontier import NOFOLLOW_KEY, PostponingQueue
from dedup.scrapy.jsonlog import JsonLog
from dedup.scrapy.log_paths import skip_log
from dedup.scrapy.reporter import Reporter
from dedup.scrapy.requests import FILE, DiskRequests, MemoryRequests
from dedup.scrapy.skipping import MOST_SOURCES, Skipping
from dedup.urls import Learner
from dedup.urls.patterns import HANDLER
from dedup.urls.predictions import RUN, SAMPLED

pytestmark = pytest.mark.usefixtures("late_samples")
LAW = settings(derandomize=True, deadline=None, max_examples=60)
ENOUGH = RUN
PRINT, CART = "/print?id=", "/cart?item="
# A request of one of two patterns; None for the next one; what proves a pattern, or fails it.
STEPS = st.lists(
    st.none()
    | st.tuples(st.just("push"), st.sampled_from([PRINT, CART]), st.integers(-1, 1))
    | st.tuples(st.sampled_from(["prove", "fail"]), st.sampled_from([PRINT, CART]), st.just(0)),
    max_size=150,
)


class Skipper:
    """A queue that skips, and what tells it what its downloads brought."""

    def __init__(self, folder: Path, *, on_disk: bool, log: Path | None = None) -> None:
        self.crawler = make_crawler()
        self.learner = Learner()
        self.log = JsonLog(skip_log(log or folder / "drops.jsonl"))
        self.skipping = Skipping(self.learner, self.log, Tea.name, Reporter(self.crawler))
        kept = DiskRequests(self.crawler, folder / FILE) if on_disk else MemoryRequests()
        self.queue = PostponingQueue(self.learner, kept, skipping=self.skipping)
        self._made = 0

    def push(self, kind: str, number: int = 1, **words: Any) -> list[str]:
        """Push requests of a pattern; returns their URLs."""
        paths = [f"{kind}{self._made + n}" for n in range(number)]
        self._made += number
        requests = [ask(path, **words) for path in paths]
        for request in requests:
            self.queue.push(request)
        return [request.url for request in requests]

    def note(self, kind: str, times: int = 1, *, is_hit: bool) -> None:
        for _ in range(times):
            request = ask(f"{kind}0")
            self.skipping.note(request, self.learner.patterns(request.url), is_hit=is_hit)

    def brought(self, path: str, *, is_hit: bool, is_file: bool = False) -> Request:
        """Note a download; returns its request."""
        request = ask(path)
        patterns = self.learner.patterns(request.url)
        self.skipping.note(request, patterns, is_hit=is_hit, is_file=is_file)
        return request

    def drain(self) -> list[str]:
        return drain(self.queue)

    @property
    def logged(self) -> list[str]:
        """The URLs in the log."""
        path = self.log.path
        lines = path.read_text().splitlines() if path.exists() else []
        return [json.loads(line)["url"] for line in lines]

    def stat(self, name: str) -> Any:
        assert self.crawler.stats is not None
        return self.crawler.stats.get_value(f"neardup/{name}", 0)

    def close(self) -> None:
        self.queue.close()
        self.log.close()


@pytest.fixture(params=[False, True], ids=["memory", "disk"])
def skipper(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Skipper]:
    made = Skipper(tmp_path, on_disk=request.param)
    yield made
    made.close()


@LAW
@given(STEPS, st.booleans())
def test_every_request_comes_or_is_logged_and_comes_once_its_pattern_fails(
    steps: list[Any], on_disk: bool
) -> None:
    pushed, popped = Counter[str](), Counter[str]()
    with TemporaryDirectory() as folder:
        made = Skipper(Path(folder), on_disk=on_disk)
        for step in steps:
            if step is None:
                popped.update([request.url] if (request := made.queue.pop()) else [])
            elif step[0] == "push":
                pushed.update(made.push(step[1], 9, priority=step[2]))
            else:
                made.note(step[1], 40 if step[0] == "prove" else 1, is_hit=step[0] == "prove")
            waiting = sum(number for _, number in made.queue.waiting())
            assert len(made.queue) == waiting
        popped.update(made.drain())
        assert len(made.queue) == 0
        made.skipping.sum_up()
        assert made.stat("urls/not_downloaded") == (pushed - popped).total()
        assert (pushed - popped).keys() <= {*made.logged}
        assert made.stat("urls/skipped") == len(made.logged)
        for kind in (PRINT, CART):
            made.note(kind, is_hit=False)
        popped.update(made.drain())
        made.close()
    assert popped == pushed


def test_what_has_proven_itself_is_skipped_but_for_samples(skipper: Skipper) -> None:
    urls = skipper.push(PRINT, 3 * SAMPLED)
    others = skipper.push(CART, 3)
    skipper.note(PRINT, ENOUGH, is_hit=True)
    came = skipper.drain()
    samples = urls[SAMPLED - 1 :: SAMPLED]
    assert sorted(came) == sorted(samples + others)
    assert sorted(skipper.logged) == sorted({*urls} - {*samples})
    assert skipper.stat("urls/skipped") == 3 * (SAMPLED - 1)
    assert skipper.stat("skip_log") == str(skipper.log.path)


@pytest.mark.parametrize("is_proven_late", [False, True])
def test_patterns_that_share_a_queue_are_skipped_each_by_its_own_downloads(
    skipper: Skipper, *, is_proven_late: bool
) -> None:
    skipper.queue.most_queues = 0  # So all URLs of the site share one queue.
    if not is_proven_late:
        skipper.note(PRINT, ENOUGH, is_hit=True)
    prints, carts = skipper.push(PRINT, SAMPLED - 1), skipper.push(CART, 3)
    if is_proven_late:
        skipper.note(PRINT, ENOUGH, is_hit=True)
    assert skipper.drain() == carts
    assert skipper.logged == prints
    skipper.note(PRINT, is_hit=False)
    assert skipper.drain() == prints


@pytest.mark.parametrize("most_queues", [0, 1_000])
def test_a_path_that_is_proven_by_kinds_is_skipped_until_a_kind_is_news(
    skipper: Skipper, most_queues: int
) -> None:
    skipper.queue.most_queues = most_queues
    kinds = [f"/list?{one}=0&{other}=" for one, other in combinations("abcdefgh", 2)]
    for kind in kinds[:ENOUGH]:
        skipper.note(kind, is_hit=True)
    others, news = skipper.push(kinds[-1], 5), skipper.push(kinds[-2], 1, priority=-1)
    assert skipper.drain() == []
    assert skipper.logged == others + news
    skipper.note(kinds[-2], is_hit=False)
    assert skipper.drain() == others + news


def test_skips_of_words_that_were_literal_come_when_their_sign_fails(skipper: Skipper) -> None:
    requests = [ask(f"/print/{word}") for word in "abcdefghijklmnopqr"]
    for request in requests:
        skipper.queue.push(request)
    skipper.note("/print/w", ENOUGH, is_hit=True)
    assert skipper.drain() == []
    skipper.note("/print/w", is_hit=False)
    assert sorted(skipper.drain()) == [request.url for request in requests]


def test_a_download_of_a_shared_queue_teaches_its_own_patterns(skipper: Skipper) -> None:
    skipper.queue.most_queues = 0
    urls = [*skipper.push(PRINT, 3), *skipper.push(PRINT, 3, meta={NOFOLLOW_KEY: True})]
    skipper.drain()
    found = [skipper.learner.patterns(url)[HANDLER] for url in urls]
    assert found == ["a.example print?id"] * 3 + ["nofollow:a.example print?id"] * 3


def test_a_line_of_the_log_has_the_evidence(tmp_path: Path) -> None:
    made = Skipper(tmp_path, on_disk=False)
    (url,) = made.push(PRINT)
    made.learner.note_page("http://a.example/print?id=7", b"<p>oak tea tide</p>")
    made.learner.note_page("http://a.example/print?id=8", b"<p>oak tea tide</p>")
    made.note(PRINT, 40, is_hit=True)
    assert made.drain() == []
    made.close()
    (line,) = (tmp_path / "skipped-drops.jsonl").read_text().splitlines()
    entry = json.loads(line)
    assert entry.pop("time").endswith("+00:00")
    assert entry == {
        "version": 1,
        "spider": "tea",
        "action": "skip",
        "url": url,
        "pattern": "a.example /print?id=#",
        "downloads": 40,
        "hits": 40,
        "example": "http://a.example/print?id=8",
        "example_of": "http://a.example/print?id=7",
        "size": len(b"<p>oak tea tide</p>"),
    }


SUM = "Skipped requests: "


def test_the_sum_has_samples_and_bytes_by_the_mean_size_of_what_was_downloaded(
    skipper: Skipper, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    skipper.learner.found("http://a.example/print")  # So no parameter is new.
    for number, size in enumerate((1_000, 3_000)):
        skipper.learner.note_nothing(f"http://a.example/print?id={number}", size)
    skipper.push(PRINT, 2 * SAMPLED)
    skipper.note(PRINT, ENOUGH, is_hit=True)
    skipper.drain()
    skipper.skipping.sum_up()
    skipped = 2 * (SAMPLED - 1)
    assert skipper.stat("urls/not_downloaded") == skipped
    assert skipper.stat("urls/sampled") == 2
    assert skipper.stat("urls/saved_bytes") == skipped * 2_000
    (line,) = [line for line in caplog.messages if line.startswith(SUM)]
    assert line == (
        f"{SUM}38 not downloaded, which saved about 76.0 kB; 2 downloaded as samples "
        f"(scrapy neardup urls skipped {skipper.log.path})"
    )


def test_what_is_requested_after_all_is_not_saved(
    skipper: Skipper, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    skipper.learner.note_nothing("http://a.example/print?id=1", 100)
    skipper.push(PRINT, 9)
    skipper.note(PRINT, ENOUGH, is_hit=True)
    skipper.drain()
    skipper.note(PRINT, is_hit=False)
    skipper.push(CART, 4)
    skipper.note(CART, ENOUGH, is_hit=True)
    skipper.drain()
    skipper.skipping.sum_up()
    assert skipper.stat("urls/skipped") == 9 + 4
    assert skipper.stat("urls/not_downloaded") == 4
    assert skipper.stat("urls/saved_bytes") == 4 * 100  # By the mean of the site.
    assert f"{SUM}4 not downloaded" in caplog.text
    assert "; 9 skips were taken back (" in caplog.text


def test_without_skips_the_sums_are_zero_and_no_line_is_logged(
    skipper: Skipper, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    skipper.push(PRINT, 9)
    skipper.drain()
    skipper.skipping.sum_up()
    for name in ("urls/not_downloaded", "urls/sampled", "urls/saved_bytes"):
        assert skipper.crawler.stats.get_value(f"neardup/{name}") == 0
    assert SUM not in caplog.text


def test_where_all_that_is_left_is_skipped_the_queue_is_empty(skipper: Skipper) -> None:
    skipper.push(PRINT, SAMPLED - 1)
    skipper.note(PRINT, ENOUGH, is_hit=True)
    assert len(skipper.queue) == SAMPLED - 1
    assert skipper.queue.pop() is None
    assert len(skipper.queue) == 0
    assert [*skipper.queue.waiting()] == []
    skipper.note(PRINT, is_hit=False)
    assert len(skipper.queue) == len(skipper.drain()) == SAMPLED - 1
    assert skipper.stat("urls/failed_patterns") == 1


def test_what_is_skipped_keeps_its_priority(skipper: Skipper) -> None:
    low, high = skipper.push(PRINT, 3, priority=-1), skipper.push(PRINT, 3, priority=1)
    skipper.note(PRINT, ENOUGH, is_hit=True)
    assert skipper.drain() == []
    middle = skipper.push(CART, 2)
    skipper.note(PRINT, is_hit=False)
    assert skipper.drain() == high + middle + low


def test_what_is_skipped_again_has_a_line_each_time(skipper: Skipper) -> None:
    urls = skipper.push(PRINT, 9)
    for times in range(1, 4):
        skipper.note(PRINT, 2**times * ENOUGH, is_hit=True)
        assert skipper.drain() == []
        assert Counter(skipper.logged) == dict.fromkeys(urls, times)
        skipper.note(PRINT, is_hit=False)
    assert sorted(skipper.drain()) == sorted(urls)


def test_the_queues_of_what_was_skipped_do_not_become_more_and_more(skipper: Skipper) -> None:
    skipper.push(PRINT, 9)
    for _ in range(20):
        skipper.note(PRINT, 2 * ENOUGH, is_hit=True)
        skipper.drain()
        skipper.note(PRINT, is_hit=False)
    assert len([*skipper.queue.requests.queues()]) <= 2


def test_a_crawl_that_goes_on_decides_anew_and_logs_anew(tmp_path: Path) -> None:
    before = Skipper(tmp_path, on_disk=True, log=tmp_path / "one.jsonl")
    urls = before.push(PRINT, 9)
    before.note(PRINT, ENOUGH, is_hit=True)
    assert before.drain() == []
    before.close()

    proving = Skipper(tmp_path, on_disk=True, log=tmp_path / "two.jsonl")
    assert len(proving.queue) == len(urls)
    assert sum(number for _, number in proving.queue.waiting()) == len(urls)
    first = proving.queue.pop()
    assert first is not None
    proving.note(PRINT, ENOUGH, is_hit=True)
    assert proving.drain() == []
    assert sorted([*proving.logged, first.url]) == sorted(urls)
    proving.close()

    requests = DiskRequests(make_crawler(), tmp_path / FILE)
    off = PostponingQueue(Learner(), requests)
    assert sorted(drain(off)) == sorted({*urls} - {first.url})
    off.close()


def test_a_crawl_that_is_killed_loses_nothing_that_was_skipped(tmp_path: Path) -> None:
    killed = Skipper(tmp_path, on_disk=True)
    urls = killed.push(PRINT, 99)
    killed.note(PRINT, ENOUGH, is_hit=True)
    came = [request.url for request in (killed.queue.pop(), killed.queue.pop()) if request]

    again = Skipper(tmp_path, on_disk=True)
    waiting = again.drain()
    assert {*waiting} | {*came} == {*urls}
    again.close()
    killed.close()


UNSKIPPED: dict[str, dict[str, Any]] = {
    "dont_filter": {"dont_filter": True},
    "a start request": {"meta": {"is_start_request": True}},
    "neardup_skip": {"meta": {"neardup_skip": True}},
    "a form": {"method": "POST"},
}


@pytest.mark.parametrize("words", UNSKIPPED.values(), ids=UNSKIPPED)
def test_what_the_spider_insists_on_is_not_skipped(skipper: Skipper, words: dict[str, Any]) -> None:
    urls = skipper.push(PRINT, SAMPLED - 1, **words)
    skipper.note(PRINT, ENOUGH, is_hit=True)
    assert skipper.drain() == urls
    assert skipper.logged == []


def test_what_cannot_be_logged_is_not_skipped(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    made = Skipper(tmp_path, on_disk=False, log=tmp_path / "file" / "drops.jsonl")
    urls = made.push(PRINT, 9)
    made.note(PRINT, ENOUGH, is_hit=True)
    assert made.drain() == urls
    assert made.stat("urls/skipped") == 0
    assert "log of skipped requests cannot be written" in caplog.text


FULL = """
CREATE TRIGGER full BEFORE INSERT ON requests BEGIN SELECT RAISE(ABORT, 'disk is full'); END
"""


def test_what_cannot_be_put_aside_is_downloaded(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    made = Skipper(tmp_path, on_disk=True)
    urls = made.push(PRINT, 9)
    made.note(PRINT, ENOUGH, is_hit=True)
    with sqlite3.connect(tmp_path / FILE) as other:
        other.executescript(FULL)
    assert made.drain() == urls
    assert len(made.queue) == 0
    assert "disk is full" in caplog.text
    made.close()


# Links and redirects


def link(skipper: Skipper, source: Request, path: str) -> Request:
    """A request that a page gave."""
    request = ask(path)
    skipper.skipping.note_link(request, source)
    return request


@pytest.fixture
def source(skipper: Skipper) -> Request:
    """A page that repeats another one, of a pattern of which something was skipped."""
    skipper.push(PRINT, 5)
    skipper.note(PRINT, ENOUGH, is_hit=True)
    assert skipper.drain() == []
    request = ask(f"{PRINT}99")
    skipper.skipping.note(request, skipper.learner.patterns(request.url), is_hit=True)
    return request


def test_a_link_whose_page_is_new_fails_the_pattern_once(skipper: Skipper, source: Request) -> None:
    links = [link(skipper, source, f"/new/{number}") for number in range(3)]
    for request in links:
        skipper.queue.push(request)
    assert skipper.drain() == [request.url for request in links]
    assert skipper.stat("urls/failed_patterns") == 0
    for number in range(3):
        skipper.brought(f"/new/{number}", is_hit=False)
    assert skipper.stat("urls/failed_patterns") == 1
    assert len(skipper.queue) == 5


def test_a_link_whose_page_repeats_another_fails_nothing(skipper: Skipper, source: Request) -> None:
    skipper.queue.push(link(skipper, source, "/old/1"))
    skipper.brought("/old/1", is_hit=True)
    skipper.brought("/old/1", is_hit=False)  # Later changes of the page are not its source's.
    assert skipper.stat("urls/failed_patterns") == 0


@pytest.mark.parametrize("way", [1, MOST_SOURCES - 1])
def test_repeats_that_lead_to_a_new_page_by_other_repeats_fail_the_pattern(
    skipper: Skipper, source: Request, way: int
) -> None:
    page = source
    for number in range(way):
        skipper.queue.push(link(skipper, page, f"/old/{number}"))
        page = skipper.brought(f"/old/{number}", is_hit=True)
    skipper.queue.push(link(skipper, page, "/new"))
    assert skipper.stat("urls/failed_patterns") == 0
    skipper.brought("/new", is_hit=False)
    assert skipper.stat("urls/failed_patterns") == 1


def test_a_chain_of_repeats_is_remembered_only_so_far(skipper: Skipper, source: Request) -> None:
    page = source
    for number in range(3 * MOST_SOURCES):
        skipper.queue.push(link(skipper, page, f"/old/{number}"))
        page = skipper.brought(f"/old/{number}", is_hit=True)
        hit, length = skipper.skipping._hits[page], 0
        while hit.source is not None:
            hit, length = hit.source, length + 1
        assert length < MOST_SOURCES


def test_a_file_of_which_something_is_taken_is_news_to_the_page_that_led_to_it(
    skipper: Skipper, source: Request
) -> None:
    skipper.queue.push(link(skipper, source, "/data"))
    file = skipper.brought("/data", is_hit=True, is_file=True)
    assert skipper.stat("urls/failed_patterns") == 0
    skipper.skipping.note_use(file)
    assert skipper.stat("urls/failed_patterns") == 1


def test_links_that_are_never_asked_for_fail_nothing(skipper: Skipper, source: Request) -> None:
    link(skipper, source, "/seen")
    skipper.queue.push(ask("/seen"))
    assert skipper.stat("urls/failed_patterns") == 0


def test_a_link_of_a_page_that_is_new_fails_nothing_more(skipper: Skipper, source: Request) -> None:
    new = ask("/cart?item=1")
    skipper.skipping.note(new, skipper.learner.patterns(new.url), is_hit=False)
    skipper.queue.push(link(skipper, new, "/new"))
    assert skipper.stat("urls/failed_patterns") == 0


def test_a_redirect_to_a_new_page_fails_the_pattern_that_was_noted(
    skipper: Skipper, source: Request
) -> None:
    skipper.skipping.note_redirect(source)
    target = {"redirect_urls": ["http://a.example/else", source.url]}
    skipper.queue.push(ask("/new", meta=target))
    assert skipper.stat("urls/failed_patterns") == 0
    skipper.brought("/new", is_hit=False)
    assert skipper.stat("urls/failed_patterns") == 1
    skipper.note(PRINT, 2 * ENOUGH, is_hit=True)
    assert skipper.drain() == ["http://a.example/new"]


@pytest.mark.parametrize("by_html", [False, True])
def test_a_redirect_counts_once_though_links_of_its_target_copy_its_meta(
    skipper: Skipper, *, by_html: bool
) -> None:
    others = skipper.push(PRINT, 5)
    redirect = ask(f"{PRINT}99")
    if not by_html:
        redirect = skipper.brought(f"{PRINT}99", is_hit=True)
        skipper.skipping.note_redirect(redirect)
    skipper.queue.push(ask("/list", meta={"redirect_urls": [redirect.url]}))
    page = skipper.brought("/list", is_hit=True)
    links = [ask(f"/new/{n}", meta={"redirect_urls": [redirect.url]}) for n in range(2 * ENOUGH)]
    for request in links:
        skipper.skipping.note_link(request, page)
        skipper.queue.push(request)
    came = skipper.drain()
    assert {*others} <= {*came}
    assert skipper.logged == []
    assert skipper.skipping._hits[page].stands
    skipper.brought("/new/0", is_hit=False)
    assert not skipper.skipping._hits[page].stands


def test_a_request_that_gives_itself_again_is_not_kept(skipper: Skipper, source: Request) -> None:
    link(skipper, source, "/")
    skipper.skipping.note_link(source, source)
    assert all(hit is not source for hit in skipper.skipping._links.values())


@pytest.mark.parametrize("words", [{"dont_filter": True}, {"meta": {"neardup_skip": True}}])
def test_a_link_whose_download_is_not_judged_counts_as_news(
    skipper: Skipper, source: Request, words: dict[str, Any]
) -> None:
    request = ask("/seen", **words)
    skipper.skipping.note_link(request, source)
    skipper.queue.push(request)
    assert skipper.stat("urls/failed_patterns") == 1


def test_a_link_that_cannot_be_kept_on_disk_is_news_in_memory(tmp_path: Path) -> None:
    made = Skipper(tmp_path, on_disk=True)
    second = PostponingQueue(made.learner, MemoryRequests(), skipping=made.skipping)
    made.push(PRINT, 5)
    second.push(ask(f"{PRINT}77"))
    made.note(PRINT, ENOUGH, is_hit=True)
    assert made.drain() == drain(second) == []
    page = ask(f"{PRINT}99")
    made.skipping.note(page, made.learner.patterns(page.url), is_hit=True)
    request = ask("/new", meta={"make": lambda: None})
    made.skipping.note_link(request, page)
    with pytest.raises(ValueError, match=r"pickle|local object"):
        made.queue.push(request)
    assert made.stat("urls/failed_patterns") == 0
    second.push(request)
    made.brought("/new", is_hit=False)
    assert made.stat("urls/failed_patterns") == 1
    assert (len(made.queue), len(second)) == (5, 2)
    made.close()
