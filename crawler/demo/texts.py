"""Reading the text files of the demo: a few headers, a blank line, then blocks.

Blocks are parted by blank lines. A block is a heading ("## "), a list (each line "- "), code
(each line indented by four spaces) or else a paragraph. `[label](target)` is a link.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

BlockKind = Literal["paragraph", "heading", "list", "code"]
Language = Literal["en", "zh-Hans", "zh-Hant"]

HERE = Path(__file__).parent
FOLDERS = (HERE / "articles", HERE / "site")
HEADERS = frozenset({"title", "lang", "author", "date", "summary", "reprint"})
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of a text: its kind and its lines without their marks."""

    kind: BlockKind
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """An article or a piece of the site's own text.

    `summary` is the teaser in the index that lists it, `reprint` the teaser the other site
    writes when it copies the text word for word.
    """

    name: str
    title: str
    lang: Language
    blocks: tuple[Block, ...]
    author: str = ""
    date: str = ""
    summary: str = ""
    reprint: str = ""

    @property
    def plain(self) -> str:
        """The body as a reader sees it, without the title; links give their labels."""
        return "\n".join(LINK.sub(r"\1", line) for block in self.blocks for line in block.lines)


def parse_block(raw: str) -> Block:
    """Tell the kind of one block and strip its marks."""
    lines = tuple(raw.split("\n"))
    if raw.startswith("## "):
        return Block("heading", (raw.removeprefix("## "),))
    if all(line.startswith("- ") for line in lines):
        return Block("list", tuple(line.removeprefix("- ") for line in lines))
    if all(line.startswith("    ") for line in lines):
        return Block("code", tuple(line.removeprefix("    ") for line in lines))
    return Block("paragraph", lines)


def parse_text(name: str, raw: str) -> Text:
    """Parse one file; ValueError names the file and the header that is unknown or missing."""
    head, _, body = raw.partition("\n\n")
    headers = dict(line.split(": ", 1) for line in head.split("\n"))
    if unknown := headers.keys() - HEADERS:
        raise ValueError(f"{name}: unknown headers {sorted(unknown)}, known: {sorted(HEADERS)}")
    if missing := {"title", "lang"} - headers.keys():
        raise ValueError(f"{name}: missing headers {sorted(missing)}")
    blocks = tuple(parse_block(part) for part in body.strip("\n").split("\n\n"))
    return Text(name=name, blocks=blocks, **headers)  # type: ignore[arg-type]


@cache
def load_texts() -> dict[str, Text]:
    """Every text of the demo by file name without `.txt`, such as "solar" or "ferry.heavy"."""
    files = sorted(path for folder in FOLDERS for path in folder.glob("*.txt"))
    return {path.stem: parse_text(path.stem, path.read_text(encoding="utf-8")) for path in files}
