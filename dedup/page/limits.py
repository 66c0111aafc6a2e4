"""Limits for the cost of reading a page; a page beyond them gets no fingerprint.

html -> check_tags -> main text -> is_too_long -> normalise and segment

The checks come before the work and take time linear in the page. The limits are far beyond the
pages that people read: a large manual on one page has 50,000 tags, and 1.5 MB of main text are two
novels. They keep a page under 2 seconds of CPU and 300 MiB. Attributes are counted only for
extractors that parse with libxml2; a page just below that limit may take libxml2 seconds.
"""

from __future__ import annotations

import re

from dedup import native
from dedup.page.paragraphs import MainText

# Files that some servers send as text/html: PDF, ZIP, gzip, PNG, GIF, JPEG, older office files.
_BINARY = tuple(b"%PDF- PK\x03\x04 \x1f\x8b \x89PNG GIF8 \xff\xd8\xff \xd0\xcf\x11\xe0".split(b" "))
_JSON = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*"
    rb"(?:\{\s*[\"}]|\[\s*(?:\"|\{\s*[\"}]|\[\s*[\"\d{-]|-?\d[\d.eE+-]*\s*,|(?:true|false|null)\s*,))"
)
_JSON_ENDS = (b"}", b"]")
# RSS and Atom, recognised as in browsers (WHATWG MIME Sniffing, mislabeled feeds); sitemaps.
_FEED = re.compile(
    rb"(?:\xef\xbb\xbf)?(?>\s|<[?!][^>]*+>)*+<(?:rss|feed|rdf:RDF|urlset|sitemapindex)[\s>]"
)
_FIRST = 4096  # Bytes searched for the root element of a feed.
_LAST = 64  # Bytes searched for the last bracket of JSON; white space at the end is shorter.
MOST_TAGS = 100_000  # Tags of a page, or lines of a plain text.
MOST_REFERENCES = 500_000  # Character references, such as &lt;; only hostile pages have more.
MOST_ATTRIBUTES = 300_000  # Attributes of a page; each takes about 200 bytes in libxml2's tree.
MOST_IN_LONG_TAGS = 20_000  # Attributes of one very long tag (see attributes.py).
MOST_PARAGRAPHS = 50_000
MOST_TEXT = 1_500_000  # Bytes of main text, as UTF-8.
MOST_TITLE = 1_000  # Letters read of a title and of a heading.
MOST_PHRASES = 20_000  # Characters that NFKC expands to phrases; a book of hadiths has fewer.
_PHRASE = re.compile("[\u3300-\u3357\ufdf2-\ufdfc]")  # Squared words, and Arabic ligatures.
REFUSALS = {
    "too_many_tags": "more tags, references or line ends than are read",
    "too_many_attributes": f"more than {MOST_ATTRIBUTES:,} attributes, or "
    f"{MOST_IN_LONG_TAGS:,} in very long tags",
    "too_long_text": f"more than {MOST_TEXT:,} bytes, {MOST_PARAGRAPHS:,} paragraphs, or "
    f"{MOST_PHRASES:,} characters that are phrases, of main text",
}
_LINE_ENDS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"  # As in str.splitlines.


class RefusedError(ValueError):
    """A page is beyond the limits."""

    def __init__(self, reason: str) -> None:
        super().__init__(REFUSALS[reason])
        self.reason = reason  # A word from REFUSALS.


def is_binary(body: bytes) -> bool:
    """Whether a body is a picture, a PDF or an archive; its Content-Type is ignored."""
    return body.startswith(_BINARY)


def is_no_page(body: bytes) -> bool:
    """Whether a body is neither a page nor a text; its Content-Type is ignored."""
    if is_binary(body):
        return True
    if _FEED.match(body, 0, _FIRST):
        return True
    return _JSON.match(body) is not None and body[-_LAST:].rstrip().endswith(_JSON_ENDS)


def check_tags(page: bytes, most: int = MOST_TAGS) -> None:
    """Raise RefusedError if a page in UTF-8 has more tags than ``most``, or too many references."""
    if _has_more(page, "<", most) or _has_more(page, "&", MOST_REFERENCES):
        raise RefusedError("too_many_tags")


def _has_more(page: bytes, sign: str, most: int) -> bool:
    """Whether a page has more of a sign than allowed.

    Each sign is followed by another character, so most pages are too short and need no count.
    """
    return len(page) > 2 * most and count_sign(page, sign) > most


def count_sign(page: bytes, sign: str) -> int:
    """Count a sign in a page; bytes.count is slower if the sign is frequent."""
    return native.count_octet(page, ord(sign))


def has_too_many_lines(text: str) -> bool:
    return sum(map(text.count, _LINE_ENDS)) > MOST_TAGS


def is_too_long(main: MainText) -> bool:
    """Whether a main text is too long to normalise and segment."""
    paragraphs = main.paragraphs
    if len(paragraphs) > MOST_PARAGRAPHS:
        return True
    if sum([len(paragraph.text) for paragraph in paragraphs]) <= MOST_PHRASES:
        return False
    text = main.text
    return len(text.encode("utf-8", "replace")) > MOST_TEXT or _has_many_phrases(text)


def _has_many_phrases(text: str) -> bool:
    return not text.isascii() and len(_PHRASE.findall(text)) > MOST_PHRASES
