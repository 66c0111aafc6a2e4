"""Tells an entry of a list from an item about its page, where a page gives one item only.

An item about its page has no URL, or the URL of its page. Any other URL leads to another page, so
the item is an entry of a list. The texts of two list pages may be the same, although their entries
differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import unquote

from dedup.digests import digest_of

MOST_HITS = 16  # Places inside a URL at which another one is looked for.
LONGEST = 1 << 14  # Characters of a part of a URL; the signs in a longer one take too long to read.


class _Address(NamedTuple):
    """The parts of a URL that are compared."""

    host: str
    path: str
    parameters: frozenset[str]

    @property
    def place(self) -> str:
        return f"{self.host}/{self.path}" if self.path else self.host


def names_page(url: str, pages: Iterable[str]) -> bool:
    """Whether a URL is the URL of one of some pages, in some form.

    The scheme, a leading ``www.``, a final slash, and the fragment do not matter. The URL may lack
    parameters of the page, such as those for tracking. The URL of the page may contain it, as the
    URLs of proxies and archives do.
    """
    named = _read(url)
    return any(_is_named(named, page) for page in pages)


def digest_url(url: str) -> bytes:
    """A digest of a URL, 8 octets; it is the same for forms of one URL with equal parameters."""
    one = _read(url)
    told = "\x1e".join((one.place, *sorted(one.parameters)))
    return digest_of(told.encode("utf-8", "replace"))


def _unquoted(part: str) -> str:
    """A part of a URL, with characters in the place of their escapes unless it is too long."""
    return unquote(part) if len(part) <= LONGEST else part


def _is_named(named: _Address, page: str) -> bool:
    own = _read(page)
    if own[:2] == named[:2]:
        return named.parameters <= own.parameters
    inside = _unquoted(page.partition("://")[2].partition("/")[2])
    at = _find(_lower(named.place), _lower(inside))
    return at >= 0 and named.parameters <= _parameters_of(inside[at:])


def _find(place: str, inside: str) -> int:
    """Where a URL without its scheme stands inside another one, as a whole; -1 if it does not.

    Both may be as long as a page. A pattern would take much time and memory to compile, and a URL
    that repeats itself may begin at each place of the other one, where it is no whole one.
    """
    at = -1
    for _ in range(MOST_HITS):
        at = inside.find(place, at + 1)
        if at < 0:
            break
        end = at + len(place)
        end += inside.startswith("/", end)
        if (not at or inside[at - 1] in "/=.") and (end == len(inside) or inside[end] in "?&#"):
            return at
    return -1


def _lower(text: str) -> str:
    """A text in lower case, with each character in its place: one alone would become two."""
    return text.replace("İ", "i").lower()


def _read(url: str) -> _Address:
    address = url.partition("#")[0].partition("?")[0]
    host, _, path = address.partition("://")[2].partition("/")
    return _Address(
        host.lower().removeprefix("www."), _unquoted(path).rstrip("/"), _parameters_of(url)
    )


def _parameters_of(url: str) -> frozenset[str]:
    return frozenset(_unquoted(url.partition("#")[0].partition("?")[2]).split("&")) - {""}
