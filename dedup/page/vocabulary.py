"""The names of elements that mean something to a reader, and what they mean."""

from __future__ import annotations

from dedup.page.paragraphs import Kind

BLOCKS = frozenset(
    "html body main article section div header footer nav aside p h1 h2 h3 h4 h5 h6 ul ol li dl dt "
    "dd pre blockquote figure figcaption table thead tbody tfoot tr td th caption form fieldset "
    "legend details summary address center hgroup xmp menu dir search".split()
)
INVISIBLE = frozenset(
    "script style noscript template title svg annotation canvas iframe object audio video map "
    "select datalist button textarea dialog noembed noframes".split()
)
RAW = frozenset(  # hold no tags; <noscript> where scripts run
    "script style textarea title iframe xmp noembed noframes noscript".split()
)
READINGS = frozenset(("rt", "rp"))  # how ideographs are read, beside them: no text of its own
RUBY = READINGS | {"ruby", "rb", "rtc"}  # a tag of these ends a reading
NAMES = ("", "!", *sorted(BLOCKS | INVISIBLE | RUBY | {"a", "br", "hr", "span"}))
NUMBERS = {name: number for number, name in enumerate(NAMES)}  # of names; 0 is any other,
ODDITY = 1  # and this a comment, a doctype and the like

NAME_OCTETS = 8  # of a name that are looked at,
LONGER = ("annotation", "blockquote", "figcaption")  # which tells these too

KINDS = {  # of the text in an element, with the level of headings
    **{f"h{level}": (Kind.HEADING, level) for level in range(1, 7)},
    **dict.fromkeys(("li", "dt", "dd"), (Kind.LIST_ITEM, 0)),
    **dict.fromkeys(("td", "th", "caption"), (Kind.CELL, 0)),
    "p": (Kind.PARAGRAPH, 0),
    "blockquote": (Kind.QUOTE, 0),
    "pre": (Kind.CODE, 0),
}
KIND_LEVELS = ((Kind.TEXT, 0), *dict.fromkeys(KINDS.values()))  # all of them
ROOTS = frozenset(("", "html", "body"))  # tags of what all of a page hangs in


def key_of(name: str) -> int:
    """The key of a name: its first octets, as a number."""
    return int.from_bytes(name.encode()[:NAME_OCTETS], "little")


VOID = frozenset(
    key_of(name)
    for name in "area base br col embed hr img input link meta param source track wbr".split()
)
