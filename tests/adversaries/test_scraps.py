"""A stranger who publishes scraps of an article first cannot have it dropped.

Without texts and without a seed, fingerprints alone decide, and a page made with care passes for
the victim's. Either guard keeps all victims: kept texts, or the seed that each new store draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

import pytest
from crawling import text
from scraps import padded, scraps, scraps_of_several

from dedup import Config, Verdict, make_fingerprinter, make_index, open_store
from dedup.assembly import seeded

VICTIMS = [text(f"victim {number}", words=600) for number in range(20)]
TITLE = "The harbour opens its gates to 1,204 visitors"
SENTENCE = 15  # Words.
PROSE = [
    " ".join(" ".join(words[at : at + SENTENCE]) + "." for at in range(0, len(words), SENTENCE))
    for words in (victim.replace(",", "").replace(".", "").split() for victim in VICTIMS)
]
OTHER = text("another article", words=600)
HALF = "its first half, padded"  # which is no scrap: without its text a few victims may pass for it
Attack = Callable[[Sequence[str]], str]
ATTACKS: dict[str, Attack] = {
    "scraps": lambda words: " ".join(scraps(words)),
    "scraps inside another article": lambda words: f"{OTHER}\n{' '.join(scraps(words))}",
    "scraps of several victims": lambda words: " ".join(
        scraps_of_several([words, *(victim.split() for victim in VICTIMS[:4])])
    ),
    "scraps padded to the victim's size": lambda words: " ".join(padded(words)),
    HALF: lambda words: " ".join([*words[: len(words) // 2], *padded(words)[: len(words) // 2]]),
    "its title and its numbers": lambda words: f"{' '.join(scraps(words))} 1,204 2024 18",
}


def count_exported(attack: Attack, victims: Sequence[str] = VICTIMS, **options: object) -> int:
    """How many victims are exported after a forged page of each came first, on another host."""
    config = Config(store="memory:", **options)  # type: ignore[arg-type]
    exported = 0
    for number, victim in enumerate(victims):
        store = open_store(config, Path(), any_seed=True)
        fingerprinter = make_fingerprinter(seeded(config, store))
        index = make_index(config, store)
        bait = fingerprinter.of_text(
            attack(victim.replace(",", "").replace(".", "").split()), TITLE
        )
        index.commit(index.check(f"http://evil.example/{number}", b"e%d" % number, bait))
        page = fingerprinter.of_text(victim, TITLE)
        claim = index.check(f"http://a.example/{number}", b"a%d" % number, page)
        exported += claim.verdict is Verdict.NEW
        index.store.remove(1)
    return exported


@pytest.mark.parametrize("attack", ATTACKS)
def test_by_default_every_victim_is_exported(attack: str) -> None:
    assert count_exported(ATTACKS[attack]) == len(VICTIMS)


@pytest.mark.parametrize("share", [0.4, 0.5])
def test_who_publishes_half_of_each_sentence_has_not_published_a_page(share: float) -> None:
    def attack(words: Sequence[str]) -> str:
        kept = round(share * SENTENCE)
        sentences = (words[at : at + SENTENCE] for at in range(0, len(words), SENTENCE))
        junk = (text(number, words=SENTENCE - kept).rstrip(".") for number in count())
        return " ".join(
            f"{' '.join(one[:kept])} {more}." for one, more in zip(sentences, junk, strict=False)
        )

    assert count_exported(attack, PROSE) == len(PROSE)


@pytest.mark.parametrize("attack", ATTACKS)
def test_without_texts_the_seed_of_the_store_keeps_every_victim(attack: str) -> None:
    least = len(VICTIMS) - 4 * (attack == HALF)
    assert count_exported(ATTACKS[attack], keep_text=False) >= least


@pytest.mark.parametrize("attack", ATTACKS)
def test_without_a_seed_kept_texts_keep_every_victim(attack: str) -> None:
    assert count_exported(ATTACKS[attack], hash_seed=0) == len(VICTIMS)


def test_without_either_guard_a_page_made_with_care_hides_its_victims() -> None:
    attack = ATTACKS["scraps padded to the victim's size"]
    assert count_exported(attack, keep_text=False, hash_seed=0) == 0


@pytest.mark.parametrize(
    "attack", ["scraps", "scraps inside another article", "scraps of several victims"]
)
def test_sizes_alone_keep_the_victims_of_careless_pages(attack: str) -> None:
    assert count_exported(ATTACKS[attack], keep_text=False, hash_seed=0) == len(VICTIMS)
