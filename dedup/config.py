"""The settings: each is read, typed and checked here, once.

The name of a setting is NEARDUP_ and a field of ``Config`` in upper case. A value may be a string,
as in ``-s NAME=VALUE``. A bad value raises a ``ValueError`` that names the setting, the value and
the allowed values. An unknown setting with the prefix raises a ``ValueError`` too.
"""

from __future__ import annotations

import difflib
import logging
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Protocol

from dedup.items import FACTS, Naming
from dedup.page import DEFAULT_EXTRACTOR, SEGMENTERS, check_extractor, extractor_names, is_compiled
from dedup.schemes import Scheme, has_option, make_scheme, show_option, show_specification
from dedup.schemes.options import LARGEST_SEED, SEED, Rule, choice, number, show_bad, whole
from dedup.scope import SCOPES
from dedup.store import (
    DEFAULT_EXPECTED_PAGES,
    LAYOUTS,
    TIMEOUT,
    StoreKind,
    kind_of,
    largest_radius,
    show_store,
)
from dedup.verdict import DROPPED, MOST_NEW, Relation, Rules

PREFIX = "NEARDUP_"
# Largest body, in bytes, of a page that the crawl's own process reads, by default.
MOST_INLINE = 5_000_000
# Expected pages up to which texts are kept, if NEARDUP_KEEP_TEXT is not set.
TEXTS_UP_TO = 1_000_000
# Setting -> the option of the scheme that it sets.
SCHEME_SETTINGS = {"distance": "distance", "hash_seed": SEED}

_SUCCESSORS = (
    "NEARDUP_MAX_NEW says how much of a page may be new, and NEARDUP_DROP which relations are "
    "dropped; a scheme with such an option takes it by its name, as in 'minhash:{option}=0.8'"
)
# Settings of earlier versions -> an explanation of their successors.
REPLACED = {
    option.upper(): _SUCCESSORS.format(option=option)
    for option in ("min_similarity", "min_similarity_same_host")
}
PROJECT, SPIDER = "%(project)s", "%(name)s"  # Placeholders in NEARDUP_STORE and NEARDUP_LOG.
NAMES = {PROJECT, SPIDER}
NO_TEXT = ("", "None")  # As in -s NAME= and -s NAME=None, by which users switch something off.
_DROPPABLE = [relation.value for relation in Relation if relation is not Relation.NONE]
_PLACEHOLDER = re.compile(r"%\([^)]*\)s?")

Reader = Callable[[str, Any], Any]


class SettingsLike(Protocol):
    """The methods of Scrapy's settings that are used here; a dictionary has them too."""

    def get(self, name: str, /) -> Any: ...

    def __iter__(self) -> Any: ...


def _setting(default: Any, reader: Reader) -> Any:
    return field(default=default, metadata={"reader": reader})


def _error(name: str, value: object, allowed: str) -> ValueError:
    shown = show_bad(SCHEME_SETTINGS.get(name, name), value)
    return ValueError(f"{PREFIX}{name.upper()} must be {allowed}; got {shown}")


def _flag(name: str, value: Any) -> bool:
    words = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
    try:
        return words[str(value).strip().lower()]
    except KeyError:
        raise _error(name, value, "True or False") from None


def _by(rule: Rule) -> Reader:
    """Return a function that reads a setting by the rule of an option."""

    def read(name: str, value: Any) -> Any:
        try:
            return rule.read(value)
        except ValueError:
            raise _error(name, value, rule.allowed) from None

    return read


# Reads an option of the scheme; the scheme checks its range.
_any_whole = _by(Rule("a whole number", lambda value: int(str(value)), judges=True))


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str | os.PathLike) or str(value).strip() in NO_TEXT:
        raise _error(name, value, "a non-empty string, not None, or left out for its default")
    return str(value).strip()


def _path(name: str, value: Any) -> str:
    text = _text(name, value)
    try:
        Path(text).expanduser()
    except RuntimeError:
        allowed = "a path without ~, or with one that leads to a home folder"
        raise _error(name, value, allowed) from None
    return text


def _names(name: str, value: Any) -> tuple[str, ...]:
    parts = value.split(",") if isinstance(value, str) else value
    is_list = isinstance(parts, list | tuple) and all(isinstance(part, str) for part in parts)
    is_json = isinstance(value, str) and value.strip().startswith(("[", "{", '"'))
    if not is_list or is_json:
        allowed = "a list of names, or names separated by commas, without quotes and brackets"
        raise _error(name, value, allowed)
    names = tuple(part.strip() for part in parts if part.strip())
    if not set(names).difference(NO_TEXT):
        raise _error(name, value, "at least one name, or left out for its default")
    return names


def _relations(name: str, value: Any) -> frozenset[Relation]:
    names = value.split(",") if isinstance(value, str) else value
    if not isinstance(names, list | tuple | set | frozenset):
        names = [value]
    names = [str(one).strip() for one in names if str(one).strip()]
    if unknown := [one for one in names if one not in _DROPPABLE]:
        allowed = f"a list of names, or names separated by commas, out of {', '.join(_DROPPABLE)}"
        raise _error(name, ", ".join(unknown), allowed)
    return frozenset(map(Relation, names))


def _statuses(name: str, value: Any) -> frozenset[int]:
    parts = value.split(",") if isinstance(value, str) else value
    read = _by(whole(200, 100, 599).metadata["rule"])
    allowed = "a list of HTTP statuses, 100 to 599, or statuses separated by commas"
    if not isinstance(parts, list | tuple | set | frozenset) or not parts:
        raise _error(name, value, allowed)
    statuses = set()
    for part in parts:
        try:
            statuses.add(read(name, part))
        except ValueError:
            raise _error(name, part, allowed) from None
    return frozenset(statuses)


def _store(name: str, value: Any) -> str:
    text = _text(name, value)
    try:
        kind = kind_of(text)
        if unknown := set(_PLACEHOLDER.findall(text)) - (NAMES if kind.takes_names else set()):
            allowed = "a folder in which only %(project)s and %(name)s stand for names, or a server"
            wrong = f"must be {allowed} without {min(unknown)}; got {kind.show(text)!r}"
            raise ValueError(wrong)  # noqa: TRY301
        kind.check(text)
    except ValueError as error:
        raise ValueError(f"{PREFIX}{name.upper()} {error}") from None
    return text


def _extractor(name: str, value: Any) -> str:
    text = str(value).strip()
    try:
        check_extractor(text)
    except LookupError:
        raise _error(name, value, f"one of {', '.join(extractor_names())}") from None
    except ValueError as error:
        raise ValueError(f"{PREFIX}{name.upper()}: {error}") from None
    return text


def _log_level(name: str, value: Any) -> str:
    level = str(value).upper()
    if level not in logging.getLevelNamesMapping():
        raise _error(name, value, "a log level such as INFO or DEBUG")
    return level


def _default_workers() -> int:
    """The number of processors that this process may use, less one; at least 1."""
    return max(1, len(os.sched_getaffinity(0)) - 1)


@dataclass(frozen=True, slots=True)
class Config:
    """All settings, with their defaults; docs/settings.md explains each."""

    enabled: bool = _setting(True, _flag)
    action: str = choice("drop", "tag")
    scheme: str = _setting("combined", _text)
    distance: int | None = _setting(None, _any_whole)
    items: str = choice("auto", "page", "item")
    changing_fields: tuple[str, ...] | None = _setting(None, _names)
    fact_fields: tuple[str, ...] | None = _setting(None, _names)
    drop: frozenset[Relation] = _setting(DROPPED, _relations)
    max_new: float = number(MOST_NEW, 0.0, 1.0)
    hash_seed: int | None = whole(None, 0, LARGEST_SEED)
    extractor: str = _setting(DEFAULT_EXTRACTOR, _extractor)
    segmenter: str = choice(*SEGMENTERS)
    min_tokens: int = whole(40, 1, 10_000)
    scope: str = choice(*SCOPES)
    layout: str = choice(*LAYOUTS)
    store: str = _setting("leveldb:.scrapy/neardup/%(project)s/store-%(name)s", _store)
    store_timeout: float = number(TIMEOUT, 0.01, 3600.0)
    store_down: str = choice("pause", "pass", "stop")
    store_locked: str = choice("pass", "wait", "stop")
    expected_pages: int = whole(DEFAULT_EXPECTED_PAGES, 1_000, 10_000_000_000)
    cache_mb: int = whole(512, 8, 1 << 20)
    workers: int = whole(_default_workers(), 0, 256)
    inline_body: int | None = whole(None, 0, 1 << 30)
    worker_timeout: float = number(10.0, 0.1, 3600.0)
    claim_timeout: float = number(60.0, 0.0, 86_400.0)
    max_body: int = whole(5_000_000, 1, 1 << 30)
    statuses: frozenset[int] = _setting(frozenset((200,)), _statuses)
    text_fields: tuple[str, ...] = _setting(("title", "text"), _names)
    url_field: str = _setting("url", _text)
    field: str = _setting("near_duplicate", _text)
    log: str = _setting(".scrapy/neardup/%(project)s/drops-%(name)s-%(time)s.jsonl", _path)
    log_level: str = _setting("INFO", _log_level)
    keep_text: bool | None = _setting(None, _flag)
    follow_duplicates: bool = _setting(True, _flag)
    skip_predicted: bool = _setting(False, _flag)
    probe: bool = _setting(False, _flag)
    reset: bool = _setting(False, _flag)
    read_only: bool = _setting(False, _flag)
    ttl: float = number(0.0, 0.0, 1e10)

    def __post_init__(self) -> None:
        """Check each setting, and the rules between settings.

        Raises ValueError for a bad value, a scheme that cannot be made, or a radius that is too
        large for the tables.
        """
        for item in fields(self):
            value = getattr(self, item.name)
            if value is not None or item.default is not None:
                read = item.metadata.get("reader") or _by(item.metadata["rule"])
                object.__setattr__(self, item.name, read(item.name, value))
        for space in self.make_scheme().spaces:
            largest = largest_radius(self.layout, space.bits)
            if space.radius > largest:
                raise ValueError(
                    f"NEARDUP_LAYOUT = {self.layout!r} finds {space.bits}-bit words within "
                    f"distance {largest}; {self._scheme_as_set()} asks for {space.radius}"
                )
        if self.reset and self.read_only:
            raise ValueError("NEARDUP_RESET and NEARDUP_READ_ONLY cannot both be True")

    @property
    def rules(self) -> Rules:
        """The rules that decide which pages are dropped."""
        return Rules(self.drop, self.max_new, self.segmenter)

    @property
    def naming(self) -> Naming:
        """The names of fields that identify an item: from the settings, and the built-in ones."""
        ignored, facts = (
            frozenset(map(str.lower, names or ()))
            for names in (self.changing_fields, self.fact_fields)
        )
        return Naming(
            url_field=self.url_field,
            facts=facts.union(FACTS),
            own=self.field,
            ignored=ignored - facts,
        )

    @property
    def keeps_text(self) -> bool:
        """Whether the main text of each page is kept."""
        return self.expected_pages <= TEXTS_UP_TO if self.keep_text is None else self.keep_text

    @property
    def takes_any_seed(self) -> bool:
        """Whether the scheme has a seed and none is set: then the seed of the store is used."""
        return self.hash_seed is None and has_option(self.scheme, SEED, given=False)

    def with_seed(self, seed: int) -> Config:
        """These settings with this seed, if no other seed is set; else unchanged."""
        return replace(self, hash_seed=seed) if self.takes_any_seed else self

    @property
    def store_kind(self) -> StoreKind:
        return kind_of(self.store)

    @property
    def store_of_each_spider(self) -> bool:
        """Whether each spider has its own store: NEARDUP_STORE contains %(name)s."""
        return SPIDER in self.store

    def for_spider(self, project: str, spider: str) -> Config:
        """These settings with the names of a project and a spider in NEARDUP_STORE."""
        store = self.store.replace(PROJECT, file_name(project))
        return replace(self, store=store.replace(SPIDER, file_name(spider)))

    @property
    def most_inline(self) -> int:
        """Largest body, in bytes, of a page that the crawl's own process may read.

        The default is MOST_INLINE if compiled code reads pages, as that is faster than a call of a
        worker process, or if there is only one processor. Else the default is 0.
        """
        if self.inline_body is not None:
            return self.inline_body
        alone = len(os.sched_getaffinity(0)) == 1
        return MOST_INLINE if alone or is_compiled(self.extractor) else 0

    def shown(self, name: str) -> str:
        """The value of a setting as in settings.py, with passwords and seeds hidden."""
        value = getattr(self, name)
        if name in SCHEME_SETTINGS:
            return show_option(SCHEME_SETTINGS[name], value)
        if name == "store":
            value = show_store(value)
        elif name == "scheme":
            value = show_specification(value)
        elif name == "drop":
            value = sorted(relation.value for relation in value)
        return repr(sorted(value) if isinstance(value, frozenset) else value)

    def make_scheme(self) -> Scheme:
        """The scheme, with its options.

        Raises ValueError for an unknown scheme, an unknown option, or a bad value of an option.
        """
        try:
            options = {
                SCHEME_SETTINGS[name]: value for name, value in self._scheme_settings().items()
            }
            return make_scheme(self.scheme, **options)
        except ValueError as error:
            raise ValueError(f"{self._scheme_as_set()}: {error}") from None

    def _scheme_settings(self) -> dict[str, int | float]:
        """The values of SCHEME_SETTINGS that are set."""
        options = {name: getattr(self, name) for name in SCHEME_SETTINGS}
        if self.hash_seed == 0 and not has_option(self.scheme, SEED):
            del options["hash_seed"]  # A seed of 0 means no seed.
        return {name: value for name, value in options.items() if value is not None}

    def _scheme_as_set(self) -> str:
        names = ("scheme", *self._scheme_settings())
        return ", ".join(f"{PREFIX}{name.upper()} = {self.shown(name)}" for name in names)

    @staticmethod
    def is_enabled(settings: SettingsLike) -> bool:
        """Read NEARDUP_ENABLED alone; the other settings are not checked.

        Raises ValueError if the value is neither true nor false.
        """
        value = settings.get(f"{PREFIX}ENABLED")
        return True if value is None else _flag("enabled", value)

    @classmethod
    def from_settings(cls, settings: SettingsLike) -> Config:
        """Read and check all settings.

        Raises ValueError for a bad value, or an unknown setting with the prefix.
        """
        _refuse_unknown(settings, [item.name.upper() for item in fields(cls)])
        values = {}
        for item in fields(cls):
            value = settings.get(PREFIX + item.name.upper())
            is_unset = value is None or (item.default is None and value == "None")
            if not is_unset:
                values[item.name] = value
        return cls(**values)


def file_name(name: str) -> str:
    """Turn a name into a file name, or a part of one, that cannot lead to another folder."""
    plain = re.sub(r"[/%]", "_", name)
    return f"_{plain[1:]}" if plain.startswith("~") or plain in (".", "..") else plain


def _refuse_unknown(settings: SettingsLike, known: list[str]) -> None:
    for name in settings:
        if not isinstance(name, str) or not name.upper().startswith(PREFIX):
            continue
        bare = name.upper().removeprefix(PREFIX)
        if bare in REPLACED:
            raise ValueError(f"there is no setting {name} any more: {REPLACED[bare]}")
        if bare not in known or name != name.upper():
            close = difflib.get_close_matches(bare, known, n=1)
            hint = f"; did you mean {PREFIX}{close[0]}?" if close else ""
            raise ValueError(f"there is no setting {name}{hint} (docs/settings.md lists all)")
