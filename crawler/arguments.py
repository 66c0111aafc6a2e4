"""The arguments of the site spider: strings in, checked values out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from w3lib.url import safe_url_string

if TYPE_CHECKING:
    from collections.abc import Mapping

_DEFAULT_PORTS = {"http": 80, "https": 443}
_SWITCH = {"on": True, "off": False}
# A comma is a separator only before another URL: commas are legal inside one.
_SEPARATOR = re.compile(r",*\s[,\s]*|,+(?=https?://)", re.IGNORECASE)


class Arguments(NamedTuple):
    """The spider's arguments, checked."""

    start: tuple[str, ...]
    allow: tuple[re.Pattern[str], ...]
    deny: tuple[re.Pattern[str], ...]
    max_pages: int | None
    depth: int | None
    sitemap: bool
    strip: bool

    @classmethod
    def parse(cls, given: Mapping[str, str | None]) -> Arguments:
        """Read the arguments as strings, as ``-a`` gives them.

        Raises ValueError with one sentence that names the argument, its value and what is allowed.
        """
        for name in given:
            if name not in cls._fields:
                raise ValueError(f"argument {name}: unknown; allowed are {', '.join(cls._fields)}")
        return cls(
            start=parse_start(given.get("start")),
            allow=_patterns("allow", given.get("allow")),
            deny=_patterns("deny", given.get("deny")),
            max_pages=_whole_number("max_pages", given.get("max_pages"), least=1),
            depth=_whole_number("depth", given.get("depth"), least=0),
            sitemap=_switch("sitemap", given.get("sitemap"), default=False),
            strip=_switch("strip", given.get("strip"), default=True),
        )


def site_of(url: str) -> str:
    """A URL's host and port, the scheme's own port left out; empty for all but http(s) URLs."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return ""
    if parts.scheme not in _DEFAULT_PORTS or not host:
        return ""
    return host if port in (None, _DEFAULT_PORTS[parts.scheme]) else f"{host}:{port}"


def parse_start(value: str | None) -> tuple[str, ...]:
    """The start URLs from URLs and names of files with URLs; raises ValueError."""
    if not value or not value.strip(" \t\r\n,"):
        raise ValueError(
            "argument start: not given; say where to begin, -a start=https://example.com/"
        )
    urls: dict[str, None] = {}
    for word in [value] if _is_file(value) else _SEPARATOR.split(value.strip(" \t\r\n,")):
        lines = [word] if "://" in word and not _is_file(word) else _lines_of(word)
        urls.update((_start_url(line), None) for line in lines)
    if not urls:
        raise ValueError(f"argument start: {value!r} is a file without a URL; give one a line")
    return tuple(urls)


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


def _lines_of(name: str) -> list[str]:
    """The URLs of a file; what follows a # at the beginning or after white space is comment."""
    try:
        text = Path(name).read_text(encoding="utf-8-sig")
    except (OSError, ValueError):
        kinds = "neither an http(s) URL nor a readable text file"
        raise ValueError(f"argument start: {name!r} is {kinds}") from None
    lines = (re.sub(r"(^|\s)#.*", "", line).strip() for line in text.splitlines())
    return [line for line in lines if line]


def _start_url(text: str) -> str:
    try:
        url = safe_url_string(text)
    except ValueError:
        url = ""
    if not site_of(url) or "," in site_of(url):
        raise ValueError(
            f"argument start: {text!r} is not an http(s) URL, such as https://example.com/"
        )
    return url


def _patterns(name: str, value: str | None) -> tuple[re.Pattern[str], ...]:
    patterns = []
    for text in (value or "").split():
        try:
            patterns.append(re.compile(text))
        except re.error as error:
            why = f"{text!r} is not a regular expression ({error})"
            raise ValueError(f"argument {name}: {why}") from None
    return tuple(patterns)


def _whole_number(name: str, value: str | None, *, least: int) -> int | None:
    if value is None or value == "":
        return None
    if not re.fullmatch(r"[0-9]{1,12}", str(value)) or int(value) < least:
        raise ValueError(f"argument {name}: {value!r} is not a whole number from {least} up")
    return int(value)


def _switch(name: str, value: str | None, *, default: bool) -> bool:
    if value is None or value == "":
        return default
    if str(value).lower() not in _SWITCH:
        raise ValueError(f"argument {name}: {value!r} is neither on nor off")
    return _SWITCH[str(value).lower()]
