"""Bytes and texts: encoding, counts of bytes, tokens, spelling."""

from __future__ import annotations

from collections.abc import Callable


def is_utf8(octets: bytes) -> bool:
    """Whether bytes are valid UTF-8."""
    try:
        octets.decode()
    except UnicodeDecodeError:
        return False
    return True


def count_octet(octets: bytes, octet: int) -> int:
    """Count one byte in a run of bytes."""
    return octets.count(octet)


def join_tokens(text: bytes) -> tuple[bytes, int]:
    """Tokens joined by one space, and their number; ASCII white space separates the input."""
    tokens = text.split()
    return b" ".join(tokens), len(tokens)


def spell(text: str, table: bytes, ask: Callable[[str], str]) -> tuple[str, bool] | None:  # noqa: ARG001
    """Return None: ``dedup.page.normalisation`` normalises the text by its own code.

    Args:
        text: lines of text.
        table: the spelling of each character of 16 bits.
        ask: spells a line that has characters without a spelling in the table.

    Returns:
        From compiled code: the normalised text, and whether it has Han characters.
    """
    return None


def space_tokens(text: bytes, characters: bytes, dictionary: object) -> bytes | None:  # noqa: ARG001
    """Return None: ``dedup.page.segmentation`` segments the text, with rjieba or jieba.

    Args:
        text: lines of text, in UTF-8.
        characters: the kind of each character, one byte each.
        dictionary: from ``read_dictionary``; None for single Han characters as words.

    Returns:
        From compiled code: the text with spaces between its tokens.
    """
    return None


def read_dictionary(lines: bytes) -> object:  # noqa: ARG001
    """Return None: rjieba and jieba read their own dictionary.

    Args:
        lines: the dictionary of jieba.

    Returns:
        From compiled code: the dictionary for ``space_tokens``.
    """
    return None


def tell_item(fields: dict[str, object], *asked: object) -> None:
    """Return None: ``dedup.items.identity`` reads the fields of an item by its own code.

    Args:
        fields: names and values of an item.
        asked: further arguments of the compiled function; see there.
    """
