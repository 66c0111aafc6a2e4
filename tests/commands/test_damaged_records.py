"""``scrapy neardup`` on drop logs whose records are damaged, lack a URL, or are made to do harm."""

from __future__ import annotations

import json
import operator
import sys
from pathlib import Path

import pytest
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


def test_a_request_that_is_none_ends_restore_in_one_line(tmp_path: Path, neardup: Neardup) -> None:
    log = write_log(tmp_path / "log.jsonl", [{"request": "zz", **entry(1)}])
    feed = tmp_path / "feed.jsonl"
    for option in (["--dry-run"], ["-o", str(feed)]):
        code, _, errors = neardup("restore", str(log), *option, *STORE)
        assert (code, errors.count("\n")) == (1, 1)
        assert f"'{URL}' has no usable request" in errors
    assert not feed.exists()


def test_a_request_that_is_none_ends_diff_of_a_kept_page_in_one_line(
    tmp_path: Path, neardup: Neardup
) -> None:
    kept = {"request": "zz", **entry(1, action="keep", item={})}
    log = write_log(tmp_path / "kept.jsonl", [kept])
    code, _, errors = neardup("diff", URL, str(log), *STORE)
    assert (code, errors.count("\n")) == (1, 1)
    assert f"'{URL}' has no usable request" in errors


# A level takes one frame of Python since 3.12, and two before; JSON is read within other limits.
@pytest.mark.parametrize("depth", [490 if sys.version_info < (3, 12) else 980, 100_000])
def test_an_item_nested_too_deep_ends_restore_and_diff_in_one_line(
    tmp_path: Path, neardup: Neardup, depth: int
) -> None:
    log = write_log(tmp_path / "log.jsonl", [entry(1, item={"text": "a", "nested": "deep"})])
    log.write_text(log.read_text().replace('"deep"', "[" * depth + "]" * depth))
    feed = tmp_path / "feed.jsonl"
    for arguments in (["restore", str(log), "-o", str(feed), "--no-mark"], ["diff", URL, str(log)]):
        code, _, errors = neardup(*arguments)
        assert (code, errors.count("\n")) == (1, 1)
        assert URL in errors
        assert "recursion" in errors or "Stack overflow" in errors  # the latter since 3.14
    assert not feed.exists()


def test_a_text_that_is_none_ends_diff_in_one_line(tmp_path: Path, neardup: Neardup) -> None:
    for text_kept in (5, "no base64", "AAAA"):
        log = write_log(tmp_path / "log.jsonl", [entry(1, text=text_kept)])
        code, _, errors = neardup("diff", URL, str(log))
        assert (code, errors.count("\n")) == (1, 1)


def test_a_text_that_unpacks_to_very_much_is_not_unpacked_whole(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", [entry(text=pack_text("x" * 10_000_000))])
    [drop] = read_drops(log)
    assert isinstance(drop, Drop)
    assert len(dropped_text(drop, ())) <= 100_000


def test_items_without_a_url_are_pages_of_their_own(neardup: Neardup, folder: Path) -> None:
    drops = [entry(n, url="", of=f"http://a.example/{n}") for n in range(3)]
    requests = ({"request": f"{n:040x}"} for n in range(3))
    write_log(folder / "drops.jsonl", map(operator.or_, requests, drops))

    clusters = neardup("clusters", "drops.jsonl", "--json")[1].splitlines()
    report = json.loads(neardup("report", "drops.jsonl", "--json")[1])

    assert [json.loads(line)["size"] for line in clusters] == [2, 2, 2]
    assert report["pages"] == 3


def test_what_a_log_of_others_says_moves_no_terminal(neardup: Neardup, folder: Path) -> None:
    hostile = entry(1, spider="a\x1b]0;x\x07", url="http://a\x1b[2J/")
    write_log(folder / "drops.jsonl", [hostile, entry(2, relation="equal\x1b[31m")])

    code, out, errors = neardup("list", "drops.jsonl")

    assert code == 0
    assert out.replace("\n", "").isprintable()
    assert errors.replace("\n", "").isprintable()
    assert "line 2: no record" in errors


def test_a_damaged_line_is_told_in_one_line(neardup: Neardup, folder: Path) -> None:
    name = "a-name-as-long-as-names-of-logs-in-deep-folders-are-and-longer-" * 2 + ".jsonl"
    write_log(folder / name, [entry(1), {"version": 1}])

    assert neardup("list", name)[2].count("\n") == 1


def test_a_list_of_json_lines_reads_no_further_than_its_limit(
    tmp_path: Path, neardup: Neardup
) -> None:
    log = write_log(tmp_path / "log.jsonl", [entry(1), entry(2), entry(3)])
    log.write_text(log.read_text() + '{"cut')
    code, shown, errors = neardup("list", str(log), "--json", "--limit", "2")
    assert (code, len(shown.splitlines()), errors) == (0, 2, "")
    assert "left out" in neardup("list", str(log), "--json")[2]
