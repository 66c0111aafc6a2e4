"""The drop log: what a record holds, and how a log is read again."""

from __future__ import annotations

import base64
import json
import logging
import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import scrapy
from conftest import Crawler
from crawling import Pages, Web, article, text
from hypothesis import given, settings
from hypothesis import strategies as st
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from dedup.config import Config
from dedup.fingerprint import Fingerprinter
from dedup.index import Kinship, Match
from dedup.review.records import VERSION, Damage, Drop, items_of, read_drops, read_entry, text_of
from dedup.schemes import Combined, Comparison
from dedup.scrapy import jsonlog
from dedup.scrapy.droplog import LONGEST_PASSAGE, MOST_PASSAGES, DropLog
from dedup.scrapy.logbook import Logbook
from dedup.scrapy.pages import Page
from dedup.scrapy.reporter import Reporter
from dedup.scrapy.stopwatch import Stopwatch
from dedup.scrapy.values import encode_item, find_item_class
from dedup.store import Record
from dedup.verdict import Relation


class Part(scrapy.Item):
    name = scrapy.Field()


@dataclass
class Whole:
    url: str
    content: Any


class Rich(Pages):
    """Items with all sorts of values."""

    content: Any = None

    def item(self, response: Response) -> Any:
        return Whole(response.url, self.content)


@pytest.fixture
def copies(web: Web) -> list[str]:
    web.pages = {"/a": article("tides"), "/b": article("tides", edits=2)}
    return web.urls("/a", "/b")


def test_a_record_tells_what_was_dropped_and_why(crawl: Crawler, copies: list[str]) -> None:
    began = datetime.now(UTC).replace(microsecond=0)
    done = crawl(urls=copies, CONCURRENT_REQUESTS=1)

    (record,) = done.log
    assert record["version"] == VERSION
    assert began <= datetime.fromisoformat(record["time"]) <= datetime.now(UTC)
    assert record["spider"] == "pages"
    assert (record["action"], record["relation"]) == ("drop", "edited")
    assert "job" not in record
    assert (record["url"], record["of"]) == (copies[1], copies[0])
    assert record["of_page_id"] >= 1
    assert began <= datetime.fromisoformat(record["of_seen"]) <= datetime.now(UTC)
    assert 0.75 <= record["similarity"] < 1
    assert 0.75 <= record["containment"] <= 1
    assert 0 <= record["distance"] <= 10
    assert record["same_host"] is True
    assert (record["tokens"], record["of_tokens"]) == (240, 240)
    assert base64.b64decode(record["fingerprint"]) != base64.b64decode(record["of_fingerprint"])
    assert record["item_type"] == "builtins.dict"
    assert record["item"] == {"url": copies[1], "title": "tides"}


NEWS = text("rain", words=18)


@pytest.fixture
def updated(web: Web) -> list[str]:
    """A page, and the same with some news below it."""
    web.pages = {"/a": article("tides"), "/b": article("tides", more=NEWS)}
    return web.urls("/a", "/b")


def test_a_record_tells_what_is_new_in_the_page_by_the_texts(
    crawl: Crawler, updated: list[str]
) -> None:
    (record,) = crawl(urls=updated, CONCURRENT_REQUESTS=1).log

    assert (record["relation"], record["confirmed"]) == ("edited", True)
    assert record["new"] == pytest.approx(18 / 258, abs=0.005)
    assert (record["new_words"], record["passages"]) == (18, [NEWS])


def test_where_no_text_is_kept_what_is_new_is_estimated_by_the_fingerprints(
    crawl: Crawler, updated: list[str]
) -> None:
    (record,) = crawl(urls=updated, CONCURRENT_REQUESTS=1, NEARDUP_KEEP_TEXT=False).log

    assert (record["relation"], record["confirmed"]) == ("edited", False)
    assert 0.02 < record["new"] < 0.15
    assert record["new_words"] == pytest.approx(record["new"] * 258, abs=1)
    assert "passages" not in record


def test_a_page_that_only_changes_words_has_nothing_new(crawl: Crawler, copies: list[str]) -> None:
    (record,) = crawl(urls=copies, CONCURRENT_REQUESTS=1).log

    assert (record["new"], record["new_words"], record["confirmed"]) == (0, 0, True)
    assert "passages" not in record


def test_of_what_is_new_a_record_holds_the_beginnings(crawl: Crawler, web: Web) -> None:
    short = [text(f"note {number}", words=6) for number in range(MOST_PASSAGES + 5)]
    passages = [" ".join(text("rain", words=150).split()).replace(".", ","), *short]
    web.pages = {"/a": article("tides", words=3000)}
    web.pages["/b"] = article("tides", words=3000, more="\n".join(passages))

    (record,) = crawl(urls=web.urls("/a", "/b"), CONCURRENT_REQUESTS=1).log

    assert len(record["passages"]) == MOST_PASSAGES
    assert record["passages"][0] == passages[0][:LONGEST_PASSAGE]
    assert record["passages"][1:] == short[: MOST_PASSAGES - 1]


def test_a_record_says_that_the_hosts_differ(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("tides")}

    done = crawl(urls=[web.url("/a"), web.url("/a", host="localhost")], CONCURRENT_REQUESTS=1)

    assert [record["same_host"] for record in done.log] == [False]


def test_a_tagged_item_is_recorded_too(crawl: Crawler, copies: list[str]) -> None:
    done = crawl(urls=copies, CONCURRENT_REQUESTS=1, NEARDUP_ACTION="tag")

    assert [(record["action"], record["url"]) for record in done.log] == [("tag", copies[1])]


def test_a_page_has_one_record_with_all_its_items_that_were_dropped(
    crawl: Crawler, copies: list[str]
) -> None:
    class Twice(Pages):
        def parse(self, response: Response) -> Any:
            for part in (1, 2):
                yield {"url": response.url, "part": part}

    done = crawl(Twice, urls=copies, CONCURRENT_REQUESTS=1)

    (record,) = done.log
    assert [fields["part"] for _, fields in items_of(record)] == [1, 2]
    assert (record["items_dropped"], record["items_given"]) == (2, 2)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), {"$datetime": "2026-01-02T03:04:05+00:00"}),
        (date(2026, 1, 2), {"$date": "2026-01-02"}),
        (Decimal("1.10"), {"$Decimal": "1.10"}),
        (b"\x00\xff", {"$bytes": "AP8="}),
        ({2, 1}, {"$set": [1, 2]}),
        (Path("a"), {"$str": "a"}),
        (Part(name="x"), {"$item": ["test_droplog.Part", {"name": "x"}]}),
        ([(1, Part())], [{"$tuple": [1, {"$item": ["test_droplog.Part", {}]}]}]),
        ({"$set": "made up by a page"}, {"$dict": [["$set", "made up by a page"]]}),
        ("line\nbreak\r\n\u2028\x85\x0b", "line\nbreak\r\n\u2028\x85\x0b"),
        ("half a pair \ud83d", "half a pair \ud83d"),
        ("石桥 🜁", "石桥 🜁"),
        ({"": 1, "7": None}, {"": 1, "7": None}),
        ({(1, 2): "x"}, {"$dict": [[{"$tuple": [1, 2]}, "x"]]}),
    ],
)
def test_the_whole_item_is_in_the_record(
    crawl: Crawler, copies: list[str], value: Any, written: Any
) -> None:
    done = crawl(Rich, urls=copies, content=value, CONCURRENT_REQUESTS=1)

    assert (done["items/exported"], done["items/dropped"]) == (1, 1)
    (drop,) = read_drops(Path(done.stats["neardup/drop_log"]))
    assert isinstance(drop, Drop)
    entry = read_entry(drop)
    assert entry["item"] == {"url": copies[1], "content": written}
    assert entry["item_type"] == "test_droplog.Whole"


def test_an_item_that_cannot_be_recorded_is_exported(
    crawl: Crawler, copies: list[str], web: Web, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def spoil(number: int, path: str) -> None:
        (folder / "file").write_text("no folder any more")

    web.on_request = spoil
    done = crawl(urls=copies, CONCURRENT_REQUESTS=1, NEARDUP_LOG="file/drops.jsonl")

    assert done.urls == copies
    assert done["items/unchecked"] == 1
    (line,) = [entry.getMessage() for entry in caplog.records if entry.levelname == "ERROR"]
    assert line.startswith(f"An item of {copies[1]} is exported without a verdict: ")
    assert "NEARDUP_LOG" in line
    assert str(folder / "file") in line


def test_a_crawl_without_near_duplicates_makes_no_log(
    crawl: Crawler, web: Web, folder: Path
) -> None:
    web.pages = {"/a": article("tides")}

    done = crawl(urls=web.urls("/a"), NEARDUP_LOG="drops.jsonl")

    assert "neardup/drop_log" not in done.stats
    assert not (folder / "drops.jsonl").exists()


def test_damaged_lines_are_reported_by_number(crawl: Crawler, copies: list[str]) -> None:
    done = crawl(urls=copies, CONCURRENT_REQUESTS=1)
    path = Path(done.stats["neardup/drop_log"])
    good = path.read_bytes()
    other = json.dumps({"version": VERSION + 1}).encode() + b"\n"
    path.write_bytes(b"\n".join([good[:40], good[:-1], b"\xff\xfe", b"[1]"]) + b"\n" + other + good)

    read = list(read_drops(path))

    assert [isinstance(record, Drop) for record in read] == [0, 1, 0, 0, 0, 1]
    damaged = {record.line: record.problem for record in read if isinstance(record, Damage)}
    assert list(damaged) == [1, 3, 4, 5]
    assert f"version {VERSION + 1}" in damaged[5]


@pytest.mark.parametrize("level", ["DEBUG", "INFO", "WARNING"])
def test_the_crawls_own_log_has_one_line_a_drop_at_the_level_that_is_set(
    crawl: Crawler, copies: list[str], caplog: pytest.LogCaptureFixture, level: str
) -> None:
    crawl(Rich, urls=copies, content="SECRET", CONCURRENT_REQUESTS=1, NEARDUP_LOG_LEVEL=level)

    about = [entry for entry in caplog.records if copies[1] in entry.getMessage()]
    ours = [entry for entry in about if entry.name.startswith("dedup")]
    assert [entry.levelname for entry in ours] == [level]
    assert copies[0] in ours[0].getMessage()
    assert "\n" not in ours[0].getMessage()


def test_dropped_items_are_not_dumped_into_the_crawls_log(
    crawl: Crawler, copies: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    crawl(Rich, urls=copies, content="SECRET", CONCURRENT_REQUESTS=1)

    shown = [entry.getMessage() for entry in caplog.records if entry.levelno >= logging.INFO]
    assert any(copies[1] in message for message in shown)
    assert not any("SECRET" in message for message in shown)


def test_a_page_of_an_equal_text_is_recorded_as_such(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("tides"), "/b": article("tides")}

    done = crawl(urls=web.urls("/a", "/b"), CONCURRENT_REQUESTS=1)

    assert [record["relation"] for record in done.log] == ["equal"]


def test_the_folder_of_the_job_is_recorded(crawl: Crawler, copies: list[str], folder: Path) -> None:
    done = crawl(urls=copies, CONCURRENT_REQUESTS=1, JOBDIR="job")

    assert [record["job"] for record in done.log] == ["job"]


def test_the_text_is_recorded_where_it_is_kept(crawl: Crawler, copies: list[str]) -> None:
    kept = crawl(urls=copies, CONCURRENT_REQUESTS=1, NEARDUP_STORE="memory:").log
    left = crawl(
        urls=copies, CONCURRENT_REQUESTS=1, NEARDUP_STORE="memory:", NEARDUP_KEEP_TEXT=False
    ).log

    assert text_of(kept[0]) == f"tides\n\n{text('tides', edits=2)}"
    assert text_of(left[-1]) is None


def test_what_is_read_often_stands_before_the_item(crawl: Crawler, updated: list[str]) -> None:
    (record,) = crawl(urls=updated, CONCURRENT_REQUESTS=1).log

    bulk = ["item_type", "item", "text", "passages", "fingerprint", "of_fingerprint"]
    assert list(record)[-6:] == bulk


# The file alone


def match() -> tuple[Record, Match]:
    fingerprint = Fingerprinter(Combined()).of_text(text("tides"))
    record = Record(
        "http://a.example/",
        b"a",
        1.0,
        True,
        fingerprint.tokens,
        fingerprint.digest,
        b"x",
        page_id=1,
    )
    return record, Match(record, Kinship(Comparison(1.0, 0, 1.0), Relation.EQUAL))


def write(log: DropLog, *names: str) -> None:
    for name in names:
        log.write("drop", [encode_item({"name": name})], *match())


def names(path: Path) -> list[str]:
    return [
        read_entry(record)["item"]["name"] if isinstance(record, Drop) else "damaged"
        for record in read_drops(path)
    ]


@pytest.mark.parametrize("file", ["drops.jsonl", "drops.jsonl.gz"])
def test_a_log_holds_what_was_written_packed_or_not(tmp_path: Path, file: str) -> None:
    log = DropLog(tmp_path / file, "site")
    write(log, "one", "two")
    log.close()

    assert names(tmp_path / file) == ["one", "two"]
    assert (log.path.read_bytes()[:2] == b"\x1f\x8b") == file.endswith(".gz")


def test_a_packed_log_that_was_never_closed_gives_all_that_was_written(tmp_path: Path) -> None:
    log = DropLog(tmp_path / "drops.jsonl.gz", "site")
    write(log, "one", "two")

    assert names(log.path) == ["one", "two", "damaged"]
    *_, damage = read_drops(log.path)
    assert isinstance(damage, Damage)
    assert damage.problem == "cut short: a crawl still writes the log, or it was killed"
    log.close()


def test_a_packed_log_that_is_damaged_is_not_said_to_be_written_still(tmp_path: Path) -> None:
    log = tmp_path / "drops.jsonl.gz"
    log.write_bytes(b"hello")
    (damage,) = read_drops(log)
    assert isinstance(damage, Damage)
    assert damage.problem == "damaged, or no gzip: Not a gzipped file (b'he')"


@given(cut=st.integers(1, 400))
@settings(derandomize=True, deadline=None, max_examples=40)
def test_a_packed_log_cut_anywhere_gives_what_is_whole(cut: int) -> None:
    with TemporaryDirectory() as folder:
        log = DropLog(Path(folder) / "drops.jsonl.gz", "site")
        write(log, "one", "two", "three")
        log.close()
        data = log.path.read_bytes()
        log.path.write_bytes(data[: max(0, len(data) - cut)])

        read = names(log.path)
        whole = [name for name in read if name != "damaged"]
        assert whole == ["one", "two", "three"][: len(whole)]
        assert len(read) - len(whole) <= 1


def test_a_packed_log_is_never_added_to(tmp_path: Path) -> None:
    paths = []
    for name in ("one", "two", "three"):
        log = DropLog(tmp_path / "drops.jsonl.gz", "site")
        write(log, name)
        log.close()
        paths.append(log.path)

    assert [path.name for path in paths] == [
        "drops.jsonl.gz",
        "drops-2.jsonl.gz",
        "drops-3.jsonl.gz",
    ]
    assert [names(path) for path in paths] == [["one"], ["two"], ["three"]]


def test_a_packed_log_has_one_process_whoever_asks_at_the_same_moment(tmp_path: Path) -> None:
    path = tmp_path / "made" / "drops.jsonl.gz"
    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(jsonlog.take_name, [path] * 40))
    assert len(set(given)) == 40


@pytest.mark.parametrize("name", ["drops.jsonl", "drops.jsonl.gz"])
@pytest.mark.parametrize("moved", [False, True])
def test_a_log_that_is_taken_away_begins_anew(tmp_path: Path, name: str, *, moved: bool) -> None:
    """Else each further drop of a long crawl would be lost for good, without a word."""
    path = tmp_path / "logs" / name
    log = DropLog(path, "site")
    write(log, "one", "two")
    if moved:
        path.rename(tmp_path / name)
    else:
        shutil.rmtree(path.parent)
    write(log, "three", "four")
    log.close()

    assert names(path) == ["three", "four"]
    if moved:
        assert names(tmp_path / name) == ["one", "two"]


@pytest.mark.parametrize("left", [0, 100])
def test_a_log_that_is_cut_while_it_is_written_goes_on(tmp_path: Path, left: int) -> None:
    """As by ``copytruncate`` of logrotate: what is packed on is no file without its beginning."""
    for path in (tmp_path / "drops.jsonl", tmp_path / "drops.jsonl.gz"):
        log = DropLog(path, "site")
        write(log, "one", "two")
        os.truncate(path, left)
        write(log, "three")
        write(log, "four")
        log.close()

        assert names(log.path)[-2:] == ["three", "four"]
        assert log.path.name in ("drops.jsonl", "drops-2.jsonl.gz")


def test_a_log_that_a_kill_cut_is_added_to_on_a_line_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "drops.jsonl"
    path.write_text('{"version": 2, "time": "20')
    log = DropLog(path, "site")
    write(log, "one")
    log.close()

    assert names(path) == ["damaged", "one"]


@pytest.mark.parametrize("file", ["drops.jsonl", "drops.jsonl.gz"])
def test_a_record_that_a_full_disk_cuts_is_taken_back(
    tmp_path: Path, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = DropLog(tmp_path / file, "site")
    write(log, "one")
    with monkeypatch.context() as full:
        full.setattr(jsonlog.os, "write", lambda file, data, write=os.write: write(file, data[:5]))
        with pytest.raises(OSError, match="No space"):
            write(log, "lost")
    write(log, "two")
    log.close()

    assert names(log.path) == ["one", "two"]


def test_records_of_the_first_version_are_read(tmp_path: Path) -> None:
    log = DropLog(tmp_path / "drops.jsonl", "site")
    write(log, "one")
    log.close()
    entry = json.loads(log.path.read_text()) | {"version": 1}
    for name in ("relation", "new", "new_words", "confirmed", "request"):
        del entry[name]
    log.path.write_text(json.dumps(entry) + "\n")

    (drop,) = read_drops(log.path)

    assert isinstance(drop, Drop)
    assert (drop.relation, drop.new, drop.request, drop.job) == (Relation.EDITED, None, "", "")


def test_a_log_that_changed_under_its_reader_is_an_error(tmp_path: Path) -> None:
    log = DropLog(tmp_path / "drops.jsonl", "site")
    write(log, "one")
    log.close()
    (drop,) = read_drops(log.path)
    log.path.write_text('{"version": 2, "url": "http://other.example/"}\n')

    assert isinstance(drop, Drop)
    with pytest.raises(ValueError, match="was changed"):
        read_entry(drop)


def test_a_log_of_kept_pages_that_cannot_be_ended_leaves_the_drop_log_whole(
    tmp_path: Path,
) -> None:
    reporter = Reporter(get_crawler())
    config = Config(log="drops.jsonl.gz")
    logbook = Logbook(config, tmp_path, "site", reporter, Stopwatch(), lambda record: record)
    write(logbook._drops, "one")
    write(logbook._kept, "two")
    assert logbook._kept._file is not None
    with Path("/dev/full").open("wb") as full:
        os.dup2(full.fileno(), logbook._kept._file)
        with pytest.raises(OSError, match="No space"):
            logbook.close()

    assert names(tmp_path / "drops.jsonl.gz") == ["one"]


def test_an_item_is_not_dropped_if_the_log_was_taken_away_after_another_one_of_its_page(
    tmp_path: Path,
) -> None:
    config, page = Config(log="logs/drops.jsonl"), Page(several=True)
    reporter = Reporter(get_crawler())
    logbook = Logbook(config, tmp_path, "site", reporter, Stopwatch(), lambda record: record)
    logbook.note_repeated(page, {"name": "one"}, match()[1])
    shutil.rmtree(tmp_path / "logs")
    (tmp_path / "logs").touch()
    with pytest.raises(OSError, match="logs"):
        logbook.note_repeated(page, {"name": "two"}, match()[1])
    assert page.gone == len(page.repeated) == 1


def test_a_name_as_long_as_a_log_is_the_name_of_no_class() -> None:
    start = time.process_time()
    assert find_item_class("a." * 80_000) is None
    assert find_item_class("builtins.dict") is dict
    assert time.process_time() - start < 1
