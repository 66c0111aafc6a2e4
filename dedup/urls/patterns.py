"""The patterns of a URL, from coarse to fine.

Many URLs of one site come from one handler of its application, such as a wiki's page histories. A
pattern stands for such a set of URLs. Each URL has a pattern on every level:

    0  wiki.example                                    the site
    1  wiki.example ?action&title                      names of parameters; without any, segments
    2  wiki.example index.php?action&title             the first segments of the path, too
    3  wiki.example index.php?action=history&title=*   and the values of parameters
    4  wiki.example /index.php?action=history&title=*  and the whole path

A word of a segment or value is literal if many URLs of the site have it at this place; otherwise it
is ``*``. So no application needs to be known. Numbers, dates and hashes have signs: ``#``,
``<date>``, ``<hash>``. A segment that a path has twice is ``<again>``, so that paths that grow in a
circle have one pattern.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias
from urllib.parse import urlsplit

from dedup.urls.counting import Frequencies

# A word is literal if at most DIFFERENT words were seen at its place; or if FREQUENT URLs have it
# there, and either at most FEW words there are as frequent, or this is one in SHARE of all words.
DIFFERENT = 16
FREQUENT = 5
FEW = 40
SHARE = 25
# Bounds on what of a URL is read. Its author may be hostile.
MOST_SEGMENTS = 12
MOST_PARAMETERS = 12
MOST_PARTS = 4  # Words of a segment or value, less one.
MOST_LETTERS = 40  # Letters of a word.
HANDLER = 2  # Segments of a path that name a handler.

NUMBER, DATE, HASH, AGAIN, OTHER = "#", "<date>", "<hash>", "<again>", "*"
MORE = "..."  # The rest of a path.
NOFOLLOW = "nofollow:"  # Before the site of URLs whose links have rel=nofollow.
FINEST = 4  # The last level.
_Words: TypeAlias = tuple[str, ...]  # Words, with a separator between each two.
# Results that are remembered: sites have the same segments and values in many URLs.
REMEMBERED = 1 << 13

_PARAMETERS = re.compile("[&;]")
_SEPARATORS = re.compile("([:/.,|!~ ]|%(?:20|2[FfCc]|3[Aa]|7[Cc]))")
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
    path: tuple[_Words, ...]
    parameters: tuple[tuple[str, _Words], ...]


class Patterns:
    """Finds the patterns of URLs, and learns which words of them are frequent."""

    def __init__(self) -> None:
        self._frequencies = Frequencies()

    def learn(self, url: str, *, nofollow: bool = False) -> tuple[str, ...]:
        """Count the words of a URL that was found for the first time; returns its patterns.

        Args:
            url: the URL.
            nofollow: whether the link says so: such URLs have patterns of their own.
        """
        return self._patterns(url, 1, NOFOLLOW if nofollow else "")

    def recall(self, pattern: str, times: int) -> None:
        """Count the words of a finest pattern that was learned in an earlier crawl."""
        url = pattern.replace(" ", "", 1).replace(NUMBER, "0")  # A "#" would end the URL.
        self._patterns("http://" + url, times)

    def of(self, url: str) -> tuple[str, ...]:
        """The patterns of a URL, from its site to the finest."""
        return self._patterns(url, 0)

    def _patterns(self, url: str, times: int, mark: str = "") -> tuple[str, ...]:
        site, path, parameters = _split(url)
        site = mark + site
        segments = _fold(
            [self._show(f"{site} /{n} ", words, times) for n, words in enumerate(path)]
        )
        values = [self._show(f"{site} ?{name} ", words, times) for name, words in parameters]
        names = (name for name, _ in parameters)
        return _levels(site, segments, "&".join(map("{}={}".format, names, values)))

    def _show(self, place: str, words: _Words, times: int) -> str:
        """A segment or value, with a sign for each word that is not frequent."""
        start = len(place)
        for number, word in enumerate(words):
            if number % 2 or word in _SIGNS:
                place += word
            else:
                place = self._follow(place, word, times)
        return place[start:]

    def _follow(self, place: str, word: str, times: int) -> str:
        """The place behind a word, which is counted."""
        count = self._frequencies.count
        here, there = hash(place), hash((place, word))
        different, frequent = hash((place, 1)), hash((place, FREQUENT))
        if times and word != OTHER:
            before = count(there)
            self._frequencies.add((here, there), times)
            if not before:
                self._frequencies.add((different,))
            if before < FREQUENT <= before + times:
                self._frequencies.add((frequent,))
        is_literal = count(different) <= DIFFERENT or (
            count(there) >= FREQUENT
            and (count(frequent) <= FEW or count(there) * SHARE >= count(here))
        )
        return place + (word if is_literal and word != OTHER else OTHER)


def site_of(pattern: str) -> str:
    """The site of a pattern: a host, with its port if the URLs have one."""
    return pattern.partition(" ")[0].removeprefix(NOFOLLOW)


def is_nofollow(pattern: str) -> bool:
    """Whether a pattern is one of links with rel=nofollow."""
    return pattern.startswith(NOFOLLOW)


def level_of(pattern: str) -> int:
    """The level of a pattern; the coarsest one, if a URL has this pattern on several levels."""
    _, space, rest = pattern.partition(" ")
    if not space:
        return 0
    if rest.startswith("/"):
        return FINEST
    handler, _, asked = rest.partition("?")
    if "=" in asked:
        return 3
    return 1 if rest.isdecimal() or (asked and not handler) else 2


def lineage(pattern: str) -> tuple[str, ...]:
    """The patterns from a site to this one, without a level that this one does not tell."""
    level = level_of(pattern)
    site, _, rest = pattern.partition(" ")
    where, _, asked = rest.partition("?")
    segments = where.removeprefix("/").split("/")
    found = dict.fromkeys((*_levels(site, segments, asked)[:level], pattern))
    if level < FINEST and segments[-1] == MORE:
        found.pop(f"{site} {len(segments)}", None)  # How many there are is not told.
    return tuple(found)


def _levels(site: str, segments: Sequence[str], asked: str) -> tuple[str, ...]:
    """The patterns of shown segments and parameters, from the site to the finest."""
    named = "&".join(dict.fromkeys(pair.partition("=")[0] for pair in asked.split("&")))
    where = "/".join(segments)
    handler = "/".join([*segments[:HANDLER], MORE]) if len(segments) > HANDLER else where
    return (
        site,
        f"{site} ?{named}" if named else f"{site} {len(segments)}",
        f"{site} {handler}?{named}",
        f"{site} {handler}?{asked}",
        f"{site} /{where}?{asked}",
    )


def _split(url: str) -> _Split:
    try:
        parts = urlsplit(url)
    except ValueError:
        return _Split("", (), ())
    path = tuple(map(_words, parts.path.lstrip("/").split("/")[:MOST_SEGMENTS]))
    parameters = _parameters(parts.query) if parts.query else ()
    return _Split(parts.netloc.lower(), path, parameters)


def _parameters(query: str) -> tuple[tuple[str, _Words], ...]:
    pairs = (pair.partition("=") for pair in _PARAMETERS.split(query)[:MOST_PARAMETERS])
    return tuple(sorted((_digits(name[:MOST_LETTERS]), _words(value)) for name, _, value in pairs))


@lru_cache(REMEMBERED)
def _words(text: str) -> _Words:
    """The words of a segment or value with the separators between them, or one sign."""
    if _HASH.fullmatch(text):
        return (HASH,)
    if _DATE.fullmatch(text):
        return (DATE,)
    return tuple(_digits(part[:MOST_LETTERS]) for part in _SEPARATORS.split(text, MOST_PARTS))


def _digits(text: str) -> str:
    """A text with a sign for each number."""
    return _DIGITS.sub(NUMBER, text)


def _fold(segments: list[str]) -> list[str]:
    """Segments with a sign for each word that was there before."""
    seen: set[str] = set()
    folded = []
    for segment in segments:
        folded.append(AGAIN if segment in seen and segment[:1].isalpha() else segment)
        seen.add(segment)
    return folded
