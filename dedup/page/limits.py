"""What a page may cost its reader: beyond these limits it gets no fingerprint.

html -> check_tags -> main text -> is_too_long -> normalise and segment

Checked before the work, in time linear in the page. The limits are far beyond the pages people
read: 100,000 tags are twice those of a large reference manual on one page, 1.5 MB of main text are
two novels. They keep a page under 2 seconds of CPU and 300 MiB. Attributes are counted only for
extractors that parse with libxml2, which a page just below that limit may keep busy for seconds.
"""

from __future__ import annotations

import re

from dedup import native
from dedup.page.paragraphs import MainText

# What some servers call text/html: PDF, ZIP, gzip, PNG, GIF, JPEG, older office files; JSON
_BINARY = tuple(b"%PDF- PK\x03\x04 \x1f\x8b \x89PNG GIF8 \xff\xd8\xff \xd0\xcf\x11\xe0".split(b" "))
_JSON = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*"
    rb"(?:\{\s*[\"}]|\[\s*(?:\"|\{\s*[\"}]|\[\s*[\"\d{-]|-?\d[\d.eE+-]*\s*,|(?:true|false|null)\s*,))"
)
_JSON_ENDS = (b"}", b"]")
# RSS and Atom, as browsers tell them from pages (WHATWG MIME Sniffing, mislabeled feeds); sitemaps
_FEED = re.compile(
    rb"(?:\xef\xbb\xbf)?(?>\s|<[?!][^>]*+>)*+<(?:rss|feed|rdf:RDF|urlset|sitemapindex)[\s>]"
)
_FIRST = 4096  # bytes, in which a feed says that it is one
_LAST = 64  # bytes, more than white space takes at the end
MOST_TAGS = 100_000  # or lines, for text that is no page
MOST_REFERENCES = 500_000  # of characters, as &lt; is one; no page but a hostile one has them
MOST_ATTRIBUTES = 300_000  # of a page; each takes some 200 bytes of a tree of libxml2
MOST_IN_LONG_TAGS = 20_000  # attributes: another, if one tag has them (see attributes.py)
MOST_PARAGRAPHS = 50_000
MOST_TEXT = 1_500_000  # bytes of main text, as UTF-8,
MOST_TITLE = 1_000  # letters of a title and of a heading that are looked at
MOST_SPACED = 3 * MOST_TEXT  # and once normalised: some characters are short for whole phrases
REFUSALS = {
    "too_many_tags": "more tags, references or line ends than are read",
    "too_many_attributes": f"more than {MOST_ATTRIBUTES:,} attributes, or "
    f"{MOST_IN_LONG_TAGS:,} in very long tags",
    "too_long_text": f"more than {MOST_TEXT:,} bytes, or {MOST_PARAGRAPHS:,} paragraphs, "
    "of main text",
}
_LINE_ENDS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"  # as str.splitlines has them


class RefusedError(ValueError):
    """A page asks too much of its reader.

    Attributes:
        reason: a word from REFUSALS.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(REFUSALS[reason])
        self.reason = reason


def is_no_page(body: bytes) -> bool:
    """Whether a body is neither a page nor a text, whatever it is labelled."""
    if body.startswith(_BINARY):
        return True
    if _FEED.match(body, 0, _FIRST):
        return True
    return _JSON.match(body) is not None and body[-_LAST:].rstrip().endswith(_JSON_ENDS)


def check_tags(page: bytes, most: int = MOST_TAGS) -> None:
    """Refuse a page of too many tags or references of characters.

    Args:
        page: in UTF-8.
        most: tags that are read.

    Raises:
        RefusedError: it has more.
    """
    if _has_more(page, "<", most) or _has_more(page, "&", MOST_REFERENCES):
        raise RefusedError("too_many_tags")


def _has_more(page: bytes, sign: str, most: int) -> bool:
    """Whether a page has more of a sign, each with a letter; most pages are too short for that."""
    return len(page) > 2 * most and count_sign(page, sign) > most


def count_sign(page: bytes, sign: str) -> int:
    """How often a page has a sign that is common there: bytes.count goes from one to the next."""
    return native.count_octet(page, ord(sign))


def has_too_many_lines(text: str) -> bool:
    """Whether a text that is no page has more lines than are read."""
    return sum(map(text.count, _LINE_ENDS)) > MOST_TAGS


def is_too_long(main: MainText) -> bool:
    """Whether there is too much main text to normalise and segment it."""
    paragraphs = main.paragraphs
    if len(paragraphs) > MOST_PARAGRAPHS:
        return True
    if 4 * sum([len(paragraph.text) for paragraph in paragraphs]) <= MOST_TEXT:
        return False
    return len(main.text.encode("utf-8", "replace")) > MOST_TEXT
