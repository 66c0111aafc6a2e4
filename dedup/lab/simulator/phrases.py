"""The words of made pages: texts of sites in phrases.toml, synonyms in synonyms.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from dedup.lab.simulator.prose import Language
from dedup.page.normalisation import converter

Synonyms = Mapping[str, tuple[str, ...]]


class Phrases(NamedTuple):
    """The phrases of one language. Words in braces are to be filled in."""

    before: list[str]  # Lines above a repost.
    after: list[str]  # Lines below it.
    between: list[str]  # Lines within it.
    tags: list[str]  # Before a title, like the hooks.
    hooks: list[str]
    digests: list[str]  # Above the pieces of a digest.
    people: list[str]
    sites: list[str]
    hosts: list[str]
    menu: list[str]
    boxes: list[str]
    buttons: list[str]
    small_print: list[str]
    comments: list[str]


@cache
def phrases_of(language: Language) -> Phrases:
    """The phrases of a language."""
    return Phrases(**_load("phrases.toml")[language])


@cache
def chinese_synonyms() -> Synonyms:
    """Chinese words with their synonyms, in simplified and in traditional script."""
    words = _load("synonyms.toml")["zh"]
    return _read(converter("s2tw").convert(words)) | _read(words)


@cache
def english_synonyms() -> Synonyms:
    """English words in lower case with their synonyms, which may have several words."""
    return {
        word: tuple(other.replace("_", " ") for other in others)
        for word, others in _read(_load("synonyms.toml")["en"]).items()
        if "_" not in word
    }


def _load(name: str) -> dict[str, Any]:
    return tomllib.loads(files("dedup.lab.simulator").joinpath(name).read_text(encoding="utf-8"))


def _read(table: str) -> dict[str, tuple[str, ...]]:
    synonyms: dict[str, tuple[str, ...]] = {}
    for part in table.split("|"):
        group = part.split()
        for word in group:
            others = (other for other in group if other != word)
            synonyms[word] = tuple(dict.fromkeys((*synonyms.get(word, ()), *others)))
    return synonyms
