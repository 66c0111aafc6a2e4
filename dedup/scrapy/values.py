"""Items as JSON values from which equal items can be made again.

item -> encode_item -> a line of the drop log -> decode, make_item -> an equal item

A value that JSON cannot represent becomes an object with one key that begins with "$". So does a
dictionary that looks like such an object, or that has a key other than a string. So every value
gets back its type, whatever a page put into it. But a value of a subclass gets that of its base
class, a bytearray becomes bytes, and an object of an unknown class becomes text. Reading makes
items without their constructors, and only of item classes that are already loaded: nothing is
unpickled or imported.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import is_dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from itemadapter import ItemAdapter
from scrapy import Item
from scrapy.utils.python import global_object_name

MARK = "$"
LONGEST_CLASS = 1_000  # Characters of the name of a class; a log may come from anywhere.
MOST_BITS = 1_000  # A whole number of up to so many bits can be written, whatever Python's limit.
Encoded = tuple[str, Any]  # The name of an item's class, and its fields.


def encode_item(item: Any) -> Encoded:
    """The name of an item's class, and its fields as JSON values."""
    return global_object_name(type(item)), encode(dict(ItemAdapter(item).items()))


def encode(value: Any) -> Any:
    """A value of an item as a JSON value."""
    if value is None or type(value) in (str, float, bool):
        return value
    if type(value) is int:
        return _readable(value)
    if isinstance(value, dict) and not _is_odd(value):
        return {key: encode(inner) for key, inner in value.items()}
    if type(value) is list:
        return [encode(inner) for inner in value]
    kind, form = _form(value)
    return {f"{MARK}{kind}": form}


def _is_odd(value: dict[Any, Any]) -> bool:
    """Whether a dictionary must be marked: it looks like a mark, or has keys other than strings."""
    if len(value) == 1 and str(next(iter(value))).startswith(MARK):
        return True
    return not all(type(key) is str for key in value)


def _form(value: Any) -> tuple[str, Any]:
    """The name of the mark for a value, and the value as JSON."""
    for kind, mark, write, _ in _FORMS:
        if isinstance(value, kind):
            return mark, write(value)
    if ItemAdapter.is_item(value):
        return "item", list(encode_item(value))
    return "str", str(value)  # As in CSV and XML feeds.


def _readable(value: int) -> int:
    """A whole number that JSON can represent.

    Raises ValueError if it has too many digits for Python to write it.
    """
    if value.bit_length() > MOST_BITS:
        str(value)
    return value


def _members(values: Iterable[Any]) -> list[Any]:
    return [encode(value) for value in values]


def _pairs(values: dict[Any, Any]) -> list[Any]:
    return [[encode(key), encode(value)] for key, value in values.items()]


def to_base64(value: bytes) -> str:
    """Octets as a JSON value."""
    return base64.b64encode(value).decode()


class OrderedSet(set[Any]):
    """A set that iterates and prints in the order in which its members were written.

    The order of a plain set differs between processes, and so would the output of an exporter.
    """

    def __init__(self, members: Iterable[Any] = ()) -> None:
        self._members = list(members)
        super().__init__(self._members)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._members)

    def __repr__(self) -> str:
        return f"{{{', '.join(map(repr, self._members))}}}" if self._members else "set()"

    def __reduce__(self) -> tuple[Any, ...]:
        return set, (self._members,)


def decode(value: Any) -> Any:
    """The inverse of ``encode``: a value of an item, from its JSON value.

    Raises ValueError if a marked value does not fit its mark.
    """
    if isinstance(value, list):
        return [decode(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        mark, form = next(iter(value.items()))
        if mark.startswith(MARK) and mark[1:] in _READERS:
            try:
                return _READERS[mark[1:]](form)
            except (ArithmeticError, AttributeError, LookupError, TypeError) as error:
                raise ValueError(f"{mark} holds {form!r}") from error
    return {key: decode(inner) for key, inner in value.items()}


def make_item(name: str, values: Any) -> Any:
    """An item of the named class with decoded values; the values alone if there is no such class.

    Raises AttributeError, KeyError, TypeError, ValueError if the class does not take these values.
    """
    kind = find_item_class(name)
    return values if kind is None or kind is dict else _make(kind, values)


def find_item_class(name: str) -> type | None:
    """The item class with this name in the loaded modules; None if there is none."""
    if len(name) > LONGEST_CLASS:
        return None
    module, _, rest = name.rpartition(".")
    while module and module not in sys.modules:  # The name of a nested class has more parts.
        module, _, more = module.rpartition(".")
        rest = f"{more}.{rest}"
    found: Any = sys.modules.get(module)
    for part in rest.split("."):
        found = getattr(found, part, None)
    return found if isinstance(found, type) and ItemAdapter.is_item_class(found) else None


def _make(kind: type, values: dict[str, Any]) -> Any:
    """Make an item as it was, without the converters, validators and defaults of its class."""
    if issubclass(kind, Item | dict):
        made: Any = kind()
        made.update(values)
        return made
    if hasattr(kind, "model_construct") and not is_dataclass(kind):
        return kind.model_construct(**values)
    item = object.__new__(kind)
    for name, value in values.items():
        object.__setattr__(item, name, value)
    return item


# Type, name of the mark, and the functions that write and read the form of a value.
_FORMS: tuple[tuple[type, str, Callable[[Any], Any], Callable[[Any], Any]], ...] = (
    (dict, "dict", _pairs, lambda pairs: {decode(key): decode(value) for key, value in pairs}),
    (tuple, "tuple", _members, lambda members: tuple(map(decode, members))),
    (set, "set", _members, lambda members: OrderedSet(map(decode, members))),
    (frozenset, "frozenset", _members, lambda members: frozenset(map(decode, members))),
    (datetime, "datetime", datetime.isoformat, datetime.fromisoformat),  # Before its base, date.
    (date, "date", date.isoformat, date.fromisoformat),
    (time, "time", time.isoformat, time.fromisoformat),
    (
        timedelta,
        "timedelta",
        lambda span: [span.days, span.seconds, span.microseconds],
        lambda parts: timedelta(*parts),
    ),
    (Decimal, "Decimal", str, Decimal),
    (bytes, "bytes", to_base64, base64.b64decode),
    (bytearray, "bytes", to_base64, base64.b64decode),
    (list, "value", _members, decode),  # From here on: subclasses; ``encode`` keeps plain values.
    (str, "value", str.__str__, decode),
    (int, "value", lambda value: _readable(int(value)), decode),
    (float, "value", float.__float__, decode),
)
_READERS = {mark: read for _, mark, _, read in _FORMS} | {
    "item": lambda parts: make_item(parts[0], decode(parts[1])),
    "str": str,
}
