"""``scrapy neardup`` on a store that is on a server: what each action does and prints there."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import redis
from conftest import Crawler, Neardup
from crawling import Web, article

from dedup.assembly import close_store, open_store
from dedup.config import Config
from dedup.exchange.entries import ExportedPage
from dedup.page.kept_text import pack_text
from dedup.store import Record, registry
from tests.exchange.made_pages import page, prose
from tests.redis_servers import Server, Servers

A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(params=["redis", "redis cluster"])
def address(request: pytest.FixtureRequest, servers: Servers, folder: Path) -> str:
    """A store with two pages in it."""
    address = servers.address(request.param)
    make(address, page(A, "tea", text="Tea."), page(B, "solar"))
    return address


@pytest.fixture
def run(neardup: Neardup, address: str) -> Run:
    """Run an action on that store, and have what it says as JSON."""
    return lambda *arguments: neardup(*arguments, "--json", "-s", f"NEARDUP_STORE={address}")


def make(address: str, *pages: ExportedPage) -> None:
    """Make a store, or put more into it."""
    config = Config(store=address, cache_mb=8)
    store = open_store(config, Path())
    for made in pages:
        store.put(made.record, pack_text([made.text]) if made.text else b"")
    close_store(config, Path())


def records(address: str) -> list[Record]:
    """The records of a store, without their numbers."""
    config = Config(store=address, cache_mb=8)
    store = open_store(config, Path(), create=False)
    found = [record._replace(page_id=0) for record in store.records()]
    close_store(config, Path())
    return found


def said(answer: tuple[int, str, str]) -> dict[str, Any]:
    """What an action that went well printed."""
    code, out, err = answer
    assert (code, err) == (0, "")
    facts: dict[str, Any] = json.loads(out)
    return facts


def test_stats_name_the_index_and_its_server(run: Run, address: str) -> None:
    facts = said(run("stats"))
    server, _, name = address.partition("?prefix=")
    assert (facts["store"], facts["pages"]) == (f"{name} on {server}", 2)
    assert facts["made_with_scheme"] == "combined"


@pytest.mark.parametrize("scheme", ["redis", "redis+cluster"])
def test_no_action_shows_the_password_of_a_server_that_is_down(
    neardup: Neardup, scheme: str
) -> None:
    store = f"NEARDUP_STORE={scheme}://me:secret@127.0.0.1:1/"
    for action in (["stats"], ["verify"], ["reset", "--yes"], ["repair"]):
        code, out, err = neardup(*action, "-s", store)
        assert code == 1
        assert "127.0.0.1:1" in err
        assert "secret" not in out + err


def test_url_patterns_are_imported_listed_and_forgotten(run: Run, folder: Path) -> None:
    line = '{"pattern": "a.example /#?", "tally": [9, 8, 700, 600]}\n'
    (folder / "urls.jsonl").write_text(line)
    assert said(run("urls", "import", "urls.jsonl"))["url_patterns"] == 1
    assert said(run("urls", "list"))["wasted_bytes"] == 600
    assert run("urls", "export", "-")[1] == line
    assert said(run("urls", "forget", "--all-patterns"))["forgotten"] == 1
    assert run("urls", "list")[:2] == (0, "")


def test_stats_say_for_how_many_pages_the_index_is_laid_out_and_not_what_is_set(run: Run) -> None:
    larger = ("-s", "NEARDUP_EXPECTED_PAGES=50000000")
    assert said(run("stats", *larger))["index_expected_pages"] == "1000000"
    assert said(run("rebuild", *larger))["pages_indexed"] == 2
    assert said(run("stats"))["index_expected_pages"] == "50000000"


@pytest.fixture
def guarded(server: Server, folder: Path) -> str:
    """A store with a page in it, behind a password."""
    with redis.Redis(port=server.port) as client:
        client.execute_command("ACL", "SETUSER", "me", "on", ">secret", "~*", "&*", "+@all")
    address = server.url.replace("//", "//me:secret@")
    make(address, page(A, "tea"))
    return address


def test_import_shows_no_password(neardup: Neardup, guarded: str, server: Server) -> None:
    make("leveldb:other", page(B, "solar"))
    other_kind, new = ("-s", "NEARDUP_SCHEME=simhash"), ("--into", "leveldb:new")
    for code, arguments, says in [
        (0, ("leveldb:other", "--into", guarded), f"neardup on {server.url}"),
        (1, (guarded, "--into", guarded), f"neardup on {server.url} is the target itself"),
        (1, (guarded, *new, *other_kind), f"neardup on {server.url} was made"),
        (
            1,
            (f"{guarded}?prefix=a:b", *new),
            "'redis://...' has ':' in its prefix",
        ),
        (1, ("mongo://me:secret@host", *new), "mongo://... is no store"),
        (2, ("leveldb:other", "--into", "mongo://me:secret@host"), "mongo://..."),
    ]:
        answer = neardup("import", *arguments)
        assert answer[0] == code
        assert says in "".join(answer[1:])
        assert "secret" not in "".join(answer[1:])


@pytest.mark.parametrize("address", ["redis"], indirect=True)
def test_a_record_that_cannot_be_read_is_told_with_the_store_and_the_way_out(
    run: Run, neardup: Neardup, address: str
) -> None:
    server, _, name = address.partition("?prefix=")
    with redis.Redis.from_url(server) as client:
        [key] = client.keys(f"{name}:p*\x01")
        client.setrange(key, 0, b"\x09")
    into = ("-s", "NEARDUP_STORE=leveldb:copy")
    for answer in (run("export", "out.jsonl"), neardup("import", address, *into)):
        code, _, err = answer
        assert code == 1
        assert f"the store {name} on {server} is damaged" in err
        assert "page 1: not a record of format 3" in err
        assert "`scrapy neardup rebuild`" in err
    assert said(run("rebuild"))["pages_indexed"] == 1
    assert said(run("export", "out.jsonl"))["pages"] == 1


def test_query_finds_what_a_page_repeats(run: Run) -> None:
    Path("copy.txt").write_text(prose("tea", edits=2))
    [match] = said(run("query", "copy.txt", "--url", C))["related"]
    assert (match["url"], match["relation"]) == (A, "edited")


def test_verify_finds_a_sound_store_sound(run: Run) -> None:
    check = said(run("verify"))
    assert (check["pages"], check["errors"]) == (2, 0)


def test_rebuild_lays_the_index_out_as_set(run: Run) -> None:
    larger = ("-s", "NEARDUP_LAYOUT=10")
    code, _, err = run("stats", *larger)
    assert code == 1
    assert "scrapy neardup rebuild" in err
    assert said(run("rebuild", *larger))["pages_indexed"] == 2
    assert said(run("verify", *larger))["errors"] == 0


def test_prune_removes_what_was_seen_last_too_long_ago(run: Run, address: str) -> None:
    make(address, page(C, "milk", seen=time.time()))
    assert said(run("prune", "--older-than", "1"))["pages_removed"] == 2
    assert [record.url for record in records(address)] == [C]


def test_reset_deletes_the_index_and_no_other(run: Run, address: str, servers: Servers) -> None:
    kept = servers.address("redis")
    make(kept, page(A, "tea"))
    assert said(run("reset", "--yes"))["deleted"] is True
    code, _, err = run("stats")
    assert code == 1
    assert "no store under the prefix" in err
    assert len(records(kept)) == 1
    code, out, err = run("reset", "--yes")
    assert (code, out) == (1, "")
    assert "nothing was deleted; correct NEARDUP_STORE" in err


def test_reset_deletes_nothing_that_a_crawl_uses(
    run: Run, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    crawl = open_store(Config(store=address), Path())
    monkeypatch.setattr(registry, "_kinds", {})  # as in another process
    crawl.put(page(C, "milk").record)
    code, _, err = run("reset", "--yes")
    assert code == 1
    assert "1 other process" in err
    crawl.close()
    assert len(records(address)) == 3


def test_repair_says_that_it_is_for_another_store(run: Run, address: str) -> None:
    code, _, err = run("repair")
    assert code == 1
    assert "repair is for stores on LevelDB" in err
    assert len(records(address)) == 2


@pytest.mark.parametrize("target", ["leveldb:copy", "redis"])
def test_an_export_imported_elsewhere_is_the_same(
    run: Run, neardup: Neardup, servers: Servers, address: str, target: str
) -> None:
    target = servers.address(target) if target == "redis" else target
    assert said(run("export", "out.jsonl"))["pages"] == 2
    assert said(run("import", "out.jsonl", "--into", target))["added"] == 2
    assert records(target) == records(address)
    assert said(neardup("verify", "--json", "-s", f"NEARDUP_STORE={target}"))["errors"] == 0


def test_a_store_on_disk_is_merged_into_one_on_a_server(run: Run, address: str) -> None:
    make("leveldb:crawl", page("http://d.example/", "tea", edits=2), page(C, "milk"))
    options = ("--duplicates", "repeats.jsonl", "--skip-duplicates")
    assert said(run("import", "leveldb:crawl", *options))["added"] == 1
    assert [record.url for record in records(address)] == [A, B, C]
    [repeat] = [json.loads(line) for line in Path("repeats.jsonl").read_text().splitlines()]
    assert (repeat["url"], repeat["repeats"]) == ("http://d.example/", A)
    assert repeat["relation"] == "edited"


@pytest.mark.parametrize("address", ["redis"], indirect=True)
def test_a_store_is_not_imported_into_itself(run: Run, address: str) -> None:
    code, _, err = run("import", f"{address}&")
    assert code == 1
    assert "is the target itself" in err


@pytest.mark.parametrize("address", ["redis"], indirect=True)
def test_another_database_of_a_server_is_another_store(run: Run, address: str) -> None:
    assert said(run("import", address, "--into", f"{address}&db=1"))["added"] == 2


def test_a_restored_page_is_kept_by_the_next_crawl(
    crawl: Crawler, neardup: Neardup, web: Web, servers: Servers
) -> None:
    store = servers.address("redis")
    web.pages = {"/a": article("tides"), "/b": article("tides", edits=2)}
    copies = web.urls("/a", "/b")
    first = crawl(urls=copies, CONCURRENT_REQUESTS=1, NEARDUP_STORE=store)
    assert first.urls == copies[:1]

    code, _, errors = neardup("restore", "-o", "out.jsonl", "-s", f"NEARDUP_STORE={store}")

    assert (code, errors) == (0, "")
    assert crawl(urls=copies, NEARDUP_STORE=store).urls == copies
