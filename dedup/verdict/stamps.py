"""Stamps: lines that say when a page was made, by whom, or how often it was read.

    words of a line -> without its marks, and their dates -> what is left

A line is a stamp if it has a mark, and nothing is left but a few words beside a count or an age.
A sentence that begins like a stamp is none: "updated rules apply from 18 may", "by 18 may all
offers must be handed in".
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from dedup.verdict import dates, stamp_words

LONGEST = 400  # Bytes that are searched.
MOST_WORDS = 15
MOST_LEFT = 2  # Words that may be left beside a count or an age: a name, the title of a link.

_HAS_DIGIT, _WORD = re.compile(r"\d"), re.compile(r"\w+")
_COUNTED = f"(?:{stamp_words.COUNTED})"
_AMOUNT = r"\d[\d ]*[km万]?"
_COUNT = (
    rf"(?:{_COUNTED}(?: ?(?:次数|量|数))? {_AMOUNT}(?: ?次| times)?|"
    rf"{_AMOUNT} ?(?:次 ?|条 ?|人 ?)?{_COUNTED}(?! ?(?:次数|量|数|\d))|\d+ ?min(?:ute)?s? read)\b"
)
# A word that is no part of a name behind a label.
_NO_NAME = (
    "(?:is|are|was|were|will|would|shall|must|be|has|have|had|can|could|should|on|at|"
    rf"是|将|应|须|请|为|于|自|至|起|在|已|{stamp_words.LABEL}|{stamp_words.DONE}|{_COUNTED})\b|{dates.WORD}"
)
_NAMES = rf"(?: (?!{_NO_NAME})[^\W\d]\w*){{1,6}}"
# A bare number is no date: it may be the year in which a book was printed.
_WHEN_WORD = rf" (?!{_COUNT})(?:{dates.WORD}|(?:{stamp_words.JOINS})\b)"
_WHEN = rf"(?:(?:{_WHEN_WORD}){{2,}}|{_WHEN_WORD}(?<!\d))"
_BY = rf"(?:{stamp_words.LABEL})\b{_NAMES}"
_MADE = (
    "(?:(?:this|the) (?:page|article|story|post|entry|document) (?:was|has been) )?"
    rf"(?:(?:{stamp_words.TIME}) ?)*(?:{stamp_words.DONE})"
    rf"\b(?: (?:{stamp_words.JOINS})\b)*(?: (?:by|in|from)\b{_NAMES})*(?:{_WHEN})?"
)
_RIGHTS = rf"(?:copyright|版权 ?所有)\b(?:(?: (?:c|by)\b)*(?: (?:19|20)\d\d\b){{1,2}}.*|{_NAMES})"
_AGE = rf"(?:刚刚|(?:{stamp_words.AGE})\b(?: at{_WHEN})?)"
_PAGE = r"(?:page \d+(?: of \d+)?|第 ?\d+ ?页(?: 共 ?\d+ ?页)?|上 ?一页|下 ?一页)\b"
_LETTERS = "(?:字号|字体)(?: [大中小]+)*"
_MARK = rf"(?<!\w)(?:{_BY}|{_MADE}|{_RIGHTS}|{_AGE}|{_COUNT}|{_PAGE}|{_LETTERS})"
_PASSING = rf"(?<!\w)(?:{_AGE}|{_COUNT}|{_PAGE})"
_DATE = (
    rf"(?<!\w)(?:(?:{stamp_words.JOINS}) )?{dates.WORD}"
    rf"(?: (?:{dates.WORD}|(?:{stamp_words.JOINS})\b))*"
)
# The patterns contain the first digits of years. They do not tell any other digits apart.
_MAY_HAVE_YEAR = re.compile(rb"(?<![0-9])(?:19|20)").search
_ONE_DIGIT = bytes.maketrans(b"123456789", b"0" * 9)
# Compiled when first needed, because it takes long, and many processes need none of them.
_compiled = cache(re.compile)


def words_of(text: str) -> bytes:
    """The words of a text in any spelling, as ``is_stamp`` needs them."""
    return b" ".join(word.encode("utf-8", "replace") for word in _WORD.findall(text.lower()))


def is_stamp(line: bytes) -> bool:
    """Whether a short sentence, normalised words in UTF-8, is a stamp, or a date alone."""
    words = line.split(maxsplit=MOST_WORDS)
    if len(words) > MOST_WORDS:
        return False
    joined = b" ".join(words)[:LONGEST]
    if _MAY_HAVE_YEAR(joined) is None:
        joined = joined.translate(_ONE_DIGIT)
    return _is_stamp(joined)


@lru_cache(1 << 10)
def is_counter(label: str) -> bool:
    """Whether a label is that of a count of visits, answers and the like.

    "Shares" is none: they may be those of a firm.
    """
    words = words_of(label).decode()
    return not words.startswith("share") and _compiled(_COUNTED).fullmatch(words) is not None


@lru_cache(1 << 12)  # The pages of a site have many lines in common, but for their digits.
def _is_stamp(line: bytes) -> bool:
    text = dates.write_in_digits(line.decode("utf-8", "replace"))
    if dates.is_date(text):
        return True
    left, marks = _compiled(_MARK).subn("", text)
    if not marks:
        return False
    left = _compiled(_DATE).sub(lambda found: "" if dates.tells_date(found[0]) else found[0], left)
    if _HAS_DIGIT.search(left):
        return False
    return len(left.split()) <= (MOST_LEFT if _compiled(_PASSING).search(text) else 0)


def is_passing(line: bytes) -> bool:
    """Whether a line is a stamp that changes with every visit: it has an age, or a count."""
    return (
        is_stamp(line) and _compiled(_PASSING).search(line.decode("utf-8", "replace")) is not None
    )
