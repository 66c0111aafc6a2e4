"""Shared code of schemes with an idf model: the option, and the heaviest words of a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import nsmallest

from dedup.schemes.idf import BUILTIN, Idf, load_idf
from dedup.schemes.interface import Scheme
from dedup.schemes.options import Value, option_error, text

_ALLOWED = f"{BUILTIN} or the path of an idf model"


@dataclass(frozen=True)
class IdfScheme(Scheme):
    """A scheme with an idf model, which contains the rarity of words.

    Options:
        idf: ``builtin``, or the path of a file made by ``scrapy neardup build-idf``.
    """

    idf: str = text(BUILTIN, _ALLOWED)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.idf != BUILTIN:
            try:
                load_idf(self.idf)
            except ValueError as error:
                raise option_error(self.name, "idf", self.idf, f"{_ALLOWED} ({error})") from None

    def options(self) -> Mapping[str, Value]:
        """Like ``Scheme.options``; the content of the model counts, not its file name."""
        return {**super().options(), "idf": self.model.version}

    @property
    def model(self) -> Idf:
        """The model, loaded on first use."""
        return load_idf(self.idf)


def heaviest_keywords(
    tokens: Iterable[str], model: Idf, most: int, stop: float = 0.0
) -> dict[str, float]:
    """The heaviest words of a text with their weights, count times nidf; the heaviest first.

    Words of equal weight are sorted by spelling. There are at most ``most``, from 1. Words with an
    nidf below ``stop`` are left out, and words of weight 0 always.
    """
    counts = Counter(tokens)
    rarity = zip(counts.items(), model.weights(counts).tolist(), strict=True)
    found = ((word, n * nidf) for (word, n), nidf in rarity if nidf >= stop and nidf)
    return dict(nsmallest(most, found, key=lambda keyword: (-keyword[1], keyword[0])))
