"""A page before it is HTML: an article, and the text that its site puts around it.

Name, menu and small print are the same on all pages of a site; each page has its own teasers,
comments, dates and figures. Both come from seeds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nsmallest
from random import Random
from urllib.parse import quote

import xxhash

from dedup.lab.simulator.phrases import PHRASES, Phrases
from dedup.lab.simulator.prose import Language, Text, headline, split_sentences

LEAD = 60  # Characters of a text in a teaser.
LISTED = 8  # Texts that a site announces on all its pages.
REMARK = 0.4  # Share of comments that are stock phrases.
LONGEST_REMARK = 80  # Maximum characters of a sentence that is a comment.


@dataclass(frozen=True, slots=True)
class Link:
    """A linked headline, with the first words of its text."""

    title: str
    path: str
    lead: str


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment of a reader under an article."""

    name: str
    date: str
    words: str


@dataclass(frozen=True, slots=True)
class Site:
    """The parts that all pages of a site share."""

    language: Language
    name: str
    menu: tuple[Link, ...]
    small_print: tuple[str, ...]
    boxes: tuple[str, ...]
    buttons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MadePage:
    """An article on a site; ``teasers`` announce other texts, if there are any."""

    site: Site
    url: str
    text: Text
    author: str
    date: str
    views: int
    teasers: tuple[Link, ...]
    comments: tuple[Comment, ...]


@lru_cache(maxsize=256)
def make_site(host: str, language: Language) -> Site:
    """The site of a host; the same host always has the same site."""
    rng = Random(f"{host} {language}")  # noqa: S311  (one seed, one site)
    phrases = PHRASES[language]
    name = rng.choice(phrases.sites)
    menu = rng.sample(phrases.menu, rng.randint(10, min(20, len(phrases.menu))))
    return Site(
        language,
        name,
        tuple(Link(word, f"/{quote(word)}/", "") for word in menu),
        tuple(line.format(site=name, year=2026) for line in _some(phrases.small_print, rng, 6)),
        tuple(rng.sample(phrases.boxes, len(phrases.boxes))),
        _some(phrases.buttons, rng, 5),
    )


def make_page(text: Text, url: str, host: str, others: Sequence[Text], rng: Random) -> MadePage:
    """Put a text on the site of a host; the parts that only this page has come from ``rng``.

    The page announces some ``others`` in its lists; each has a paragraph.
    """
    language = text.language
    phrases = PHRASES[language]
    chosen = _listed(host, others) + rng.sample(others, min(len(others), rng.randint(6, 12)))
    return MadePage(
        make_site(host, language),
        url,
        text,
        rng.choice(phrases.people),
        _date(rng),
        rng.randint(20, 90_000),
        tuple(_teaser(other, rng) for other in chosen),
        tuple(_comment(phrases, others, rng) for _ in range(rng.randint(2, 7))),
    )


def _some(phrases: Sequence[str], rng: Random, least: int) -> tuple[str, ...]:
    return tuple(rng.sample(phrases, rng.randint(least, len(phrases))))


def _listed(host: str, others: Sequence[Text]) -> list[Text]:
    """The texts in a site's own lists: the same choice from the same texts."""

    def rank(text: Text) -> int:
        return xxhash.xxh3_64_intdigest(f"{host} {text.paragraphs[0][:40]}".encode())

    return nsmallest(LISTED, others, key=rank)


def _teaser(other: Text, rng: Random) -> Link:
    path = f"/{rng.randint(2012, 2026)}/{rng.randint(1000, 99999)}.html"
    return Link(headline(other), path, headline(Text("", other.paragraphs[:1]), LEAD))


def _comment(phrases: Phrases, others: Sequence[Text], rng: Random) -> Comment:
    """A stock phrase, or a sentence of another text."""
    words = " ".join(rng.sample(phrases.comments, rng.randint(1, 2)))
    if others and rng.random() > REMARK:
        sentence = rng.choice(split_sentences(rng.choice(rng.choice(others).paragraphs))).strip()
        words = sentence if len(sentence) <= LONGEST_REMARK else words
    name = rng.choice(phrases.people) if rng.random() < 0.4 else f"user{rng.randint(100, 99999)}"
    return Comment(name, _date(rng), words)


def _date(rng: Random) -> str:
    day, clock = rng.randint(1, 28), f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}"
    return f"{rng.randint(2012, 2026)}-{rng.randint(1, 12):02}-{day:02} {clock}"
