"""What a page may ask of its reader: past these limits it gets no fingerprint.

html -> why_refused -> parser -> main text -> is_too_long -> normalise and segment

Checked before the work, in time linear in the page. The limits are far beyond the pages people
read: 100,000 tags are twice those of a large reference manual on one page, 1.5 MB of main text are
two novels. They keep a page under 2 seconds of CPU and 300 MiB.

libxml2 is linear in all but the attributes of one tag, where it is quadratic: 160,000 of them take
a minute. An attribute with a name of its own takes four characters, so that only tags of a certain
length cost anything; the larger a page, the more of them it has room for, and the shorter they are.
"""

from __future__ import annotations

import re
from itertools import islice

from dedup.page.paragraphs import MainText

MOST_TAGS = 100_000  # or lines, for text that is no page
MOST_TAGS_OF = {"readability": 60_000}  # slower by far, and more so the deeper a page is nested
LONG_TAG = 4_000  # characters of tags whose attributes are counted, at least;
LONG_TAGS = 10**10  # these times the characters of the page: else they take less than a second
MOST_IN_LONG_TAGS = 20_000  # attributes: another, if one tag has them
MOST_ATTRIBUTES = 300_000  # of a page; each takes some 200 bytes of a tree
MOST_PARAGRAPHS = 50_000
MOST_TEXT = 1_500_000  # bytes of main text, as UTF-8,
MOST_SPACED = 3 * MOST_TEXT  # and once normalised: some characters are short for whole phrases
REFUSALS = {
    "too_many_tags": "more tags or line ends than are read",
    "too_many_attributes": f"more than {MOST_ATTRIBUTES:,} attributes, or "
    f"{MOST_IN_LONG_TAGS:,} in very long tags",
    "too_long_text": f"more than {MOST_TEXT:,} bytes, or {MOST_PARAGRAPHS:,} paragraphs, "
    "of main text",
}

_LINE_ENDS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"  # as str.splitlines has them
_SPACE = r"[ \t\n\f\r]"
_VALUE = r"""(?:"[^"]*+"|'[^']*+')"""
_TAG = re.compile(f"<[a-zA-Z](?:[^>=]++|={_SPACE}*+{_VALUE}?)*+")
_TO_END = f"(?:[^>=]++|={_SPACE}*+(?:{_VALUE}|(?![\"'])))*+>"
_ENDS_ALL = re.compile(  # tags that a window begins in: between attributes, behind a =, in a value
    rf"""(?={_TO_END})"""
    rf"""(?={_SPACE}*+(?:{_VALUE}{_TO_END}|(?!["'])))"""
    rf"""(?=[^"]*+(?:\Z|"{_TO_END}))"""
    rf"""[^']*+(?:\Z|'{_TO_END})"""
)
_ATTRIBUTE = re.compile(
    rf"""[^\s/>=][^\s/>=]*+(?:{_SPACE}*+={_SPACE}*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?)?"""
)


def why_refused(html: str, extractor: str) -> str:
    """The word from REFUSALS for why a page is not parsed; empty where it may be.

    Args:
        html: the page, decoded.
        extractor: who is to read it.
    """
    if _has_more_tags(html, MOST_TAGS_OF.get(extractor, MOST_TAGS)):
        return "too_many_tags"
    if len(html) > 8 * MOST_ATTRIBUTES and _count_attributes(html, 0) > MOST_ATTRIBUTES:
        return "too_many_attributes"
    return "too_many_attributes" if _has_long_tags(html) else ""


def has_too_many_lines(text: str) -> bool:
    """Whether a text that is no page has more lines than are read."""
    return sum(map(text.count, _LINE_ENDS)) > MOST_TAGS


def is_too_long(main: MainText) -> bool:
    """Whether there is too much main text to normalise and segment it."""
    paragraphs = main.paragraphs
    if len(paragraphs) > MOST_PARAGRAPHS:
        return True
    if 4 * sum(len(paragraph.text) for paragraph in paragraphs) <= MOST_TEXT:
        return False
    return len(main.text.encode("utf-8", "replace")) > MOST_TEXT


def _has_more_tags(html: str, most: int) -> bool:
    """Whether there are more tags and line separators; a tag takes two characters at least."""
    if len(html) <= most:
        return False
    separators = html.count("\u2028")
    return (separators > 0 or len(html) > 2 * most) and html.count("<") + separators > most


def _has_long_tags(html: str) -> bool:
    """Whether there are too many attributes in long tags."""
    shortest = max(LONG_TAG, LONG_TAGS // max(1, len(html)))
    if len(html) <= shortest or not _may_have_tags_of(html, shortest):
        return False
    return _count_attributes(html, shortest, MOST_IN_LONG_TAGS) > MOST_IN_LONG_TAGS


def _may_have_tags_of(html: str, length: int) -> bool:
    """Whether any tag may be longer than some characters; never False where one is.

    Such a tag spans one of the windows, half as long, that the page is cut into. Most are spanned
    by none, and need no reading from the page's beginning on to know it: wherever in a tag a window
    begins, the tag ends in it. A window that lies in one value has no attributes to be counted.
    """
    window = length // 2
    return any(
        html.find(">", start, start + window) < 0
        or not _ENDS_ALL.match(html, start, start + window)
        for start in range(0, len(html) - window + 1, window)
    )


def _count_attributes(html: str, shortest: int, most: int = MOST_ATTRIBUTES) -> int:
    """Count the attributes of tags longer than ``shortest``, tags' own names among them.

    Ends soon after ``most``; 0 where the tags are too short for more than that.
    """
    tags = [tag.span() for tag in _TAG.finditer(html) if tag.end() - tag.start() > shortest]
    count = 0
    if sum(end - start for start, end in tags) > 2 * most:
        for span in tags:
            count += sum(1 for _ in islice(_ATTRIBUTE.finditer(html, *span), most + 1))
            if count > most:
                break
    return count
