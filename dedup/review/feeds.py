"""Read feeds of items, and write them again without some of the items.

The other items do not change in any byte, with two exceptions. Rows of CSV are written by the csv
module. JSON lines have one line end each and no blank lines between. Byte order marks stay in their
place: at the beginning, or before each item, as Scrapy writes JSON in utf-8-sig.

file -> pieces and their items -> chosen pieces -> file of the same format
"""

from __future__ import annotations

import ast
import csv
import io
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FORMATS = {".json": "json", ".jsonl": "jsonl", ".jl": "jsonl", ".jsonlines": "jsonl", ".csv": "csv"}
MARK = "\ufeff"  # The byte order mark.
APPENDED = "a second crawl was appended to it (-o): cut it in two, and have each begin a file (-O)"


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed in pieces: the texts of its items, and the text before, between and after them."""

    items: list[dict[str, Any]]
    texts: list[str]
    before: str = ""
    between: str = ""
    after: str = ""

    def only(self, places: Iterable[int]) -> str:
        """The feed with the items at some places."""
        return self.before + self.between.join(self.texts[place] for place in places) + self.after


def read_feed(path: Path) -> Feed:
    """Read a feed; the suffix of its name decides the format.

    Raises:
        OSError: the file cannot be read.
        ValueError: the file is not a feed, or its format is unknown.
    """
    kind = FORMATS.get(path.suffix)
    octets = path.read_bytes()
    if kind is None:
        raise ValueError(f"{path}: a feed must be one of {', '.join(FORMATS)}")
    read = {"json": _read_json, "jsonl": _read_lines, "csv": _read_csv}[kind]
    try:
        feed = read(octets.decode())
    except (ValueError, csv.Error, RecursionError) as error:
        raise ValueError(f"{path} is no {kind} feed: {error}") from None
    if not all(isinstance(item, dict) for item in feed.items):
        raise ValueError(f"{path}: every item must be an object")
    return feed


def tag_of(item: dict[str, Any], field: str) -> dict[str, Any] | None:
    """The tag of an item; None without a tag. In a CSV feed it is a Python dictionary as text.

    Raises ValueError if the field contains something else.
    """
    tag = item.get(field)
    if isinstance(tag, str) and tag:
        try:
            tag = ast.literal_eval(tag)  # Only literals; runs no code.
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            raise ValueError(f"the field {field!r} holds no tag: {tag[:80]!r}") from None
    if tag is not None and tag != "" and not (isinstance(tag, dict) and "of" in tag):
        raise ValueError(f"the field {field!r} holds no tag: {tag!r}")
    return tag or None


def _read_lines(text: str) -> Feed:
    lines = {n: line for n, line in enumerate(text.split("\n"), start=1) if line.strip()}
    before, between = (
        MARK if line.startswith(MARK) else "" for line in [*lines.values(), "", ""][:2]
    )
    items, texts = [], []
    for number, line in lines.items():
        bare = line.removeprefix(MARK)
        try:
            items.append(json.loads(bare))
        except json.JSONDecodeError as error:
            raise ValueError(f"line {number}: {error.msg}, column {error.colno}") from None
        texts.append(bare + "\n")
    return Feed(items, texts, before, between)


def _read_json(text: str) -> Feed:
    decoder = json.JSONDecoder()
    start = _skip(text, 0)
    if text[start : start + 1] != "[":
        raise ValueError("it does not begin with [")
    items, spans, place = [], [], _skip(text, start + 1)
    while text[place : place + 1] != "]":
        item, end = decoder.raw_decode(text, place)
        items.append(item)
        spans.append((place, end))
        place = _skip(text, end)
        if text[place : place + 1] == ",":
            place = _skip(text, place + 1)
        elif text[place : place + 1] != "]":
            raise ValueError(f"neither , nor ] at character {place}")
    if (rest := _skip(text, place + 1)) < len(text):
        raise ValueError(f"at character {rest} something follows its ]; {APPENDED}")
    if not spans:
        return Feed([], [], before=text)
    between = text[spans[0][1] : spans[1][0]] if len(spans) > 1 else ","
    texts = [text[first:last] for first, last in spans]
    return Feed(items, texts, text[: spans[0][0]], between, text[spans[-1][1] :])


def _skip(text: str, place: int) -> int:
    while text[place : place + 1].isspace() or text.startswith(MARK, place):
        place += 1
    return place


def _read_csv(text: str) -> Feed:
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    bare = text.removeprefix(MARK)
    reader = csv.reader(io.StringIO(bare, newline=""), strict=True)
    names = next(reader, [])
    items, texts = [], []
    for values in reader:
        if values == names:
            raise ValueError(f"line {reader.line_num} is its header again; {APPENDED}")
        items.append(dict(zip(names, values, strict=False)))
        texts.append(_as_csv(values))
    return Feed(items, texts, text[: len(text) - len(bare)] + (_as_csv(names) if names else ""))


def _as_csv(values: list[str]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out).writerow(values)
    return out.getvalue()
