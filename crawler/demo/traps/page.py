"""What a URL asks for, and what it shows."""

import re
from dataclasses import dataclass
from typing import Self
from urllib.parse import parse_qsl, unquote, urlsplit

from crawler.demo.traps.writing import Language, Text

_NUMBER = re.compile("[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class Link:
    """A link, what it is called, and a few words about its target."""

    href: str
    label: str
    blurb: str = ""
    nofollow: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """A page to render.

    `content` names what it shows: equal where a page repeats another one, None where it shows
    nothing of its own. `rows` is its list, `links` are the tools below it. A `bare` page has no
    frame of the site around it.
    """

    title: str
    content: str | None = None
    paragraphs: tuple[str, ...] = ()
    rows: tuple[Link, ...] = ()
    links: tuple[Link, ...] = ()
    lang: Language = "en"
    canonical: str = ""
    bare: bool = False
    form: bool = False


@dataclass(frozen=True, slots=True)
class Redirect:
    """Leads to another URL."""

    to: str


Shown = Page | Redirect | None


@dataclass(frozen=True, slots=True)
class Target:
    """A URL without its site, in parts; `segments` are those of its path after the first one."""

    url: str
    space: str
    segments: tuple[str, ...]
    query: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, url: str) -> Self:
        """The parts of a URL, whatever its site."""
        parts = urlsplit(url)
        space, *rest = unquote(parts.path).strip("/").split("/")
        whole = parts._replace(scheme="", netloc="", fragment="").geturl()
        return cls(whole, space, tuple(rest), tuple(parse_qsl(parts.query)))

    @property
    def last(self) -> str:
        """The only segment after the first one; empty if there is none or more than one."""
        return self.segments[0] if len(self.segments) == 1 else ""

    def value(self, name: str) -> str:
        """The value of a parameter; empty without it."""
        return dict(self.query).get(name, "")


def number_of(text: str, most: int | None = None) -> int | None:
    """A number from 1 to `most`; None for any other text."""
    if not _NUMBER.fullmatch(text):
        return None
    number = int(text)
    return number if most is None or number <= most else None


def blurb_of(text: Text) -> str:
    """What a list says about a text: its first sentence."""
    return re.split(r"(?<=[.。])", text.paragraphs[0], maxsplit=1)[0].strip()
