"""Signs that are values: ticks, stars, up and down, yes and no, a plus or minus before a number.

    short blocks -> the signs in each and behind it, by its words -> labels with other signs

Signs are no words. Two tables of what two things can do may have the same words, and differ in
ticks and crosses alone.
"""

from __future__ import annotations

import re

LONGEST = 60  # Characters of a block that may be a label or a value.
LEAST_LABELS = 2  # With other signs in the other text; one is enough for yes and no.

# Ticks and crosses, stars, up and down; and the sign of a number. Other signs are ornaments.
_VALUES, _PLUS_MINUS = "✓✔✗✘☐☑☒✅❌★☆⭐▲△▼▽↑↓⬆⬇", "+\u2212-"
# Alone in a block, these are values, too; before words they are ornaments, such as bullets.
_ALONE = "√×✕✖❎⭕○●◯◎⚪⚫🔴🟡🟢🟥🟨🟩👍👎"
# All signs stand at the beginning, so that they are found fast.
_SIGN = re.compile(f"[{_VALUES}{_PLUS_MINUS}](?:(?<=[{_VALUES}])|(?<!\\w.)(?=\\d))")
# Several signs mean yes, and several mean no.
_YES, _NO = "✓", "✗"
_MEANINGS = str.maketrans(dict.fromkeys("✔☑✅√", _YES) | dict.fromkeys("✘☐☒❌×✕✖", _NO))
# Alone in a block these words are signs: most other rows have the same word, which hides a change.
_WORDS = dict.fromkeys("yes ja oui sí sim да 是 有".split(), _YES) | dict.fromkeys(
    "no nein nee non não нет 否 无 無 没有 沒有".split(), _NO
)
_CELL = re.compile(f"\n((?:[{_ALONE}]{{1,3}})|(?i:{'|'.join(_WORDS)}))\ufe0f?(?![^\n])")
_WORD, _LETTER = re.compile(r"\w+"), re.compile(r"[^\W\d_]")


def have_other_signs(body: str, old_body: str) -> bool:
    """Whether some labels of two texts have other signs; a text has one block per line."""
    if not any(sign.search(text) for sign in (_SIGN, _CELL) for text in (body, old_body)):
        return False
    here, there = _find_signs(body), _find_signs(old_body)
    pairs = [{here[label], there[label]} for label in here.keys() & there.keys()]
    # No sign means the same as a cross. A cross may also be the button that closes a box.
    others = [pair for pair in pairs if len(pair) > 1 and pair != {"", _NO}]
    return len(others) >= LEAST_LABELS or {_YES, _NO} in others


def _find_signs(body: str) -> dict[str, str]:
    """The signs of each label: a short block with letters, and the blocks without any behind it."""
    found: dict[str, str] = {}
    label = ""
    for block in body.split("\n"):
        if len(block) > LONGEST:
            label = ""
        elif _LETTER.search(block) and block.lower() not in _WORDS:
            label = " ".join(_WORD.findall(block))
        if label:
            signs = "".join(_find_in(block)).translate(_MEANINGS)
            found[label] = found.get(label, "") + signs
    return found


def _find_in(block: str) -> list[str]:
    alone = _CELL.fullmatch(f"\n{block}")
    if alone is None:
        return _SIGN.findall(block)
    return [_WORDS.get(alone[1].lower(), alone[1])]
