"""Which element is in which, by the tags of block elements and of invisible ones.

Few authors end all elements. A tag ends what the HTML standard (section 13.2.6, Tree construction)
says it does, as far as that concerns these elements; what the standard moves elsewhere (text
between the rows of a table) stays where it stands.
"""

from __future__ import annotations

from collections.abc import Container

from dedup.page.vocabulary import BLOCKS, NAMES, NUMBERS

FARTHEST = 100  # levels up that a tag ends an element
NOWHERE = -1  # the place around the outermost elements

_HTML, _BODY = NUMBERS["html"], NUMBERS["body"]


def _numbers(names: str) -> frozenset[int]:
    return frozenset(NUMBERS[name] for name in names.split())


_ALL = frozenset(range(len(NAMES)))
_NONE: frozenset[int] = frozenset()
_OUTSIDE = {  # elements that an end tag does not end, nor any around them
    **dict.fromkeys(NAMES, _numbers("table td th caption template")),
    **dict.fromkeys("thead tbody tfoot tr td th caption".split(), _numbers("table template")),
    "table": _numbers("template"),
    "li": _numbers("table td th caption template ul ol"),
}
_IN_TABLE = _ALL - _numbers("table template")
_HEADINGS = "h1 h2 h3 h4 h5 h6"
_ROWS = "tr td th caption"
_ENDED = {  # elements that a tag ends as it begins another, and those that they are sought through
    **dict.fromkeys(NAMES, (_NONE, _NONE)),
    **dict.fromkeys(BLOCKS - {"html", "body"}, (_numbers("p"), _NONE)),
    **dict.fromkeys(_HEADINGS.split(), (_numbers(f"p {_HEADINGS}"), _NONE)),
    **dict.fromkeys(("dt", "dd"), (_numbers("dt dd"), _numbers("p div address"))),
    "li": (_numbers("li"), _numbers("p div address")),
    **dict.fromkeys(("td", "th"), (_numbers("td th caption"), _IN_TABLE - _numbers("tr"))),
    "tr": (_numbers(_ROWS), _IN_TABLE),
    **dict.fromkeys(
        ("thead", "tbody", "tfoot"), (_numbers(f"thead tbody tfoot {_ROWS}"), _IN_TABLE)
    ),
}
_STAYS_IN = [_OUTSIDE[name] for name in NAMES]
_CLOSES = [_numbers(_HEADINGS if name in _HEADINGS.split() else name) for name in NAMES]
_ENDS = [_ENDED[name][0] for name in NAMES]
_STOPS_AT = [_ALL - ended - through for ended, through in map(_ENDED.__getitem__, NAMES)]
_SAYINGS = (_ENDS, _STOPS_AT, _CLOSES, _STAYS_IN)
SAYS = bytes(  # the same as one table: what each name says of each other, a bit for each of these
    sum((other in saying[name]) << bit for bit, saying in enumerate(_SAYINGS))
    for name in range(len(NAMES))
    for other in range(len(NAMES))
)


def nest(names: bytes, ends: bytes) -> tuple[list[int], list[int]]:
    """Nest the elements that tags begin and end; an element is the place of its tag among them.

    Args:
        names: of the tags, indices into NAMES.
        ends: 1 where a tag is an end tag, else 0.

    Returns:
        The innermost element that is open behind each place, and the element around the one that
        begins there (NOWHERE for end tags too).
    """
    inner = list(range(len(names)))
    outer = [NOWHERE] * len(names)
    names += b"\0"
    around = [NOWHERE]  # the elements that are open; names[NOWHERE] is no name
    for place, (name, is_end) in enumerate(zip(names, ends, strict=False)):
        last = around[-1]
        if not is_end:
            if name == _BODY:  # whatever the head left open
                del around[2 if names[0] == _HTML and len(around) > 1 else 1 :]
                last = around[-1]
            while names[last] not in _STOPS_AT[name]:
                depth = _depth_of(around, names, _ENDS[name], _STOPS_AT[name])
                if not depth:
                    break
                del around[depth:]
                last = around[-1]
            outer[place] = last
            around.append(place)
            continue
        if names[last] == name:
            around.pop()
        elif depth := _depth_of(around, names, _CLOSES[name], _STAYS_IN[name]):
            del around[depth:]
        inner[place] = around[-1]
    return inner, outer


def _depth_of(
    around: list[int], names: bytes, wanted: Container[int], stops: frozenset[int]
) -> int:
    """How many levels up from the root the innermost of the elements wanted is; 0 for none."""
    for depth in range(len(around) - 1, max(0, len(around) - FARTHEST), -1):
        name = names[around[depth]]
        if name in wanted:
            return depth
        if name in stops:
            return 0
    return 0
