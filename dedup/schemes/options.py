"""Options of schemes: types and ranges, checked when a scheme is made.

A scheme is a frozen dataclass whose fields are made by ``whole``, ``number``, ``choice`` and
``text``. There are two kinds of options. An option changes fingerprints, and a store made with
another value cannot be used. Or, with ``judges=True``, it only judges fingerprints: thresholds, and
properties of the tables. Settings (``dedup.config``) are read by the same rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

Value = int | float | str

LARGEST_SEED = (1 << 64) - 1
SEED, HIDDEN = "seed", "set"  # The secret option, and the text that is shown for its value.


@dataclass(frozen=True, slots=True)
class Rule:
    """An option's allowed values in words, its reader, and whether it only judges fingerprints."""

    allowed: str
    read: Callable[[Any], Value]
    judges: bool


def whole(default: int | None, low: int, high: int, *, judges: bool = False) -> Any:
    """An option that is a whole number from ``low`` to ``high``."""
    allowed = f"a whole number from {low} to {high}"
    return _option(default, Rule(allowed, _reader(int, low, high), judges))


def number(default: float, low: float, high: float, *, judges: bool = False) -> Any:
    """An option that is a number from ``low`` to ``high``."""
    allowed = f"a number from {low:g} to {high:g}"
    return _option(default, Rule(allowed, _reader(float, low, high), judges))


def choice(default: Value, *others: Value) -> Any:
    """An option that is one of a few values, its default first."""
    by_text: dict[str, Value] = {str(value): value for value in (default, *others)}

    def read(value: Any) -> Value:
        if str(value) not in by_text:
            raise ValueError
        return by_text[str(value)]

    return _option(default, Rule(f"one of {', '.join(by_text)}", read, judges=False))


def text(default: str, allowed: str) -> Any:
    """An option that is any string, given by keyword; ``allowed`` describes it for errors."""

    def read(value: Any) -> str:
        if not str(value).strip():
            raise ValueError
        return str(value).strip()

    return _option(default, Rule(allowed, read, judges=False), kw_only=True)


def rules(scheme: Any) -> Mapping[str, Rule]:
    """The options of a scheme or of its class, by name, in order."""
    return {item.name: item.metadata["rule"] for item in fields(scheme)}


def check_options(scheme: Any, name: str) -> None:
    """Read every option of a scheme by its rule, in place.

    Raises ValueError if a value is not allowed; the message names scheme, option, value and range.
    """
    for option, rule in rules(scheme).items():
        value = getattr(scheme, option)
        try:
            read = rule.read(value)
        except ValueError:
            raise option_error(name, option, value, rule.allowed) from None
        object.__setattr__(scheme, option, read)


def check_at_most(scheme: Any, option: str, limit: str) -> None:
    """Raise ValueError if an option of a scheme is larger than another option."""
    value, most = getattr(scheme, option), getattr(scheme, limit)
    if value > most:
        raise option_error(scheme.name, option, value, f"at most {limit} = {most}")


def option_error(name: str, option: str, value: object, allowed: str) -> ValueError:
    """The error of an option out of its range."""
    return ValueError(f"scheme {name}: {option} must be {allowed}; got {show_bad(option, value)}")


def show_bad(option: str, value: object) -> str:
    """A bad value of an option for an error; a seed is hidden."""
    return f"{HIDDEN} (a hidden value)" if option == SEED and value else repr(value)


def show_option(option: str, value: object) -> str:
    """An option's value for display; a seed is hidden."""
    return HIDDEN if option == SEED and value else str(value)


def _reader(kind: type[int] | type[float], low: float, high: float) -> Callable[[Any], Value]:
    """Reads a number of a kind, from ``low`` to ``high``."""

    def read(value: Any) -> Value:
        number = kind(str(value))
        if not low <= number <= high:
            raise ValueError
        return number

    return read


def _option(default: Value | None, rule: Rule, *, kw_only: bool = False) -> Any:
    return field(default=default, metadata={"rule": rule}, kw_only=kw_only)
