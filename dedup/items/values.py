"""Values of items as text for comparison: numbers in one notation, strings without case."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Set
from decimal import Decimal
from functools import lru_cache
from typing import Any

from dedup.verdict import money

LONGEST_AMOUNT = 30  # Characters of a text; numbers in longer texts are left as they are.
DEEPEST = 200  # Levels of nested values that are read.
MOST_READ = 100_000  # Values inside one value, collections included.

Path = tuple[Any, ...]  # The keys of the mappings around a value, the outermost first.
Skips = Callable[[Any, Any], bool]  # Whether the value of a key is left out.

_BEFORE = re.compile(rf"{money.BEFORE}$", re.IGNORECASE)
_BEHIND = re.compile(money.BEHIND, re.IGNORECASE)
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}")  # In Europe: 1.500 is 1500.
_MORE = re.compile(r"\.[0-9]")  # The next part of a version.

_COLLECTIONS = (list, tuple, Set, Mapping)
_NO_KEYS: Path = ()


class _Mark:
    """The begin or the end of a collection; its text is that of no other value."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __str__(self) -> str:
        return self._text


# No text of a page has this sign: str.split takes it for white space.
BEGIN, END = _Mark("\x1c("), _Mark("\x1c)")
has_digit = re.compile(r"[0-9]").search
# A number with digits in groups of three, or with decimals.
_NUMBER = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9])|[0-9]+\.[0-9]+")


class UnreadableError(Exception):
    """A value of an item cannot be read, such as an object whose text is an exception."""


class reading:
    """Raise UnreadableError for any exception inside: values may raise exceptions of any class."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception):
            raise UnreadableError(type(error).__qualname__) from error


def only_value(value: Any) -> Any:
    """The value in a list of one, as an ItemLoader makes it; any other value unchanged."""
    return value[0] if isinstance(value, list | tuple) and len(value) == 1 else value


def canonical(value: Any, *, is_money: bool = False) -> str:
    """A single value as text; empty for None.

    Case, white space and the commas of a number do not matter: 1299.0 and "1,299" are 1299. In an
    amount of money, zeros at the end do not matter either: "1299.00" is 1299. But 1.500 is not 1.5,
    as it may be 1500. Units, signs and leading zeros are part of a value.

    With ``is_money`` all numbers in it are amounts; else only those beside a currency are.
    """
    if isinstance(value, str):
        text = " ".join(value.split()).casefold()
        if len(text) <= LONGEST_AMOUNT and has_digit(text):
            return _NUMBER.sub(_plain_amount if is_money else _plain, text)
        return text
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, Decimal):
        return canonical(str(value), is_money=is_money)
    return str(value).casefold()


def amount(text: str) -> str:
    """The number in a canonical text, without its unit and without zeros at its end.

    Empty if there is none or more than one.
    """
    found = re.findall(r"[0-9]+(?:\.[0-9]+)?", text) if len(text) <= LONGEST_AMOUNT else ()
    return _trim(found[0]) if len(found) == 1 else ""


def is_single(value: Any) -> bool:
    """Whether a value contains no other values: it is neither a collection nor an item."""
    if isinstance(value, str | int | float | None):
        return True
    return not isinstance(value, _COLLECTIONS) and not _is_item_class(value.__class__)


def walk(
    value: Any, skips: Skips | None = None, *, marked: bool = False
) -> Iterator[tuple[Path, Any]]:
    """The single values inside a value, and the keys of mappings.

    Each comes with the keys of the mappings around it. Members of a set come in the order of their
    texts, which is the same in every process. ``skips`` says which values of mappings are left out,
    by their keys. If ``marked``, ``BEGIN`` and ``END`` are around the values of each collection
    inside a collection: [[1], [2, 3]] is not [[1, 2], [3]].

    Raises ValueError if there are more than ``MOST_READ`` values, or ``DEEPEST`` levels.
    """
    levels, read = [iter([(_NO_KEYS, value)])], 0
    while levels:
        for path, inner in levels[-1]:
            read += 1
            if read > MOST_READ:
                raise ValueError(f"more than {MOST_READ:,} values inside one value")
            if is_single(inner):
                yield path, inner
            else:
                if len(levels) > DEEPEST:
                    raise ValueError(f"more than {DEEPEST} levels inside one value")
                levels.append(_members(path, inner, skips, marked=marked))
                if marked and len(levels) > 2:
                    yield _NO_KEYS, BEGIN
                break
        else:
            levels.pop()
            if marked and len(levels) > 1:
                yield _NO_KEYS, END


def _members(
    path: Path, value: Any, skips: Skips | None, *, marked: bool
) -> Iterator[tuple[Path, Any]]:
    """The values directly in a collection or in an item, each with the keys around it."""
    if isinstance(value, list | tuple):
        yield from ((path, inner) for inner in value)
    elif isinstance(value, Set):
        members = ([*walk((inner,), skips, marked=marked)] for inner in value)
        for read in sorted(members, key=_texts):
            yield from (((*path, *keys), leaf) for keys, leaf in read)
    else:
        fields = value if isinstance(value, Mapping) else _adapter()(value)
        for key, inner in fields.items():
            if skips is None or not skips(key, inner):
                yield path, key
                yield (*path, key), inner


def _texts(read: list[tuple[Path, Any]]) -> list[str]:
    return [canonical(leaf) for _, leaf in read]


@lru_cache(maxsize=1_000)
def _is_item_class(kind: type) -> bool:
    """Whether instances of a class are items: data classes, and classes of attrs or pydantic."""
    return bool(_adapter().is_item_class(kind))


def _adapter() -> Any:
    from itemadapter import ItemAdapter  # noqa: PLC0415  (it imports Scrapy)

    return ItemAdapter


def _plain(number: re.Match[str]) -> str:
    """A number without commas; beside a currency, as an amount."""
    text = number.string
    if _BEHIND.match(text, number.end()) or _BEFORE.search(text, 0, number.start()):
        return _plain_amount(number)
    return number[0].replace(",", "")


def _plain_amount(number: re.Match[str]) -> str:
    """A number without commas and without zeros at the end of its decimals."""
    figures = number[0].replace(",", "")
    is_version = _MORE.match(number.string, number.end()) is not None
    return figures if is_version or _THOUSANDS.fullmatch(number[0]) else _trim(figures)


def _trim(figures: str) -> str:
    return figures.rstrip("0").rstrip(".") if "." in figures else figures
