"""Drop, restore, crawl again: the restored feed is what the crawl would have written."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any

import attrs
import pytest
import scrapy
from conftest import Crawler, Neardup
from crawling import Pages, Web, article
from made_logs import entry, write_log
from scrapy.http import Response

from dedup.review.records import Drop, read_drops

BERLIN = timezone(timedelta(hours=1))
STORE = "leveldb:store"


class Part(scrapy.Item):
    name = scrapy.Field()
    price = scrapy.Field()


class ScrapyItem(scrapy.Item):
    url = scrapy.Field()
    title = scrapy.Field(serializer=str.upper)
    content = scrapy.Field()
    unused = scrapy.Field()


@dataclass
class DataclassItem:
    url: str
    title: str
    content: Any
    unused: str | None = None
    made: int = field(default=7, init=False)


@attrs.frozen
class AttrsItem:
    url: str
    title: str = attrs.field(converter=lambda text: text + "!")  # a second run would show
    content: Any = None


KINDS: list[type] = [dict, ScrapyItem, DataclassItem, AttrsItem]
try:
    from pydantic import BaseModel
except ImportError:
    pass
else:

    class PydanticItem(BaseModel):
        url: str
        title: str
        content: Any = None

    KINDS.append(PydanticItem)

CONTENT: dict[str, Any] = {
    "text": '石桥 "quoted", ünïcode\r\n\u2028 <b>&amp;</b> 🜁',
    "numbers": [0, -1, 2.5, True, None, 10**30],
    "when": datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=BERLIN),
    "day": date(2026, 1, 2),
    "price": Decimal("1.10"),
    "set": {"b", "a", "石", "z", "0"},
    "pair": ("x", 1),
    "part": Part(name="x", price=Decimal("2.50")),
    "parts": [AttrsItem("u", "t"), {"$bytes": "made up by a page"}],
    "keys": {1: "one", "2": "two"},
}
NAMED = {name: value for name, value in CONTENT.items() if name != "keys"}  # XML has no element 1
COLOUR = Enum("Colour", ["RED"])
FOREIGN = {"file": Path("a"), "colour": COLOUR.RED, "host": IPv4Address("10.0.0.1")}
BINARY = {"raw": b"\x00\xff", "frozen": frozenset({"only"})}


class OfKind(Pages):
    kind: type = dict
    content: Any = None

    def item(self, response: Response) -> Any:
        title = response.css("title::text").get()
        return self.kind(url=response.url, title=title, content=self.content)


@pytest.fixture
def copies(web: Web) -> list[str]:
    web.pages = {"/a": article("tides"), "/b": article("tides", edits=2)}
    return web.urls("/a", "/b")


def drop(crawl: Crawler, urls: list[str], kind: type, content: Any) -> None:
    """Crawl pages of which the second repeats the first."""
    done = crawl(
        OfKind, urls=urls, kind=kind, content=content, CONCURRENT_REQUESTS=1, NEARDUP_STORE=STORE
    )
    assert done["items/dropped"] == 1


def restore(neardup: Neardup, *arguments: str) -> tuple[int, str, str]:
    return neardup("restore", *arguments, "-s", f"NEARDUP_STORE={STORE}")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize(
    ("suffix", "content"),
    [
        ("json", CONTENT),
        ("jsonl", CONTENT),
        ("csv", CONTENT | BINARY),
        ("csv", COLOUR.RED),
        ("xml", NAMED | BINARY | FOREIGN),
    ],
)
@pytest.mark.parametrize("encoding", [None, "utf-8"])
def test_the_restored_feed_is_what_the_crawl_would_have_written(
    crawl: Crawler,
    neardup: Neardup,
    folder: Path,
    copies: list[str],
    kind: type,
    suffix: str,
    content: Any,
    encoding: str | None,
) -> None:
    crawl(
        OfKind,
        urls=copies[1:],
        kind=kind,
        content=content,
        NEARDUP_ENABLED=False,
        FEEDS={f"expected.{suffix}": {"format": "jsonlines" if suffix == "jsonl" else suffix}},
        FEED_EXPORT_ENCODING=encoding,
    )
    drop(crawl, copies, kind, content)

    more = ("-s", f"FEED_EXPORT_ENCODING={encoding}") if encoding else ()
    code, _, errors = restore(neardup, "-o", f"restored.{suffix}", *more)

    assert (code, errors) == (0, "")
    expected = (folder / f"expected.{suffix}").read_bytes()
    assert (folder / f"restored.{suffix}").read_bytes() == expected
    assert copies[1].encode() in expected


def test_a_csv_feed_has_the_fields_of_all_items(neardup: Neardup, folder: Path) -> None:
    items: list[Any] = [
        {"url": "1", "title": "x"},
        {"url": "2", "price": "9"},
        ["no item, as a hand has changed the log"],
        {"title": "y", "size": "S"},
    ]
    write_log(folder / "drops.jsonl", [entry(n, item=item) for n, item in enumerate(items)])
    with_settings = ("drops.jsonl", "--no-mark", "-o", "out.csv")

    assert restore(neardup, *with_settings)[0] == 0
    assert (folder / "out.csv").read_text().splitlines() == [
        "url,title,price,size",
        "1,x,,",
        "2,,9,",
        ",y,,S",
    ]

    assert restore(neardup, *with_settings, "-s", "FEED_EXPORT_FIELDS=url,size")[0] == 0
    assert (folder / "out.csv").read_text().splitlines() == ["url,size", "1,", "2,", ",S"]


def test_an_item_with_a_number_as_a_field_is_left_out_of_a_csv_feed(
    neardup: Neardup, folder: Path
) -> None:
    odd = {"$dict": [["url", "2"], [5, "x"]]}
    items = [odd, {"url": "1"}, odd, {"title": "y"}]
    write_log(folder / "drops.jsonl", [entry(n, item=item) for n, item in enumerate(items)])

    code, _, errors = restore(neardup, "drops.jsonl", "--no-mark", "-o", "out.csv")

    assert (code, errors.count("left out")) == (0, 2)
    assert "the name of a field is no string: 5" in errors
    assert (folder / "out.csv").read_text().splitlines() == ["url,title", "1,", ",y"]


def test_a_csv_feed_with_too_many_fields_is_refused(neardup: Neardup, folder: Path) -> None:
    items = [{f"{number} {place}": "x" for place in range(200)} for number in range(6)]
    write_log(folder / "drops.jsonl", [entry(n, item=item) for n, item in enumerate(items)])

    code, _, errors = restore(neardup, "drops.jsonl", "--no-mark", "-o", "out.csv")

    assert (code, errors.count("\n")) == (1, 1)
    assert "1,200 fields" in errors
    assert "FEED_EXPORT_FIELDS" in errors
    assert not (folder / "out.csv").exists()
    assert restore(neardup, "drops.jsonl", "--no-mark", "-o", "out.jsonl")[0] == 0


def test_fields_and_indent_of_the_settings_hold(
    crawl: Crawler, neardup: Neardup, folder: Path, copies: list[str]
) -> None:
    drop(crawl, copies, dict, CONTENT)
    options = ("-s", "FEED_EXPORT_FIELDS=title,url", "-s", "FEED_EXPORT_INDENT=2")

    assert restore(neardup, "-o", "out.json", *options)[0] == 0

    text = (folder / "out.json").read_text()
    assert text == f'[\n{{\n  "title": "tides",\n  "url": "{copies[1]}"\n}}\n]'


def test_a_restored_page_is_kept_by_the_next_crawl(
    crawl: Crawler, neardup: Neardup, folder: Path, copies: list[str]
) -> None:
    drop(crawl, copies, dict, None)
    assert crawl(urls=copies, NEARDUP_STORE=STORE).urls == copies[:1]

    assert restore(neardup, "-o", "out.jsonl")[0] == 0

    assert crawl(urls=copies, NEARDUP_STORE=STORE).urls == copies
    assert crawl(urls=copies, NEARDUP_STORE=STORE).urls == copies  # from now on a revisit


@pytest.mark.parametrize("option", ["--dry-run", "--no-mark"])
def test_a_page_that_was_not_marked_is_dropped_again(
    crawl: Crawler, neardup: Neardup, folder: Path, copies: list[str], option: str
) -> None:
    drop(crawl, copies, dict, None)

    code, out, _ = restore(neardup, "-o", "out.jsonl", option)

    assert code == 0
    assert (folder / "out.jsonl").exists() == (option == "--no-mark")
    assert (copies[1] in out) == (option == "--dry-run")
    assert crawl(urls=copies, NEARDUP_STORE=STORE).urls == copies[:1]


def test_a_page_that_two_crawls_dropped_is_restored_once(
    crawl: Crawler, neardup: Neardup, folder: Path, copies: list[str]
) -> None:
    for number in (1, 2):
        crawl(urls=copies, NEARDUP_STORE=STORE, NEARDUP_LOG=f"drops-{number}.jsonl")

    assert restore(neardup, "drops-1.jsonl", "drops-2.jsonl", "-o", "out.jsonl")[0] == 0

    assert len((folder / "out.jsonl").read_text().splitlines()) == 1


def test_a_page_that_two_crawls_dropped_into_one_log_is_restored_once(
    crawl: Crawler, neardup: Neardup, folder: Path, copies: list[str]
) -> None:
    for _ in range(2):
        crawl(urls=copies, NEARDUP_STORE=STORE, NEARDUP_LOG="drops.jsonl")
    assert len((folder / "drops.jsonl").read_text().splitlines()) == 2

    assert restore(neardup, "drops.jsonl", "-o", "out.jsonl")[0] == 0

    assert len((folder / "out.jsonl").read_text().splitlines()) == 1


def test_a_log_named_twice_is_read_once(
    crawl: Crawler, neardup: Neardup, folder: Path, copies: list[str]
) -> None:
    crawl(urls=copies, NEARDUP_STORE=STORE, NEARDUP_LOG="drops.jsonl")
    (folder / "link.jsonl").symlink_to("drops.jsonl")

    code, out, _ = neardup("list", "drops.jsonl", "./drops.jsonl", "link.jsonl", "--json")

    assert code == 0
    assert len(out.splitlines()) == 1


def test_only_what_is_chosen_is_restored(
    crawl: Crawler, neardup: Neardup, folder: Path, web: Web
) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides"), "/c": article("tides", edits=2)}
    urls = web.urls("/a", "/b", "/c")
    crawl(urls=urls, NEARDUP_STORE=STORE, CONCURRENT_REQUESTS=1)

    assert restore(neardup, "-o", "out.jsonl", "--relation", "equal")[0] == 0

    assert crawl(urls=urls, NEARDUP_STORE=STORE).urls == urls[:2]


def test_an_item_whose_class_is_gone_becomes_a_dictionary_with_a_warning(
    crawl: Crawler, neardup: Neardup, folder: Path, copies: list[str]
) -> None:
    @dataclass
    class Local:  # its name leads nowhere
        url: str
        title: str
        content: Any

    drop(crawl, copies, Local, None)

    code, _, errors = restore(neardup, "-o", "out.jsonl")

    assert code == 0
    assert "Local" in errors
    line = f'{{"url": "{copies[1]}", "title": "tides", "content": null}}\n'
    assert (folder / "out.jsonl").read_text() == line


@pytest.mark.parametrize("name", ["pathlib.Path", "subprocess.Popen", "os.system", "no.such.Thing"])
def test_a_log_names_no_class_that_is_no_item(
    crawl: Crawler, neardup: Neardup, folder: Path, copies: list[str], name: str
) -> None:
    drop(crawl, copies, dict, None)
    (log,) = (folder / ".scrapy/neardup/default").glob("drops-*")
    log.write_text(log.read_text().replace("builtins.dict", name))

    code, _, errors = restore(neardup, "-o", "out.jsonl")

    assert code == 0
    assert f"items of {name} are written as dictionaries" in errors


@pytest.mark.parametrize(
    ("arguments", "says", "exits"),
    [
        ((), "--output", 2),
        (("-o", "out.parquet"), "a format must be one of", 2),
        (("-o", "out.json", "--host", "nobody.example"), "`scrapy neardup list --action drop`", 1),
        (("--dry-run", "--format", "zzz"), "a format must be one of", 2),
        (("-o", "no/such/folder/out.json"), "no such folder", 1),
        (("-o", "out.json", "--item-module", "no_such_module"), "no_such_module", 1),
        (("-o", "out.json", "--item-module", ""), "--item-module '' cannot be imported", 1),
        (("-o", "out.json", "--item-module", ".x"), "--item-module '.x' cannot be imported", 1),
        (("-o", "out.json", "--item-module", "half_written"), "expected ':'", 1),
        (
            ("-o", "out.jsonl", "-s", 'FEED_EXPORTERS={"jsonl": "no.such"}'),
            "FEED_EXPORTERS['jsonl'] = 'no.such' cannot be loaded",
            1,
        ),
        *(
            (("-o", f"out.{suffix}", "-s", bad), f"{name} = {value!r}", 1)
            for suffix, bad in (
                ("csv", "FEED_EXPORT_ENCODING=nope"),
                ("xml", "FEED_EXPORT_ENCODING=nope"),
                ("json", "FEED_EXPORT_INDENT=wide"),
                ("jsonl", "FEED_STORE_EMPTY=perhaps"),
            )
            for name, value in [bad.split("=")]
        ),
        (("--kept", "--dry-run"), "--kept", 2),
        (
            ("-o", "out.jsonl", "-s", "REQUEST_FINGERPRINTER_CLASS=no.such"),
            "REQUEST_FINGERPRINTER_CLASS = 'no.such' cannot be loaded",
            1,
        ),
    ],
)
def test_what_cannot_be_restored_is_said_in_one_line(
    crawl: Crawler,
    neardup: Neardup,
    folder: Path,
    copies: list[str],
    arguments: tuple[str, ...],
    says: str,
    exits: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drop(crawl, copies, dict, None)
    (folder / "half_written.py").write_text("class Item\n")
    monkeypatch.syspath_prepend(folder)

    code, _, errors = restore(neardup, *arguments)

    assert code == exits
    assert says in errors
    assert errors.count("\n") == 1
    assert not list(folder.glob("out.*"))


def test_an_item_that_the_format_cannot_hold_leaves_the_old_feed(
    crawl: Crawler, neardup: Neardup, folder: Path, copies: list[str]
) -> None:
    drop(crawl, copies, dict, b"octets")
    (folder / "out.json").write_text("old")

    code, _, errors = restore(neardup, "-o", "out.json")

    assert code == 1
    assert f"nothing is restored: an item of {copies[1]} cannot be written as json" in errors
    assert (folder / "out.json").read_text() == "old"
    assert crawl(urls=copies, NEARDUP_STORE=STORE).urls == copies[:1]


def test_what_is_restored_is_marked_in_a_store_whose_index_is_laid_out_otherwise(
    crawl: Crawler, neardup: Neardup, copies: list[str]
) -> None:
    drop(crawl, copies, dict, None)
    code, out, _ = restore(neardup, "-o", "out.jsonl", "--json", "-s", "NEARDUP_LAYOUT=10")
    assert (code, json.loads(out)["pages_marked"]) == (0, 1)


def test_a_store_without_the_pages_repeated_is_told_of(
    crawl: Crawler, neardup: Neardup, folder: Path, copies: list[str]
) -> None:
    drop(crawl, copies, dict, None)
    others = ("-s", "NEARDUP_STORE=leveldb:other")
    crawl(urls=[], NEARDUP_STORE="leveldb:other")

    assert "none of the pages that these repeat" not in restore(neardup, "-o", "out.jsonl")[2]
    code, _, errors = neardup("restore", "-o", "out.jsonl", *others)

    assert code == 0
    assert "other has none of the pages that these repeat; NEARDUP_STORE names" in errors
    assert neardup("restore", "--dry-run", *others)[2] == errors


def test_a_missing_store_is_told_of_with_the_ways_to_do_without(
    crawl: Crawler, neardup: Neardup, copies: list[str]
) -> None:
    drop(crawl, copies, dict, None)

    missing = ("-s", "NEARDUP_STORE=leveldb:missing")
    code, _, errors = neardup("restore", "-o", "out.jsonl", *missing)
    assert (code, errors.count("\n")) == (1, 1)
    assert "--no-mark" in errors
    assert "--spider" in errors
    assert neardup("restore", "-o", "out.jsonl", "--no-mark", *missing)[0] == 0

    assert neardup("restore", "--dry-run", *missing) == (1, "", errors)
    assert neardup("restore", "--dry-run", "--no-mark", *missing)[0] == 0


def test_items_without_a_url_are_restored_and_not_said_to_be_marked(
    crawl: Crawler, neardup: Neardup, folder: Path
) -> None:
    crawl(urls=[], NEARDUP_STORE=STORE)
    write_log(folder / "drops.jsonl", [entry(1, url="", request="07" * 20), entry(2)])

    code, out, _ = restore(neardup, "drops.jsonl", "-o", "out.jsonl", "--json")

    assert code == 0
    assert (json.loads(out)["items"], json.loads(out)["pages_marked"]) == (2, 1)


def test_the_request_is_in_the_log(crawl: Crawler, folder: Path, copies: list[str]) -> None:
    drop(crawl, copies, dict, None)
    (log,) = (folder / ".scrapy/neardup/default").glob("drops-*")

    (record,) = read_drops(log)

    assert isinstance(record, Drop)
    assert len(bytes.fromhex(record.request)) == 20
