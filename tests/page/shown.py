"""What compiled code reads of a page on the way to its main text."""

from __future__ import annotations

from typing import NamedTuple

from dedup import native
from dedup.page.compiled import _show, encode


class Block(NamedTuple):
    """A run of visible text: the names of the elements around it, and what is in it."""

    path: str
    text: str
    link_chars: int
    level: int


def blocks(html: str, *, outline: bool = False) -> list[Block]:
    """The blocks of a page, or of its outline."""
    found = native.core.show_blocks(encode(html), _show, outline=outline)
    return [Block(*block) for block in found]


def tags(html: str) -> list[tuple[str, str]]:
    """The tags of a page as they are written, with their names."""
    page = encode(html)
    return [(page[start:end].decode(), name) for start, end, name in native.core.show_tags(page)]
