"""The parts as a Config puts them together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from crawling import article, text

from dedup import Config
from dedup.assembly import (
    close_store,
    fingerprint_page,
    make_fingerprinter,
    make_header,
    make_index,
    open_store,
    opened_store,
    store_folder,
)
from dedup.index import Verdict
from dedup.store import MemoryStore, Place, StoreError, StoreMismatchError, kind_of

SMALL = Config(cache_mb=8, store="leveldb:store")


@pytest.fixture
def stored(tmp_path: Path) -> Iterator[Path]:
    """A folder with the store of one page."""
    index = make_index(SMALL, open_store(SMALL, tmp_path))
    page = make_fingerprinter(SMALL).of_html(article("tides"))
    index.commit(index.check("http://a.example/1", b"1", page))
    close_store(SMALL, tmp_path)
    yield tmp_path
    close_store(SMALL, tmp_path)


def test_indexes_of_one_store_share_the_items_in_the_pipelines(tmp_path: Path) -> None:
    store = open_store(SMALL, tmp_path)
    one, other = make_index(SMALL, store), make_index(SMALL, store)
    page = make_fingerprinter(SMALL).of_html(article("tides"))
    giver = one.check("http://a.example/list", b"1", page).record
    item = one.given.claim(b"an item.", giver)
    assert other.given.find(b"an item.", "http://a.example/next") is item
    looking = make_index(SMALL, store, read_only=True)
    assert looking.given.find(b"an item.", "http://a.example/next") is None
    close_store(SMALL, tmp_path)


def test_the_scheme_has_the_options_of_the_settings() -> None:
    combined = Config(distance=2).make_scheme()
    simhash = Config(scheme="simhash:bits=128", distance=9).make_scheme()

    assert (combined.name, simhash.name) == ("combined", "simhash")
    assert max(space.bits for space in simhash.spaces) == 128
    assert max(space.radius for space in simhash.spaces) == 9
    assert {space.radius for space in combined.spaces} == {0, 2}


@pytest.mark.parametrize(
    ("changed", "verdict"),
    [
        ({}, Verdict.NEW),
        ({"max_new": 0.8}, Verdict.DUPLICATE),
        ({"drop": "grown"}, Verdict.DUPLICATE),
        ({"drop": "overlap", "max_new": 0.8}, Verdict.NEW),
    ],
    ids=str,
)
@pytest.mark.parametrize("keep_text", [True, False])
def test_the_rules_of_an_index_are_those_of_the_settings(
    keep_text: bool, changed: dict[str, Any], verdict: Verdict
) -> None:
    config = Config(store="memory:", keep_text=keep_text, **changed)
    index = make_index(config, open_store(config))
    make = make_fingerprinter(config)
    index.commit(index.check("http://a.example/1", b"1", make.of_text(text("tides"))))

    longer = make.of_text(f"{text('tides')}\n{text('bread', words=120)}")

    assert index.check("http://b.example/1", b"2", longer).verdict is verdict


def test_a_page_is_fingerprinted_in_one_call() -> None:
    html = article("tides")

    assert fingerprint_page(html) == make_fingerprinter(Config()).of_html(html)
    assert fingerprint_page(html).tokens == 240
    assert fingerprint_page(html, Config(min_tokens=10_000)).value == b""


@pytest.mark.parametrize(
    ("store", "folder"),
    [
        ("leveldb:store", "/project/store"),
        ("leveldb:/var/pages", "/var/pages"),
        ("leveldb:~/pages", "HOME/pages"),
        ("memory:", None),
    ],
)
def test_relative_folders_are_those_of_the_project(store: str, folder: str | None) -> None:
    expected = Path(folder.replace("HOME", str(Path.home()))) if folder else None

    assert store_folder(Config(store=store), Path("/project")) == expected


def test_a_store_in_memory_makes_no_folder(tmp_path: Path) -> None:
    store = open_store(Config(store="memory:"), tmp_path)

    assert isinstance(store, MemoryStore)
    assert list(tmp_path.iterdir()) == []


def test_a_store_is_opened_again(stored: Path) -> None:
    index = make_index(SMALL, open_store(SMALL, stored))

    claim = index.check("http://a.example/2", b"2", fingerprint_page(article("tides")))

    assert claim.verdict is Verdict.DUPLICATE
    assert claim.match is not None
    assert claim.match.record.url == "http://a.example/1"


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    "changed",
    [
        {"scheme": "simhash"},
        {"extractor": "readability"},
        {"segmenter": "chars"},
        {"min_tokens": 41},
        {"scope": "host"},
        {"layout": "16"},
        {"distance": 2},
    ],
    ids=str,
)
def test_a_store_made_with_other_settings_is_refused(stored: Path, changed: dict[str, Any]) -> None:
    with pytest.raises(StoreMismatchError) as error:
        open_store(replace(SMALL, **changed), stored)

    assert str(stored / "store") in str(error.value)
    assert "the settings say" in str(error.value)
    assert len(open_store(SMALL, stored)) == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"max_new": 0.5},
        {"drop": "equal"},
        {"action": "tag"},
        {"cache_mb": 16},
        {"workers": 0},
        {"ttl": 10.0},
    ],
    ids=str,
)
def test_what_fingerprints_do_not_depend_on_may_change(
    stored: Path, changed: dict[str, Any]
) -> None:
    assert len(open_store(replace(SMALL, **changed), stored)) == 1


def test_a_reset_deletes_the_old_store(stored: Path) -> None:
    assert len(open_store(replace(SMALL, reset=True), stored)) == 0


def test_of_two_crawls_of_one_process_the_first_resets_and_the_other_joins(stored: Path) -> None:
    resetting = replace(SMALL, reset=True)
    first = open_store(resetting, stored)
    index = make_index(resetting, first)
    index.commit(index.check("http://a.example/9", b"9", fingerprint_page(article("bread"))))

    assert open_store(resetting, stored) is first
    assert len(first) == 1


def test_a_reset_waits_until_a_store_is_made(stored: Path) -> None:
    looking = replace(SMALL, reset=True)

    assert len(open_store(looking, stored, create=False)) == 1


def test_where_there_is_no_store_looking_makes_none(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no store in"):
        open_store(SMALL, tmp_path, create=False)

    assert list(tmp_path.iterdir()) == []


def test_an_opened_store_is_let_go_of_whatever_happens(stored: Path) -> None:
    with pytest.raises(MemoryError), opened_store(SMALL, stored):
        raise MemoryError

    assert not kind_of("leveldb:").is_open(Place(f"leveldb:{stored / 'store'}"))


@pytest.mark.usefixtures("compiled")
def test_the_header_names_what_fingerprints_depend_on() -> None:
    header = make_header(Config())

    assert header.fingerprint["scheme"] == "combined"
    assert header.fingerprint["extractor"].startswith("weighted_dom/")
    assert header.fingerprint["segmenter"].startswith("jieba/")
    assert header.tables["scope"] == "global"


@pytest.mark.parametrize("config", [SMALL, replace(SMALL, read_only=True)])
def test_a_read_only_index_stores_nothing(stored: Path, config: Config) -> None:
    store = open_store(config, stored)
    index = make_index(config, store, read_only=not config.read_only)

    index.commit(index.check("http://a.example/2", b"2", fingerprint_page(article("bread"))))

    assert len(store) == 1
