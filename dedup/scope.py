"""Hosts, and the part of the web within which pages are compared.

The words of a page are XORed with a mask that is made from its scope. Within one scope all Hamming
distances stay as they are. Words of different scopes match only by chance, so the scopes are
compared, too. A store knows nothing of scopes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any
from urllib.parse import urlsplit

import xxhash

_URL = re.compile(r"([A-Za-z][\w+.-]*:)?//")
_PLAIN = re.compile(r"https?://([a-z0-9.-]+)(?:[/?#]|$)").match  # Nearly all URLs; this is faster.


def host_of(url: str) -> str:
    """The host of a URL in lower case, without a leading "www." or a final dot; "" for none."""
    if plain := _PLAIN(url):
        host = plain[1]
    else:
        try:
            host = urlsplit(url).hostname or ""
        except ValueError:  # A malformed address in brackets.
            host = ""
    return host.removesuffix(".").removeprefix("www.")


def bare_host(text: str) -> str:
    """The host in a text that a user typed, in the form of ``host_of``; a URL is cut down to it.

    Raises ValueError if there is no host.
    """
    typed = text.strip()
    if typed.count(":") > 1 and not set(typed) & set("/[@"):
        typed = f"[{typed}]"  # An address of IPv6.
    host = host_of(typed if _URL.match(typed) else f"//{typed}")
    if not host:
        raise ValueError(f"a host must be like b.example; got {text!r}")
    return host


@lru_cache(maxsize=4096)  # Each comparison of two pages needs it.
def domain_of(url: str) -> str:
    """The registered domain of a URL by the public suffix list; its host if there is none.

    Private suffixes such as github.io count: each name under them is a site.
    """
    return _domain_of_host(host_of(url))


def are_of_one_site(one: str, other: str) -> bool:
    """Whether two URLs have one registered domain.

    Few pairs need the suffix list, which takes 0.1 seconds to load and makes 17,000 objects. Most
    hosts are equal, or differ in their last two parts: no domain has fewer.
    """
    host, other_host = host_of(one), host_of(other)
    if host == other_host or host.split(".")[-2:] != other_host.split(".")[-2:]:
        return host == other_host
    return _domain_of_host(host) == _domain_of_host(other_host)


@lru_cache(maxsize=4096)
def _domain_of_host(host: str) -> str:
    if host.isascii() and host.count(".") < 2:  # No registered domain has fewer parts.
        return host
    found = _extractor()(host)
    if found.suffix or found.ipv4 or found.ipv6 or not found.domain:
        return found.top_domain_under_public_suffix or host
    return ".".join(host.split(".")[-2:])  # The rule of the list for other names.


SCOPES: dict[str, Callable[[str], str]] = {
    "global": lambda _: "",  # The one scope of all pages.
    "domain": domain_of,
    "host": host_of,
}


@lru_cache(maxsize=4096)
def scope_mask(scope: str, bits: int) -> int:
    """The mask of a scope for words of some width; 0 for the scope of all pages."""
    if not scope:
        return 0
    return xxhash.xxh3_128_intdigest(scope.encode("utf-8", "replace")) & ((1 << bits) - 1)


@cache
def _extractor() -> Any:
    """A function that splits a host by the list in the package, without a download."""
    from tldextract import TLDExtract  # noqa: PLC0415  (slow to import; few crawls need it)

    return TLDExtract(cache_dir=None, suffix_list_urls=(), include_psl_private_domains=True)
