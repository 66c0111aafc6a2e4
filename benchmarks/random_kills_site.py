"""A loopback site whose pages say what they are about, for crawls that get killed.

Twelve subjects and two pages of news, told by some forty pages on two hosts. Pages of one subject
are near-duplicates, those of two subjects share nothing. The news are about another subject in each
edition of the site, and an old page goes on telling the first ones. A page also says what becomes
of it: how its items look, that its callback or its export fails, or that no such page is served.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from itertools import product

from benchmarks.loopback import ADDRESS, Loopback

HOSTS = (ADDRESS, "localhost")
SUBJECTS, PAGES, NEWS = 12, 40, 2
AGAIN = 6  # pages that are asked for twice
WORDS = 240
SLOWEST = 0.03  # seconds until a page is answered
EXPORTED = ("dict", "dataclass", "item", "two", "late")  # kinds of pages that give items
LOST = ("silent", "broken", "refused")  # and of those that give none, or none that is exported
UNSERVED = ("missing", "error", "cut")
CHANCES = (8, 4, 4, 3, 3, 2, 2, 4, 1, 1, 1)  # of the kinds, in this order
SYLLABLES = ("ba", "den", "fo", "gir", "ka", "lun", "mer", "no", "pel", "ros")
LEXICON = ["".join(parts) for parts in product(SYLLABLES, repeat=3)]


@dataclass(frozen=True, slots=True)
class SitePage:
    """One page in one edition."""

    url: str
    subject: str
    kind: str
    edits: int = 0


class Site(Loopback):
    """Serves an edition of the site while the ``with`` block lasts.

    Attributes:
        edition: which one, from 0.
        on_request: called with the number of each request of a page, from 1.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.edition = 0
        self.on_request: Callable[[int], None] | None = None
        self._asked = 0
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.answer(self)

            def log_message(self, format: str, *args: object) -> None:
                pass

        super().__init__(Handler)

    @property
    def start_url(self) -> str:
        """The page that links all others."""
        return self._url(ADDRESS, "/")

    def pages(self) -> dict[str, SitePage]:
        """The pages of the present edition, by path."""
        chance = random.Random(self.seed)
        kinds = (*EXPORTED, *LOST, *UNSERVED)
        made = {}
        for number in range(PAGES):
            subject, kind = f"s{chance.randrange(SUBJECTS)}", chance.choices(kinds, CHANCES)[0]
            url = self._url(chance.choice(HOSTS), f"/{number}")
            made[f"/{number}"] = SitePage(url, subject, kind, chance.randrange(3))
        for number in range(NEWS):
            news, old = f"/news{number}", f"/old{number}"
            made[news] = SitePage(self._url(ADDRESS, news), f"n{number}-{self.edition}", "dict")
            made[old] = SitePage(self._url(HOSTS[1], old), f"n{number}-0", "item", 1)
        return made

    def restart(self, edition: int) -> None:
        """Serve an edition to a new crawl."""
        self.edition, self.on_request, self._asked = edition, None, 0

    def index(self) -> str:
        """A page of little text that links all others, some of them twice, in random order."""
        chance = random.Random(f"{self.seed} {self.edition}")
        urls = [page.url for page in self.pages().values()]
        urls += chance.sample(urls, AGAIN)
        chance.shuffle(urls)
        return "".join(f'<li><a href="{url}">.</a></li>' for url in urls)

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer a request."""
        if handler.path == "/":
            _send(handler, f"<html><body><ul>{self.index()}</ul></body></html>")
            return
        self._asked += 1
        if self.on_request is not None:
            self.on_request(self._asked)
        page = self.pages().get(handler.path)
        time.sleep(random.Random(handler.path).random() * SLOWEST)
        if page is None or page.kind == "missing":
            _send(handler, "nothing here", 404)
        elif page.kind == "error":
            _send(handler, "out of order", 500)
        else:
            _send(handler, html_of(page), cut=page.kind == "cut")

    def _url(self, host: str, path: str) -> str:
        return f"http://{host}:{self.port}{path}"


def html_of(page: SitePage) -> str:
    """A page as it is served."""
    words = list(_words(page.subject))
    for edit in range(page.edits):
        words[(2 * edit + 1) * WORDS // (2 * page.edits)] = f"edit{edit}"
    lines = (" ".join(words[first : first + 60]) for first in range(0, WORDS, 60))
    paragraphs = "".join(f"<p>{line}.</p>" for line in lines)
    return (
        f"<html><head><title>{page.subject}</title></head>"
        f'<body data-subject="{page.subject}" data-kind="{page.kind}">'
        f"<article>{paragraphs}</article></body></html>"
    )


def _words(subject: str) -> Iterator[str]:
    chance = random.Random(subject)
    return (chance.choice(LEXICON) for _ in range(WORDS))


def _send(
    handler: BaseHTTPRequestHandler, html: str, status: int = 200, *, cut: bool = False
) -> None:
    body = html.encode()
    handler.send_response(status)
    handler.send_header("Content-Type", "text/html; charset=utf-8")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[: len(body) // 2] if cut else body)
    handler.close_connection = True
