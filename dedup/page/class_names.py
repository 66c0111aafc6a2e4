"""Common words in the classes, ids and roles of elements, such as menu, footer and article.

A name is a hint, never a proof: templates call the wrapper of an article ``with-sidebar`` and a
footer ``content``. native/sayings.h explains the meaning and effect of each name here. The names of
elements are in native/hints.c.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Says = Callable[[str], bool]


def _finder(pattern: str, among: Says | None = None) -> Says:
    """Make a function that searches class, id and role, in lower case, for a pattern.

    ``among`` is a wider test that is done first: it is true for all names that match, and for
    some others. Most names fail it, and the pattern is not searched for.
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
    # Short words that other words contain: only at the start of a name.
    r"|(?<![\w-])(?:nav(?:igation|bar)?|a?side|foot|ads?|tags|toc|meta|modal|login|pager)(?![a-z])"
    r"|(?<![\w-])contentinfo(?![a-z])"
)
says_notice = _finder(  # Cookie notices; "tag-cookies" is a tag of recipes.
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
    """Whether the name is of a menu, and not of a footer, copyright notice or breadcrumb."""
    return _has_menu(name) and not _has_footer(name)


def says_chrome(name: str) -> bool:
    """Whether the name is of a menu, a footer, a copyright notice or a breadcrumb."""
    return _has_footer(name) or _has_menu(name)
