"""Tells list pages that show an article in full from the article's own page.

Such a list is the page of a tag, an author or a month with one article, or the front page of a
blog. The heading above the text is a link to the article's own page. The texts are the same, but
neither page takes the place of the other. This has an effect only between pages of one site.

URLs are compared by their paths. Parameters and the file ending do not matter. A path that contains
the path of another page belongs to a part or a version of that page: its second half, its AMP
version.
"""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from dedup.page.declared import Declared, resolve
from dedup.scope import are_of_one_site, host_of
from dedup.store import Record

_ENDING = re.compile(r"(?:/index)?(?:\.(?:[sx]?html?|php\d?|aspx?|jspx?|cgi|do))?\Z")


def is_list(link: str, url: str, declared: Declared) -> bool:
    """Whether the heading above the text of a page leads to another page of its host.

    Args:
        link: the target of that heading, as in the HTML; empty if it is no link.
        url: the URL of the page.
        declared: what the page declares; a version of an article declares its canonical URL.
    """
    target = resolve(link, declared.base or url)
    if not target or host_of(target) != host_of(url):
        return False
    own = re.compile(re.escape(_path_of(target)) + r"(?![^\W_])")
    return not any(map(own.search, (_path_of(url), _path_of(declared.canonical))))


def show_each_other(one: Record, other: Record) -> bool:
    """Whether two pages of a site are a list page and an article, or two list pages.

    Two URLs with one path are one list page.
    """
    if not (one.listing or other.listing) or not are_of_one_site(one.url, other.url):
        return False
    return one.listing != other.listing or _path_of(one.url) != _path_of(other.url)


def _path_of(url: str) -> str:
    """The path of a URL in lower case, without session, file ending and a final ``/index``."""
    try:
        path = urlsplit(url).path
    except ValueError:
        return ""
    return _ENDING.sub("", unquote(path.partition(";")[0]).lower()).rstrip("/")
