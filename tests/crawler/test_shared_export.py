"""The items of a shared crawl, as each process writes them."""

from __future__ import annotations

import json
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from scrapy.utils.test import get_crawler

from crawler.shared import ExportPipeline


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """A disk that has room for files of so many octets, and no more."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def items_in(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("settings", [{"SHARED_ITEMS": ""}, {"SHARED_ITEMS": " "}, {}])
def test_items_that_would_go_nowhere_keep_the_crawl_from_starting(settings: dict[str, str]) -> None:
    given = settings.get("SHARED_ITEMS", "")
    with pytest.raises(ValueError, match=f"^SHARED_ITEMS must name a file; got '{given}'$"):
        ExportPipeline.from_crawler(get_crawler(settings_dict=settings))


def test_a_folder_is_no_file_for_items(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^SHARED_ITEMS must name a file; got '.+'$"):
        ExportPipeline(str(tmp_path))


@pytest.mark.parametrize("name", ["%(spider)s.jsonl", "100%.jsonl", "%d.jsonl", "%s.jsonl"])
def test_what_cannot_be_filled_into_the_name_is_told(name: str) -> None:
    with pytest.raises(ValueError, match="SHARED_ITEMS must name a file, with") as error:
        ExportPipeline(name)
    assert str(error.value).endswith(f"; got {name!r}")


@pytest.mark.parametrize("room", [60, 23])  # for half of the second line; for none of it
def test_an_item_without_room_spoils_no_other(tmp_path: Path, room: int) -> None:
    path = tmp_path / "items.jsonl"
    pipeline = ExportPipeline(str(path))
    first, second, third = ({"url": f"http://a/{number}"} for number in (1, 2, 3))
    pipeline.process_item(first)
    with room_for(room), pytest.raises(OSError, match=r"items\.jsonl"):
        pipeline.process_item(second | {"text": "word " * 50})

    pipeline.process_item(third)
    pipeline.close_spider()

    assert items_in(path) == [first, third]


def test_half_a_line_of_a_killed_process_spoils_no_other(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text('{"url": "http://a/1"}\n{"url": "htt')
    pipeline = ExportPipeline(str(path))

    pipeline.process_item({"url": "http://a/2"})
    pipeline.close_spider()

    first, _, last = path.read_text().splitlines()
    assert (json.loads(first), json.loads(last)) == ({"url": "http://a/1"}, {"url": "http://a/2"})


def test_half_a_pair_of_surrogates_loses_no_item(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    pipeline = ExportPipeline(str(path))
    pipeline.process_item({"title": "half \ud800 of a sign"})
    pipeline.close_spider()
    assert items_in(path) == [{"title": "half \ud800 of a sign"}]
