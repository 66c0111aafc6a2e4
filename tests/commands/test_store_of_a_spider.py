"""How commands find the store of a spider, where each spider has one of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Crawler, Neardup
from crawling import Pages, Web, article
from made_logs import entry, pack_text, write_log

URL = "http://b.example/1"  # of the first made record
PLACE = ".scrapy/neardup/default"


class Others(Pages):
    name = "others"


@pytest.fixture
def two_spiders(crawl: Crawler, web: Web) -> list[str]:
    """Two spiders, each of which dropped the second of two pages; returns the URLs."""
    web.pages = {"/a": article("tides"), "/b": article("tides", edits=2)}
    urls = web.urls("/a", "/b")
    for spider in (Pages, Others):
        assert crawl(spider, urls=urls, CONCURRENT_REQUESTS=1).urls == urls[:1]
    return urls


def stats(neardup: Neardup, *arguments: str) -> Any:
    code, out, errors = neardup("stats", "--json", *arguments)
    assert (code, errors) == (0, "")
    return json.loads(out)


def test_the_only_store_there_is_needs_no_name(
    crawl: Crawler, neardup: Neardup, web: Web, folder: Path
) -> None:
    web.pages = {"/a": article("tides")}
    crawl(urls=web.urls("/a"))
    (folder / PLACE / "store-of-no-spider").mkdir()  # without a marker it is no store

    assert stats(neardup)["store"] == str(folder / PLACE / "store-pages")


def test_of_several_one_is_named_and_else_all_are_listed(
    two_spiders: list[str], neardup: Neardup, folder: Path
) -> None:
    for spider in ("others", "pages"):
        store = stats(neardup, "--spider", spider)["store"]
        assert store == str(folder / PLACE / f"store-{spider}")
    for action in ("stats", "verify", "rebuild", "repair", "reset"):
        code, out, errors = neardup(action)
        assert (code, out) == (1, "")
        assert errors == (
            "scrapy neardup: several spiders have a store: others, pages; choose one with --spider "
            "NAME\n"
        )


@pytest.mark.parametrize("action", ["stats", "reset --yes", "repair", "urls list"])
def test_a_mistyped_spider_is_told_the_names_that_have_a_store(
    two_spiders: list[str], neardup: Neardup, action: str
) -> None:
    code, out, errors = neardup(*action.split(), "--spider", "mistyped")
    assert (code, out, errors.count("\n")) == (1, "", 1)
    assert "store-mistyped" in errors
    assert errors.endswith("; spiders with a store: others, pages\n")


@pytest.mark.parametrize("action", ["stats", "reset --yes"])
def test_a_spider_has_no_store_where_all_share_one(
    crawl: Crawler, neardup: Neardup, web: Web, folder: Path, action: str
) -> None:
    web.pages = {"/a": article("tides")}
    store = f"leveldb:{folder}/shared"
    crawl(urls=web.urls("/a"), NEARDUP_STORE=store)
    shared = ("-s", f"NEARDUP_STORE={store}")

    code, out, errors = neardup(*action.split(), "--spider", "pages", *shared)

    assert (code, out) == (2, "")
    assert errors == (
        f"scrapy neardup: --spider pages: NEARDUP_STORE = '{store}' is one store "
        "for all spiders; leave --spider out\n"
    )
    assert stats(neardup, *shared)["pages"] == 1


def test_of_none_the_place_and_the_way_out_are_told(neardup: Neardup, folder: Path) -> None:
    code, _, errors = neardup("stats")
    assert (code, errors.count("\n")) == (1, 1)
    assert f"{folder / PLACE}/store-NAME" in errors
    assert "--spider" in errors
    code, _, errors = neardup("stats", "--spider", "mistyped")
    assert (code, errors.count("\n")) == (1, 1)
    assert "store-mistyped" in errors


def test_the_stores_of_another_project_are_not_taken(
    two_spiders: list[str], neardup: Neardup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRAPY_PROJECT", "shop")
    assert "no spider has a store" in neardup("stats")[2]
    assert "no drop log at" in neardup("list")[2]


@pytest.mark.parametrize(
    "template", ["%(name)s/%(name)s0", "[s]*/%(name)s.d", "%(project)s-%(name)s"]
)
def test_a_name_may_stand_anywhere_in_the_path(
    crawl: Crawler, neardup: Neardup, web: Web, folder: Path, template: str
) -> None:
    web.pages = {"/a": article("tides")}
    crawl(urls=web.urls("/a"), NEARDUP_STORE=f"leveldb:{template}")
    (folder / "pages" / "another").mkdir(parents=True, exist_ok=True)

    place = template.replace("%(name)s", "pages").replace("%(project)s", "default")
    setting = ("-s", f"NEARDUP_STORE=leveldb:{template}")
    assert stats(neardup, *setting)["store"] == str(folder / place)


def test_drops_are_compared_and_restored_in_the_stores_of_their_spiders(
    two_spiders: list[str], crawl: Crawler, neardup: Neardup, folder: Path
) -> None:
    code, out, errors = neardup("diff", two_spiders[1])
    assert (code, errors) == (0, "")
    assert "{+edit0" in out
    code, out, errors = neardup("restore", "--json", "-o", "restored.jsonl")
    assert (code, errors) == (0, "")
    assert json.loads(out)["items"] == 2
    for spider in (Pages, Others):
        assert crawl(spider, urls=two_spiders).urls == two_spiders


def test_a_restore_of_one_spider_leaves_the_store_of_the_other(
    two_spiders: list[str], crawl: Crawler, neardup: Neardup
) -> None:
    assert neardup("restore", "--spider", "others", "-o", "restored.jsonl")[0] == 0
    assert crawl(Others, urls=two_spiders).urls == two_spiders
    assert crawl(urls=two_spiders).urls == two_spiders[:1]


def test_a_report_on_two_spiders_has_samples_and_no_pages_kept_though_much_alike(
    two_spiders: list[str], neardup: Neardup, folder: Path
) -> None:
    code, _, errors = neardup("report")
    assert (code, errors) == (0, "")
    page = (folder / "report.html").read_text()
    assert "Each of the spiders others, pages has a store of its own" in page
    assert "edit0" in page


def test_a_store_made_by_an_import_is_named(neardup: Neardup, two_spiders: list[str]) -> None:
    source = f"leveldb:{PLACE}/store-pages"
    assert neardup("import", source, "--spider", "new")[0] == 0
    assert stats(neardup, "--spider", "new")["pages"] == 1


def test_a_target_that_is_named_twice_is_wrong_usage(neardup: Neardup) -> None:
    code, _, errors = neardup("import", "x.jsonl", "--into", "leveldb:x", "--spider", "pages")
    assert (code, errors.count("\n")) == (2, 1)
    assert "--into names the target, and so does --spider" in errors


@pytest.mark.parametrize("name", ["%(name)s", "a%(project)s", "..", "~", "../up", "x" * 300, "\0"])
def test_a_spider_may_have_any_name_in_a_log_and_its_store_is_in_the_same_folder(
    neardup: Neardup, folder: Path, name: str
) -> None:
    log = write_log(folder / "log.jsonl", [entry(1, spider=name, text=pack_text("tea"))])
    for arguments in (["diff", URL, str(log)], ["restore", str(log), "-o", "feed.jsonl"]):
        for template in ("store-%(name)s", "%(name)s"):
            setting = ("-s", f"NEARDUP_STORE=leveldb:stores/{template}")
            code, _, errors = neardup(*arguments, *setting)
            assert (code, errors.count("\n")) == (1, 1)
            assert "for_spider" not in errors
    assert neardup("report", str(log))[0] == 0
    assert sorted(path.name for path in folder.iterdir()) == ["log.jsonl", "report.html"]


def test_what_stands_for_several_stores_is_no_source(
    neardup: Neardup, two_spiders: list[str]
) -> None:
    several = "leveldb:stores/%(name)s"
    one = f"leveldb:{PLACE}/store-pages"
    for arguments in ((several, "--into", one), (one, "--into", several)):
        code, _, errors = neardup("import", *arguments)
        assert (code, errors.count("\n")) == (1, 1)
        assert f"{several} stands for several stores" in errors
