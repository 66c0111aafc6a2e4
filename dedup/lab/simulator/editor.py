"""Who edits: how strongly, by which random numbers, and with what other texts at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from random import Random

from dedup.lab.simulator.phrases import PHRASES
from dedup.lab.simulator.prose import Language, Text, headline


@dataclass(frozen=True, slots=True)
class Editor:
    """What an edit is done with.

    Attributes:
        strength: 0 changes nothing, 1 is the most that reposts do of an edit's kind.
        rng: the only source of chance; one seed, one result.
        others: texts to take sentences and headlines from; may be empty.
    """

    strength: float
    rng: Random
    others: Sequence[Text] = ()

    def count(self, size: int, most: float = 1.0) -> int:
        """How many of ``size`` things to change, if strength 1 changes the share ``most``."""
        return min(size, ceil(round(self.strength * most * size, 6)))

    def picks(self, size: int, most: float = 1.0) -> list[int]:
        """Which of ``size`` things to change, in order."""
        return sorted(self.rng.sample(range(size), self.count(size, most)))

    def fill(self, phrase: str, language: Language) -> str:
        """Fill in the words in braces."""
        phrases, rng = PHRASES[language], self.rng
        year, month, day = rng.randint(2012, 2026), rng.randint(1, 12), rng.randint(1, 28)
        date = f"{year}年{month}月{day}日" if language == "zh" else f"{day}/{month}/{year}"
        other = rng.choice(self.others) if self.others else None
        return phrase.format(
            site=rng.choice(phrases.sites),
            name=rng.choice(phrases.people),
            url=f"http://{rng.choice(phrases.hosts)}/{year}/{rng.randint(1000, 99999)}.html",
            date=date,
            year=year,
            title=headline(other) if other else rng.choice(phrases.boxes),
        )
