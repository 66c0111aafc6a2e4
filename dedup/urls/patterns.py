"""The patterns of a URL, from coarse to fine.

Many URLs of one site come from one handler of its application, such as a wiki's history pages. A
pattern stands for such a set of URLs:

    0  a.example                                    the site
    1  a.example ?action&title                      names of parameters
    2  a.example ?action=history&title=*            and their frequent values
    3  a.example /index.php?action=history&title=*  and the path, with its frequent segments

A word in a path or value is literal if enough URLs of the site have it at the same place; it is
``*`` otherwise. So a pattern needs no rules for a known application. Numbers, dates and hexadecimal
hashes have their own signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from dedup.urls.counting import Frequencies

LEVELS = 4
# URLs of a site that must share a word at one place before it counts as literal.
FREQUENT = 5
SHARE = 25
# Bounds on what of a URL is looked at: the authors of pages choose them.
MOST_SEGMENTS = 12
MOST_PARAMETERS = 12
MOST_PARTS = 4  # of a value or segment
MOST_LETTERS = 40  # of a part

_PARAMETERS = re.compile("[&;]")
_PARTS = re.compile("([:/.,|!~ ]|%20|%2[Ff]|%3[Aa]|%2[Cc]|%7[Cc])")
_DIGITS = re.compile("[0-9]+")
_DATE = re.compile(r"[0-9]{4}-?[01][0-9](-?[0-3][0-9])?([T_].*)?")
_HASH = re.compile(r"(?=[a-z-]*[0-9])[0-9a-f]{7,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.I)


class Patterns:
    """Finds the patterns of URLs, and learns which words of them are frequent."""

    def __init__(self, frequencies: Frequencies | None = None) -> None:
        self._frequencies = Frequencies() if frequencies is None else frequencies

    def learn(self, url: str) -> None:
        """Count the words of a URL that was found for the first time."""
        site, path, parameters = _split(url)
        places = [(f"{site} /{number}", segment) for number, segment in enumerate(path)]
        places += [(f"{site} ?{name}", value) for name, value in parameters]
        for place, text in places:
            self._show(place, _signs(text), learn=True)

    def of(self, url: str) -> tuple[str, ...]:
        """The patterns of a URL, `LEVELS` of them, from its site to the finest."""
        site, path, parameters = _split(url)
        names = sorted({name for name, _ in parameters})
        asked = "&".join(names)
        shown = "&".join(
            f"{name}={self._show(f'{site} ?{name}', _signs(value))}"
            for name, value in sorted(parameters)
        )
        segments = [
            self._show(f"{site} /{number}", _signs(segment)) for number, segment in enumerate(path)
        ]
        where = "/".join(_fold(segments))
        return (
            site,
            f"{site} ?{asked}" if asked else f"{site} {'/'.join('-' * len(path))}",
            f"{site} ?{shown}" if asked else f"{site} {_kinds(path)}",
            f"{site} /{where}" + (f"?{shown}" if asked else ""),
        )

    def _show(self, place: str, signs: list[str], *, learn: bool = False) -> str:
        shown = place
        start = len(place)
        for sign in signs:
            if sign not in _SIGNS:
                if learn:
                    self._frequencies.add(shown)
                    self._frequencies.add(f"{shown} {sign}")
                if not self._is_literal(shown, sign):
                    sign = "*"
            shown += sign
        return shown[start:]

    def _is_literal(self, place: str, sign: str) -> bool:
        count = self._frequencies.count(f"{place} {sign}")
        return count >= FREQUENT and count * SHARE >= self._frequencies.count(place)


_SIGNS = frozenset(("#", "<date>", "<hash>", "", ":", "/", "."))


def _split(url: str) -> tuple[str, list[str], list[tuple[str, str]]]:
    """The site, the segments of the path and the parameters of a URL."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", [], []
    path = parts.path.lstrip("/").split("/")[:MOST_SEGMENTS]
    parameters = []
    if parts.query:
        for pair in _PARAMETERS.split(parts.query, MOST_PARAMETERS)[:MOST_PARAMETERS]:
            name, _, value = pair.partition("=")
            parameters.append((_DIGITS.sub("#", name[:MOST_LETTERS]), value))
    return parts.netloc.lower(), path, parameters


def _signs(text: str) -> list[str]:
    """The parts of a segment or value: signs for numbers, dates and hashes, words, separators."""
    if not text:
        return [""]
    if _HASH.fullmatch(text):
        return ["<hash>"]
    if _DATE.fullmatch(text):
        return ["<date>"]
    parts = _PARTS.split(text, MOST_PARTS)
    return [_DIGITS.sub("#", part[:MOST_LETTERS]) for part in parts]


def _kinds(path: list[str]) -> str:
    """The path with a sign for the kind of each segment."""
    return "/".join("".join(s if s in _SIGNS else "*" for s in _signs(segment)) for segment in path)


def _fold(segments: list[str]) -> Iterator[str]:
    """The segments, each that was there before as a sign: paths that grow in a circle are one."""
    seen = set()
    for segment in segments:
        if segment in seen and segment not in {"*", "#", ""}:
            yield "<again>"
        else:
            yield segment
        seen.add(segment)
