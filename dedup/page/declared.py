"""The URLs that a page declares in its head: its canonical URL, and its other versions.

A declaration is only a hint: its author may err or lie. The index compares the pages, and the
learner of URLs counts how often such hints are true.

    <link rel="canonical" href="...">                   the plain URL of this page
    <link rel="amphtml" href="...">                     its AMP version
    <link rel="alternate" media="print" href="...">     its version for print, or for phones
    <link rel="alternate" hreflang="de" href="...">     another language: not a version
"""

from __future__ import annotations

import re
from html import unescape
from typing import NamedTuple
from urllib.parse import urljoin

from dedup import native

# Bounds on what is read of a page. Its author may be hostile.
MOST_HEAD = 1 << 17  # Octets.
MOST_TAG = 4_096  # Octets of a tag.
MOST_LINKS = 100  # Links that are read.
MOST_URL = 2_048  # Letters.
WEB = ("http://", "https://")

# A name is tried from its first letter only: else a long one would take quadratic time.
_ATTRIBUTE = re.compile(
    r"""(?<![\w:-])([a-z-]++)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE
)
_ASCII = b"link rel=canonical"  # The same in every encoding in which a tag is found.
_Attributes = dict[str, str]


class Declared(NamedTuple):
    """What a page declares; all URLs are absolute, and without a fragment."""

    canonical: str = ""  # The plain URL of the page; empty if it declares none.
    versions: tuple[str, ...] = ()  # Of its other versions, without those in another language.
    base: str = ""  # The URL to which its links are relative, if this is another one; else empty.


def read_declared(body: bytes, url: str, encoding: str = "utf-8") -> Declared:
    """Read the declarations of a page; its URLs may be relative to its own URL."""
    base = url
    links: list[_Attributes] = []
    for name, written in native.find_links(body, MOST_HEAD, MOST_TAG):
        if name == b"base":
            base = resolve(_attributes(_decode(written, encoding)).get("href", ""), url) or url
        elif len(links) < MOST_LINKS and _tells(written.lower()):
            links.append(_attributes(_decode(written, encoding)))
    canonical = next((link for link in links if "canonical" in _kinds(link)), {})
    versions = dict.fromkeys(_target(link, base) for link in links if _is_version(link))
    if versions:
        apart = {"", *(_target(link, base) for link in links if "hreflang" in link)}
        versions = dict.fromkeys(version for version in versions if version not in apart)
    declared_base = base if base != url else ""
    return Declared(_target(canonical, base), tuple(versions), declared_base)


def resolve(href: str, base: str) -> str:
    """The absolute URL of a link, without its fragment; empty if it cannot be requested."""
    if not href or len(href) > MOST_URL:
        return ""
    if not href.startswith(WEB):  # Most are absolute, and joining takes long.
        try:
            href = urljoin(base, href)
        except ValueError:
            return ""
    return href.partition("#")[0] if href.startswith(WEB) else ""


def _tells(tag: bytes) -> bool:
    has = tag.count  # Fast: ``in`` first takes the octets for a number, and fails.
    return bool(
        has(b"canonical")
        or has(b"amphtml")
        or has(b"hreflang")
        or (has(b"alternate") and has(b"media"))
    )


def _kinds(link: _Attributes) -> list[str]:
    return link.get("rel", "").lower().split()


def _is_version(link: _Attributes) -> bool:
    kinds = _kinds(link)
    return "amphtml" in kinds or ("alternate" in kinds and "media" in link)


def _decode(tag: bytes, encoding: str) -> str:
    """The text of a tag; as UTF-8 where the encoding is none of text, such as "hex"."""
    try:
        if _ASCII.decode(encoding) == _ASCII.decode():
            return tag.decode(encoding, "replace")
    except (LookupError, ValueError):
        pass
    return tag.decode("utf-8", "replace")


def _attributes(tag: str) -> _Attributes:
    """The attributes of a tag; of two with one name the first counts."""
    found: _Attributes = {}
    for name, *values in _ATTRIBUTE.findall(tag):
        found.setdefault(name.lower(), unescape("".join(values)).strip())
    return found


def _target(link: _Attributes, base: str) -> str:
    return resolve(link.get("href", ""), base)
