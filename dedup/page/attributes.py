"""Find pages with so many attributes that they cost a parser too much memory or time.

libxml2 takes linear time, except for the attributes of one tag, where its time is quadratic:
160,000 attributes take a minute. An attribute with a unique name takes four bytes, so only long
tags are slow. A larger page has room for more slow tags, so there even shorter tags count as long.

    windows of a page -> windows that a tag may span -> count of possible attributes
                                                     -> if it is high: the parser's answer

The page is never read from its beginning: a quote in a script, for example, would mislead such a
reading. Each window is examined for every state in which a tag may reach it. Only the parser
itself decides that a place lies in a script, in other text, or in one long value.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from lxml import etree

from dedup.page.limits import MOST_ATTRIBUTES, MOST_IN_LONG_TAGS

MOST_ASKED = 3  # Places of a page that the parser examines.

# Groups before *+ are atomic: (?:...)*+ misleads Python before 3.11.5 (python/cpython#100061).
_SPACE = "[\x00-\x20\x7f\ud800-\udfff\ufffe\uffff]"  # And removable characters.
_VALUE = r"""(?:"[^"]*+"|'[^']*+')"""
_TAG = re.compile(f"<[a-zA-Z](?>[^>=]++|={_SPACE}*+{_VALUE}?)*+")
_ATTRIBUTE = re.compile(
    rf"""[^\s/>=][^\s/>=]*+(?:{_SPACE}*+={_SPACE}*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?)?"""
)
_TO_END = f"(?>[^>=]++|={_SPACE}*+(?:{_VALUE}|(?![\"'])))*+>"
# Tags that a window begins in: between attributes, after a "=", or in a value.
_ENDS_ALL = re.compile(
    rf"""(?={_TO_END})"""
    rf"""(?={_SPACE}*+(?:{_VALUE}{_TO_END}|(?!["'])))"""
    rf"""(?=[^"]*+(?:\Z|"{_TO_END}))"""
    rf"""[^']*+(?:\Z|'{_TO_END})"""
)
# One of these bytes stands between two attributes; \xed begins surrogates (and some Hangul).
_BETWEEN = b"/>=\x7f\xed" + bytes(range(0x21))
_PROBE = f"\ufdd0{secrets.token_hex(8)}"  # Random, so no page contains it.
_CLOSED = f"{_PROBE}\"'>"  # Ends a value or a tag, but no text.
_RAW = frozenset(("script", "style", "textarea", "title"))  # Only their own end tags end these.
_RAW_END = re.compile(f"</(?:{'|'.join(_RAW)})", re.IGNORECASE)
_LONGEST_END = len("</textarea")
_END = re.compile(r"</html\s*>", re.IGNORECASE)
_NO_END = "</x>"  # Replaces </html>: an end tag that libxml2 reads as markup and ignores.

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")

Tree = Any  # The root element of a page, from lxml.


@dataclass(frozen=True, slots=True)
class LongTags:
    """Which tags are long, and how many attributes they may have."""

    least: int = 4_000  # Minimum length of a long tag, in characters.
    # A tag is long if its length times the length of the page, both in characters, is more than
    # this. Any number of shorter tags takes about a second.
    product: int = 10**10
    most: int = MOST_IN_LONG_TAGS  # Of one long tag; lower for each of several, in proportion.

    @property
    def many(self) -> int:
        """The parser examines places with more attributes than this."""
        return self.most // 4


LONG_TAGS = LongTags()


def has_too_many_attributes(html: str, long_tags: LongTags = LONG_TAGS) -> bool:
    """Whether the attributes of a decoded page may cost its parser too much."""
    return _has_more(html) or _has_long_tags(html, long_tags)


def _has_more(html: str) -> bool:
    """Whether the tags of a page have more than ``MOST_ATTRIBUTES`` attributes.

    The name of a tag counts as an attribute. A page of up to eight characters per allowed attribute
    passes without a count.
    """
    if len(html) <= 8 * MOST_ATTRIBUTES:
        return False
    tags = [tag.span() for tag in _TAG.finditer(html)]
    if sum(end - start for start, end in tags) <= 2 * MOST_ATTRIBUTES:
        return False
    attributes = (one for span in tags for one in _ATTRIBUTE.finditer(html, *span))
    return next(islice(attributes, MOST_ATTRIBUTES, None), None) is not None


def _has_long_tags(html: str, limits: LongTags) -> bool:
    """Whether long tags may have so many attributes that they cost too much."""
    shortest = max(limits.least, limits.product // max(1, len(html)))
    if len(html) <= shortest:
        return False
    window = shortest // 2
    stretches = _find_spanned(html, window)
    counts = ((s.joined, _count_between(s.text(html, window))) for s in stretches)
    if not _cost_too_much(counts, limits.most):
        return False
    asked = _ask(html, stretches, window, limits.many)
    return blank_controls(html) != html or _cost_too_much(asked, limits.most)


class _Stretch(NamedTuple):
    """Adjacent windows of a page that a tag may span."""

    start: int
    end: int
    # Whether the same tag may also span the previous stretch: what is between may be one value.
    joined: bool

    def text(self, html: str, window: int) -> str:
        """The part of the page that contains the attributes of the tag."""
        return html[max(0, self.start - window) : self.end + window]


def _find_spanned(html: str, window: int) -> list[_Stretch]:
    """Cut a page into windows and find all stretches that a tag may span.

    In most windows every tag ends, in whatever state it begins there. A window inside one value has
    no attributes to count, but the tag may go on after it.
    """
    found: list[_Stretch] = []
    goes_on = False
    for start in range(0, len(html) - window + 1, window):
        end = start + window
        if html.find(">", start, end) < 0 or not _ENDS_ALL.match(html, start, end):
            if found and found[-1].end == start:
                found[-1] = found[-1]._replace(end=end)
            else:
                found.append(_Stretch(start, end, goes_on))
            goes_on = True
        elif goes_on:
            goes_on = html.find("'", start, end) < 0 or html.find('"', start, end) < 0
    return found


def _cost_too_much(counts: Iterable[tuple[bool, int]], most: int) -> bool:
    """Whether there are too many pairs of attributes.

    ``counts`` has, for each stretch, whether it is joined to the previous one, and the number of
    its attributes.
    """
    left = most**2
    together = 0
    for joined, count in counts:
        before = together if joined else 0
        together = before + count
        left -= together**2 - before**2
        if left < 0:
            return True
    return False


def _count_between(part: str) -> int:
    """The maximum number of attributes that a tag in a part of a page may have."""
    encoded = part.encode("utf-8", "surrogatepass")
    bare = encoded.translate(None, _BETWEEN)
    return len(encoded) - len(bare) + encoded.count(b"\xef\xbf")  # U+FFFE begins so.


def _ask(
    html: str, stretches: Iterable[_Stretch], window: int, many: int
) -> Iterator[tuple[bool, int]]:
    """The numbers of attributes in stretches; the parser corrects the high ones.

    The parser reads the page up to a stretch, unless a tag may already have many attributes there.
    """
    asked = before = 0
    for stretch in stretches:
        before = before if stretch.joined else 0
        count = _count_between(stretch.text(html, window))
        if count > many > before and asked < MOST_ASKED:
            asked += 1
            count = _count_between(_outside_text(html, stretch, window))
        before += count
        yield stretch.joined, count


def _outside_text(html: str, stretch: _Stretch, window: int) -> str:
    """The part of a stretch that can be inside a tag, without the text or value it begins in."""
    place, stop = stretch.start + window, stretch.end + window
    around = _last_elements(open_ended(html[:place]) + _CLOSED)
    last = around[-1]
    if last.tag in _RAW and (last.text or "").endswith(_CLOSED):
        end = _RAW_END.search(html, place - _LONGEST_END, stop)
        return html[end.start() : stop] if end else ""
    texts = [element.tail for element in around] + [last.text if isinstance(last.tag, str) else ""]
    if any((text or "").endswith(_CLOSED) for text in texts):
        tag = html.find("<", place - 1, stop)
        return html[tag:stop] if tag >= 0 else ""
    for quote, end_of_value in (('"', _PROBE), ("'", f'{_PROBE}"')):
        if any(value.endswith(end_of_value) for value in last.values()):
            before = html[max(0, stretch.start - window) : place]
            return before + html[place:stop].partition(quote)[2]
    return stretch.text(html, window)


def _last_elements(html: str) -> list[Tree]:
    """The elements around the end of a page."""
    tree = parse(html)
    if tree is None:
        tree = parse("")
    around = [tree]
    while len(tree):
        tree = tree[-1]
        around.append(tree)
    return around


def blank_controls(html: str) -> str:
    """Replace characters that XML forbids (controls, lone surrogates) by spaces."""
    return _NOT_XML.sub(" ", html)


def open_ended(html: str) -> str:
    """The page with every </html> replaced, because libxml2 drops everything after it."""
    return _END.sub(_NO_END, html)


def parse(html: str) -> Tree:
    """Parse a decoded page; None if it contains only a comment."""
    try:
        body = html.encode()
    except UnicodeEncodeError:  # Lone surrogates.
        body = blank_controls(html).encode()
    body = body.replace(b"\0", b"").strip()
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, recover=True, collect_ids=False)
    return etree.fromstring(body or b"<html/>", parser=parser)
