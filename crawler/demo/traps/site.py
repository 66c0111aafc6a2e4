"""The whole site: which part answers for a URL, and the truth about what a URL shows."""

from collections.abc import Callable
from functools import cache

from crawler.demo.traps import articles, forum, missing, months, nested, search, shop, wiki
from crawler.demo.traps.page import Link, Page, Shown, Target

SECTIONS = (
    Link("/list/1", "Articles"),
    Link("/calendar/", "Calendar"),
    Link("/shop/", "Shop"),
    Link("/docs/", "Documents"),
    Link("/forum/", "Forum"),
    Link("/wiki/", "Wiki"),
    Link("/search", "Search"),
    Link("/lies/", "Letters"),
    Link("/item/", "Items"),
    Link("/members/", "Members"),
)
WELCOME = "Some parts of this site have no end. Others show the same page at many URLs."


def front(target: Target) -> Shown:
    """The front page."""
    if target.segments:
        return None
    return Page("The Lost Mile", "list:front", (WELCOME,), rows=SECTIONS)


SPACES: dict[str, Callable[[Target], Shown]] = {
    "": front,
    "article": articles.article,
    "calendar": months.month,
    "docs": nested.document,
    "forum": forum.forum,
    "item": missing.item,
    "lies": articles.lie,
    "list": articles.listed,
    "login": missing.login,
    "members": missing.members,
    "print": articles.printed,
    "product": shop.product,
    "search": search.search,
    "shop": shop.shop,
    "wiki": wiki.wiki,
}
_WITH_REAL_PAGES = (articles, forum, missing, nested, shop, wiki)


def shown(url: str) -> Shown:
    """What is at a URL, whatever its host; None if there is nothing."""
    target = Target.of(url)
    space = SPACES.get(target.space)
    return None if space is None else space(target)


def content_of(url: str) -> str | None:
    """What a URL shows: equal for pages that repeat each other, None for nothing of its own.

    "search:WORD" is new text without end. "list:..." is a list of links, named by what it lists
    where it may be in another order. All other names are of real pages. A redirect shows nothing.
    """
    page = shown(url)
    return page.content if isinstance(page, Page) else None


def space_of(url: str) -> str:
    """The part of the site that answers for a URL, such as "calendar"; empty for the front page."""
    return Target.of(url).space


@cache
def real_urls(base: str = "") -> frozenset[str]:
    """One URL for each real page: those that a perfect crawl has in the end.

    Arguments: base, the address of the site, such as `TrapServer.url`; paths without it.
    """
    paths = (path for part in _WITH_REAL_PAGES for path in part.REAL)
    return frozenset(base.rstrip("/") + path for path in paths)
