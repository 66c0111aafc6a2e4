"""``scrapy neardup`` on drop logs whose records are damaged, or made to do harm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conftest import Neardup
from made_logs import entry, pack_text, write_log

from dedup.review.records import Drop, read_drops
from dedup.scrapy.commands.drops import dropped_text

STORE = ("-s", "NEARDUP_STORE=leveldb:store")
URL = "http://b.example/1"  # of the first made record


def test_a_record_whose_item_is_damaged_ends_restore_and_diff_in_one_line(
    tmp_path: Path, neardup: Neardup
) -> None:
    log = write_log(tmp_path / "log.jsonl", [entry(1)])
    head, _, _ = log.read_text().partition('"item": ')
    log.write_text(f'{head}"item": {{"title": "cut\x01"}}}}\n')
    feed = tmp_path / "feed.jsonl"
    for arguments in (["restore", str(log), "-o", str(feed), "--no-mark"], ["diff", URL, str(log)]):
        code, _, errors = neardup(*arguments)
        assert (code, errors.count("\n")) == (1, 1)
        assert URL in errors
    assert not feed.exists()


def test_an_item_nested_too_deep_ends_restore_and_diff_in_one_line(
    tmp_path: Path, neardup: Neardup
) -> None:
    nested: list[Any] = []
    for _ in range(490):
        nested = [nested]
    log = write_log(tmp_path / "log.jsonl", [entry(1, item={"text": "a", "nested": nested})])
    feed = tmp_path / "feed.jsonl"
    for arguments in (["restore", str(log), "-o", str(feed), "--no-mark"], ["diff", URL, str(log)]):
        code, _, errors = neardup(*arguments)
        assert (code, errors.count("\n")) == (1, 1)
        assert URL in errors
        assert "recursion" in errors
    assert not feed.exists()


def test_a_text_that_is_none_ends_diff_in_one_line(tmp_path: Path, neardup: Neardup) -> None:
    for text_kept in (5, "no base64", "AAAA"):
        log = write_log(tmp_path / "log.jsonl", [entry(1, text=text_kept)])
        code, _, errors = neardup("diff", URL, str(log))
        assert (code, errors.count("\n")) == (1, 1)


def test_a_text_that_unpacks_to_very_much_is_not_unpacked_whole(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", [entry(text=pack_text("x" * 10_000_000))])
    [drop] = read_drops([log])
    assert isinstance(drop, Drop)
    assert len(dropped_text(drop, ())) <= 100_000
