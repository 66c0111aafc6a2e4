"""Where a drop log is and what it is called."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Crawler, Neardup
from crawling import Pages, Web, article

from dedup.review.records import read_drops
from dedup.scrapy.log_paths import why_unwritable


@pytest.fixture
def copies(web: Web) -> list[str]:
    web.pages = {"/a": article("tides"), "/b": article("tides", edits=2)}
    return web.urls("/a", "/b")


def test_the_log_has_the_name_and_place_that_are_set(
    crawl: Crawler, copies: list[str], folder: Path
) -> None:
    done = crawl(urls=copies, NEARDUP_LOG="logs/%(name)s.jsonl")
    crawl(urls=copies, NEARDUP_LOG="logs/%(name)s.jsonl")

    assert Path(done.stats["neardup/drop_log"]) == folder / "logs" / "pages.jsonl"
    assert len(list(read_drops(folder / "logs" / "pages.jsonl"))) == 2


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("100%.jsonl", "100%.jsonl"),
        ("%(job)s-%(name)s.jsonl", "%(job)s-%(name)s.jsonl"),
        ("%d.jsonl", "%d.jsonl"),
        ("%s.jsonl", "%s.jsonl"),
        ("%%(name)s %s", "%%(name)s %s"),
        ("100%%-%(name)s.jsonl", "100%-pages.jsonl"),
        ("%%(name)s.jsonl", "%(name)s.jsonl"),
        ("[%%]?*.jsonl", "[%]?*.jsonl"),
    ],
)
def test_percent_signs_in_the_name_of_the_log_do_no_harm_and_commands_find_it(
    crawl: Crawler, neardup: Neardup, copies: list[str], folder: Path, name: str, file: str
) -> None:
    done = crawl(urls=copies, CONCURRENT_REQUESTS=1, NEARDUP_LOG=name)

    assert done.urls == copies[:1]
    assert len(done.log) == 1
    assert Path(done.stats["neardup/drop_log"]) == folder / file
    code, out, errors = neardup("list", "--json", "-s", f"NEARDUP_LOG={name}")
    assert (code, errors) == (0, "")
    assert len(out.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("logs", "{folder}/logs cannot be the drop log: it is a folder; name another"),
        ("/", "NEARDUP_LOG: / cannot be the drop log: it is a folder; name another"),
        ("mine.jsonl", "mine.jsonl cannot be the drop log: it is another file, with other lines"),
        (
            "a.txt/new/drops.jsonl",
            "drops.jsonl cannot be the drop log: {folder}/a.txt is no folder",
        ),
    ],
)
def test_what_cannot_be_the_log_is_told_before_the_crawl(
    crawl: Crawler,
    copies: list[str],
    folder: Path,
    caplog: pytest.LogCaptureFixture,
    name: str,
    says: str,
) -> None:
    (folder / "logs").mkdir()
    (folder / "a.txt").touch()
    (folder / "mine.jsonl").write_text('{"url": "http://a.example/"}\n')
    done = crawl(urls=copies, NEARDUP_LOG=name)

    assert done.urls == []
    assert done.reason == "neardup_misconfigured"
    assert says.format(folder=folder) in caplog.text
    assert "signal handler" not in caplog.text


def test_a_log_whose_folder_is_still_to_be_made_is_none_of_these(tmp_path: Path) -> None:
    assert why_unwritable(tmp_path / "new" / "drops.jsonl") == ""
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "start", [b"", b'{"ver', b'{"ver\n{"version": 3}\n', b'{"version": 2, "time"']
)
def test_a_log_that_a_crawl_left_can_be_appended_to(tmp_path: Path, start: bytes) -> None:
    """A kill can leave a part of a line."""
    log = tmp_path / "drops.jsonl"
    log.write_bytes(start)
    assert why_unwritable(log) == ""


def test_a_log_that_cannot_even_be_looked_for_keeps_no_crawl_from_its_store(
    crawl: Crawler, copies: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    done = crawl(urls=copies, NEARDUP_LOG="x" * 300, CONCURRENT_REQUESTS=1)

    assert done.urls == copies
    assert (done["new"], done["duplicates"], done["items/unchecked"]) == (1, 1, 1)
    assert "signal handler" not in caplog.text


def test_the_log_of_a_spider_with_a_slash_in_its_name_is_among_the_others(
    crawl: Crawler, copies: list[str], folder: Path
) -> None:
    class Slashed(Pages):
        name = "shop/reviews"

    done = crawl(Slashed, urls=copies)
    path = Path(done.stats["neardup/drop_log"])
    assert path.parent == folder / ".scrapy/neardup/default"
    assert path.name.startswith("drops-shop_reviews-")
