"""Characters that are not seen, or that turn the writing around them round."""

from __future__ import annotations

import re

# Controls, zero width, writing direction, halves of surrogate pairs; read alike by browsers.
UNSEEN = (
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff"
    r"\ud800-\udfff]"
)
_PATTERN = re.compile(UNSEEN)


def has_unseen(text: str) -> bool:
    """Whether a text holds an unseen character."""
    return _PATTERN.search(text) is not None


def make_visible(text: str) -> str:
    """A text with its unseen characters named, so that none hides or turns what is around it."""
    return _PATTERN.sub(lambda found: f"\u27e8U+{ord(found[0]):04X}\u27e9", text)
