"""The patterns of a URL, from coarse to fine.

Many URLs of one site come from one handler of its application, such as a wiki's page histories. A
pattern stands for such a set of URLs. Each URL has a pattern on every level:

    0  wiki.example                                    the site
    1  wiki.example ?action&title                      names of parameters; without any, segments
    2  wiki.example a/b/...?action&title               the first segments of the path, too
    3  wiki.example a/b/...?action=history&title=*     and the values of parameters
    4  wiki.example /a/b/index.php?action=history&title=*  and the whole path

A path of at most two segments stands whole on level 2. Then level 3 is the same pattern as level 4,
which is counted and stored once.

A word of a segment or value is literal if many URLs of the site have it at this place; otherwise it
is ``*``. So no application needs to be known. Numbers, dates and hashes have signs: ``#``,
``<date>``, ``<hash>``. A segment that a path has twice is ``<again>``, so that paths that grow in a
circle have one pattern. From level 2 on, the name of a parameter has ``<new>`` behind it if no
earlier URL differs by this parameter alone: ``forum?page=#&sid<new>=<hash>``. The last segment of a
path has ``<seen>`` behind it if its text is the last segment of an earlier path with other segments
before it: ``<hash>/tea/#<seen>``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import lru_cache
from typing import NamedTuple, TypeAlias
from urllib.parse import urlsplit

from dedup.urls.combinations import Combinations
from dedup.urls.counting import Frequencies
from dedup.urls.firsts import Firsts

# A word is literal if at most DIFFERENT words were seen at its place. Else it must be frequent: at
# least FREQUENT URLs have it there. And it must be one of at most FEW words that are as frequent
# there, or one in SHARE of all URLs must have it.
DIFFERENT = 16
FREQUENT = 5
FEW = 40
SHARE = 25
# Bounds on the parts of a URL that are read. Its author may be hostile.
MOST_URL = 1 << 13  # Letters of a URL.
MOST_SEGMENTS = 12
MOST_PARAMETERS = 12
MOST_PARTS = 4  # Separators in a segment or value.
MOST_LETTERS = 40  # Letters of a word.
MOST_TEXT = 256  # Letters of a segment or value.
NAMING = 2  # Segments of a path that name a handler.

NUMBER, DATE, HASH, AGAIN, OTHER = "#", "<date>", "<hash>", "<again>", "*"
MORE = "..."  # The rest of a path.
NEW = "<new>"  # Behind the name of a parameter.
SEEN = "<seen>"  # Behind the last segment of a path.
# Before the site of URLs whose links have rel=nofollow, and of URLs that a page has declared as
# another version of itself.
NOFOLLOW, VERSION = "nofollow:", "version:"
TWIN = "twin:"  # Before the site of URLs that differ from an earlier one by their spelling alone.
_MARKS = NOFOLLOW, VERSION, TWIN
HANDLER, FINEST = 2, 4  # Levels.
_Words: TypeAlias = tuple[str, ...]  # Words, with a separator between each two.
REMEMBERED = 1 << 13  # Cached results: many URLs of a site have the same segments and values.

# The form of most URLs; the result is the same as that of ``urlsplit``, which is slower.
_USUAL = re.compile(r"https?://([a-z0-9.:-]+)/([^?#\t\n\r]*+)\??+([^#\t\n\r]*+)(?:#.*)?", re.DOTALL)
_SEPARATORS = re.compile("([:/.,|!~ ]|%(?:20|2[FfCc]|3[Aa]|7[Cc]))")
_DIGITS = re.compile("[0-9]+")
_DATE = re.compile(
    "(?:[0-9]{4}-[01][0-9](?:-[0-3][0-9])?|(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:[0-3][0-9])?)"
    "(?:[T_].*)?"
)
_HASH = re.compile(
    "(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    re.IGNORECASE,
)
# Signs for words of one kind; they are not counted.
_SIGNS = frozenset(("", NUMBER, DATE, HASH, AGAIN))


class Value(NamedTuple):
    """A segment or the value of a parameter in a URL."""

    place: str  # ``/`` and the number of the segment, or ``?`` and the name of the parameter.
    digest: int  # A hash of the text.
    varies: bool  # Whether its pattern has a sign in its place.

    @property
    def is_segment(self) -> bool:
        return self.place.startswith("/")


class Patterns:
    """Finds the patterns of URLs, and learns which words are frequent in them."""

    def __init__(self) -> None:
        self._frequencies = Frequencies()
        self._combinations = Combinations()
        self._folders = Firsts()  # Of the last segments of paths.

    def learn(self, url: str, mark: str = "") -> tuple[str, ...]:
        """Count the words of a URL that was found for the first time; returns its patterns.

        ``mark`` is NOFOLLOW, VERSION or TWIN for URLs that have patterns of their own.
        """
        site, path, query = _split_parameters(url)
        new = {_name(one) for one in self._combinations.note(f"{site}/{path}", _pairs(query))}
        folder, _, last = path.rstrip("/").rpartition("/")
        is_seen = self._folders.note(hash((site, last)), hash(folder))
        return self._patterns(mark + site, path, query, 1, new=new, is_seen=is_seen)

    def recall(self, pattern: str, times: int) -> None:
        """Count the words of a finest pattern that was learned in an earlier crawl."""
        site, _, rest = pattern.partition(" ")
        if rest.startswith("/"):
            path, _, query = rest.replace(NEW, "").partition("?")
            self._patterns(site, path.replace(SEEN, ""), query, times, recalled=True)

    def of(self, url: str, mark: str = "") -> tuple[str, ...]:
        """The patterns of a URL, from its site to the finest; ``mark`` is that of ``learn``."""
        site, path, query = _split_parameters(url)
        return self._patterns(mark + site, path, query, 0)

    def renew(self, url: str, patterns: Sequence[str]) -> tuple[str, ...]:
        """The patterns of a URL by the words that are frequent now.

        ``learn`` returned ``patterns`` when fewer words were known, so more of them were literal.
        """
        site, path, query = _split_parameters(url)
        pairs = patterns[-1].partition("?")[2].split("&")
        names = [pair.partition("=")[0] for pair in pairs]
        new = {name.removesuffix(NEW) for name in names if name.endswith(NEW)}
        mark, is_seen = mark_of(patterns[0]), SEEN in patterns[-1]
        return self._patterns(mark + site, path, query, 0, new=new, is_seen=is_seen)

    def values(self, url: str) -> list[Value]:
        """The segments and values of a URL, each with whether its pattern has a sign for it."""
        site, path, query = _split(url)
        path = path[: _end_of_path(path)]
        texts = [(f"/{n}", text) for n, text in enumerate(_segments(path))]
        texts += [(f"?{name}", text) for name, text in _parameters(query)]
        found = []
        for place, text in texts:
            shown = self._show(f"{site} {place} ", _words(text[:MOST_TEXT]), 0, recalled=False)
            found.append(Value(place, hash(text), shown != text))
        return found

    def _patterns(
        self,
        site: str,
        path: str,
        query: str,
        times: int,
        *,
        new: Set[str] = frozenset(),
        is_seen: bool = False,
        recalled: bool = False,
    ) -> tuple[str, ...]:
        texts = _segments(path)
        parts = tuple([_words(text[:MOST_TEXT]) for text in texts])
        segments = []
        for n, words in enumerate(parts):
            again = words[0][:1].isalpha() and words in parts[:n]
            shown = AGAIN if again else self._show(f"{site} /{n} ", words, times, recalled)
            segments.append(shown)
        last = -2 if len(texts) > 1 and not texts[-1] else -1  # The path may end with a slash.
        if is_seen and segments[last] != texts[last]:
            segments[last] += SEEN
        asked = []
        parameters = [(name, _words(value[:MOST_TEXT])) for name, value in _parameters(query)]
        for name, words in sorted(parameters):
            shown = self._show(f"{site} ?{name} ", words, times, recalled)
            asked.append(f"{name}{NEW if name in new else ''}={shown}")
        return _levels(site, tuple(segments), tuple(asked))

    def _show(self, place: str, words: _Words, times: int, recalled: bool) -> str:
        """A segment or value, with a sign for each word that is not frequent."""
        start = len(place)
        for number, word in enumerate(words):
            if number % 2 or word in _SIGNS:
                place += word
            elif word == OTHER:
                if recalled:  # The sign replaced more than DIFFERENT words.
                    different = hash(place) + 1  # As in ``_pass_word``.
                    self._count(different, DIFFERENT + 1)
                place += OTHER
            else:
                place = self._pass_word(place, word, times)
        return place[start:]

    def _pass_word(self, place: str, word: str, times: int) -> str:
        """Count a word at a place; returns the place behind it."""
        # Keys of counts: of all words at the place, of this one, of different and of frequent ones.
        all_words, this_word = hash(place), hash((place, word))
        different, frequent = all_words + 1, all_words + 2
        counts = self._frequencies.counts
        count = counts.get(this_word, 0)
        if times:
            before, count = count, count + times
            counts[all_words] = counts.get(all_words, 0) + times
            counts[this_word] = count
            if before < FREQUENT:
                if not before:
                    self._frequencies.make_room()
                    self._count(different)
                if count >= FREQUENT:
                    self._count(frequent)
                counts = self._frequencies.counts  # Others, if room was made.
                count = counts.get(this_word, 0)
        is_literal = counts.get(different, 0) <= DIFFERENT or (
            count >= FREQUENT
            and (counts.get(frequent, 0) <= FEW or count * SHARE >= counts.get(all_words, 0))
        )
        return place + (word if is_literal else OTHER)

    def _count(self, key: int, times: int = 1) -> None:
        counts = self._frequencies.counts
        counts[key] = counts.get(key, 0) + times
        self._frequencies.make_room()


def site_of(pattern: str) -> str:
    """The site of a pattern: a host, with its port if the URLs have one."""
    return pattern.partition(" ")[0].removeprefix(mark_of(pattern))


def is_marked(pattern: str) -> bool:
    """Whether a pattern is one of links with rel=nofollow, or of versions of pages."""
    return pattern.startswith((NOFOLLOW, VERSION))


def mark_of(pattern: str) -> str:
    """The mark of a pattern: NOFOLLOW, VERSION, TWIN, or nothing."""
    return next((mark for mark in _MARKS if pattern.startswith(mark)), "")


def plain(patterns: Sequence[str]) -> Sequence[str]:
    """The patterns of a URL without signs of new parameters and of links with rel=nofollow."""
    if NEW in patterns[-1]:
        patterns = [pattern.replace(NEW, "") for pattern in patterns]
    if patterns[0].startswith(NOFOLLOW):
        patterns = [pattern.removeprefix(NOFOLLOW) for pattern in patterns]
    return patterns


def any_parameters(patterns: Sequence[str]) -> str:
    """The pattern of the URLs with the same first segments, whatever their parameters are.

    It is no level: only predictions use it. It is empty if the patterns end above the handler.
    """
    if len(patterns) <= HANDLER:
        return ""
    return f"{plain(patterns)[HANDLER].partition('?')[0]}?{MORE}"


def provable(patterns: Sequence[str]) -> list[str]:
    """The patterns by which a URL may be skipped, from coarse to fine."""
    names, *finer = plain(patterns)[1:] or ("",)
    return [one for one in dict.fromkeys((names, any_parameters(patterns), *finer)) if one]


def parts(patterns: Sequence[str]) -> list[str]:
    """The parts of a URL, as its finest pattern shows them.

    They are the first segments of its path, and each parameter with its value. Further segments
    are none: many are the names of single pages, such as articles.
    """
    site, _, rest = plain(patterns)[-1].partition(" ")
    path, _, asked = rest.partition("?")
    first = "/".join(path.lstrip("/").split("/")[:NAMING])
    return [f"{site} {first}", *[f"{site} ?{pair}" for pair in asked.split("&")]]


def level_of(pattern: str) -> int:
    """The level of a pattern; the coarsest one if a URL has this pattern on several levels."""
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
    """The patterns from the site to a given one, without a level that the given one leaves open."""
    level = level_of(pattern)
    site, _, rest = pattern.partition(" ")
    where, _, asked = rest.partition("?")
    segments = where.removeprefix("/").split("/")
    found = dict.fromkeys(
        (*_levels(site, tuple(segments), tuple(asked.split("&")))[:level], pattern)
    )
    if level < FINEST and segments[-1] == MORE:
        found.pop(f"{site} {len(segments)}", None)  # The number of segments is not known.
    return tuple(found)


def seen_elsewhere(pattern: str) -> str:
    """The finest pattern of a URL as it is if another path has the same last segment."""
    path, _, asked = pattern.partition("?")
    start = path.rstrip("/")
    return f"{start}{SEEN}{path[len(start) :]}?{asked}"


@lru_cache(1 << 10)
def _levels(site: str, segments: tuple[str, ...], pairs: tuple[str, ...]) -> tuple[str, ...]:
    """The patterns of shown segments and parameters, from the site to the finest."""
    asked = "&".join(pairs)
    names = "&".join(dict.fromkeys([pair.partition("=")[0] for pair in pairs]))
    bare = names.replace(NEW, "")
    where = "/".join(segments)
    is_long = len(segments) > NAMING
    handler = "/".join([*segments[:NAMING], MORE]) if is_long else where
    finest = f"{site} /{where}?{asked}"
    return (
        site,
        f"{site} ?{bare}" if bare else f"{site} {len(segments)}",
        f"{site} {handler}?{names}",
        f"{site} {handler}?{asked}" if is_long else finest,
        finest,
    )


def _split(url: str) -> tuple[str, str, str]:
    """Host and port, path and query; all are empty if the URL cannot be read."""
    url = url[:MOST_URL]
    if usual := _USUAL.fullmatch(url):
        return usual[1], usual[2], usual[3]
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", "", ""
    # Without a user's name and password.
    return parts.netloc.rpartition("@")[2].lower(), parts.path, parts.query


def _split_parameters(url: str) -> tuple[str, str, str]:
    """As ``_split``, but parameters at the end of the path belong to the query."""
    site, path, query = _split(url)
    end = _end_of_path(path)
    if end == len(path):
        return site, path, query
    asked = path[end + 1 :]
    return site, path[:end], f"{asked}&{query}" if query else asked


def _end_of_path(path: str) -> int:
    """Where a path ends without its parameters: ``/tea;jsessionid=0A1B`` (RFC 3986, 3.3)."""
    start = path.find(";", path.rfind("/") + 1)
    return start if start >= 0 and "=" in path[start:] else len(path)


def _segments(path: str) -> list[str]:
    return path.lstrip("/").split("/", MOST_SEGMENTS)[:MOST_SEGMENTS]


def _parameters(query: str) -> list[tuple[str, str]]:
    """The parameters of a query: their names, with signs for numbers, and their values."""
    parts = [pair.partition("=") for pair in _pairs(query)]
    return [(_name(name), value) for name, _, value in parts]


def _pairs(query: str) -> list[str]:
    """The parameters of a query, as ``name=value``."""
    if not query:
        return []
    return query.replace(";", "&").split("&", MOST_PARAMETERS)[:MOST_PARAMETERS]


def _name(name: str) -> str:
    """The name of a parameter, with a sign for each number."""
    return _digits(name[:MOST_LETTERS])


@lru_cache(REMEMBERED)
def _words(text: str) -> _Words:
    """The words of a segment or value with the separators between them, or one sign."""
    if _HASH.fullmatch(text):
        return (HASH,)
    if _DATE.fullmatch(text):
        return (DATE,)
    parts = _SEPARATORS.split(text, MOST_PARTS)
    parts[::2] = [_digits(part[:MOST_LETTERS]) for part in parts[::2]]
    return tuple(parts)


@lru_cache(REMEMBERED)
def _digits(text: str) -> str:
    """A text with a sign for each number."""
    return _DIGITS.sub(NUMBER, text)
