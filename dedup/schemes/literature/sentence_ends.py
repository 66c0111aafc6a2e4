"""Find the ends of sentences, in the main scripts.

The text is normalised, so full-width marks have their plain form. A full stop ends a sentence only
before a space, a closing mark or the end, or between Han characters; so 3.14 and example.com stay
whole. The other marks always end a sentence. Thai and Lao have no such marks: the whole text is one
sentence.
"""

from __future__ import annotations

import re
from itertools import pairwise

_HAN = "\u3400-\u9fff"
_MARKS = (
    "!?\u3002\u203d"  # Latin, Cyrillic, Greek, Han and kana
    "\u061f\u06d4\u0589"  # Arabic, Urdu, Armenian
    "\u0964\u0965\u0df4"  # Indic dandas, Sinhala
    "\u104b\u17d4\u17d5\u0f0d\u0f0e"  # Burmese, Khmer, Tibetan
    "\u1362\u1367\u1803\u1809"  # Ethiopic, Mongolian
)
_CLOSING = "\"')\\]}\u2019\u201d\u00bb\u300b\u300d\u300f\u3011"
_END = re.compile(
    f"[{_MARKS}.](?:(?<!\\.)|(?=[\\s.{_CLOSING}]|$)|(?<=[{_HAN}]\\.)(?=[{_HAN}]))"
    f"[{_MARKS}.]*[{_CLOSING}]*"
)


def split_sentences(text: str) -> list[str]:
    """Cut a normalised text after each end of a sentence; the joined parts equal the text."""
    edges = [0, *(match.end() for match in _END.finditer(text)), len(text)]
    return [text[a:b] for a, b in pairwise(edges) if b > a]
