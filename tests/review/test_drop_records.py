"""Reading drop logs, whatever is in them."""

import gzip
import json
import tracemalloc
from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.page.kept_text import KeptText, pack_text
from dedup.review import records
from dedup.review.records import (
    Damage,
    Drop,
    passages_of,
    read_drops,
    read_entries,
    read_entry,
    text_of,
)
from dedup.verdict import Relation

LIGHT: dict[str, Any] = {
    "version": 3,
    "time": "2026-11-21T05:01:51.022+00:00",
    "spider": "site",
    "action": "drop",
    "relation": "contained",
    "url": "http://b.example/1",
    "of": "http://a.example/1",
    "of_page_id": 17,
    "similarity": 0.5,
    "distance": 4,
    "containment": None,
    "new": 0.05,
    "new_words": 21,
    "confirmed": True,
    "same_host": False,
    "tokens": 412,
    "of_tokens": 398,
}
BULK = {"item_type": "builtins.dict", "item": {"n": 1}}
VALUES = st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5)
LINES = st.binary(max_size=60) | st.builds(
    lambda name, value: json.dumps(LIGHT | {name: value} | BULK).encode(),
    st.sampled_from(list(LIGHT)),
    VALUES | st.lists(VALUES, max_size=2),
)


def write(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@given(st.lists(LINES, max_size=5))
@settings(derandomize=True, deadline=None)
def test_every_line_is_a_drop_or_a_damage(lines: list[bytes]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "drops.jsonl"
        content = b"".join(line + b"\n" for line in lines)
        path.write_bytes(content)
        read = list(read_drops(path))
    assert len(read) == content.count(b"\n")
    assert all(isinstance(record, Drop | Damage) for record in read)


@pytest.mark.parametrize("line", ["null", "[]", "3", '"a"'])
def test_a_line_that_is_json_and_no_record_is_called_that(tmp_path: Path, line: str) -> None:
    path = tmp_path / "drops.jsonl"
    path.write_text(f"{line}\n")
    assert list(read_drops(path)) == [Damage(path, 1, "no record: it is no JSON object")]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("distance", 10**8),
        ("distance", "far"),
        ("distance", -1),
        ("of_page_id", 10**30),
        ("tokens", 10**30),
        ("of_tokens", -1),
        ("similarity", float("nan")),
        ("similarity", 1e308),
        ("containment", "all"),
        ("relation", "identical"),
        ("new", 1.5),
        ("new_words", -1),
        ("time", "9999-12-31T00:00:00"),
        ("time", "0001-01-01T00:00:00+14:00"),
        ("relation", 1),
        ("spider", None),
        ("action", True),
        ("url", 5),
        ("of", ["https://example.com/"]),
        ("of_first", 0.5),
        ("request", {}),
        ("crawl", None),
        ("job", 7),
        ("plain", []),
    ],
)
def test_a_value_that_no_crawl_writes_is_a_damage(tmp_path: Path, name: str, value: Any) -> None:
    (read,) = read_drops(write(tmp_path / "drops.jsonl", LIGHT | {name: value} | BULK))
    assert isinstance(read, Damage)
    assert str(value) in read.problem


def read_one(path: Path, record: dict[str, Any]) -> Drop:
    (drop,) = read_drops(write(path / "drops.jsonl", record))
    assert isinstance(drop, Drop)
    return drop


def test_a_drop_has_its_relation_and_what_is_new(tmp_path: Path) -> None:
    drop = read_one(tmp_path, LIGHT | BULK)
    assert drop.relation is Relation.CONTAINED
    assert (drop.new, drop.new_words, drop.confirmed) == (0.05, 21, True)


@pytest.mark.parametrize(
    ("reason", "relation"),
    [
        ({"reason": "equal-text"}, Relation.EQUAL),
        ({"reason": "near-duplicate"}, Relation.EDITED),
        ({}, Relation.EDITED),  # the first version has none
    ],
)
@pytest.mark.parametrize("version", [1, 2])
def test_the_reason_of_an_older_log_is_read_as_a_relation_and_what_is_new_is_not_known(
    tmp_path: Path, version: int, reason: dict[str, str], relation: Relation
) -> None:
    newer = ("relation", "new", "new_words", "confirmed")
    older = {name: value for name, value in LIGHT.items() if name not in newer}
    drop = read_one(tmp_path, older | {"version": version} | reason | BULK)
    assert drop.relation is relation
    assert (drop.new, drop.new_words, drop.confirmed) == (None, None, False)


def test_what_stands_behind_the_light_fields_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "drops.jsonl"
    path.write_text(json.dumps(LIGHT)[:-1] + ', "item_type": not JSON at all}\n')
    (drop,) = read_drops(path)
    assert isinstance(drop, Drop)


def test_a_page_cannot_end_the_light_fields(tmp_path: Path) -> None:
    url = 'http://b.example/", "item_type": "x'
    (drop,) = read_drops(write(tmp_path / "drops.jsonl", LIGHT | {"url": url} | BULK))
    assert isinstance(drop, Drop)
    assert drop.url == url


def test_a_last_line_without_its_end_is_read_where_it_is_whole(tmp_path: Path) -> None:
    path = write(tmp_path / "drops.jsonl", LIGHT | BULK)
    whole = path.read_text()
    path.write_text(whole.rstrip("\n"))
    assert [type(record) for record in read_drops(path)] == [Drop]
    path.write_text(whole[:-3])
    assert [type(record) for record in read_drops(path)] == [Damage]


@pytest.mark.parametrize("time", ["2026-11-21T05:01:51", "2026-11-21T13:01:51+08:00"])
def test_times_are_utc_whatever_zone_they_name(tmp_path: Path, time: str) -> None:
    (drop,) = read_drops(write(tmp_path / "drops.jsonl", LIGHT | {"time": time}))
    assert isinstance(drop, Drop)
    assert drop.time.isoformat() == "2026-11-21T05:01:51+00:00"


def test_a_line_without_an_end_is_a_damage_and_takes_little_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "MOST_LINE", 1 << 20)
    log = tmp_path / "drops.jsonl.gz"
    with gzip.open(log, "wb") as file:
        for _ in range(64):
            file.write(b"7" * (1 << 20))
        file.write(f"\n{json.dumps(LIGHT | BULK)}\n".encode())
    tracemalloc.start()
    damage, drop = read_drops(log)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert damage == Damage(log, 1, "longer than 1,048,576 bytes")
    assert isinstance(drop, Drop)
    assert read_entry(drop) == LIGHT | BULK
    assert peak < 16 << 20


def test_a_line_that_was_made_long_since_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = write(tmp_path / "drops.jsonl", LIGHT | BULK)
    [drop] = read_drops(log)
    assert isinstance(drop, Drop)
    monkeypatch.setattr(records, "MOST_LINE", 100)
    with pytest.raises(ValueError, match=r"line 1: the record of http://b.example/1 is damaged"):
        read_entry(drop)


def test_whole_records_are_read_in_the_order_asked_for(tmp_path: Path) -> None:
    one = write(tmp_path / "one.jsonl", *(LIGHT | {"item": number} for number in (1, 2)))
    two = write(tmp_path / "two.jsonl", LIGHT | {"item": 3})
    read = (*read_drops(one), *read_drops(two))
    drops = [drop for drop in read if isinstance(drop, Drop)]
    asked = [drops[2], drops[1], drops[0]]
    assert [entry["item"] for entry in read_entries(asked)] == [3, 2, 1]
    assert read_entry(drops[1])["item"] == 2


def test_a_damaged_item_is_told_with_its_line_and_the_way_out(tmp_path: Path) -> None:
    path = write(tmp_path / "drops.jsonl", *(LIGHT | {"item": {"tea": n}} for n in (1, 2, 3)))
    drops = [drop for drop in read_drops(path) if isinstance(drop, Drop)]
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[1].replace(b'"tea"', b"#tea#") + lines[2])
    assert read_entry(drops[2])["item"] == {"tea": 3}
    with pytest.raises(ValueError, match=r"line 2: .* is damaged: .*; remove the line"):
        read_entry(drops[1])


def packed(*lines: str) -> str:
    return b64encode(pack_text(lines)).decode()


def test_a_text_is_read_where_there_is_one() -> None:
    assert text_of({"version": 3}) is None
    assert text_of({"version": 3, "text": packed("桥", "", "石桥")}) == "桥\n\n石桥"


@pytest.mark.parametrize("version", [1, 2])
def test_a_text_of_an_older_log_has_no_titles(version: int) -> None:
    text = text_of({"version": version, "text": packed("石桥", "木桥")})
    assert text is not None
    assert KeptText.read(text) == ("", "", "石桥\n木桥")


@pytest.mark.parametrize(
    ("entry", "passages"),
    [({}, []), ({"passages": ["石桥", 3]}, ["石桥", "3"]), ({"passages": "石桥"}, [])],
)
def test_what_is_new_is_read_as_far_as_the_record_has_it(
    entry: dict[str, Any], passages: list[str]
) -> None:
    assert passages_of(entry) == passages


@pytest.mark.parametrize("text", ["not base64", "AAAA", "é"])
def test_a_text_that_is_none_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"text|base64|ASCII|padd"):
        text_of({"text": text})
