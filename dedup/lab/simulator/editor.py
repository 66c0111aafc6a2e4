"""The strength, the random numbers and the other texts of an edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from random import Random

from dedup.lab.simulator.phrases import PHRASES
from dedup.lab.simulator.prose import Language, Text, headline


@dataclass(frozen=True, slots=True)
class Editor:
    """The means of an edit."""

    strength: float  # 0 changes nothing, 1 is the maximum that reposts do of this kind.
    rng: Random  # The only source of random numbers; one seed, one result.
    others: Sequence[Text] = ()  # Texts to take sentences and headlines from; may be empty.

    def count(self, size: int, most: float = 1.0) -> int:
        """The number of ``size`` things to change, if strength 1 changes the share ``most``."""
        return min(size, ceil(round(self.strength * most * size, 6)))

    def picks(self, size: int, most: float = 1.0) -> list[int]:
        """The places of the things to change, in order."""
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
