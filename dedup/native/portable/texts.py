"""Bytes and texts: encoding, counts of bytes, tags, tokens, spelling."""

from __future__ import annotations

import re
from collections.abc import Callable


def is_utf8(octets: bytes) -> bool:
    try:
        octets.decode()
    except UnicodeDecodeError:
        return False
    return True


def count_octet(octets: bytes, octet: int) -> int:
    return octets.count(octet)


def find_links(page: bytes, most: int, longest: int) -> list[tuple[bytes, bytes]]:
    """The tags <link> and <base> before the <body>, within the first ``most`` octets of a page.

    Returns each one's name in lower case, and up to ``longest`` octets between name and ``>``.
    """
    found = []
    pattern = re.compile(rb"<(link|base|body)\b([^>]{0,%d})" % longest, re.IGNORECASE)
    for tag in pattern.finditer(page, 0, most):
        name = tag[1].lower()
        if name == b"body":
            break
        found.append((name, tag[2]))
    return found


def join_tokens(text: bytes) -> tuple[bytes, int]:
    """Tokens joined by one space, and their number; ASCII white space separates the input."""
    tokens = text.split()
    return b" ".join(tokens), len(tokens)


def spell(text: str, table: bytes, ask: Callable[[str], str]) -> tuple[str, bool] | None:  # noqa: ARG001
    """Return None: ``dedup.page.normalisation`` normalises the text by its own code.

    Compiled code returns normalised lines, and whether they have Han characters. ``table`` has the
    spelling of each character of 16 bits, and ``ask`` spells a line with other characters.
    """
    return None


def space_tokens(text: bytes, characters: bytes, dictionary: object) -> bytes | None:  # noqa: ARG001
    """Return None: ``dedup.page.segmentation`` segments the text, with rjieba or jieba.

    Compiled code returns the lines with spaces between their tokens. ``characters`` has the kind of
    each character, one byte each; without a dictionary single Han characters are words.
    """
    return None


def read_dictionary(lines: bytes) -> object:  # noqa: ARG001
    """Return None: rjieba and jieba read their own dictionary.

    Compiled code returns jieba's dictionary for ``space_tokens``.
    """
    return None


def tell_item(fields: dict[str, object], *asked: object) -> None:
    """Return None: ``dedup.items.identity`` reads the fields of an item by its own code."""
