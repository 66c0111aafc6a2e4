"""Tells list pages that show articles in full from the articles' own pages.

Such a list is the page of a tag, an author or a month, or the front page of a blog. The heading
above the text is a link to the own page of the first article. The text of an article stands in the
list, but neither page takes the place of the other. This has an effect only between pages of one
site. Two list pages with one heading are one page: a site may show it whatever URL is requested.

A list of several articles is compared with earlier pages as any page is. A later page with all of
its text, or with its heading and most of its text, is another version of the list, for example its
print version.

URLs are compared by their paths. Parameters and the file ending do not matter. A path that contains
the path of another page belongs to a part or a version of that page: its second half, its AMP
version.
"""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from dedup.page import HeadingLink
from dedup.page.declared import Declared, resolve
from dedup.scope import are_of_one_site, host_of
from dedup.store import Listing, Record
from dedup.verdict import MOST_GONE, Findings, Headings

_ENDING = re.compile(r"(?:/index)?(?:\.(?:[sx]?html?|php\d?|aspx?|jspx?|cgi|do))?\Z")


def listing_of(link: HeadingLink, url: str, declared: Declared) -> Listing:
    """How many articles a page shows as a list: none, if its heading leads to no other page.

    A version of an article declares the canonical URL of the article.
    """
    target = resolve(link.target, declared.base or url)
    if not target or host_of(target) != host_of(url):
        return Listing.NONE
    article = _path_of(target)
    if any(_contains(_path_of(own), article) for own in (url, declared.canonical)):
        return Listing.NONE
    return Listing.SEVERAL if link.several else Listing.ONE


def stand_apart(later: Record, earlier: Record, found: Findings | None) -> bool:
    """Whether neither of two pages of a site takes the place of the other, since one is a list.

    ``found`` is the result of their comparison; None if the scheme finds no shares.
    """
    if not (later.listing or earlier.listing) or not are_of_one_site(later.url, earlier.url):
        return False
    if later.listing is Listing.SEVERAL:
        return False
    have_one_heading = found is not None and found.headings is Headings.SAME
    if later.listing and earlier.listing:
        return not have_one_heading and _path_of(later.url) != _path_of(earlier.url)
    if earlier.listing is not Listing.SEVERAL:
        return True
    if found is None:
        return False
    return found.gone > MOST_GONE or (found.gone > 0 and not have_one_heading)


def _contains(path: str, article: str) -> bool:
    """Whether a path contains another path as a whole: /news/1-print contains /news/1.

    /news/12 does not. A pattern for each page would take longer to compile than its look-up.
    """
    at, size = path.find(article), len(article)
    while at >= 0 and path[at + size : at + size + 1].isalnum():
        at = path.find(article, at + 1)
    return at >= 0


def _path_of(url: str) -> str:
    """The path of a URL in lower case, without session, file ending and a final ``/index``."""
    try:
        path = urlsplit(url).path
    except ValueError:
        return ""
    return _ENDING.sub("", unquote(path.partition(";")[0]).lower()).rstrip("/")
