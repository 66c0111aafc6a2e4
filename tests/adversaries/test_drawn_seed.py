"""A store that is told no seed has one that nobody knows, and all that goes with it takes that."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import Crawl, Crawler, Neardup
from crawling import Web, article, text
from redis_servers import Server
from scraps import padded
from scrapy import Request
from scrapy.crawler import Crawler as ScrapyCrawler
from scrapy.utils.request import fingerprint

from dedup import Config, make_fingerprinter, make_index
from dedup.assembly import close_store, open_store, opened_store, seeded
from dedup.store import Store
from dedup.store.folder import MARKER
from tests.store.samples import database

Run = Callable[..., tuple[int, str, str]]
pytestmark = pytest.mark.usefixtures("folder")
ANY: dict[str, Any] = {"NEARDUP_HASH_SEED": None}


@pytest.fixture
def drawn(crawl: Crawler) -> Crawler:
    """Run a crawl whose settings name no seed."""

    def run(**words: Any) -> Crawl:
        return crawl(**(ANY | {"CONCURRENT_REQUESTS": 1} | words))

    return run


@contextmanager
def opened(name: str, **settings: Any) -> Iterator[Store]:
    config = Config(store=name, cache_mb=8, **settings)
    with opened_store(config, Path(), create=False, any_seed=True) as store:
        yield store


def seed_of(name: str) -> int:
    with opened(name) as store:
        return store.seed


def put(name: str, page: str, words: str, *, any_seed: bool = True, **settings: Any) -> int:
    """Put a page into a store, as a crawl does; returns the store's seed."""
    config = Config(store=name, cache_mb=8, **settings)
    with opened_store(config, Path(), any_seed=any_seed) as store:
        config = seeded(config, store) if any_seed else config
        index = make_index(config, store)
        made = make_fingerprinter(config).of_text(words)
        index.commit(index.check(page, fingerprint(Request(page)), made))
        return store.seed


def test_each_new_store_has_a_seed_of_its_own_and_keeps_it(drawn: Crawler, web: Web) -> None:
    web.pages |= {"/a": article("tides"), "/b": article("tides", edits=2), "/c": article("bread")}
    one, other = "leveldb:one", "leveldb:other"
    first = drawn(urls=web.urls("/a"), NEARDUP_STORE=one)
    seeds = [seed_of(one)]
    second = drawn(urls=web.urls("/a", "/b", "/c"), NEARDUP_STORE=one)
    drawn(urls=web.urls("/a"), NEARDUP_STORE=other)
    seeds += [seed_of(one), seed_of(other)]
    assert [len(done.exported) for done in (first, second)] == [1, 2]
    assert [record["url"] for record in second.log] == web.urls("/b")
    assert seeds[0] == seeds[1] != seeds[2]
    assert all(seeds)


def test_a_reset_draws_another_seed(drawn: Crawler, web: Web) -> None:
    web.pages["/a"] = article("tides")
    seeds = []
    for _ in range(2):
        drawn(urls=web.urls("/a"), NEARDUP_STORE="leveldb:store", NEARDUP_RESET=True)
        seeds.append(seed_of("leveldb:store"))
    assert seeds[0] != seeds[1]


def test_crawls_of_one_index_on_a_server_share_its_seed(
    drawn: Crawler, web: Web, server: Server
) -> None:
    web.pages |= {"/a": article("tides"), "/b": article("tides", edits=2)}
    drawn(urls=web.urls("/a"), NEARDUP_STORE=server.url)
    assert seed_of(server.url)
    done = drawn(urls=web.urls("/b"), NEARDUP_STORE=server.url)
    assert [record["url"] for record in done.log] == web.urls("/b")


def test_the_first_of_two_that_make_an_index_on_a_server_draws_its_seed(server: Server) -> None:
    config = Config(store=server.url)
    one = open_store(config, any_seed=True)
    seed = one.seed
    close_store(config)
    other = open_store(config, any_seed=True)
    assert other.seed == seed
    close_store(config)


@pytest.mark.parametrize("seed", [0, None])
@pytest.mark.parametrize("workers", [0, 1])
def test_a_page_forged_for_fingerprints_hides_none_of_a_crawl_that_keeps_no_texts(
    seed: int | None, workers: int, drawn: Crawler, web: Web
) -> None:
    victim = text("victim", words=600)
    words = victim.replace(",", "").replace(".", "").split()
    for path, body in (("/forged", " ".join(padded(words))), ("/victim", victim)):
        paragraphs = "".join(f"<p>{part}</p>" for part in body.split("\n"))
        web.pages[path] = (
            "<html><head><title>Tides</title></head>"
            f"<body><article>{paragraphs}</article></body></html>"
        )
    done = drawn(
        urls=[web.url("/forged", "localhost"), web.url("/victim")],
        NEARDUP_STORE="memory:",
        NEARDUP_KEEP_TEXT=False,
        NEARDUP_HASH_SEED=seed,
        NEARDUP_WORKERS=workers,
    )
    is_guarded = seed is None
    assert (web.url("/victim") in [item["url"] for item in done.exported]) is is_guarded


def test_a_database_that_lost_its_header_gets_its_seed_back(neardup: Neardup) -> None:
    name = "leveldb:store"
    seed = put(name, "http://a.example/", text("tides"))
    with database(Path("store")) as db:
        db.delete(b"h")
    assert neardup("repair", "-s", f"NEARDUP_STORE={name}")[0] == 0
    assert seed_of(name) == seed > 0


@pytest.mark.parametrize(
    "content", ["", "[]", '{"what": "x"}', '{"seed": "tea"}', '{"seed": "-1"}', '{"seed": [7]}']
)
def test_a_store_that_has_lost_its_seed_is_told_it_by_the_settings(
    content: str, neardup: Neardup
) -> None:
    put("leveldb:store", "http://a.example/", text("tides"), any_seed=False, hash_seed=7)
    (Path("store") / MARKER).write_text(content)
    with database(Path("store")) as db:
        db.delete(b"h")
    code, out, err = neardup("repair", "-s", "NEARDUP_STORE=leveldb:store")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "does not say its seed: set NEARDUP_HASH_SEED to it (0 for none)" in err
    given = ("-s", "NEARDUP_STORE=leveldb:store", "-s", "NEARDUP_HASH_SEED=7")
    assert neardup("repair", *given)[0] == 0
    assert seed_of("leveldb:store") == 7


@pytest.mark.parametrize("seed", ["0", "7"])
def test_a_store_that_has_lost_its_header_gets_no_other_seed(seed: str, neardup: Neardup) -> None:
    made = put("leveldb:store", "http://a.example/", text("tides"))
    with database(Path("store")) as db:
        db.delete(b"h")
    given = ("-s", "NEARDUP_STORE=leveldb:store", "-s", f"NEARDUP_HASH_SEED={seed}")
    code, _, err = neardup("repair", *given)
    assert (code, err.count("\n")) == (1, 1)
    assert "was made with another seed than the settings say: leave NEARDUP_HASH_SEED unset" in err
    assert neardup("repair", *given[:2])[0] == 0
    assert seed_of("leveldb:store") == made


def test_a_store_without_a_seed_is_used_as_it_is(drawn: Crawler, web: Web) -> None:
    web.pages["/b"] = article("tides", edits=2)
    page = web.url("/a")
    with_title = make_fingerprinter(Config()).of_html(article("tides"))
    config = Config(store="leveldb:store", cache_mb=8)
    with opened_store(config, Path()) as store:
        index = make_index(config, store)
        index.commit(index.check(page, fingerprint(Request(page)), with_title))
    done = drawn(urls=web.urls("/b"), NEARDUP_STORE="leveldb:store")
    assert [record["url"] for record in done.log] == web.urls("/b")
    assert seed_of("leveldb:store") == 0


def test_another_seed_that_is_set_is_refused_and_the_way_out_is_told(
    drawn: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    web.pages["/a"] = article("tides")
    drawn(urls=web.urls("/a"), NEARDUP_STORE="leveldb:store")
    done = drawn(urls=web.urls("/a"), NEARDUP_STORE="leveldb:store", NEARDUP_HASH_SEED=7)
    assert done.reason == "neardup_store_unusable"
    assert "leave NEARDUP_HASH_SEED unset to use the seed of the store" in caplog.text


class Early:
    """A pipeline that fetches a page before the spider is opened."""

    def __init__(self, crawler: ScrapyCrawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: ScrapyCrawler) -> Early:
        return cls(crawler)

    async def open_spider(self) -> None:
        engine, spider = self._crawler.engine, self._crawler.spider
        assert engine is not None
        await engine.download_async(Request(spider.urls[0]))  # type: ignore[union-attr]

    def process_item(self, item: Any) -> Any:
        return item


@pytest.mark.parametrize(("workers", "inline"), [(0, 1_000_000), (1, 0)])
def test_what_is_fetched_before_the_store_is_open_spoils_no_fingerprint(
    workers: int, inline: int, drawn: Crawler, web: Web
) -> None:
    web.pages |= {"/a": article("tides"), "/b": article("bread")}
    done = drawn(
        urls=web.urls("/a", "/b"),
        ITEM_PIPELINES={Early: 900},
        NEARDUP_STORE="leveldb:store",
        NEARDUP_WORKERS=workers,
        NEARDUP_INLINE_BODY=inline,
    )
    assert web.requests[0] == "/a"
    assert len(done.exported) == done["checked"] == 2
    with opened("leveldb:store") as store:
        chain = make_fingerprinter(Config(hash_seed=store.seed))
        stored = [record.fingerprint for record in store.records()]
    assert stored == [chain.of_html(web.pages[path]).value for path in ("/a", "/b")]  # type: ignore[arg-type]


# Commands


@pytest.fixture
def run(neardup: Neardup) -> Run:
    """Run an action on a store, and make sure that nothing says the seed of any."""

    def run(*arguments: str, store: str = "leveldb:store") -> tuple[int, str, str]:
        code, out, err = neardup(*arguments, "-s", f"NEARDUP_STORE={store}")
        for marker in Path().glob(f"*/{MARKER}"):
            assert json.loads(marker.read_text())["seed"] not in out + err
        return code, out, err

    return run


def test_a_page_is_looked_up_by_the_seed_of_the_store(run: Run) -> None:
    put("leveldb:store", "http://a.example/", text("tides"))
    Path("page.txt").write_text(text("tides", edits=2))
    code, out, _ = run("query", "page.txt", "--json")
    assert code == 0
    assert [match["url"] for match in json.loads(out)["related"]] == ["http://a.example/"]


def test_stats_say_that_there_is_a_seed(run: Run) -> None:
    put("leveldb:store", "http://a.example/", text("tides"))
    assert json.loads(run("stats", "--json")[1])["made_with_seed"] == "set"


@pytest.mark.parametrize("source", ["leveldb:store", "out.jsonl"])
def test_a_new_store_takes_the_seed_of_what_is_imported(run: Run, source: str) -> None:
    seed = put("leveldb:store", "http://a.example/", text("tides"))
    assert run("export", "out.jsonl")[0] == 0
    assert run("import", source, store="leveldb:other")[0] == 0
    assert seed_of("leveldb:other") == seed
    assert put("leveldb:other", "http://b.example/", text("tides")) == seed
    with opened("leveldb:other") as store:
        assert len(store) == 1  # the second repeats the first


@pytest.mark.parametrize("source", ["leveldb:other", "out.jsonl"])
def test_pages_of_another_seed_are_not_imported_and_the_way_out_is_told(
    run: Run, source: str
) -> None:
    put("leveldb:store", "http://a.example/", text("tides"))
    put("leveldb:other", "http://b.example/", text("tides"))
    assert run("export", "out.jsonl", store="leveldb:other")[0] == 0
    code, out, err = run("import", source)
    assert (code, out) == (1, "")
    assert f"{source} has another seed than leveldb:store" in err
    assert "`scrapy neardup create --like`" in err
    code, out, err = run("import", "leveldb:store", source, store="leveldb:third")
    assert (code, out) == (1, "")
    assert f"{source} has another seed than leveldb:store" in err
    assert not Path("third").exists()


@pytest.mark.parametrize("source", ["leveldb:store", "out.jsonl"])
def test_a_store_made_like_another_can_be_merged_with_it(run: Run, source: str) -> None:
    seed = put("leveldb:store", "http://a.example/", text("tides"))
    run("export", "out.jsonl")
    code, out, err = run("create", "--like", source, "--json", store="leveldb:other")
    assert (code, err) == (0, "")
    assert json.loads(out) == {"store": str(Path("other").resolve()), "seed": f"that of {source}"}
    assert put("leveldb:other", "http://b.example/", text("tides", edits=2)) == seed
    code, out, _ = run("import", "leveldb:other", "--duplicates", "found.jsonl")
    assert code == 0
    found = [json.loads(line) for line in Path("found.jsonl").read_text().splitlines()]
    assert [(one["url"], one["repeats"]) for one in found] == [
        ("http://b.example/", "http://a.example/")
    ]


def test_an_empty_store_is_made_with_a_seed_of_its_own_or_with_the_one_that_is_set(
    run: Run,
) -> None:
    assert json.loads(run("create", "--json")[1])["seed"] == "its own"
    assert seed_of("leveldb:store") > 0
    seed = "7105826943"  # long: `run` looks for it in all that is said, names of folders included
    code, out, _ = run("create", "--json", "-s", f"NEARDUP_HASH_SEED={seed}", store="leveldb:other")
    assert (code, json.loads(out)["seed"]) == (0, "as set")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "store is a store already"),
        (("--like", "leveldb:store"), "leveldb:store is the target itself"),
        (("--like", "leveldb:none"), "none; correct leveldb:none"),
        (("--like", "none.jsonl"), "none.jsonl: No such file"),
        (("--like", "redis://"), "redis://"),
    ],
)
def test_what_cannot_be_made_is_told_in_one_line(
    arguments: tuple[str, ...], told: str, run: Run
) -> None:
    put("leveldb:store", "http://a.example/", text("tides"))
    code, out, err = run("create", *arguments)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert told in err


def test_a_store_like_one_of_another_scheme_is_refused(run: Run) -> None:
    put("leveldb:store", "http://a.example/", text("tides"), scheme="simhash")
    code, _, err = run("create", "--like", "leveldb:store", store="leveldb:other")
    assert code == 1
    assert "scheme = simhash and the settings say combined" in err
    assert not Path("other").exists()
