"""Where the tags of a page are, found in bulk.

A page is UTF-8. All its < and > are found by array arithmetic; each < that begins a tag is joined
to the next >, and its name looked up among those that mean something to a reader. Then the few tags
of a page where that may be wrong are examined one by one: tags whose > may stand in a quoted value,
comments, and elements whose text is raw (scripts); what stands in them is no tag. As the HTML
standard has it (section 13.2.5, Tokenization), with these exceptions: a quote that nothing closes
is a character like others; a tag that ends in a / after a space, a quote or its name is empty, as
in XHTML; a "> in a value between single quotes may be taken for the end of its tag; and a script
ends at the first </script>, in a comment too.

Time and memory are linear in the page, whatever it holds: a tag that is one jumble of attributes
is a tag like others, and only who asks for its attributes reads any.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dedup.page.vocabulary import LONGER, NAME_OCTETS, NAMES, ODDITY, RAW, key_of

Integers = npt.NDArray[np.int64]
Octets = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]
Booleans = npt.NDArray[np.bool_]

PADDING = bytes(NAME_OCTETS + 2)  # behind a page: a last < may seem to begin </ and a name
PART = 1 << 16  # octets looked at together
_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LEAST_WITH_VALUE = len(" b='")  # octets beside a name before a > in a value
_EITHER = 0xFF ^ ord("<") ^ ord(">")  # the bits in which the two are alike
_LOWER_CASE = np.uint64(0x2020202020202020)
_TAG = re.compile(rb"""<(?:[^>=]++|=[ \t\r\n\f]*+(?:"[^"]*+"|'[^']*+'|[^\s"'>][^\s>]*+)?)*+>""")
_COMMENT = re.compile(rb"<!--(?:-?>|.*?--!?>)", re.DOTALL)
_AFTER_NAME = b"> /\t\r\n\f"  # of an end tag of raw text
_ALONE = (b" /", b'"/', b"'/")  # before the > of a tag that ends in a / of its own


def _holds(octets: bytes) -> Booleans:
    table = np.zeros(256, np.bool_)
    table[list(octets)] = True
    return table


_IS_LETTER = _holds(_LETTERS)
_IN_NAME = _LETTERS + b"0123456789-_:."
_IS_IN_NAME = _holds(_IN_NAME)
_NOT_IN_NAME = bytes(octet not in _IN_NAME for octet in range(256))  # octets to 0 in a name, else 1
_IS_RAW = np.array([name in RAW for name in NAMES])
_IS_LONGER = np.array([name in LONGER for name in NAMES])
_NAMES_BY_KEY = np.array(sorted(range(len(NAMES)), key=lambda name: key_of(NAMES[name])), np.uint8)
_KEYS = np.array([*(key_of(NAMES[name]) for name in _NAMES_BY_KEY), (1 << 64) - 1], np.uint64)
_NAMES_BY_KEY = np.append(_NAMES_BY_KEY, np.uint8(0))
_ONE = np.uint64(1)


@dataclass(frozen=True, slots=True)
class Tags:
    """The tags of a page in their order, as parallel arrays of shape (n,).

    Attributes:
        html: the page, and PADDING.
        end: where the page ends, as far as its tags are whole.
        starts: where each tag begins.
        stops: where it ends, and the text behind it begins.
        names: its name, an index into NAMES.
        ends: whether it is an end tag.
        empty: whether it says that it holds nothing, as in <name/>.
        keys: the first octets of its name, whether it is in NAMES or not: equal for equal names.
    """

    html: bytes
    end: int
    starts: Integers
    stops: Integers
    names: Octets
    ends: Booleans
    empty: Booleans
    keys: Words

    def at(self, these: Booleans | Integers) -> Tags:
        """The tags that an index or a mask selects."""
        return Tags(
            self.html,
            self.end,
            self.starts[these],
            self.stops[these],
            self.names[these],
            self.ends[these],
            self.empty[these],
            self.keys[these],
        )


def find_tags(html: bytes) -> Tags:
    """Find the tags of a page in UTF-8 with PADDING; one that ends in a tag is without it."""
    octets = np.frombuffer(html, np.uint8)
    page_end = len(html) - len(PADDING)
    places = _find_brackets(octets)
    opens = octets[places] == ord("<")
    openers, closers = np.flatnonzero(opens), np.flatnonzero(~opens)
    begins, ends, odd = _what_begins(octets, places[openers])
    nth_closer = np.cumsum(~opens)[openers]
    endless = begins & (nth_closer == len(closers))
    if endless.any():
        page_end = int(places[openers[endless][0]])
        begins &= ~endless
    openers, ends, odd = openers[begins], ends[begins], odd[begins]
    closers = closers[nth_closer[begins]]
    starts, stops = places[openers], places[closers] + 1
    keys, names, lengths = _read_names(octets, starts + 1 + ends)
    names[odd] = ODDITY
    closed, alone = _read_last(octets, stops)
    beside_name = stops - starts - lengths - len("<>")
    empty = ~ends & (alone | (octets[stops - 2] == ord("/")) & (beside_name == 1))
    doubtful = ~(closed | ends) & (beside_name >= _LEAST_WITH_VALUE)
    doubtful[odd] = ~_are_dashed(octets, stops[odd])
    doubtful |= _are_irregular(opens, openers, closers)
    holding = _IS_RAW[names] & ~ends
    ended = (names[1:] == names[:-1]) & ends[1:] & (beside_name[1:] == len("/"))
    holding[:-1] &= doubtful[:-1] | ~ended  # else the next tag ends it
    tags = Tags(html, page_end, starts, stops, names, ends, empty, keys)
    return _without_lookalikes(tags, doubtful, holding)


def _find_brackets(octets: Octets) -> Integers:
    """The places of all < and >, found part by part: so what is made on the way stays in cache."""
    found = []
    for start in range(0, len(octets), PART):
        part = np.flatnonzero(octets[start : start + PART] & _EITHER == ord("<"))
        part += start
        found.append(part)
    return np.concatenate(found)


def _what_begins(octets: Octets, at: Integers) -> tuple[Booleans, Booleans, Booleans]:
    """Of each <: whether a tag or an oddity begins there, an end tag, and an oddity."""
    first = octets[at + 1]
    ends = first == ord("/")
    named = _IS_LETTER[octets[at + 1 + ends]]
    odd = ~named & (ends | (first == ord("!")) | (first == ord("?")))
    return named | odd, ends, odd


def _read_last(octets: Octets, stops: Integers) -> tuple[Booleans, Booleans]:
    """Of each tag: whether it ends in a " that ends a value, and in a / that is in none."""
    last = stops - 2
    slashed = octets[last] == ord("/")
    last -= slashed
    spaced = octets[last] == ord(" ")
    last -= spaced
    end, before = octets[last], octets[last - 1]
    quoted = end == ord('"')
    closed: Booleans = quoted & (before != ord("=")) & (before != ord(" "))
    alone: Booleans = slashed & (spaced | quoted | (end == ord("'")))
    return closed, alone


def _are_dashed(octets: Octets, stops: Integers) -> Booleans:
    """Of each oddity, up to the first > behind it: whether it ends in -->, as comments do, too.

    So do <!--> and <!--->.
    """
    dashed: Booleans = (octets[stops - 2] == ord("-")) & (octets[stops - 3] == ord("-"))
    return dashed


def _are_irregular(opens: Booleans, openers: Integers, closers: Integers) -> Booleans:
    """Whether < and > do not alternate around each tag, so that some may stand in a value."""
    irregular: Booleans = closers != openers + 1
    twice = ~np.append(opens, True)[closers + 1]
    irregular |= twice
    irregular[:-1] |= twice[1:]
    return irregular


def _read_names(octets: Octets, at: Integers) -> tuple[Words, Octets, Octets]:
    """The keys of the names at some places, their indices into NAMES, and the keys' lengths."""
    eights = np.ndarray(len(octets) - NAME_OCTETS + 1, "<u8", octets, strides=(1,))
    first = eights[at]
    behind = np.frombuffer(first.tobytes().translate(_NOT_IN_NAME), "<u8")
    in_name = (behind & -behind) - _ONE  # all bits below the lowest that is set
    keys: Words = (first | _LOWER_CASE) & in_name
    lengths = np.bitwise_count(in_name) >> 3
    known = np.searchsorted(_KEYS, keys)
    names = np.where(_KEYS[known] == keys, _NAMES_BY_KEY[known], 0)
    whole = np.flatnonzero(lengths == NAME_OCTETS)
    goes_on = _IS_IN_NAME[octets[at[whole] + NAME_OCTETS]]
    names[whole[goes_on & ~_IS_LONGER[names[whole]]]] = 0
    return keys, names, lengths


def _without_lookalikes(tags: Tags, doubtful: Booleans, holding: Booleans) -> Tags:
    """Take out what only looks like a tag; tags with a > in a value end where they really end.

    Args:
        tags: each < that begins a tag, up to the next >.
        doubtful: those that may really end behind that >.
        holding: those of raw text that may hold lookalikes.
    """
    telling = np.flatnonzero(doubtful | holding)
    if not len(telling):
        return tags
    html, starts = tags.html, tags.starts.tolist()
    shown = np.ones(len(starts), np.bool_)
    raw_ends: dict[int, list[int]] = {}
    after = 0
    for tag, name, stop, is_doubtful, holds_text in zip(
        telling.tolist(),
        tags.names[telling].tolist(),
        tags.stops[telling].tolist(),
        doubtful[telling].tolist(),
        holding[telling].tolist(),
        strict=True,
    ):
        if tag < after:
            continue
        end = _real_stop(tags, name, starts[tag], stop) if is_doubtful else stop
        if end != stop:
            tags.stops[tag] = end
            tags.empty[tag] = html[end - 3 : end - 1] in _ALONE
        after = bisect_left(starts, end, tag + 1)
        if holds_text and not tags.empty[tag]:
            if name not in raw_ends:
                its_ends = np.flatnonzero(tags.ends & (tags.names == name)).tolist()
                length = len("</") + len(NAMES[name])
                raw_ends[name] = [e for e in its_ends if html[starts[e] + length] in _AFTER_NAME]
            ahead = bisect_left(raw_ends[name], after)
            after = raw_ends[name][ahead] if ahead < len(raw_ends[name]) else len(starts)
        if after > tag + 1:
            shown[tag + 1 : after] = False
    return tags.at(np.flatnonzero(shown))


def _real_stop(tags: Tags, name: int, start: int, stop: int) -> int:
    """Where a tag ends that seems to end at ``stop``."""
    html, end = tags.html, tags.end
    if name == ODDITY:
        if not html.startswith(b"<!--", start):
            return stop
        whole = _COMMENT.match(html, start, end)
        return whole.end() if whole else end
    if html.find(b'"', start, stop) >= 0 or html.find(b"'", start, stop) >= 0:
        whole = _TAG.match(html, start, end)
        return whole.end() if whole else end
    return stop
