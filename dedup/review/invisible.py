"""Characters that are invisible, or that change the direction of the text around them."""

from __future__ import annotations

import re

# Controls, zero width, writing direction, lone surrogates. The pattern also works in browsers.
UNSEEN = (
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff"
    r"\ud800-\udfff]"
)
_PATTERN = re.compile(UNSEEN)


def make_visible(text: str) -> str:
    """A text with names in place of its invisible characters, such as U+200B in brackets."""
    return _PATTERN.sub(lambda found: f"\u27e8U+{ord(found[0]):04X}\u27e9", text)
