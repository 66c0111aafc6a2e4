"""The patterns of a URL, from coarse to fine.

Many URLs of one site come from one handler of its application, such as a wiki's page histories. A
pattern stands for such a set of URLs. Each URL has a pattern on every level:

    0  wiki.example                                    the site
    1  wiki.example ?action&title                      names of parameters; segments of the path
    2  wiki.example ?action=history&title=*            frequent values; kinds of segments
    3  wiki.example /index.php?action=history&title=*  the path, too, with its frequent segments

A word of a segment or value is literal if many URLs of the site have it at this place; otherwise it
is ``*``. So no application needs to be known. Numbers, dates and hashes have signs: ``#``,
``<date>``, ``<hash>``. A segment that a path has twice is ``<again>``, so that paths that grow in a
circle have one pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

import xxhash

from dedup.urls.counting import Frequencies

# A word is literal if this many URLs have it at its place, and one in SHARE of those seen there.
FREQUENT = 5
SHARE = 25
# Bounds on what of a URL is read. Its author may be hostile.
MOST_SEGMENTS = 12
MOST_PARAMETERS = 12
MOST_PARTS = 4  # Words of a segment or value.
MOST_LETTERS = 40  # Letters of a word.
HANDLER = 2
MORE = '...'

NUMBER, DATE, HASH, AGAIN, OTHER = "#", "<date>", "<hash>", "<again>", "*"
_PARAMETERS = re.compile("[&;]")
_PARTS = re.compile("([:/.,|!~ ]|%(?:20|2[FfCc]|3[Aa]|7[Cc]))")
_DIGITS = re.compile("[0-9]+")
_DATE = re.compile("[0-9]{4}-?[01][0-9](?:-?[0-3][0-9])?(?:[T_].*)?")
_HASH = re.compile(
    "(?=[a-z-]*[0-9])[0-9a-f]{7,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE
)
_SIGNS = frozenset(("", NUMBER, DATE, HASH))  # Words that say the kind of what stands there.


class _Split(NamedTuple):
    """What is read of a URL.

    Attributes:
        site: host and port.
        path: the words of each segment of the path.
        parameters: names, sorted, each with the words of its value.
    """

    site: str
    path: list[list[str]]
    parameters: list[tuple[str, list[str]]]


class Patterns:
    """Finds the patterns of URLs, and learns which words of them are frequent."""

    def __init__(self) -> None:
        self._frequencies = Frequencies()

    def learn(self, url: str, times: int = 1) -> None:
        """Count the words of a URL that was found for the first time; or of a finest pattern."""
        for place, words in _places(_split(url)):
            keys = []
            for word in words:
                if word not in _SIGNS and not _PARTS.fullmatch(word):
                    keys.append(_key(place))
                    if word != OTHER:
                        keys.append(_key(place, word))
                    place = self._follow(place, word)  # noqa: PLW2901
                else:
                    place += word  # noqa: PLW2901
            self._frequencies.add(keys, times)

    def recall(self, pattern: str, times: int) -> None:
        """Count the words of a finest pattern that was learned in an earlier crawl."""
        self.learn("http://" + pattern.replace(" ", "", 1), times)

    def of(self, url: str) -> tuple[str, ...]:
        """The patterns of a URL, from its site to the finest."""
        split = _split(url)
        site, path, parameters = split
        shown = [self._show(place, words) for place, words in _places(split)]
        segments = list(_fold(shown[: len(path)]))
        where = "/".join(segments)
        handler = where if len(segments) <= HANDLER else "/".join([*segments[:HANDLER], MORE])
        names = [name for name, _ in parameters]
        values = [f"{name}={value}" for name, value in zip(names, shown[len(path) :], strict=True)]
        asked, named = "&".join(values), "&".join(dict.fromkeys(names))
        shape = f"{len(path)}" if not names else f"?{named}"
        return (
            site,
            f"{site} {shape}",
            f"{site} {handler}?{named}",
            f"{site} {handler}?{asked}",
            f"{site} /{where}?{asked}",
        )

    def _show(self, place: str, words: list[str]) -> str:
        """A segment or value, with a sign for each word that is not frequent."""
        start = len(place)
        for word in words:
            is_sign = word in _SIGNS or _PARTS.fullmatch(word)
            place = place + word if is_sign else self._follow(place, word)
        return place[start:]

    def _follow(self, place: str, word: str) -> str:
        """The place behind a word."""
        count = self._frequencies.count(_key(place, word))
        is_literal = count >= FREQUENT and count * SHARE >= self._frequencies.count(_key(place))
        return place + (word if is_literal else OTHER)


def _key(place: str, word: str = "") -> int:
    return xxhash.xxh3_64_intdigest(f"{place} {word}".encode("utf-8", "surrogatepass"))


def _split(url: str) -> _Split:
    try:
        parts = urlsplit(url)
    except ValueError:
        return _Split("", [], [])
    path = [_words(segment) for segment in parts.path.lstrip("/").split("/")[:MOST_SEGMENTS]]
    parameters = []
    for pair in _PARAMETERS.split(parts.query)[:MOST_PARAMETERS] if parts.query else ():
        name, _, value = pair.partition("=")
        parameters.append((_DIGITS.sub(NUMBER, name[:MOST_LETTERS]), _words(value)))
    return _Split(parts.netloc.lower(), path, sorted(parameters))


def _words(text: str) -> list[str]:
    """The words of a segment or value with the separators between them, or one sign."""
    if _HASH.fullmatch(text):
        return [HASH]
    if _DATE.fullmatch(text):
        return [DATE]
    parts = _PARTS.split(text, MOST_PARTS)
    return [_DIGITS.sub(NUMBER, part[:MOST_LETTERS]) for part in parts]


def _places(split: _Split) -> Iterator[tuple[str, list[str]]]:
    """A name for the place of each segment and value, with its words."""
    for number, words in enumerate(split.path):
        yield f"{split.site} /{number} ", words
    for name, words in split.parameters:
        yield f"{split.site} ?{name} ", words


def _kind(words: list[str]) -> str:
    return "".join(
        word if word in _SIGNS or _PARTS.fullmatch(word) else OTHER for word in words
    )


def _fold(segments: list[str]) -> Iterator[str]:
    seen = {OTHER, NUMBER, DATE, HASH, ""}
    for segment in segments:
        yield AGAIN if segment in seen and any(map(str.isalpha, segment)) else segment
        seen.add(segment)
