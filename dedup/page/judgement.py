"""What main text is judged by: the numbers and names of ``main_text`` and ``weighted_tree``.

Their compiled counterpart is told them from here (``RULES``), so that each stands in one place.
"""

from __future__ import annotations

from array import array
from functools import lru_cache

from dedup.page.articles import choose
from dedup.page.limits import MOST_REFERENCES, MOST_TAGS
from dedup.page.names import (
    CHROME_TAGS,
    is_article,
    is_chrome,
    is_comments,
    is_high,
    is_low,
    is_menu,
    is_notice,
    is_sidebar,
    make_of,
    says_nothing,
)
from dedup.page.nesting import SAYS
from dedup.page.paragraphs import Kind, Paragraph
from dedup.page.patience import need, timed
from dedup.page.vocabulary import (
    BLOCKS,
    INVISIBLE,
    KIND_LEVELS,
    KINDS,
    LONGER,
    NAMES,
    NUMBERS,
    RAW,
    READINGS,
    ROOTS,
    RUBY,
    VOID,
    key_of,
)
from dedup.page.written import hides, leads, read_hint, read_text

LEAST_OCTETS = 30  # of a run of text, as it is written, that an outline shows,
LEAST_LETTERS = 20  # and its letters,
LEAST_OCTETS_WIDE = 60  # which are so many octets of Chinese
NO_RUNNING_TEXT = INVISIBLE | frozenset("a h2 h3 h4 h5 h6".split())

FAINT = 100.0  # weight of an outline that shows next to nothing of its page
CLEAR = 0.3  # share of an outline's weight from which on its trunk is beyond doubt;
NOTICE = 1_000  # weight of a trunk that may be a notice below a text in short runs,
CLEAR_OF_SHORT = 0.5  # unless it has this much per octet of these
FADE = 0.5  # what a score keeps of its weight one level up,
FADE_ITEM = 0.25  # and out of a list item with parts of its own: a teaser, a comment
LOW = 0.3  # what weight keeps below a low name
HIGH = 1.3  # gain of a node with a high name,
BESIDE_H1 = 4.0  # and of one in the part of the page that its <h1> heads
WIDEN_GAIN = 0.25  # share of its text that the trunk must gain to widen,
WIDEN_LOSS = 0.2  # and other weight it may take in per weight gained
SPREAD = 0.5  # share of the text below which a trunk is but one part of several
HELD = 0.4  # share of the text outside parts with low names from which on a text may be sure
PRUNE = 0.5  # bad weight forgiven per good weight, or
MENU = 0.5  # share of the letters of a part inside an article that may be links
MISNAMED_WITHIN = 0.2  # a low name on this share of what was found is wrong,
ENOUGH_BESIDE = 600.0  # but that of comments only where less is left without low names
SURE_SHARE = 0.25  # share of what an <h1> heads from which on LEAST letters are trusted,
LEAST = 150.0
LEAST_TITLED = 200.0  # or of what the title heads, this many letters,
OUTWEIGHED = 4.0  # if the page has so many times as many;
ENOUGH = 400.0  # else it takes this many letters, as a site's footer may hold some hundreds,
ENOUGH_LOW = 1000.0  # or this many where only their size speaks against a low name

BRIEF = 90.0  # letters of the shortest text below a heading that is trusted
BRIEF_PROSE = 75.0  # letters of the shortest paragraph that counts as running text
BRIEF_LINKS = 0.2  # share of such a paragraph that may be links
BRIEF_REACH = 16.0  # blocks from the heading to the text, at most, without parts with low names

KIND_WEIGHT = {
    Kind.HEADING: 1.0,
    Kind.PARAGRAPH: 1.2,
    Kind.LIST_ITEM: 0.8,
    Kind.QUOTE: 1.0,
    Kind.CODE: 0.5,  # code stands in an article, it is none
    Kind.CELL: 0.7,
    Kind.TEXT: 0.9,
}
ENTRIES = frozenset((Kind.LIST_ITEM, Kind.CELL))  # judged with the list or table around
IDEOGRAPH = 3.0  # letters that one ideograph or syllable stands for
SCRAP = 15.0  # weight below which a block is a scrap, in letters
HEADING_LIMIT = 10.0  # a heading counts with its section, not by its own length
LINK_SHARE = 0.6  # a block with more of its text in links is navigation
LINK_WEIGHT = 0.5
ALL = 0.9  # share of a page from which on a part is all of it
TITLE_LEAST = 10.0  # letters of a title that is no mere word
LEAST_WITH_H1 = 250.0  # good weight of the smallest part that an <h1> can stand for

BARE_TEXT = frozenset(("p", "blockquote", "pre"))
NO_TRUNK = BARE_TEXT | frozenset(
    "h1 h2 h3 h4 h5 h6 li dt dd tr tbody thead tfoot figcaption caption".split()
)
NO_FADE = frozenset("ul ol dl tr tbody thead tfoot blockquote center hgroup".split())
NAMELESS = frozenset(("div", "td"))  # elements that say nothing without a class
MAIN = frozenset(("article", "main"))  # elements whose <footer> is not the site's,
HEADED = MAIN | frozenset(("section", "aside"))  # and with a <header> of their own

# The first octets, as UTF-8, of U+3000 to U+DFFF: Han, kana, Hangul, and some rare scripts
_WIDE = bytes(range(0xE3, 0xEE))
_SAYINGS = (
    is_low,
    is_chrome,
    is_notice,
    is_comments,
    is_high,
    is_article,
    is_menu,
    is_sidebar,
)

REMEMBERED = 1 << 14  # what hints say
_SAYINGS_IN_C = 1 << 13  # which compiled code remembers of these, if they are short,
_SAYING = 64  # in so many octets each: Saying in native/rules.h
_RESOLVING = 1e-6  # seconds that a reference of a character takes Python


class _Named:
    """An element by what it says of itself."""

    def __init__(self, tag: str, hint: str) -> None:
        self.tag = tag
        self.hint = hint


def _judge(part: _Named) -> int:
    """What the names of an element say, a bit each."""
    return sum(says(part) << bit for bit, says in enumerate(_SAYINGS))


_PLAIN = bytes(_judge(_Named(name, "")) for name in NAMES)


@timed
def _show(written: bytes) -> str:
    """Text as it is shown, with references of characters that are rare."""
    need(_RESOLVING * written.count(b"&"))
    return read_text(written)


@timed
def _tell(tag: bytes, name: int) -> tuple[int, bytes]:
    """What the names of an element say, and its first class; as its tag is written."""
    part = _Named(NAMES[name], read_hint(tag))
    return _judge(part), make_of(part)[1].encode()


@lru_cache(REMEMBERED)
@timed
def _say(name: int, hint: bytes) -> int:
    """What names say does not depend on which digits are in them: a hint has 0 for each."""
    part = _Named(NAMES[name], hint.decode())
    return _PLAIN[name] if says_nothing(part) else _judge(part)


# All that the compiled counterpart is told, in the order of native/rules.h
_NUMBERS = (
    *(FAINT, CLEAR, NOTICE, CLEAR_OF_SHORT, FADE, FADE_ITEM, LOW, HIGH, BESIDE_H1, WIDEN_GAIN),
    *(WIDEN_LOSS, SPREAD, PRUNE, MISNAMED_WITHIN, ENOUGH_BESIDE, SURE_SHARE, LEAST, LEAST_TITLED),
    *(OUTWEIGHED, ENOUGH, ENOUGH_LOW, IDEOGRAPH, SCRAP, HEADING_LIMIT, LINK_SHARE, LINK_WEIGHT),
    *(ALL, TITLE_LEAST, LEAST_WITH_H1, LEAST_OCTETS, LEAST_OCTETS_WIDE, LEAST_LETTERS),
    *(MOST_TAGS, MOST_REFERENCES),
    *(BRIEF, BRIEF_PROSE, BRIEF_LINKS, BRIEF_REACH, MENU, HELD),
)
_TRAITS = (
    *(RAW, LONGER, BLOCKS | INVISIBLE, INVISIBLE, NO_RUNNING_TEXT),
    *(NO_TRUNK, NO_FADE, BARE_TEXT, MAIN, CHROME_TAGS, ROOTS, NAMELESS, HEADED, READINGS, RUBY),
)
_NAMED = "a br hr html body h1 li form details header article title svg noscript"
_KEYS = sorted((key_of(name), number) for number, name in enumerate(NAMES))
_INHERITED = 255  # in place of the number of a kind
RULES = (
    array("d", _NUMBERS),
    array("Q", (key for key, _ in _KEYS)),
    bytes(number for _, number in _KEYS),
    bytes(map(len, NAMES)),
    array(
        "H", (sum((name in these) << bit for bit, these in enumerate(_TRAITS)) for name in NAMES)
    ),
    SAYS,
    bytes(KIND_LEVELS.index(KINDS[name]) if name in KINDS else _INHERITED for name in NAMES),
    bytes(level for _, level in KIND_LEVELS),
    bytes((kind is Kind.HEADING) + 2 * (kind in ENTRIES) for kind, _ in KIND_LEVELS),
    array("d", (KIND_WEIGHT[kind] for kind, _ in KIND_LEVELS)),
    _PLAIN,
    array("Q", sorted(VOID)),
    tuple(NUMBERS[name] for name in _NAMED.split()),
    tuple(kind for kind, _ in KIND_LEVELS),
    Paragraph,
    _show,
    timed(hides),
    timed(leads),
    _say,
    _tell,
    choose,
    bytearray(_SAYINGS_IN_C * _SAYING),
)


def measure(text: str) -> float:
    """Letters of a text, ideographs counted for the letters they stand for."""
    if text.isascii():
        return len(text)
    octets = text.encode("utf-8", "replace")
    wide = len(octets) - len(octets.translate(None, _WIDE))
    return len(text) + (IDEOGRAPH - 1) * wide
