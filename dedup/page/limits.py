"""What a page may ask of its reader: past these limits it gets no fingerprint.

html -> why_refused -> parser -> main text -> is_too_long -> normalise and segment

Checked before the work, in time linear in the page. The limits are far beyond the pages people
read: 100,000 tags are twice those of a large reference manual on one page, 1.5 MB of main text are
two novels. They keep a page under 2 seconds of CPU and 300 MiB. libxml2 is linear in all but the
attributes of one tag, where it is quadratic: 160,000 of them take a minute.
"""

from __future__ import annotations

import re
from itertools import islice

from dedup.page.paragraphs import MainText

MOST_TAGS = 100_000  # or lines, for text that is no page
MOST_TAGS_OF = {"readability": 60_000}  # slower by far, and more so the deeper a page is nested
LONG_TAG = 4_000  # characters; more than a thousand attributes take that many
MOST_IN_LONG_TAGS = 20_000  # attributes: half a second, if one tag has them
MOST_ATTRIBUTES = 300_000  # of a page; each takes some 200 bytes of a tree
MOST_PARAGRAPHS = 50_000
MOST_TEXT = 1_500_000  # bytes of main text, as UTF-8,
MOST_SPACED = 3 * MOST_TEXT  # and once normalised: some characters are short for whole phrases
REFUSALS = {
    "too_many_tags": "more tags or line ends than are read",
    "too_many_attributes": f"more than {MOST_ATTRIBUTES:,} attributes, or "
    f"{MOST_IN_LONG_TAGS:,} in tags of more than {LONG_TAG:,} characters",
    "too_long_text": f"more than {MOST_TEXT:,} bytes, or {MOST_PARAGRAPHS:,} paragraphs, "
    "of main text",
}

_MISLEADING = 10  # values with a ">" inside from which on a tag may be longer than it looks
_LINE_ENDS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"  # as str.splitlines has them
_SPACE = r"[ \t\n\f\r]"
_MISLEADS = re.compile(rf"""={_SPACE}*+(?:"[^">]*+>|'[^'>]*+>)""")
_WITH_END = rf"""={_SPACE}*+(?:"(?=[^">]*+>)[^"]*+"|'(?=[^'>]*+>)[^']*+')"""
_LONG = f"[^>]{{{LONG_TAG}}}"
_LOOKS_LONG = re.compile(f"<[a-zA-Z]{_LONG}")
_GOES_ON = re.compile(_WITH_END + _LONG)
_TAG = re.compile(rf"""<[a-zA-Z](?:[^>=]++|={_SPACE}*+(?:"[^"]*+"|'[^']*+')?)*+""")
_ATTRIBUTE = re.compile(
    rf"""[^\s/>=][^\s/>=]*+(?:{_SPACE}*+={_SPACE}*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?)?"""
)


def why_refused(html: str, extractor: str) -> str:
    """The word from REFUSALS for why a page is not parsed; empty where it may be.

    Args:
        html: the page, decoded.
        extractor: who is to read it.
    """
    if html.count("<") + html.count("\u2028") > MOST_TAGS_OF.get(extractor, MOST_TAGS):
        return "too_many_tags"
    if len(html) > 4 * MOST_ATTRIBUTES and _count_attributes(html, 0) > MOST_ATTRIBUTES:
        return "too_many_attributes"
    return "too_many_attributes" if has_long_tags(html) else ""


def has_long_tags(html: str, most: int = MOST_IN_LONG_TAGS) -> bool:
    """Whether a page has more attributes in long tags than ``most``."""
    return may_have_long_tags(html) and _count_attributes(html, LONG_TAG, most) > most


def may_have_long_tags(html: str) -> bool:
    """Whether any tag may have more attributes than a parser takes in its stride.

    Never False where one has; True also for a page with, say, a picture inside an attribute.
    """
    if len(html) < 3 * MOST_IN_LONG_TAGS:
        return False
    if _LOOKS_LONG.search(html):
        return True
    misleading = sum(1 for _ in islice(_MISLEADS.finditer(html), _MISLEADING))
    return misleading == _MISLEADING or (misleading > 0 and _GOES_ON.search(html) is not None)


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
