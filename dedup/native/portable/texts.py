"""Bytes and texts: encoding, counts of bytes, tags, numbers, tokens, spelling."""

from __future__ import annotations

import re
from collections.abc import Callable

_SPACE = ord(" ")
_DIGITS_ALONE = bytes(octet if octet in b"0123456789" else _SPACE for octet in range(256))


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


def find_numbers(
    lines: bytes, most: int, shortest: int, is_left_out: Callable[[bytes], bool]
) -> set[bytes]:
    """The runs of digits that begin a word, without zeros at their start.

    Args:
        lines: normalised words, in lines.
        most: only so many runs of digits are read.
        shortest: the numbers of a line of so many octets count without a question.
        is_left_out: tells for any other line with a number whether its numbers do not count.
    """
    found: set[bytes] = set()
    begin, end, counts, at = 0, -1, False, 0  # The line of the last number, and a place behind it.
    for run in lines.translate(_DIGITS_ALONE).split()[:most]:  # Fastest.
        at = lines.find(run, at)
        if at > end:
            begin = lines.rfind(b"\n", 0, at) + 1
            end = lines.find(b"\n", at)
            end = len(lines) if end < 0 else end
            counts = end - begin >= shortest or not is_left_out(lines[begin:end])
        if counts and (at == begin or lines[at - 1] == _SPACE):
            found.add(run.lstrip(b"0"))
        at += len(run)
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
