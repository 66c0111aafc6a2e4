"""Where a page's fingerprint is made: here, in a worker, or not again."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from conftest import Crawler
from crawling import Reply, Web, article, text
from scrapy import Selector
from scrapy.http import HtmlResponse, TextResponse

from dedup import Config
from dedup.assembly import make_fingerprinter
from dedup.fingerprint import Fingerprinter, PageFingerprint
from dedup.page import limits
from dedup.scrapy.fingerprints import (
    BYTES_A_TAG,
    ENTRY_BYTES,
    LONG_PAGE,
    LONG_PIECE,
    LONG_TEXT,
    MOST_COMPILED,
    MOST_TAGS,
    REMEMBERED_BYTES,
    Fingerprints,
)
from dedup.scrapy.stopwatch import Stopwatch
from dedup.scrapy.worker import FingerprintError
from dedup.scrapy.workers import Workers

URL = "http://a.example/"
HTML = {"Content-Type": "text/html; charset=utf-8"}
PLAIN = {"Content-Type": "text/plain"}
UTF8, GB = "text/html; charset=utf-8", "text/html; charset=gb2312"
BIG5 = "text/html; charset=big5"
CHINESE = f"<p>{'红茶和绿茶的价格在今年春天又涨了一成，茶农们都很高兴。' * 8}</p>"
FINGERPRINTER = make_fingerprinter(Config())


class NoWorkers(Workers):
    """Refuses what is sent to a worker, so that a test sees what is."""

    def __init__(
        self, watch: Stopwatch | None = None, chain: Fingerprinter = FINGERPRINTER
    ) -> None:
        super().__init__(chain, 1, 10.0, watch or Stopwatch())

    async def run(self, method: str, *arguments: Any) -> PageFingerprint:
        page, *more = arguments
        sent = f"{len(page)} bytes, {more[0]}" if more else f"{len(page.text)} characters"
        raise FingerprintError("sent", sent)


def fingerprints(
    inline_body: int = 500_000,
    watch: Stopwatch | None = None,
    remembered_bytes: int = REMEMBERED_BYTES,
) -> Fingerprints:
    return Fingerprints(NoWorkers(watch), inline_body, remembered_bytes)


def of(response: TextResponse, maker: Fingerprints | None = None) -> PageFingerprint:
    return asyncio.run((maker or fingerprints()).of(response))


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (article("tides").encode(), UTF8),
        (article("tides").encode(), "text/html"),
        (CHINESE.encode("gb18030"), GB),
        (CHINESE.encode("gb18030"), "text/html"),
        (f'<meta charset="gbk">{CHINESE}'.encode("gbk"), "text/html"),
        (b"\xef\xbb\xbf" + CHINESE.encode(), GB),
        (f"<html><body>{CHINESE}</body></html><p>{CHINESE[::-1]}".encode(), UTF8),
        (("<div>" * 3_000 + CHINESE).encode(), UTF8),
        (b"<p>tea\x00\x01 tea " * 60, UTF8),
        (b"", UTF8),
        (f"<ul>{'<li>tea' * 2_500}</ul><p>{CHINESE}".encode(), UTF8),
        (f"<script>{' ' * 200_000}</script>{'<br>' * 100}{CHINESE}".encode(), UTF8),
    ],
)
def test_a_page_read_here_gives_what_a_worker_would(body: bytes, content_type: str) -> None:
    response = HtmlResponse(URL, body=body, headers={"Content-Type": content_type})
    assert of(response) == FINGERPRINTER.of_page(body, content_type)


def test_no_page_is_parsed_for_its_fingerprint() -> None:
    class Unparsed(HtmlResponse):
        @property
        def selector(self) -> Selector:
            raise AssertionError("parsed")

    for body in (article("tides"), f"{article('tides')}{'<br>' * 2_500}"):
        assert of(Unparsed(URL, body=body.encode(), headers=HTML)).tokens


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"<p>tea " * (MOST_COMPILED + 1), id="many tags"),
        pytest.param(b"<p>" + b"&lt;" * (LONG_PAGE // 4), id="many references"),
        pytest.param(b"<p>" + b"&eacute;" * (MOST_COMPILED + 1), id="many references by name"),
        pytest.param(b"<p>" + b"&ngE; " * 15_000, id="many rare references"),
        pytest.param(b"<meta charset=gbk>" + b"\xff" * 200_000, id="long to decode"),
        pytest.param(CHINESE.encode("gb18030") * 20, id="long to guess the encoding of"),
        pytest.param((b"<p>" + b"&ngE; " * 30) * 500, id="rare references in each text"),
        pytest.param((b"<p>" + b"tea" * 100) * 2_000, id="large"),
    ],
)
@pytest.mark.usefixtures("compiled")
def test_a_page_that_would_hold_up_the_crawl_goes_to_a_worker(body: bytes) -> None:
    headers = {"Content-Type": "text/html"}
    with pytest.raises(FingerprintError, match=rf"{len(body)} bytes, text/html"):
        of(HtmlResponse(URL, body=body, headers=headers))


def test_without_workers_such_a_page_is_read_here() -> None:
    body = CHINESE.encode("gb18030") * 20
    alone = Fingerprints(Workers(FINGERPRINTER, 0, 10.0), 0)
    made = of(HtmlResponse(URL, body=body, headers={"Content-Type": "text/html"}), alone)
    assert made == FINGERPRINTER.of_page(body)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"<p>tea " * (MOST_TAGS + 1), id="many tags"),
        pytest.param(b"<p" + b" a" * 2 * BYTES_A_TAG + b">tea</p>", id="long tags"),
    ],
)
def test_fewer_pages_are_read_here_by_the_slow_extractor(body: bytes) -> None:
    slow = Fingerprinter(FINGERPRINTER.scheme, "readability")
    maker = Fingerprints(NoWorkers(chain=slow), len(body))
    with pytest.raises(FingerprintError, match=f"{len(body)} bytes"):
        of(HtmlResponse(URL, body=body, headers=HTML), maker)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"<p>tea" * (limits.MOST_TAGS + 1), "too_many_tags"),
        (b"<p>a" * (limits.MOST_PARAGRAPHS + 1), "too_long_text"),
        (b"<p>" + b"tea " * limits.MOST_TEXT, "too_long_text"),
    ],
)
def test_without_workers_a_page_that_asks_too_much_is_not_read(body: bytes, reason: str) -> None:
    alone = Fingerprints(Workers(FINGERPRINTER, 0, 10.0), len(body))
    with pytest.raises(FingerprintError) as raised:
        of(HtmlResponse(URL, body=body, headers=HTML), alone)
    assert raised.value.reason == FINGERPRINTER.of_page(body, UTF8).refused == reason


def test_where_no_worker_can_live_a_page_is_read_here_and_its_time_counted() -> None:
    watch = Stopwatch()
    alone = Fingerprints(Workers(FINGERPRINTER, 0, 10.0, watch), 0)
    body = article("tides").encode()
    expected = FINGERPRINTER.of_page(body, UTF8)  # First, because the first page takes long.

    made = of(HtmlResponse(URL, body=body, headers=HTML), alone)

    assert made == expected
    assert 0 < watch.longest <= watch.total  # On a slow machine it takes several blocks.


def test_without_inline_pages_every_page_goes_to_a_worker() -> None:
    with pytest.raises(FingerprintError):
        of(HtmlResponse(URL, body=b"<p>tea", headers=HTML), fingerprints(inline_body=0))


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    "text",
    ["tea-" * (LONG_PIECE // 4), "tea " * (LONG_TEXT // 4 + 20), "\ufdfa " * (LONG_TEXT // 20)],
    ids=["word", "text", "text once spelled"],
)
def test_a_text_that_would_hold_up_the_crawl_goes_to_a_worker(text: str) -> None:
    page = f"<html><article><p>{text}and tea</article>".encode()
    with pytest.raises(FingerprintError, match="characters"):
        of(HtmlResponse(URL, body=page, headers=HTML), fingerprints(2 * len(page)))


@pytest.mark.usefixtures("compiled")
def test_a_long_text_with_breaks_is_read_here() -> None:
    page = f"<html><article><p>{'tea ' * (LONG_PIECE // 2)}</article>".encode()
    made = of(HtmlResponse(URL, body=page, headers=HTML))
    assert made == FINGERPRINTER.of_page(page, UTF8)


def test_others_have_turns_while_a_page_is_read_that_takes_long() -> None:
    turns = []

    async def others() -> None:
        while True:
            turns.append(1)
            await asyncio.sleep(0)

    async def run() -> None:
        beside = asyncio.ensure_future(others())
        body = article("tides").encode()
        maker = fingerprints(watch=Stopwatch(long=0.0))
        await maker.of(HtmlResponse(URL, body=body, headers=HTML))
        beside.cancel()

    asyncio.run(run())
    assert len(turns) >= 2


def test_a_body_seen_a_moment_ago_is_not_read_again() -> None:
    maker = fingerprints()
    body = article("tides").encode()
    one = of(HtmlResponse(URL, body=body, headers=HTML), maker)
    again = HtmlResponse(URL + "2", body=body, headers=HTML)
    assert of(again, maker) == one
    assert maker.reused == 1


def test_a_body_in_another_encoding_is_another_page() -> None:
    maker = fingerprints()
    body = CHINESE.encode("gb18030")
    one = of(HtmlResponse(URL, body=body, headers={"Content-Type": GB}), maker)
    other = of(HtmlResponse(URL, body=body, headers={"Content-Type": BIG5}), maker)
    assert one.digest != other.digest
    same = of(HtmlResponse(URL, body=body, headers={"Content-Type": UTF8}), maker)
    assert same.digest == one.digest  # it is none of what that says


def test_a_page_that_calls_itself_utf16_in_ascii_is_read_here_as_in_a_worker() -> None:
    body = b"<meta charset=utf-16>" + article("tides").encode()
    page = HtmlResponse(URL, body=body, headers={"Content-Type": "text/html"})
    assert of(page) == FINGERPRINTER.of_page(body, None)
    assert of(page) == of(HtmlResponse(URL, body=article("tides").encode(), headers=HTML))


def test_a_body_taken_for_text_is_another_page() -> None:
    maker = fingerprints()
    body = article("tides").encode()
    text = of(TextResponse(URL, body=body, headers=PLAIN), maker)
    assert of(HtmlResponse(URL, body=body, headers=PLAIN), maker) != text


@pytest.mark.parametrize(("kept", "reused"), [(3, 0), (4, 1)])
def test_bodies_seen_long_ago_are_forgotten(kept: int, reused: int) -> None:
    maker = fingerprints(remembered_bytes=kept * ENTRY_BYTES)

    async def see() -> None:
        for number in [0, 1, 2, 3, 0]:
            await maker.of(TextResponse(URL, body=f"tea {number}".encode()))

    asyncio.run(see())
    assert maker.reused == reused


def test_what_breaks_on_a_page_is_an_error_of_that_page() -> None:
    class Broken(TextResponse):
        @property
        def text(self) -> str:
            raise LookupError("no such encoding")

    with pytest.raises(FingerprintError) as raised:
        of(Broken(URL, body=b"<p>tea", headers=PLAIN))
    assert raised.value.reason == "error"


def test_time_on_the_event_loop_is_told_in_the_stats(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("tides", "/b"), "/b": Reply(article("tides").encode())}
    done = crawl(urls=web.urls("/a"), NEARDUP_INLINE_BODY=100_000, NEARDUP_WORKERS=1)
    assert (done["new"], done["duplicates"]) == (1, 1)
    seconds, longest = done["loop_seconds"], done["longest_block_ms"]
    assert 0 < longest <= 1000 * seconds + 1


def test_the_stopwatch_counts_steps_that_fail() -> None:
    watch = Stopwatch()
    with pytest.raises(ValueError, match="tea"), watch.running():
        raise ValueError("tea")
    assert watch.total == watch.longest > 0


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds

    def move(self, seconds: float) -> None:
        self.seconds += seconds


def test_a_rest_ends_a_step_and_what_others_do_meanwhile_is_not_counted() -> None:
    clock = Clock()
    watch = Stopwatch(clock, long=0.5)

    async def run() -> None:
        with watch.running() as step:
            clock.move(2.0)
            asyncio.get_running_loop().call_soon(clock.move, 60.0)
            await step.rest()
            clock.move(1.0)

    asyncio.run(run())
    assert (watch.longest, watch.total, clock.seconds) == (2.0, 3.0, 63.0)


def test_a_step_rests_before_what_would_take_long() -> None:
    turns: list[int] = []

    async def run() -> None:
        asyncio.get_running_loop().call_soon(turns.append, 1)
        with Stopwatch(long=60.0).running() as step:
            await step.rest()
            assert not turns
            await step.rest(ahead=61.0)
            assert turns

    asyncio.run(run())


def test_a_step_that_is_left_while_it_rests_is_counted_once() -> None:
    clock = Clock()
    watch = Stopwatch(clock, long=0.5)

    async def rest() -> None:
        with watch.running() as step:
            clock.move(2.0)
            await step.rest()

    async def run() -> None:
        task = asyncio.ensure_future(rest())
        await asyncio.sleep(0)
        clock.move(60.0)  # what others do meanwhile
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert watch.total == 2.0


def test_a_step_may_begin_or_end_while_the_collector_runs() -> None:
    clock = Clock()
    watch = Stopwatch(clock)
    with watch.running():
        clock.move(3.0)
        watch.note_collection("start", {})  # for another thread
    assert watch.longest == 3.0
    with watch.running():
        clock.move(1.0)
        watch.note_collection("stop", {})
    assert (watch.longest, watch.total) == (3.0, 3.0)


def test_the_collectors_time_is_nobodys_step() -> None:
    clock = Clock()
    watch = Stopwatch(clock)
    with watch.running():
        clock.move(1.0)
        watch.note_collection("start", {})
        clock.move(60.0)
        watch.note_collection("stop", {})
    assert (watch.longest, watch.collecting) == (1.0, 60.0)


def test_what_is_remembered_of_long_texts_keeps_to_a_bound() -> None:
    kept = Fingerprinter(Config().make_scheme(), keep_text=True)
    bodies = [text(topic, words=400).encode() for topic in ("tides", "bread", "birds")]
    size = len(kept.of_text(bodies[0].decode()).text) + len(kept.of_text(bodies[0].decode()).value)
    workers, most = Workers(kept, 0, 10.0), int(2.5 * (size + ENTRY_BYTES))
    maker = Fingerprints(workers, 500_000, remembered_bytes=most)

    async def see() -> None:
        for body in (*bodies, bodies[2], bodies[1], bodies[0]):
            await maker.of(TextResponse(URL, body=body))

    asyncio.run(see())
    assert maker.reused == 2
