"""Units that are facts, beside a number: currencies, the half of the day, measures, and signs.

    blocks that one text lacks -> the units of their numbers
                               -> numbers whose units in two texts exclude each other

Signs are no words, so two texts with the same words may state two prices. A unit is compared with
another of its kind: 5 pm and €5 may stand in one text. Many numbers have a measure or a sign. So
these are compared only behind the same word: "takes 5 minutes" with "takes 5 hours".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from dedup.verdict import measures, money
from dedup.verdict.stamps import is_stamp, words_of

MOST_NUMBERS = 1_000  # Numbers that are read from a text, to limit the time.
MOST_STAMPS = 20  # Blocks that may be stamps, likewise.
LONGEST = 6  # Characters before a number that may have its unit.
BESIDE = 16  # Characters behind it.
SHORT_LINE = 200  # Characters; a longer block is no stamp.

_MORNING, _EVENING = "上午|早上|凌晨|清晨|午前|오전", "下午|晚上|傍晚|午後|오후"
# An hour may be a Chinese numeral.
_NUMBER = re.compile(
    "[\\d一二两三四五六七八九十]"
    "(?:(?<=\\d)[\\d.,:]*|(?<=[午上晨晚].)[一二三四五六七八九十]{0,2}(?=[点點时時]))"
)
_BEFORE = re.compile(rf"(?:{money.BEFORE}|(?:{_MORNING}|{_EVENING}) ?)\Z")
_DAWN = "in the morning|morgens|de la mañana|du matin|утра|sáng|صباحا"
_DUSK = "in the evening|abends|de la tarde|du soir|вечера|tối|مساء"
_BEHIND = re.compile(
    r" ?[ap]\.? ?m(?![a-z\d])|"
    rf"(?<!12) (?:(?:uhr|heures|h|giờ) )?(?:{_DAWN}|{_DUSK})\b|{money.BEHIND}"
)
_EAST, _NO_UNITS = "\u2e80", frozenset(("", *"\n,;:()[]-/"))
_LAST_SIGNS, _FIRST_SIGNS = (
    frozenset(sign for sign in pattern.pattern if sign >= _EAST) for pattern in (_BEFORE, _BEHIND)
)
# Noon and midnight have several names, and so has the time after midnight.
_UNCLEAR = re.compile(
    rf"(?:{_MORNING}|{_EVENING}) ?(?:12(?!\d)|十二)|晚上 ?(?:[1-4](?!\d)|[一二两三四][点點时時])"
)
_HALF_NAME = re.compile(rf"(\ba\.? ?m\b|{_MORNING}|{_DAWN})|\bp\.? ?m\b|{_EVENING}|{_DUSK}")
_UNITS = _CURRENCY, _HALF = "currency", "half"

_Places = dict[str, list[tuple[int, int]]]  # Where each number begins and ends in a text.
_Units = Mapping[int, frozenset[str]]  # The units of a number, by its place in a text.


class OtherUnits(NamedTuple):
    """The numbers of two texts whose units exclude each other."""

    units: int  # Those with a currency, or a half of the day; one is enough.
    measures: int  # Those with a measure or a sign; an editor may correct one among other words.


def count_other_units(
    blocks: Sequence[str], old_blocks: Sequence[str], least: float = 0
) -> OtherUnits:
    """Count numbers that have units of one kind in both texts, and none that may be the same.

    Only blocks that one text lacks are read. Numbers in stamps do not count. Measures are read only
    if ``least`` numbers or more may have other ones.
    """
    shared = {*blocks}.intersection(old_blocks)
    body, old_body = (_join_own(text, shared) for text in (blocks, old_blocks))
    places, old_places = map(_find_numbers, (body, old_body))
    numbers = _find_different(body, places, old_body, old_places)
    if not numbers:  # Mostly: what stands beside a number is seldom edited.
        return OtherUnits(0, 0)
    measured = sum(numbers.values()) >= least
    units: list[tuple[_Units, _Units]] = []
    others: list[tuple[_Units, _Units]] = []
    for number in numbers:
        here = _read_places(body, number, places[number], measured=measured)
        there = _read_places(old_body, number, old_places[number], measured=measured)
        if not _may_exclude(*here.values(), *there.values()):  # Mostly.
            continue
        here_told, there_told = _group(body, here), _group(old_body, there)
        for key in here_told:
            pair = here_told[key], there_told.get(key, {})
            if pair[1] and _all_of(pair[0]).isdisjoint(_all_of(pair[1])):
                (units if key[0] in _UNITS else others).append(pair)
    return OtherUnits(*(_count_facts(told, body, old_body) for told in (units, others)))


def _count_facts(others: Sequence[tuple[_Units, _Units]], body: str, old_body: str) -> int:
    """Count the numbers with other units that are in no stamps; of many, only some are read."""
    read = others[:MOST_STAMPS]
    facts = sum(
        not (_are_in_stamps(body, here) or _are_in_stamps(old_body, there)) for here, there in read
    )
    return facts * len(others) // max(len(read), 1)


def _join_own(blocks: Sequence[str], shared: set[str]) -> str:
    return "\n".join([block for block in blocks if block not in shared]).lower()


def _all_of(units: _Units) -> frozenset[str]:
    return frozenset().union(*units.values())


def _may_have(signs: frozenset[str], sign: str) -> bool:
    """Whether a sign beside a number may be that of a unit; most ideographs are not."""
    return sign in signs if sign >= _EAST else sign not in _NO_UNITS


def _find_numbers(body: str) -> _Places:
    """The places of each number."""
    found: _Places = defaultdict(list)
    for match in islice(_NUMBER.finditer(body), MOST_NUMBERS):
        found[match[0].rstrip(".,:")].append(match.span())
    return found


def _find_different(
    body: str, places: _Places, old_body: str, old_places: _Places
) -> dict[str, int]:
    """The numbers beside which each text has something that the other lacks, and how many times."""
    found = {}
    for number in filter(old_places.__contains__, places):
        here, there = (
            {text[max(0, start - LONGEST) : end + BESIDE] for start, end in spans}
            for text, spans in ((body, places[number]), (old_body, old_places[number]))
        )
        times = min(len(here - there), len(there - here))
        if times:
            found[number] = times
    return found


def _read_places(
    body: str, number: str, places: Iterable[tuple[int, int]], *, measured: bool
) -> dict[int, measures.Told]:
    """What stands beside a number, at each of its places."""
    found = {}
    for start, end in places:
        told = measures.read_beside(body, number, start) if measured else {}
        for unit in _find_beside(body, start, end):
            kind, meaning = _read(unit)
            known = told.get(kind, meaning)
            told[kind] = known & meaning or known | meaning  # $12 CAD is CAD 12.
        if told:
            found[start] = told
    return found


def _find_beside(body: str, start: int, end: int) -> list[str]:
    """The currency, or the half of the day, before and behind a number."""
    before = behind = None
    if _may_have(_LAST_SIGNS, body[max(0, start - 2) : start].rstrip(" ")[-1:]):
        before = _BEFORE.search(body, max(0, start - LONGEST), start)
        if before is not None and _UNCLEAR.match(body, before.start()):
            return []
    if _may_have(_FIRST_SIGNS, body[end : end + 2].lstrip(" ")[:1]):
        behind = _BEHIND.match(body, end)
    return [unit[0] for unit in (before, behind) if unit is not None]


def _may_exclude(*beside: measures.Told) -> bool:
    """Whether the units of one kind are not all the same."""
    common: measures.Told = {}
    for told in beside:
        for kind, meaning in told.items():
            common[kind] = common.get(kind, meaning) & meaning
    return not all(common.values())


def _group(body: str, places: Mapping[int, measures.Told]) -> dict[tuple[str, str], _Units]:
    """The units by their kind; measures and signs also by the word before them."""
    found: defaultdict[tuple[str, str], dict[int, frozenset[str]]] = defaultdict(dict)
    for start, told in places.items():
        for kind, meaning in told.items():
            word = "" if kind in _UNITS else measures.context_of(body, start)
            found[kind, word][start] = meaning
    return dict(found)


def _read(unit: str) -> tuple[str, frozenset[str]]:
    """The kind of a unit, and what it may mean."""
    half = _HALF_NAME.search(unit)
    if half is None:
        return _CURRENCY, money.read(unit)
    return _HALF, frozenset(("am" if half[1] else "pm",))


def _are_in_stamps(body: str, places: _Units) -> bool:
    return all(_is_in_stamp(body, place) for place in islice(places, MOST_STAMPS))


def _is_in_stamp(body: str, place: int) -> bool:
    start, end = body.rfind("\n", 0, place) + 1, body.find("\n", place)
    block = body[start : end if end >= 0 else len(body)]
    return len(block) < SHORT_LINE and is_stamp(words_of(block))
