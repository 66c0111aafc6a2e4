"""So many attributes that they cost a parser too much memory, or too much time if in one tag.

libxml2 is linear in all but the attributes of one tag, where it is quadratic: 160,000 of them take
a minute. An attribute with a name of its own takes four octets, so that only tags of a certain
length cost anything; the larger a page, the more of them it has room for, and the shorter they are.

    windows of a page -> those that a tag may span -> what may stand between attributes there
                                                   -> where that is much: what the parser says

So no page is read from its beginning, where a quote in a script, say, could mislead the reading. A
window is examined for every state in which a tag may reach it; and only the parser itself is
trusted to say that a place lies in a script, in other text, or in one long value.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from lxml import etree

from dedup.page.controls import blank_controls
from dedup.page.limits import MOST_ATTRIBUTES, MOST_IN_LONG_TAGS

MOST_ASKED = 3  # places of a page about which the parser is asked

# Groups before *+ are atomic: (?:...)*+ misleads Python before 3.11.5 (python/cpython#100061).
_SPACE = "[\x00-\x20\x7f\ud800-\udfff\ufffe\uffff]"  # and what may be blanked or left out
_VALUE = r"""(?:"[^"]*+"|'[^']*+')"""
_TAG = re.compile(f"<[a-zA-Z](?>[^>=]++|={_SPACE}*+{_VALUE}?)*+")
_ATTRIBUTE = re.compile(
    rf"""[^\s/>=][^\s/>=]*+(?:{_SPACE}*+={_SPACE}*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?)?"""
)
_TO_END = f"(?>[^>=]++|={_SPACE}*+(?:{_VALUE}|(?![\"'])))*+>"
_ENDS_ALL = re.compile(  # tags that a window begins in: between attributes, behind a =, in a value
    rf"""(?={_TO_END})"""
    rf"""(?={_SPACE}*+(?:{_VALUE}{_TO_END}|(?!["'])))"""
    rf"""(?=[^"]*+(?:\Z|"{_TO_END}))"""
    rf"""[^']*+(?:\Z|'{_TO_END})"""
)
# One of these octets stands between two attributes; \xed begins surrogates (and some Hangul).
_BETWEEN = b"/>=\x7f\xed" + bytes(range(0x21))
_PROBE = f"\ufdd0{secrets.token_hex(8)}"  # no page can have it
_CLOSED = f"{_PROBE}\"'>"  # it ends a value or a tag, but no text
_RAW = frozenset(("script", "style", "textarea", "title"))  # by their own end tags alone
_RAW_END = re.compile(f"</(?:{'|'.join(_RAW)})", re.IGNORECASE)
_LONGEST_END = len("</textarea")
_END = re.compile(r"</html\s*>", re.IGNORECASE)
_NO_END = "</x>"  # in its place: an end tag that libxml2 reads as markup and ignores

Tree = Any  # the root element of a page, as lxml makes it


@dataclass(frozen=True, slots=True)
class LongTags:
    """Which tags are long, and how many attributes they may have.

    Attributes:
        least: characters of a long tag, at least.
        product: a tag is long if its characters times those of the page are more than this. Shorter
            ones take a second or so, however many they are.
        most: attributes of one such tag, or of several in proportion.
    """

    least: int = 4_000
    product: int = 10**10
    most: int = MOST_IN_LONG_TAGS

    @property
    def many(self) -> int:
        """Attributes in one place from which on the parser is asked about it."""
        return self.most // 4


LONG_TAGS = LongTags()


def has_too_many_attributes(html: str, long_tags: LongTags = LONG_TAGS) -> bool:
    """Whether a page, decoded, may cost its parser too much by its attributes."""
    return _has_more(html) or _has_long_tags(html, long_tags)


def _has_more(html: str) -> bool:
    """Whether tags have more attributes, their own names among them; eight characters or more."""
    if len(html) <= 8 * MOST_ATTRIBUTES:
        return False
    tags = [tag.span() for tag in _TAG.finditer(html)]
    if sum(end - start for start, end in tags) <= 2 * MOST_ATTRIBUTES:
        return False
    attributes = (one for span in tags for one in _ATTRIBUTE.finditer(html, *span))
    return next(islice(attributes, MOST_ATTRIBUTES, None), None) is not None


def _has_long_tags(html: str, limits: LongTags) -> bool:
    """Whether long tags may have so many that they cost too much."""
    shortest = max(limits.least, limits.product // max(1, len(html)))
    if len(html) <= shortest:
        return False
    window = shortest // 2
    stretches = list(_find_spanned(html, window))
    counts = ((s.joined, _count_between(s.text(html, window))) for s in stretches)
    if not _cost_too_much(counts, limits.most):
        return False
    asked = _ask(html, stretches, window, limits.many)
    return blank_controls(html) != html or _cost_too_much(asked, limits.most)


class _Stretch(NamedTuple):
    """Windows of a page, one beside the other, that a tag may span.

    ``joined`` is whether it may come from the stretch before, through windows in a single value.
    """

    start: int
    end: int
    joined: bool

    def text(self, html: str, window: int) -> str:
        """The part of the page where the attributes of such a tag are."""
        return html[max(0, self.start - window) : self.end + window]


def _find_spanned(html: str, window: int) -> Iterator[_Stretch]:
    """All stretches of the windows that a page is cut into, that a tag may span.

    Most windows are not spanned: wherever in a tag they begin, the tag ends in them. One that lies
    in a single value has no attributes to be counted, but the tag goes on behind it.
    """
    found: _Stretch | None = None
    goes_on = False
    for start in range(0, len(html) - window + 1, window):
        end = start + window
        if html.find(">", start, end) < 0 or not _ENDS_ALL.match(html, start, end):
            if found is not None and found.end == start:
                found = found._replace(end=end)
            else:
                if found is not None:
                    yield found
                found = _Stretch(start, end, goes_on)
            goes_on = True
        elif goes_on:
            goes_on = html.find("'", start, end) < 0 or html.find('"', start, end) < 0
    if found is not None:
        yield found


def _cost_too_much(counts: Iterable[tuple[bool, int]], most: int) -> bool:
    """Whether there are too many pairs of attributes, by the numbers in stretches joined or not."""
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
    """The attributes that a tag in a part of a page may have, at most."""
    encoded = part.encode("utf-8", "surrogatepass")
    bare = encoded.translate(None, _BETWEEN)
    return len(encoded) - len(bare) + encoded.count(b"\xef\xbf")  # as U+FFFE begins, and few others


def _ask(
    html: str, stretches: Iterable[_Stretch], window: int, many: int
) -> Iterator[tuple[bool, int]]:
    """The numbers of attributes, where there may be many after a look at what the parser says.

    The parser is given the page up to a stretch, unless a tag may come there with many before.
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
    """What a tag that may span a stretch is made of, where that lies in text or in a value."""
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


def open_ended(html: str) -> str:
    """The page with every </html> defused: libxml2 drops what follows one."""
    return _END.sub(_NO_END, html)


def parse(html: str) -> Tree:
    """Parse a page, decoded; None where it is nothing but a comment."""
    try:
        body = html.encode()
    except UnicodeEncodeError:  # lone surrogates
        body = blank_controls(html).encode()
    body = body.replace(b"\0", b"").strip()
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, recover=True, collect_ids=False)
    return etree.fromstring(body or b"<html/>", parser=parser)
