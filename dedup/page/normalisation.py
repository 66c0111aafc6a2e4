"""One spelling for texts that readers see as the same.

- NFKC and case folding; invisible characters (zero-width and others) are removed.
- White space is folded, and removed between ideographs.
- Traditional Chinese becomes simplified through OpenCC, phrase by phrase: a character with several
  simplified forms then gets the right one. There, words of Taiwan become words of the mainland (see
  taiwan).
- Optional marks are removed: the vowel signs of Arabic and Hebrew, the dots of ё.
- Letters that keyboards confuse become one: ye and kaf of Persian and Arabic.
- The digits of all scripts become ASCII digits.
- The tone mark of Vietnamese stands as in the newer spelling.
- Signs that belong to a name become words: cplusplus, csharp.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from array import array
from functools import cache

from opencc import OpenCC

from dedup import native
from dedup.page.taiwan import to_mainland

VERSION = 7

_TATWEEL = "\u0640"
_CONFUSED = {"\u06cc": "\u064a", "\u0649": "\u064a", "\u06a9": "\u0643", "\u0451": "\u0435"}
_COMPOSING = "\u0653\u0654\u0655"  # Arabic signs that make another letter.
_MOST_MARKS = 30  # Marks in a row; no script has more (UAX #15, Stream-Safe Text Format).

# Soft hyphen, zero-width spaces and joiners, direction marks, variation selectors, BOM, tags and
# lone surrogates, which cannot be encoded.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]"
)
# Signs that describe the parts of an ideograph. OpenCC does not convert the text after one, even on
# the next line.
_DESCRIBING = re.compile("[\u2ff0-\u2fff\u31ef]")
_HAN_CLASS = "[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_HAN = re.compile(_HAN_CLASS)
# C++ and C# differ from C. A # after a longer word is a mark beside a heading. Han, kana and other
# scripts of the East may follow without white space.
_PART = r"[^\W\u2e80-\U0010ffff]"  # A character of a word in scripts that use white space.
# Each begins with its sign, which is then found fast.
_PLUS = re.compile(rf"\+(?<=[a-z]\+)\+*(?!{_PART}|[+#])")
_SHARP = re.compile(rf"#(?<=(?<!{_PART})[a-z]#)(?!{_PART}|[+#])")
# Combining marks, other signs, and two letters that become marks; no sign where a text may be cut.
_RUN_OF_MARKS = re.compile(rf"(?:[^\x00-\x7f\w\s。，]|[\uff9e\uff9f]){{{_MOST_MARKS + 1},}}")
_SPACED_HAN = re.compile(rf" (?<={_HAN_CLASS} ) *(?={_HAN_CLASS})")
_TONES = "\u0300\u0301\u0309\u0303\u0323"  # The tone marks of Vietnamese.
_TONE_PLACES = {  # Older spelling -> newer spelling.
    unicodedata.normalize("NFC", first + tone + second): unicodedata.normalize(
        "NFC", first + second + tone
    )
    for first, second in ("oa", "oe", "uy")
    for tone in _TONES
}
_TONE_PLACE = re.compile(rf"(?:{'|'.join(_TONE_PLACES)})(?!\w)")
_TONED = tuple({place[0] for place in _TONE_PLACES})
# Common signs that NFKC changes. Without them most lines are in NFKC, and that check is fast.
_SIGNS = [(s, unicodedata.normalize("NFKC", s)) for s in "\u00a0\u2026\u3000！（），：；？"]


# The characters in the table for native/spelling.c, and the codes for the spellings "" and "...".
_TABLE = (*range(0x3400), *range(0xFF00, 0x10000))
_IN_TABLE, _SEVERAL = {"": 0xFFFF, "...": 0xFFFE}, "\ufffe"
_JOINS = ("\u1100", "\u1200")  # From, to: the parts of Hangul, which join as marks do.


def normalise(text: str) -> str:
    """Normalise the spelling of a text for fingerprints."""
    return " ".join(spell(" ".join(text.split())).split())


def leave_invisible_out(text: str) -> str:
    """A text in its own spelling, without invisible characters."""
    return text if text.isascii() else _INVISIBLE.sub("", text)


def spell(text: str) -> str:
    """Like ``normalise``, but white space is kept: lines stay lines."""
    text, has_han = _spell_lines(text)
    if has_han:
        text = _simplify(text)
    if any(letter in text for letter in _TONED):
        text = _TONE_PLACE.sub(lambda found: _TONE_PLACES[found[0]], text)
    if "+" in text:
        text = _PLUS.sub(lambda signs: "plus" * len(signs[0]), text)
    return _SHARP.sub("sharp", text) if "#" in text else text


def _spell_lines(text: str) -> tuple[str, bool]:
    """Do all steps on single lines; also return whether there are Han characters to simplify."""
    spelled = native.spell(text, _spellings(), _spell_line)
    if spelled is not None:
        return spelled
    line = _spell_line(text)
    return line, not text.isascii() and _HAN.search(line) is not None


def _spell_line(text: str) -> str:
    """One or more lines in NFKC and lower case, without invisible characters.

    White space between ideographs is removed, too.
    """
    if not text.isascii():
        text = _DESCRIBING.sub(" ", _INVISIBLE.sub("", text))
        for sign, spelling in _SIGNS:
            text = text.replace(sign, spelling)
        lines = text.translate(_folds()).split("\n")
        text = "\n".join([line if line.isascii() else _compose(line) for line in lines])
        return _SPACED_HAN.sub("", text.casefold().translate(_folds()))
    return text.casefold()


@cache
def _folds() -> dict[int, str | None]:
    """The replacements of optional signs, of digits, and of confused letters."""
    characters = list(map(chr, range(0x80, 0x10000)))
    folds: dict[int, str | None] = dict.fromkeys(map(ord, filter(_may_be_left_out, characters)))
    folds |= {ord(c): str(unicodedata.decimal(c)) for c in characters if c.isdecimal()}
    return folds | {ord(one): other for one, other in _CONFUSED.items()}


def _may_be_left_out(sign: str) -> bool:
    """Whether a character is a vowel sign or similar of Arabic or Hebrew, or a line filler."""
    if unicodedata.category(sign) != "Mn":  # Most characters; their names take longer to find.
        return sign == _TATWEEL
    is_of_either = unicodedata.name(sign, "").startswith(("ARABIC", "HEBREW"))
    return is_of_either and sign not in _COMPOSING


@cache
def _spellings() -> bytes:
    """The spelling of each character of _TABLE, 16 bits each, for native/spelling.c.

    The value is 0 for characters that become several or longer, or that may join the character
    before them: Python then spells the line.
    """
    characters = "".join(map(chr, _TABLE)).replace("\n", "\0")  # A line cannot contain it.
    spelled = _spell_line("\n".join(characters)).split("\n")
    numbers = array("H", map(_as_number, characters, spelled))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _as_number(character: str, spelled: str) -> int:
    if not spelled:
        return _IN_TABLE[spelled]
    if unicodedata.category(character)[0] == "M" or _JOINS[0] <= spelled < _JOINS[1]:
        return 0
    if spelled == character:
        return ord(character) if character < _SEVERAL else 0
    if len(spelled) != 1:
        return _IN_TABLE.get(spelled, 0)
    is_mark = unicodedata.category(spelled)[0] == "M"
    longer = len(spelled.encode()) > len(character.encode())
    return 0 if is_mark or longer else ord(spelled)


def _compose(line: str) -> str:
    """A line in NFKC; long runs of marks are cut, because sorting them takes quadratic time."""
    return unicodedata.normalize("NFKC", _RUN_OF_MARKS.sub(_thin_out, line))


def _thin_out(run: re.Match[str]) -> str:
    rest = run[0][_MOST_MARKS:]
    return run[0][:_MOST_MARKS] + "".join(sign for sign in rest if not _is_mark(sign))


def _is_mark(sign: str) -> bool:
    return unicodedata.combining(unicodedata.normalize("NFKD", sign)[0]) != 0


def _simplify(text: str) -> str:
    """Simplify characters; lines that change also get the mainland's words for Taiwan's."""
    simplified = converter("t2s").convert(text)
    if simplified == text:
        return text
    lines = zip(text.split("\n"), simplified.split("\n"), strict=True)
    return "\n".join([to_mainland(line) if line != before else line for before, line in lines])


@cache
def converter(name: str) -> OpenCC:
    """A converter of OpenCC, such as ``t2s``; made once, because it loads dictionaries."""
    return OpenCC(name)
