"""Feeds of items, read and written again with some of them left out.

Items are as they were, octet for octet; rows of CSV are as the csv module writes them, and lines
of JSON end in one line end each, with no blank ones between. Byte order marks stay where they
stand: at the beginning, or before each item, as Scrapy writes JSON in utf-8-sig.

file -> pieces and their items -> the pieces chosen -> file of the same format
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
MARK = "\ufeff"  # of the byte order
APPENDED = "a second crawl was appended to it (-o): cut it in two, and have each begin a file (-O)"


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed in pieces: what stands before, between and after the texts of its items."""

    items: list[dict[str, Any]]
    texts: list[str]
    before: str = ""
    between: str = ""
    after: str = ""

    def only(self, places: Iterable[int]) -> str:
        """The feed with the items at some places."""
        return self.before + self.between.join(self.texts[place] for place in places) + self.after


def read_feed(path: Path) -> Feed:
    """Read a feed; its name says the format.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no feed, or of a format that is not read here.
    """
    kind = FORMATS.get(path.suffix)
    if kind is None:
        raise ValueError(f"{path}: a feed must be one of {', '.join(FORMATS)}")
    octets = path.read_bytes()
    read = {"json": _read_json, "jsonl": _read_lines, "csv": _read_csv}[kind]
    try:
        feed = read(octets.decode())
    except (ValueError, csv.Error, RecursionError) as error:
        raise ValueError(f"{path} is no {kind} feed: {error}") from None
    if not all(isinstance(item, dict) for item in feed.items):
        raise ValueError(f"{path}: every item must be an object")
    return feed


def tag_of(item: dict[str, Any], field: str) -> dict[str, Any] | None:
    """The tag of an item; one from a CSV feed is the text of a Python dictionary."""
    tag = item.get(field)
    if isinstance(tag, str) and tag:
        try:
            tag = ast.literal_eval(tag)  # literals only, nothing is run
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            raise ValueError(f"the field {field!r} holds no tag: {tag[:80]!r}") from None
    if tag is not None and tag != "" and not (isinstance(tag, dict) and "of" in tag):
        raise ValueError(f"the field {field!r} holds no tag: {tag!r}")
    return tag or None


def _read_lines(text: str) -> Feed:
    lines = [line for line in text.split("\n") if line.strip()]
    bare = [line.removeprefix(MARK) for line in lines]
    before, between = (MARK if line.startswith(MARK) else "" for line in [*lines, "", ""][:2])
    return Feed(
        [json.loads(line) for line in bare], [line + "\n" for line in bare], before, between
    )


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
    return Feed(items, texts, text[: len(text) - len(bare)] + _as_csv(names))


def _as_csv(values: list[str]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out).writerow(values)
    return out.getvalue()
