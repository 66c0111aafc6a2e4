"""Octets and texts: encoding, signs, tokens, spelling."""

from __future__ import annotations

from collections.abc import Callable


def is_utf8(octets: bytes) -> bool:
    """Whether octets are valid UTF-8."""
    try:
        octets.decode()
    except UnicodeDecodeError:
        return False
    return True


def count_octet(octets: bytes, octet: int) -> int:
    """How often one octet occurs among others."""
    return octets.count(octet)


def join_tokens(text: bytes) -> tuple[bytes, int]:
    """Tokens with one space between them, and their number; any ASCII white space parts them."""
    tokens = text.split()
    return b" ".join(tokens), len(tokens)


def spell(text: str, table: bytes, ask: Callable[[str], str]) -> tuple[str, bool] | None:  # noqa: ARG001
    """None: ``dedup.page.normalisation`` spells the text by its own rules.

    Args:
        text: lines of text.
        table: the spelling of each character of 16 bits.
        ask: spells a line with characters that the table leaves open.

    Returns:
        The text in one spelling and whether it has Han characters, from compiled code.
    """
    return None


def space_tokens(text: bytes, characters: bytes, dictionary: object) -> bytes | None:  # noqa: ARG001
    """None: ``dedup.page.segmentation`` segments the text, with rjieba or jieba.

    Args:
        text: lines of text, in UTF-8.
        characters: the kind of each character, an octet each.
        dictionary: from ``read_dictionary``; None for single Han characters as words.

    Returns:
        The text with spaces between its tokens, from compiled code.
    """
    return None


def read_dictionary(lines: bytes) -> object:  # noqa: ARG001
    """None: rjieba and jieba read their own dictionary.

    Args:
        lines: the dictionary of jieba.

    Returns:
        The dictionary for ``space_tokens``, from compiled code.
    """
    return None


def tell_item(fields: dict[str, object], *asked: object) -> None:
    """None: ``dedup.items.identity`` looks at the fields of an item by its own rules.

    Args:
        fields: names and values of an item.
        asked: what the compiled function needs besides: see there.
    """
