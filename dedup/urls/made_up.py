"""Makes up a URL that no page has: a known URL with one value replaced by a random one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from string import ascii_lowercase, digits, hexdigits
from urllib.parse import urlsplit

from dedup.urls.patterns import Value

LETTERS = 12  # Letters of a random word.
DIGITS = 9  # Digits of a random number, which fits into 32 bits.
FUTURE = 6_000, 9_999  # Random years: a calendar shows them without events.

_PARAMETERS = re.compile("([&;])")
_NUMBER = re.compile("[0-9]+")
_DATE = re.compile("([0-9]+)(?:[-_.:T][0-9]+)+Z?")
_HASH = re.compile("(?=[0-9-]*[a-f])(?=[a-f-]*[0-9])[0-9a-f-]{7,}", re.IGNORECASE)
# The part of a value before its last word, the word, and the extension of a file.
_PARTS = re.compile("((?:.*(?:[:/]|%3A|%2F))?)(.*?)([.][a-z][a-z0-9]{0,4})?", re.IGNORECASE)


def made_up(url: str, values: Sequence[Value], chance: Random) -> str:
    """A URL whose last varying value is replaced by a random one; empty if no value varies.

    ``values`` are those of the URL, from ``Patterns.values``.
    """
    varying = [number for number, value in enumerate(values) if value.varies]
    if not varying:
        return ""
    number = varying[-1]
    segments = sum(value.is_segment for value in values)
    parts = urlsplit(url)._replace(fragment="")
    if number < segments:
        rest = parts.path.lstrip("/")
        texts = rest.split("/")
        texts[number] = random_value(texts[number], chance)
        slashes = parts.path[: len(parts.path) - len(rest)]
        return parts._replace(path=slashes + "/".join(texts)).geturl()
    pairs = _PARAMETERS.split(parts.query)  # With the separators.
    name, _, text = pairs[2 * (number - segments)].partition("=")
    pairs[2 * (number - segments)] = f"{name}={random_value(text, chance)}"
    return parts._replace(query="".join(pairs)).geturl()


def random_value(text: str, chance: Random) -> str:
    """A random value of the same shape: a number, a date, a hash, or a word.

    Namespaces before a word stay, and so does the extension of a file.
    """
    found = _PARTS.fullmatch(text)
    before, word, extension = found.groups("") if found is not None else ("", text, "")
    if _NUMBER.fullmatch(word):
        word = _number(chance)
    elif date := _DATE.fullmatch(word):
        is_year = len(date[1]) == len("2031")
        random = str(chance.randint(*FUTURE)) if is_year else _number(chance)
        word = random + word[date.end(1) :]
    elif _HASH.fullmatch(word):
        word = "".join(chance.choice(hexdigits[:16]) if one != "-" else one for one in word)
    else:
        word = _draw(ascii_lowercase, LETTERS, chance)
    return before + word + extension


def _number(chance: Random) -> str:
    return chance.choice(digits[1:]) + _draw(digits, DIGITS - 1, chance)


def _draw(letters: str, number: int, chance: Random) -> str:
    return "".join(chance.choices(letters, k=number))
