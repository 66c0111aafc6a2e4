"""Units that are facts, beside a number: currencies, and the half of the day.

    blocks that one text lacks -> the units of their numbers
                               -> numbers whose units in two texts exclude each other

Signs of currencies are no words, so two texts with the same words may state two prices. One sign
may stand for several currencies: $500 may be 500 USD or 500 CAD, and is not 500 EUR. A currency is
compared with a currency, a half of the day with another: 5 pm and €5 may stand in one text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice

from dedup.verdict import money
from dedup.verdict.stamps import is_stamp, words_of

MOST_NUMBERS = 1_000  # Numbers that are read from a text, to limit the time.
MOST_STAMPS = 20  # Blocks that may be stamps, likewise.
LONGEST = 6  # Characters before a number that may have its unit.

_MORNING, _EVENING = "上午|早上|凌晨|清晨|午前|오전", "下午|晚上|傍晚|午後|오후"
_NUMBER = re.compile(r"\d[\d.,:]*")
_BEFORE = re.compile(rf"(?:{money.BEFORE}|(?:{_MORNING}|{_EVENING}) ?)\Z")
_BEHIND = re.compile(rf" ?[ap]\.? ?m\b|{money.BEHIND}")
# Noon and midnight have several names, and so has the time after midnight.
_UNCLEAR = re.compile(rf"(?:{_MORNING}|{_EVENING}) ?12(?!\d)|晚上 ?[1-4](?!\d)")
_LEFT_OUT = re.compile(r"[.\s万亿萬億]")
_MEANINGS = {  # What is written -> what it may mean.
    "usd|美[元圆圓]": "usd",
    "hkd|港[元圆圓]": "hkd",
    r"[$＄]|dollars?": "usd cad aud hkd twd brl",
    "cny|rmb": "cny",
    "jpy|円|日[元圆圓]|yen": "jpy",
    "[¥￥]": "cny jpy",
    "[元圆圓]|yuan": "cny hkd twd",
    "€|eur|euros?|[欧歐][元圆圓]": "eur",
    "[£￡]|gbp|pounds?": "gbp",
    "[₩￦]|krw|원": "krw",
    "₹|inr|rs|rupees?": "inr",
    "₽|rub|руб": "rub",
    "kr": "sek nok dkk",
    "zł|pln": "pln",
    "kč|czk": "czk",
    f"am|{_MORNING}": "am",
    f"pm|{_EVENING}": "pm",
}
_HALVES = frozenset(("am", "pm"))
_KNOWN = [(re.compile(written), frozenset(told.split())) for written, told in _MEANINGS.items()]

_Units = Mapping[str, Mapping[int, frozenset[str]]]  # Of each number, by its place in a text.


def have_other_units(blocks: Sequence[str], old_blocks: Sequence[str]) -> bool:
    """Whether a number of two texts has units of one kind in each, and none that may be the same.

    Only blocks that one text lacks are read. Numbers in stamps do not count.
    """
    shared = {*blocks}.intersection(old_blocks)
    body, old_body = (_join_own(text, shared) for text in (blocks, old_blocks))
    here = _find_units(body)
    there = _find_units(old_body) if here else {}
    others = (
        number
        for number in here.keys() & there.keys()
        if _exclude(_all_of(here[number]), _all_of(there[number]))
    )
    return any(
        not (_are_in_stamps(body, here[number]) or _are_in_stamps(old_body, there[number]))
        for number in islice(others, MOST_STAMPS)
    )


def _join_own(blocks: Sequence[str], shared: set[str]) -> str:
    return "\n".join([block for block in blocks if block not in shared]).lower()


def _all_of(units: Mapping[int, frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*units.values())


def _exclude(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether all currencies of two numbers differ, or all halves of the day."""
    kinds = (one - _HALVES, other - _HALVES), (one & _HALVES, other & _HALVES)
    return any(here and there and here.isdisjoint(there) for here, there in kinds)


def _find_units(body: str) -> _Units:
    """The units of each number that has any."""
    found: defaultdict[str, dict[int, frozenset[str]]] = defaultdict(dict)
    for number in islice(_NUMBER.finditer(body), MOST_NUMBERS):
        start, end = number.span()
        before = _BEFORE.search(body, max(0, start - LONGEST), start)
        if before is not None and _UNCLEAR.match(body, before.start()):
            continue
        units = [unit[0] for unit in (before, _BEHIND.match(body, end)) if unit is not None]
        if units:
            found[number[0].rstrip(".,:")][start] = frozenset().union(*map(_read, units))
    return found


def _read(unit: str) -> frozenset[str]:
    """What a unit may mean; one that is not known means itself."""
    written = _LEFT_OUT.sub("", unit)
    known = (told for pattern, told in _KNOWN if pattern.fullmatch(written))
    return next(known, frozenset((written,)))


def _are_in_stamps(body: str, places: Mapping[int, object]) -> bool:
    return all(is_stamp(words_of(_block_at(body, place))) for place in islice(places, MOST_STAMPS))


def _block_at(body: str, place: int) -> str:
    start, end = body.rfind("\n", 0, place) + 1, body.find("\n", place)
    return body[start : end if end >= 0 else len(body)]
