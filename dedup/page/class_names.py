"""What the authors of pages call their parts: generic words of classes, ids and roles.

A name is a hint, never a proof: templates call the wrapper of an article ``with-sidebar`` and a
footer ``content``. native/sayings.h tells what each name here means, and what follows from it;
what the names of elements say is in native/hints.c.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Says = Callable[[str], bool]


def _finder(pattern: str, among: Says | None = None) -> Says:
    """Whether a pattern is found in class, id and role, in lower case.

    ``among`` finds all that match, and others; most names it does not, and they are done with.
    """
    search = re.compile(pattern).search
    if among is None:
        return lambda name: search(name) is not None
    return lambda name: among(name) and search(name) is not None


says_low = _finder(
    r"[ck]omm?ent|footer|(?<!with)(?<!with.)(?<!has)(?<!has.)side-?bar|menu|\bshar(?:e|ing)"
    r"|social|related|recommend|promo|advert|sponsor|banner|breadcrumb|copyright|newsletter"
    r"|paginat|cookie|consent|gdpr|onetrust|popup|disclaim"
    r"|(?:about|article|entry|post)[-_]?(?:the[-_]?)?author(?![-_]?\w)|(?:entry|post)[-_]?meta"
    r"|aut(?:h?or|eur)[-_]?(?:area|bio|box|card|desc|info)"
    # short words, which other words contain: only where a name starts with them
    r"|(?<![\w-])(?:nav(?:igation|bar)?|a?side|foot|ads?|tags|toc|meta|modal|login|pager)(?![a-z])"
    r"|(?<![\w-])contentinfo(?![a-z])"
)
says_notice = _finder(  # of cookies, but those of recipes: tag-cookies
    r"(?<![\w-])cookie|cookie-?(?:ba|bot|compl|law|notice)|consent|gdpr|onetrust"
    r"|(?<![\w-])contentinfo(?![a-z])",
    says_low,
)
_has_footer = _finder(r"(?<![a-z])(?:footer|copyright|breadcrumb)", says_low)
_has_menu = _finder(r"(?<![\w-])nav(?:igation|bar)?(?![a-z])", says_low)
says_comments = _finder(r"[ck]omm?ent(?!ary)", says_low)
says_sidebar = _finder(
    r"(?<!with)(?<!with.)(?<!has)(?<!has.)side-?bar|(?<![\w-])aside(?![a-z])", says_low
)
says_high = _finder(r"article|content|\bmain\b|\bbody\b|entry|\bpost\b|\btext\b|story|blog|detail")
says_article = _finder(r"article|entry|\bpost\b|story", says_high)


def says_menu(name: str) -> bool:
    """Whether a menu is named, and nothing else of the site's."""
    return _has_menu(name) and not _has_footer(name)


def says_chrome(name: str) -> bool:
    """Whether a menu, a footer or a copyright notice is named."""
    return _has_footer(name) or _has_menu(name)
