"""Made-up sites that give each article many URLs: how soon a crawl has them all."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable
from hashlib import sha256
from random import Random
from urllib.parse import urljoin

import pytest

from dedup.urls import Learner, Order, patterns_of, queue_of

SITE = "http://a.example"
ARTICLES, A_LIST = 60, 10
PAGES = 1 + ARTICLES // A_LIST + ARTICLES  # The front page, lists, articles.

Spell = Callable[[str, str], str]  # The link to a path on the page of a URL.
Find = Callable[[str], str]  # The path that a URL shows; a full URL if it redirects there.


def digest(*texts: str) -> str:
    return sha256(" ".join(texts).encode()).hexdigest()


def choose(choices: list[str], *texts: str) -> str:
    return choices[int(digest(*texts)[:8], 16) % len(choices)]


def body(path: str, url: str, spell: Spell) -> bytes:
    """The page of a path. Each has links to / and /list/1, and /list/N to its articles."""
    kind, _, number = path[1:].partition("/")
    around, text = [], ""
    if kind == "list":
        first = (int(number) - 1) * A_LIST
        around = [f"/article/tea-{n}" for n in range(first, first + A_LIST)]
        if first + A_LIST < ARTICLES:
            around.append(f"/list/{int(number) + 1}")
    elif kind == "article":
        mine = int(number.removeprefix("tea-"))
        around = [f"/article/tea-{(mine * 7 + step) % ARTICLES}" for step in (5, 18, 31)]
        chance = Random(path)
        text = " ".join("".join(chance.choices("abcdefghijkl", k=7)) for _ in range(90))
    links = "".join(f"<a href='{spell(to, url)}'>{to}</a>" for to in ("/", "/list/1", *around))
    return f"<h1>{path}</h1><p>{text}</p>{links}".encode()


def found_after(downloads: int, spell: Spell, find: Find) -> int:
    """The number of articles that a crawl has after so many downloads."""
    learner = Learner()
    order = Order(lambda queue: learner.worth(patterns_of(queue)))
    waiting: defaultdict[str, deque[tuple[int, str]]] = defaultdict(deque)
    seen: set[str] = set()

    def push(url: str) -> None:
        if url not in seen:
            seen.add(url)
            queue = queue_of(learner.found(url), order, 1_000)
            waiting[queue].append((len(seen), url))
            if queue not in order:
                order.set(queue, len(seen))

    push(f"{SITE}/")
    articles = set()
    for _ in range(downloads):
        queue = order.next()
        if queue is None:
            break
        _, url = waiting[queue].popleft()
        order.set(queue, waiting[queue][0][0] if waiting[queue] else None)
        learner.taken(url, patterns_of(queue))
        path = find(url)
        if path.startswith(SITE):
            learner.note_nothing(url, 0)
            push(path)
            continue
        page = body(path, url, spell)
        learner.note_page(url, page)
        if path.startswith("/article/"):
            articles.add(path)
        for link in re.findall("href='([^']+)'", page.decode()):
            push(urljoin(url, link))
    return len(articles)


def plain(path: str, url: str) -> str:
    return path


def session_in_path(path: str, url: str) -> str:
    return f"{path};jsessionid={digest(url)[:32].upper()}"


def path_of(url: str) -> str:
    return url.removeprefix(SITE).partition("?")[0].partition(";")[0]


def any_case(path: str, url: str) -> str:
    return "/".join(
        choose([part, part.title(), part.upper()], url, part) for part in path.split("/")
    )


def lower(url: str) -> str:
    return url.removeprefix(SITE).lower()


def any_end(path: str, url: str) -> str:
    return path + choose(["", "/", "/index.html"], url, path) if path != "/" else path


def without_end(url: str) -> str:
    return url.removeprefix(SITE).removesuffix("index.html").rstrip("/") or "/"


def session_in_front(path: str, url: str) -> str:
    return f"/{digest(url)[:16]}{path}"


def any_folder(path: str, url: str) -> str:
    folder = choose([digest(str(number))[:5] for number in range(30)], url, path)
    return f"/{folder}{path}" if path.startswith("/article/") else path


def last_two(url: str) -> str:
    return "/" + "/".join(url.removeprefix(SITE).split("/")[-2:]).lstrip("/")


def without_session(url: str) -> str:
    return "/" + url.removeprefix(SITE).split("/", 2)[-1] if url != f"{SITE}/" else "/"


SITES: dict[str, tuple[Spell, Find]] = {
    "plain": (plain, path_of),
    "a session behind the path": (session_in_path, path_of),
    "a session in front of the path": (session_in_front, without_session),
    "each article in any folder": (any_folder, last_two),
    "upper and lower case": (any_case, lower),
    "slashes and index files": (any_end, without_end),
}


@pytest.mark.parametrize(("spell", "find"), SITES.values(), ids=SITES)
def test_all_articles_are_found_with_few_downloads_more(spell: Spell, find: Find) -> None:
    assert found_after(int(1.2 * PAGES), spell, find) >= 0.9 * ARTICLES
    assert found_after(2 * PAGES, spell, find) == ARTICLES
