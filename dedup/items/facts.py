"""Facts of an item that the text of its page may not show.

    cb_kwargs and meta of a request -> single values, read before its callback runs
    fields of the item -> fields with such a value, or with the name of a fact -> digest

Example: a price is on a list page, and the text is on the page of the product. The verdict on the
product page cannot include the price. So items of equal pages are also compared by such facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

from dedup.digests import ITEM_BYTES, digest_of
from dedup.items.identity import Naming
from dedup.items.names import has_money
from dedup.items.values import amount, canonical, is_single, walk

MOST = 1_000  # Single values that are read inside a value of a request.
# Prefixes of meta keys that a framework sets.
_PARTS = (
    "download_", "redirect_", "retry_", "max_retry", "dont_", "handle_httpstatus", "ftp_",
    "neardup", "playwright", "splash", "zyte", "autothrottle", "crawlera",
)  # fmt: skip
# Other meta keys that do not count as values from users.
_KEYS = frozenset(
    ("depth", "cookiejar", "proxy", "bindaddress", "link_text", "allow_offsite", "rule",
     "is_start_request", "give_up_log_level", "priority")
)  # fmt: skip

# In a packed form: the digest of no facts, before the digest of an entry.
_NONE = bytes(ITEM_BYTES)


class Facts(NamedTuple):
    """The facts of the only item of a page."""

    told: bytes  # A digest of its facts; empty if it has none.
    entry: bytes = b""  # A digest of its URL if it is an entry of a list; else empty.

    def pack(self) -> bytes:
        """The form in a record: 0, 8 or 16 octets."""
        return (self.told or _NONE) + self.entry if self.entry else self.told

    def agree(self, earlier: bytes) -> bool:
        """Whether an earlier item has the same facts, packed.

        An item about its page repeats any entry.
        """
        told, entry = earlier[: len(_NONE)], earlier[len(_NONE) :]
        return (told or _NONE) == (self.told or _NONE) and self.entry in {b"", entry}


def carried_by(meta: Mapping[Any, Any], cb_kwargs: Mapping[str, Any]) -> frozenset[str]:
    """The values in a request's meta and cb_kwargs, also without their units.

    They are read before its callback can change them. Values that cannot be read are left out.
    """
    values = [text for value in _given(meta, cb_kwargs) for text in _texts(value)]
    return frozenset(filter(None, (*values, *map(amount, values))))


def digest_facts(fields: Mapping[str, Any], naming: Naming, carried: frozenset[str]) -> bytes:
    """A digest of the facts of an item: 8 octets, or 0 octets if it has no facts.

    A value is a fact if its field, or a key around it, has the name of a fact, or if the request
    contained it. URLs, and fields that change with every visit, are left out.
    """
    told: set[str] = set()
    for name, value in fields.items():
        if not carried and is_single(value) and not naming.is_fact(name):
            continue
        if not naming.is_changing(name, value):
            told.update(_facts_in(name, value, naming, carried))
    if not told:
        return b""
    return digest_of("\x1e".join(sorted(told)).encode("utf-8", "replace"))


def _facts_in(name: Any, value: Any, naming: Naming, carried: frozenset[str]) -> Iterator[str]:
    """The facts in the value of a field, each with the names that lead to it."""
    for keys, leaf in walk(value, naming.is_changing):
        names = (name, *keys)
        text = canonical(leaf, is_money=any(map(has_money, names)))
        if not text or "://" in text:
            continue
        if any(map(naming.is_fact, names)) or text in carried or amount(text) in carried:
            yield "\x1d".join([" ".join(str(told).split()) for told in (*names, text)])


def _given(meta: Mapping[Any, Any], cb_kwargs: Mapping[str, Any]) -> Iterable[Any]:
    """The values that users put into a request."""
    yield from cb_kwargs.values()
    for key, value in meta.items():
        if not (key in _KEYS or (isinstance(key, str) and key.startswith(_PARTS))):
            yield value


def _texts(value: Any) -> list[str]:
    """The texts of the single values inside a value, up to ``MOST``."""
    texts = []
    with suppress(Exception):  # The values are the project's and may be of any type.
        for _, leaf in islice(walk(_collected(value)), MOST):
            with suppress(Exception):
                texts.append(canonical(leaf))
    return texts


def _collected(value: Any) -> Any:
    """The values that an ItemLoader has so far; any other value unchanged."""
    from itemloaders import ItemLoader  # noqa: PLC0415  (it takes long to import)

    return value._values if isinstance(value, ItemLoader) else value  # It has no other list.
