"""Feeds, read and written again."""

from pathlib import Path
from typing import Any

import pytest

from dedup.review.feeds import read_feed, tag_of

JSON = '[\n{"url": "a", "n": 1.50},\n{"url": "\\u77f3"},\n{"url": "c"}\n]'
CSV = 'url,text\r\na,"one\r\ntwo, three"\r\nb,\r\nc,x\r\n'
LINES = '{"url": "a", "n": 1.50}\n{"url": "\\u77f3"}\n{"url": "c"}\n'


@pytest.mark.parametrize(
    ("name", "text", "some"),
    [
        ("f.json", JSON, '[\n{"url": "a", "n": 1.50},\n{"url": "c"}\n]'),
        ("f.jsonl", LINES, '{"url": "a", "n": 1.50}\n{"url": "c"}\n'),
        ("f.csv", CSV, 'url,text\r\na,"one\r\ntwo, three"\r\nc,x\r\n'),
    ],
)
def test_what_stays_is_written_as_it_was(tmp_path: Path, name: str, text: str, some: str) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode())
    feed = read_feed(path)
    assert [item["url"] for item in feed.items][0::2] == ["a", "c"]
    assert feed.only([0, 1, 2]) == text
    assert feed.only([0, 2]) == some


@pytest.mark.parametrize(
    ("name", "text", "some"),
    [  # as FEED_EXPORT_ENCODING = "utf-8-sig" has them written: a mark before each write
        ("f.json", '[\ufeff{"url": "a"},\ufeff{"url": "b"}]', '[\ufeff{"url": "b"}]'),
        ("f.json", '\ufeff[{"url": "a"}, {"url": "b"}]', '\ufeff[{"url": "b"}]'),
        ("f.jsonl", '\ufeff{"url": "a"}\n\ufeff{"url": "b"}\n', '\ufeff{"url": "b"}\n'),
        ("f.jsonl", '\ufeff{"url": "a"}\n{"url": "b"}\n', '\ufeff{"url": "b"}\n'),
        ("f.csv", "\ufeffurl\r\na\r\nb\r\n", "\ufeffurl\r\nb\r\n"),
    ],
)
def test_a_byte_order_mark_is_no_part_of_an_item_and_stays(
    tmp_path: Path, name: str, text: str, some: str
) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode())
    feed = read_feed(path)
    assert feed.items == [{"url": "a"}, {"url": "b"}]
    assert feed.only([0, 1]) == text
    assert feed.only([1]) == some


@pytest.mark.parametrize("text", ["[]", "[\n]", "[\n\n]"])
def test_an_empty_feed_stays_one(tmp_path: Path, text: str) -> None:
    (tmp_path / "f.json").write_text(text)
    assert read_feed(tmp_path / "f.json").only([]) == text


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("f.xml", "<items/>", "a feed must be one of"),
        ("f.json", '{"url": 1}', "does not begin with"),
        ("f.json", '[{"url": 1} {}]', "is no json feed: neither"),
        ("f.json", '[{"url": 1}', "is no json feed"),
        ("f.json", "[1]", "every item must be an object"),
        ("f.json", '[{"url": 1}][{"url": 2}]', "at character 12 something follows its ].*appended"),
        ("f.json", '[][{"url": 2}]', "at character 2 something follows its ]"),
        ("f.jsonl", "nonsense", "is no jsonl feed"),
        ("f.jsonl", "\udcff", "is no jsonl feed"),
        ("f.csv", 'url\r\n"open', "is no csv feed"),
        ("f.csv", "url,n\r\na,1\r\nurl,n\r\nb,2\r\n", "line 3 is its header again.*appended"),
    ],
)
def test_what_is_no_feed_is_an_error(tmp_path: Path, name: str, text: str, says: str) -> None:
    (tmp_path / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ValueError, match=says):
        read_feed(tmp_path / name)


@pytest.mark.parametrize(
    ("value", "tag"),
    [
        ({"of": "a"}, {"of": "a"}),
        ("{'of': 'a', 'distance': None}", {"of": "a", "distance": None}),
        (None, None),
        ("", None),
    ],
)
def test_a_tag_is_read_from_json_and_from_csv(value: Any, tag: Any) -> None:
    assert tag_of({"near_duplicate": value}, "near_duplicate") == tag


@pytest.mark.parametrize("value", ["nonsense", "__import__('os')", "[1]", 7, "(" * 9999])
def test_what_is_no_tag_is_an_error(value: Any) -> None:
    with pytest.raises(ValueError, match="holds no tag"):
        tag_of({"near_duplicate": value}, "near_duplicate")


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_an_empty_file_is_a_feed_without_items_and_stays_empty(tmp_path: Path, suffix: str) -> None:
    feed = tmp_path / f"feed.{suffix}"
    feed.touch()
    assert read_feed(feed).only([]) == ""


def test_a_missing_feed_is_missing_whatever_its_name(tmp_path: Path) -> None:
    for name in ("nosuch", "nosuch.jsonl"):
        with pytest.raises(FileNotFoundError):
            read_feed(tmp_path / name)
