"""How a crawl begins with a store that it cannot use, and with one that it shares."""

from __future__ import annotations

import logging
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest
from conftest import Crawler
from crawling import SETTINGS, Crawl, Pages, Reactor, Web, article, prepared
from redis_servers import Server
from scrapy.http import Response
from scrapy.settings import Settings

from dedup.assembly import store_place
from dedup.config import Config
from dedup.schemes.simhash import SimHash
from dedup.scrapy.session import Session
from dedup.store import Place, StoreError, kind_of

STORE = Path(".scrapy/neardup/default/store-pages")


def files(folder: Path) -> dict[str, bytes]:
    """Everything in a folder but LevelDB's own log of what it does."""
    found = {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {name: data for name, data in found.items() if "LOG" not in name}


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [
        entry.getMessage() for entry in caplog.get_records("call") if entry.levelno >= logging.ERROR
    ]


@pytest.fixture
def stored(crawl: Crawler, web: Web) -> Crawl:
    """A crawl of one page, whose store stays."""
    web.pages = {"/a": article("tides"), "/b": article("tides")}
    return crawl(urls=web.urls("/a"))


def test_a_store_of_another_scheme_ends_the_crawl_and_stays(
    stored: Crawl, crawl: Crawler, web: Web, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    done = crawl(urls=web.urls("/b"), NEARDUP_SCHEME="simhash")

    assert done.reason == "neardup_store_unusable"
    (message,) = errors(caplog)
    assert "scheme = combined and the settings say simhash" in message
    assert str(folder / STORE) in message
    assert "NEARDUP_RESET" in message
    assert crawl(urls=web.urls("/b"))["duplicates"] == 1


def test_a_damaged_store_ends_the_crawl_and_stays_as_it_is(
    stored: Crawl, crawl: Crawler, web: Web, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / STORE / "leveldb" / "CURRENT").write_text("rubbish\n")
    before = files(folder / STORE)

    done = crawl(urls=web.urls("/b"))

    assert done.reason == "neardup_store_unusable"
    (message,) = errors(caplog)
    assert "damaged" in message
    assert "scrapy neardup repair" in message
    assert files(folder / STORE) == before


def test_a_folder_that_is_no_store_is_left_alone(
    crawl: Crawler, web: Web, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    web.pages = {"/a": article("tides")}
    (folder / "letters").mkdir()
    (folder / "letters" / "to-ann.txt").write_text("Dear Ann")

    for reset in (False, True):
        done = crawl(urls=web.urls("/a"), NEARDUP_STORE="leveldb:letters", NEARDUP_RESET=reset)
        assert done.reason == "neardup_store_unusable"

    assert len(errors(caplog)) == 2
    assert all(str(folder / "letters") in message for message in errors(caplog))
    assert [path.name for path in (folder / "letters").iterdir()] == ["to-ann.txt"]


@pytest.mark.parametrize("place", ["file", "file/store", "n" * 300])
def test_a_path_that_cannot_be_written_ends_the_crawl(
    place: str, crawl: Crawler, web: Web, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "file").write_text("no folder")

    done = crawl(urls=web.urls("/a"), NEARDUP_STORE=f"leveldb:{place}")

    assert done.reason == "neardup_store_unusable"
    (message,) = errors(caplog)
    assert str(folder / place) in message
    assert message.endswith("name another folder in NEARDUP_STORE")


def test_whatever_else_keeps_the_store_from_opening_ends_the_crawl(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    name = os.fsdecode(b"caf\xe9")  # LevelDB takes names in UTF-8 alone

    done = crawl(urls=web.urls("/a"), NEARDUP_STORE=f"leveldb:{name}")

    assert done.reason == "neardup_store_unusable"
    assert errors(caplog) == [f"The store {f'leveldb:{name}'!r} cannot be opened"]


@dataclass(frozen=True)
class OnceOnly(SimHash):
    """It cannot be made while the store is open."""

    name = "once-only"
    version = "1"
    place: ClassVar = Place("leveldb:store", Path())

    def __post_init__(self) -> None:
        super().__post_init__()
        if kind_of(self.place.address).is_open(self.place):
            raise RuntimeError("made once only")


def test_a_store_without_its_index_is_closed(
    crawl: Crawler, web: Web, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place("leveldb:store", folder)
    monkeypatch.setattr(OnceOnly, "place", place)
    settings = {"NEARDUP_STORE": place.address, "NEARDUP_SCHEME": f"{__name__}.OnceOnly"}

    done = crawl(urls=web.urls("/a"), **settings)

    assert done.reason == "neardup_store_unusable"
    assert not kind_of(place.address).is_open(place)


@pytest.mark.parametrize("store", ["redis://127.0.0.1:1/0", "leveldb:file"])
def test_a_store_that_an_early_item_could_not_open_ends_the_crawl(
    crawl: Crawler, web: Web, folder: Path, store: str
) -> None:
    """An item may come before the signal that a spider was opened."""

    def open_early(session: Session) -> None:
        with pytest.raises(StoreError):
            session.open()

    (folder / "file").write_text("no folder")
    web.pages = {"/a": article("tides")}
    settings = {"NEARDUP_STORE": store, "NEARDUP_STORE_TIMEOUT": 0.1}
    done = crawl(urls=web.urls("/a"), EXTENSIONS=prepared(open_early), **settings)
    assert (done.reason, done.exported) == ("neardup_store_unusable", [])


def test_a_reset_starts_anew(stored: Crawl, crawl: Crawler, web: Web) -> None:
    done = crawl(urls=web.urls("/b"), NEARDUP_RESET="True")

    assert done.urls == web.urls("/b")
    assert (done["new"], done["store_pages"]) == (1, 1)


def test_a_reset_starts_anew_with_another_scheme(stored: Crawl, crawl: Crawler, web: Web) -> None:
    done = crawl(urls=web.urls("/b"), NEARDUP_RESET=True, NEARDUP_SCHEME="simhash")

    assert (done.reason, done["new"]) == ("finished", 1)


def test_a_read_only_crawl_finds_and_stores_nothing(
    stored: Crawl, crawl: Crawler, web: Web
) -> None:
    web.pages["/c"] = article("bread")

    done = crawl(urls=web.urls("/b", "/c"), NEARDUP_READ_ONLY=True)

    assert (done["duplicates"], done["new"], done["store_pages"]) == (1, 1, 1)


@pytest.mark.parametrize("kind", ["leveldb", "redis"])
def test_a_read_only_crawl_of_a_store_that_is_not_there_ends_and_makes_none(
    kind: str, crawl: Crawler, web: Web, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    store = f"{server.url}?prefix=mistyped" if kind == "redis" else "leveldb:mistyped"
    web.pages = {"/a": article("tides")}

    done = crawl(urls=web.urls("/a"), NEARDUP_STORE=store, NEARDUP_READ_ONLY=True)

    assert (done.reason, done.exported) == ("neardup_store_unusable", [])
    (message,) = errors(caplog)
    assert re.search(
        r"^no store .*mistyped.*; a crawl without NEARDUP_READ_ONLY makes one", message
    )
    assert not Path("mistyped").exists()
    assert not (config := Config(store=store)).store_kind.delete(store_place(config, Path.cwd()))


def test_a_read_only_crawl_with_a_store_in_memory_finds_nothing(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("tides")}

    done = crawl(urls=web.urls("/a"), NEARDUP_STORE="memory:", NEARDUP_READ_ONLY=True)

    assert (done.reason, done["new"], done["store_pages"]) == ("finished", 1, 0)


def test_a_store_in_memory_leaves_nothing_behind(crawl: Crawler, web: Web, folder: Path) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides")}

    done = crawl(urls=web.urls("/a", "/b"), NEARDUP_STORE="memory:", CONCURRENT_REQUESTS=1)
    again = crawl(urls=web.urls("/b"), NEARDUP_STORE="memory:")

    assert (done.urls, again.urls) == (web.urls("/a"), web.urls("/b"))
    assert not (folder / STORE).exists()


def test_each_spider_has_a_store_of_its_own(crawl: Crawler, web: Web, folder: Path) -> None:
    class Others(Pages):
        name = "others"

    web.pages = {"/a": article("tides"), "/b": article("tides")}

    assert crawl(urls=web.urls("/a")).urls == web.urls("/a")
    assert crawl(Others, urls=web.urls("/b")).urls == web.urls("/b")
    stores = sorted(path.name for path in (folder / ".scrapy/neardup/default").glob("store-*"))
    assert stores == ["store-others", "store-pages"]


def test_each_project_that_shares_a_folder_has_stores_and_logs_of_its_own(
    crawl: Crawler, web: Web, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides"), "/c": article("tides")}
    for project in ("news", "shop/eu"):
        monkeypatch.setenv("SCRAPY_PROJECT", project)
        done = crawl(urls=web.urls("/a", "/b"), CONCURRENT_REQUESTS=1)
        assert done.urls == web.urls("/a")
    places = sorted(str(path.relative_to(folder)) for path in folder.glob(".scrapy/neardup/*/*"))
    assert [re.sub("-pages-.*", "-pages-", place) for place in places] == [
        f".scrapy/neardup/{project}/{file}"
        for project in ("news", "shop_eu")
        for file in ("drops-pages-", "store-pages")
    ]


def test_two_crawls_of_one_process_share_one_store(
    reactor: Reactor, folder: Path, web: Web
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides", edits=1)}
    first_is_over = web.hold("/b")

    class First(Pages):
        def closed(self, reason: str) -> None:
            first_is_over.set()

    one, two = reactor.crawl_all(
        [
            (First, Settings(SETTINGS), {"urls": web.urls("/a")}),
            (Pages, Settings(SETTINGS), {"urls": web.urls("/b")}),
        ]
    )

    one.check_sums()
    two.check_sums()
    assert (one.urls, two.urls) == (web.urls("/a"), [])
    assert [record["of"] for record in two.log] == web.urls("/a")


class ClosesTheStore(Pages):
    """Pulls the store away after its first page."""

    def parse(self, response: Response) -> Any:
        if response.url.endswith("/a"):
            kind_of("leveldb:").close(Place(f"leveldb:{STORE}"))
        yield from super().parse(response)


def test_a_store_that_breaks_during_a_crawl_costs_verdicts_and_no_pages(
    crawl: Crawler, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    web.pages = {"/a": article("tides", "/b", "/c")} | dict.fromkeys(("/b", "/c"), article("bread"))

    done = crawl(ClosesTheStore, urls=web.urls("/a"))

    assert done.urls == web.urls("/a", "/b", "/c")
    assert done.skipped == {"store_error": 2}
    assert f"Page not stored: {web.url('/a')}" in caplog.text
    assert f"{web.url('/b')} gets no verdict" in caplog.text


def test_a_path_in_a_subfolder_of_a_project_is_the_projects(
    crawl: Crawler, web: Web, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides")}
    (folder / "scrapy.cfg").write_text("[settings]\n")
    crawl(urls=web.urls("/a"))
    (folder / "deeper").mkdir()
    monkeypatch.chdir(folder / "deeper")

    assert crawl(urls=web.urls("/b"))["duplicates"] == 1
