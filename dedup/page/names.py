"""What the authors of pages call their parts: generic words of elements, classes, ids and roles.

A name is a hint, never a proof: templates call the wrapper of an article ``with-sidebar`` and a
footer ``content``. Names only shift weights; how much is up to the extractor.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Protocol

CACHED_NAMES = 1 << 14
_NUMBERS = "0123456789"


_Finder = Callable[[str], bool]


def _finder(pattern: str, among: _Finder | None = None) -> _Finder:
    """Whether a name matches somewhere, remembered: a site says the same names again and again.

    ``among`` finds all that match, and others; most names it does not, and they are done with.
    """
    search = re.compile(pattern).search
    if among is None:
        return lru_cache(CACHED_NAMES)(lambda name: search(name) is not None)
    return lru_cache(CACHED_NAMES)(lambda name: among(name) and search(name) is not None)


_LOW_TAGS = frozenset(("nav", "footer", "aside", "header", "form", "details", "address"))
_NEVER_LOW = frozenset(("html", "body", "main", "article", "p"))
_has_low = _finder(
    r"[ck]omm?ent|footer|(?<!with)(?<!with.)(?<!has)(?<!has.)side-?bar|menu|\bshar(?:e|ing)"
    r"|social|related|recommend|promo|advert|sponsor|banner|breadcrumb|copyright|newsletter"
    r"|paginat|cookie|consent|gdpr|onetrust|popup|disclaim"
    r"|(?:about|article|entry|post)[-_]?(?:the[-_]?)?author(?![-_]?\w)|(?:entry|post)[-_]?meta"
    r"|aut(?:h?or|eur)[-_]?(?:area|bio|box|card|desc|info)"
    # short words, which other words contain: only where a name starts with them
    r"|(?<![\w-])(?:nav(?:igation|bar)?|a?side|foot|ads?|tags|toc|meta|modal|login|pager)(?![a-z])"
    r"|(?<![\w-])contentinfo(?![a-z])"
)
CHROME_TAGS = frozenset(("nav", "footer"))
_has_notice = _finder(  # of cookies, but those of recipes: tag-cookies
    r"(?<![\w-])cookie|cookie-?(?:ba|bot|compl|law|notice)|consent|gdpr|onetrust"
    r"|(?<![\w-])contentinfo(?![a-z])",
    _has_low,
)
_has_footer = _finder(r"(?<![a-z])(?:footer|copyright|breadcrumb)", _has_low)
_has_menu = _finder(r"(?<![\w-])nav(?:igation|bar)?(?![a-z])", _has_low)
_has_comments = _finder(r"[ck]omm?ent(?!ary)", _has_low)
_has_sidebar = _finder(
    r"(?<!with)(?<!with.)(?<!has)(?<!has.)side-?bar|(?<![\w-])aside(?![a-z])", _has_low
)
_HIGH_TAGS = frozenset(("main", "article"))
_has_high = _finder(r"article|content|\bmain\b|\bbody\b|entry|\bpost\b|\btext\b|story|blog|detail")
_has_article = _finder(r"article|entry|\bpost\b|story", _has_high)


class Named(Protocol):
    """What has a name: that of its element, and those that the page's author gives it."""

    @property
    def tag(self) -> str:
        """The name of its element."""

    @property
    def hint(self) -> str:
        """Class, id and role, lower case; read only where the element does not say all."""


def make_of(part: Named) -> tuple[str, str]:
    """The name of the element and its first class without a number: WordPress counts articles."""
    return part.tag, part.hint.split(" ", 1)[0].rstrip(_NUMBERS)


def says_nothing(part: Named) -> bool:
    """Whether class, id and role leave all below to the name of the element, as most do."""
    return not (_has_low(part.hint) or _has_high(part.hint))


def is_low(part: Named) -> bool:
    """Whether this is the name of anything but main text: navigation, footer, comments."""
    tag = part.tag
    return tag in _LOW_TAGS or (tag not in _NEVER_LOW and _has_low(part.hint))


def is_chrome(part: Named) -> bool:
    """Whether this is the name of site chrome: a menu, a footer, a copyright notice."""
    tag = part.tag
    return tag in CHROME_TAGS or (
        tag not in _NEVER_LOW and (_has_footer(part.hint) or _has_menu(part.hint))
    )


def is_notice(part: Named) -> bool:
    """Whether this is the name of what is the same on all pages: a consent notice, a footer."""
    return part.tag not in _NEVER_LOW and _has_notice(part.hint)


def is_menu(part: Named) -> bool:
    """Whether class, id or role name this as a menu, and as no other site chrome."""
    return _has_menu(part.hint) and not _has_footer(part.hint)


def is_comments(part: Named) -> bool:
    """Whether this is the name of what readers said about the main text."""
    return part.tag not in _NEVER_LOW and _has_comments(part.hint)


def is_sidebar(part: Named) -> bool:
    """Whether this is the name of what stands beside the main text on every page of a site."""
    tag = part.tag
    return tag == "aside" or (tag not in _NEVER_LOW and _has_sidebar(part.hint))


def is_high(part: Named) -> bool:
    """Whether this is the name of a part that holds main text."""
    return part.tag in _HIGH_TAGS or _has_high(part.hint)


def is_article(part: Named) -> bool:
    """Whether this is the name of one article, and of no layout that any page may have."""
    return part.tag == "article" or _has_article(part.hint)
