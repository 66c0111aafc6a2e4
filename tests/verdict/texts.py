"""Made articles, and the kept texts of pages with them."""

from __future__ import annotations

import random

HAN = "天地人山水火风云日月花草木石金土春夏秋冬东南西北左右前后大小多少高低长短远近新旧"
WORDS = [
    "".join(parts)
    for parts in zip(
        random.Random(1).choices(["ba", "ce", "di", "fo", "gu", "ha", "le", "mi"], k=900),
        random.Random(2).choices(["ran", "sel", "tor", "vin", "wul", "xab", "yed", "zok"], k=900),
        random.Random(3).choices(["", "a", "eth", "is", "on", "us"], k=900),
        strict=True,
    )
]


def sentences(seed: int, count: int, language: str = "en") -> list[str]:
    """Sentences whose words are drawn by lot."""
    chance = random.Random(f"{language} {seed}")
    if language == "zh":
        return ["".join(chance.choices(HAN, k=22)) + "。" for _ in range(count)]
    return [" ".join(chance.choices(WORDS, k=12)).capitalize() + "." for _ in range(count)]


def article(seed: int, paragraphs: int = 8, language: str = "en") -> list[str]:
    """Paragraphs of four sentences each."""
    made = sentences(seed, 4 * paragraphs, language)
    space = "" if language == "zh" else " "
    return [space.join(made[at : at + 4]) for at in range(0, len(made), 4)]


def kept(paragraphs: list[str], title: str = "", h1: str = "") -> str:
    """A text as a store keeps it."""
    return "\n".join([title, h1, *paragraphs])
