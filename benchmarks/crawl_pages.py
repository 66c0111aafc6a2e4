"""Real pages for a whole crawl, as many as asked for, under URLs of one host.

Pages of many sites, as the web has them, are taken: the gold pages, or where those are not there,
the largest pages of manuals whose mean size is that asked for. Where they are too few they are
taken again, each time with every piece of text exchanged for another of like length from its
collection: the same markup, another page. Each page links some others, so that a spider that
follows links meets known ones; the start page lists all.
"""

from __future__ import annotations

import errno
import os
import random
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from urllib.parse import quote

from benchmarks.corpus import Pages, read_archive
from benchmarks.spiders.pages import HOST
from dedup.lab.main_text.gold import GoldError, read_gold

LINKS = 20  # of each page to others
SPREAD = 30  # pieces of text of like length that one may be exchanged for
MANUALS = ("clang-docs", "debian-reference", "install-guide", "one-version-sites")
GOLD = ("gne-zh", "magic-html", "scrapinghub")

_MARKUP = re.compile(
    r"(<script\b.*?</script\s*>|<style\b.*?</style\s*>|<title\b.*?</title\s*>|<!--.*?-->|<[^>]*>)",
    re.DOTALL | re.IGNORECASE,
)

Collections = dict[str, list[str]]  # name -> pages


def page_url(number: int) -> str:
    """Where a page is served."""
    return f"http://{HOST}/page-{number:05}.html"


def read_collections(data: Path) -> Collections:
    """The gold pages of a data folder, or else the pages of its manuals, decoded.

    Raises:
        FileNotFoundError: none of them is.
    """
    collections: Collections = {}
    for name in GOLD:
        archive = data / "html-gold" / f"{name}.tar.xz"
        try:
            collections[name] = [page.html for page in read_gold(archive)]
        except GoldError:
            if archive.exists():
                raise
    for name in MANUALS:
        archive = data / f"{name}.tar.xz"
        if not collections.keys() & GOLD and archive.exists():
            pages = read_archive(archive).values()
            collections[name] = [page.decode("utf-8", "replace") for page in pages]
    if not collections:
        raise FileNotFoundError(
            errno.ENOENT, os.strerror(errno.ENOENT), str(data / f"{MANUALS[0]}.tar.xz")
        )
    return collections


def choose(collections: Collections, wanted: int, mean: int) -> Collections:
    """The largest pages whose mean size reaches a mean, in octets; at most so many."""
    sized = sorted(
        ((len(page.encode()), name, page) for name, pages in collections.items() for page in pages),
        key=lambda entry: entry[0],
        reverse=True,
    )
    total, enough = 0, 0
    for number, (size, _, _) in enumerate(sized, start=1):
        total += size
        if total / number >= mean:
            enough = number
    chosen = sized[: max(enough, 1)]
    if len(chosen) > wanted:
        chosen = random.Random(1).sample(chosen, wanted)
    picked: Collections = {}
    for _, name, page in chosen:
        picked.setdefault(name, []).append(page)
    return picked


def make_pages(chosen: Collections, wanted: int) -> Pages:
    """So many pages by URL, encoded, with links."""
    numbers = range(wanted)
    bodies = islice(_tiles(chosen), wanted)
    return {
        page_url(number): _with_links(body, number, wanted).encode("utf-8", "replace")
        for number, body in zip(numbers, bodies, strict=True)
    }


def _tiles(chosen: Collections) -> Iterator[str]:
    """The pages, then the pages with other texts, without end."""
    for pages in chosen.values():
        yield from pages
    pools = {name: sorted(_texts(pages), key=len) for name, pages in chosen.items()}
    for tile in count(1):
        for name, pages in chosen.items():
            for number, page in enumerate(pages):
                yield exchange_texts(page, pools[name], random.Random(f"{tile} {name} {number}"))


def exchange_texts(page: str, pool: Sequence[str], chance: random.Random) -> str:
    """A page with each piece of text exchanged for one of like length in a pool, shortest first."""
    parts = _MARKUP.split(page)
    for place in range(0, len(parts), 2):
        if (text := parts[place]).strip() and pool:
            middle = bisect_left(pool, len(text), key=len)
            low = max(0, min(middle, len(pool)) - SPREAD)
            parts[place] = chance.choice(pool[low : middle + SPREAD])
    return "".join(parts)


def _texts(pages: Sequence[str]) -> Iterator[str]:
    for page in pages:
        yield from filter(str.strip, _MARKUP.split(page)[::2])


def _with_links(page: str, number: int, wanted: int) -> str:
    """A page that links some others, at its end."""
    chance = random.Random(number)
    targets = {chance.randrange(wanted) for _ in range(LINKS)}
    links = "".join(f'<a href="{quote(page_url(n), ":/")}">page {n}</a> ' for n in sorted(targets))
    head, end, tail = page.rpartition("</body>")
    return f"{head}<nav>{links}</nav>{end}{tail}" if end else f"{page}<nav>{links}</nav>"
