"""Schemes by name: ``minhash``, or ``minhash:bands=16,rows=8`` with options.

The one spelling for a scheme in settings, on the command line and in tables.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping

from dedup.schemes.combined import Combined
from dedup.schemes.exact import Exact
from dedup.schemes.feature_string import FeatureString
from dedup.schemes.i_match import IMatch
from dedup.schemes.idf_features import IdfFeatures
from dedup.schemes.interface import Scheme
from dedup.schemes.minhash import MinHash
from dedup.schemes.options import HIDDEN, SEED, Value, rules, show_option
from dedup.schemes.paragraph_match import Paragraphs
from dedup.schemes.projection import Projection
from dedup.schemes.segments import Segments
from dedup.schemes.sentences import Sentences
from dedup.schemes.shingles import Shingles
from dedup.schemes.simhash import SimHash
from dedup.schemes.text_profile import TextProfile
from dedup.schemes.tianwang import (
    TianwangAbstract,
    TianwangOrdered,
    TianwangOrderedWeighted,
    TianwangSorted,
    TianwangSortedWeighted,
)

SCHEMES: Mapping[str, type[Scheme]] = {
    scheme.name: scheme
    for scheme in (
        Combined,
        SimHash,
        Projection,
        Exact,
        Segments,
        TianwangAbstract,
        TianwangOrdered,
        TianwangOrderedWeighted,
        TianwangSorted,
        TianwangSortedWeighted,
        FeatureString,
        IdfFeatures,
        IMatch,
        TextProfile,
        Shingles,
        MinHash,
        Sentences,
        Paragraphs,
    )
}

_SEED = re.compile(rf"(\b{SEED}\s*=\s*)[^,]+")
_VARIANTS = {
    "i-match": ("lexicons=10",),
    "shingles": ("sampling=bharat", "sampling=broder", "sampling=fetterly"),
}
# Every scheme, and the variants that were published under the same name.
PUBLISHED = tuple(
    specification
    for name in SCHEMES
    for specification in (name, *(f"{name}:{options}" for options in _VARIANTS.get(name, ())))
)


def make_scheme(specification: str, **options: Value | None) -> Scheme:
    """Make the scheme that a specification names.

    Args:
        specification: ``NAME`` or ``NAME:OPTION=VALUE,OPTION=VALUE``.
        options: more of its options; None for the default.

    Raises:
        ValueError: no such scheme or option, one given twice, or a value out of its range.
    """
    name, _, rest = specification.strip().partition(":")
    if name not in SCHEMES:
        raise ValueError(f"there is no scheme {name!r}{_hint(name, SCHEMES)}")
    scheme = SCHEMES[name]
    given = _read_options(name, rest)
    for option, value in options.items():
        if value is not None and str(given.setdefault(option, value)) != str(value):
            both = ", ".join(show_option(option, one) for one in (given[option], value))
            raise ValueError(f"scheme {name}: {option} is given twice: {both}")
    known = rules(scheme)
    for option in given:
        if option not in known:
            raise ValueError(f"scheme {name} has no option {option!r}{_hint(option, known)}")
    return scheme(**given)


def specify(scheme: Scheme) -> str:
    """The specification of a scheme: its name, and the options that are not the default."""
    plain = type(scheme)()
    changed = [
        f"{option}={getattr(scheme, option)}"
        for option in rules(scheme)
        if getattr(scheme, option) != getattr(plain, option)
    ]
    return ":".join([scheme.name, ",".join(changed)] if changed else [scheme.name])


def show_specification(specification: str) -> str:
    """A specification for display, valid or not: without a seed."""
    return _SEED.sub(rf"\g<1>{HIDDEN}", specification)


def _read_options(name: str, text: str) -> dict[str, Value]:
    given: dict[str, Value] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        option, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"scheme {name}: an option is OPTION=VALUE; got {part!r}")
        if option.strip() in given:
            raise ValueError(f"scheme {name}: {option.strip()} is given twice")
        given[option.strip()] = value.strip()
    return given


def _hint(name: str, known: Iterable[str]) -> str:
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; there are {', '.join(names) or 'none'}"
