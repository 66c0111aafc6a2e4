"""Invented texts and pages for tests."""

from __future__ import annotations

import random
from functools import cache
from itertools import product


@cache
def lexicon() -> tuple[str, ...]:
    """The words of the invented texts."""
    syllables = ("ba", "den", "fo", "gir", "ka", "lun", "mer", "no", "pel", "ros", "ti", "vu")
    return tuple("".join(parts) for parts in product(syllables, repeat=3))


def text(subject: object, *, edits: int = 0, words: int = 240) -> str:
    """Paragraphs on a subject. Texts on different subjects differ; an edit changes one word."""
    chance = random.Random(str(subject))  # noqa: S311  (no secret)
    chosen = [chance.choice(lexicon()) for _ in range(words)]
    for number in range(edits):
        chosen[(2 * number + 1) * words // (2 * edits)] = f"edit{number}"
    phrases = [" ".join(chosen[i : i + 6]) for i in range(0, words, 6)]
    paragraphs = [", ".join(phrases[i : i + 10]) + "." for i in range(0, len(phrases), 10)]
    return "\n".join(paragraphs)


def article(
    subject: object, *links: str, edits: int = 0, words: int = 240, title: str = "", more: str = ""
) -> str:
    """A page on a subject with links below; ``more`` is further text, ``title`` another title."""
    body = text(subject, edits=edits, words=words) + (f"\n{more}" if more else "")
    paragraphs = "".join(f"<p>{paragraph}</p>" for paragraph in body.split("\n"))
    anchors = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    return (
        f"<!doctype html><html><head><title>{title or subject}</title></head>"
        f"<body><article>{paragraphs}</article><ul>{anchors}</ul></body></html>"
    )
