"""Schemes by name: ``minhash``, or ``minhash:bands=16,rows=8`` with options.

Settings, the command line and tables all use this form. The name of a scheme of another package is
the dotted path of its class, or an entry point of ``neardup.schemes``.
"""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Iterable

from dedup import plugins
from dedup.schemes.interface import Scheme
from dedup.schemes.options import HIDDEN, SEED, Value, rules, show_option

# Name -> module and class; imported on first use, as a crawl uses only one scheme.
SCHEMES = {
    "combined": "combined.Combined",
    "simhash": "simhash.SimHash",
    "projection": "literature.projection.Projection",
    "exact": "exact.Exact",
    "segments": "literature.segments.Segments",
    "tianwang-abstract": "literature.tianwang.TianwangAbstract",
    "tianwang-ordered": "literature.tianwang.TianwangOrdered",
    "tianwang-ordered-weighted": "literature.tianwang.TianwangOrderedWeighted",
    "tianwang-sorted": "literature.tianwang.TianwangSorted",
    "tianwang-sorted-weighted": "literature.tianwang.TianwangSortedWeighted",
    "feature-string": "literature.feature_string.FeatureString",
    "idf-features": "literature.idf_features.IdfFeatures",
    "i-match": "literature.i_match.IMatch",
    "text-profile": "literature.text_profile.TextProfile",
    "shingles": "literature.shingles.Shingles",
    "minhash": "literature.minhash.MinHash",
    "sentences": "literature.sentences.Sentences",
    "paragraphs": "literature.paragraph_match.Paragraphs",
}

_SEED = re.compile(rf"(\b{SEED}\s*=\s*)[^,]+")
_VARIANTS = {
    "i-match": ("lexicons=10",),
    "shingles": ("sampling=bharat", "sampling=broder", "sampling=fetterly"),
}
# All schemes, and the variants that were published under the same name.
PUBLISHED = tuple(
    specification
    for name in SCHEMES
    for specification in (name, *(f"{name}:{options}" for options in _VARIANTS.get(name, ())))
)


def find_scheme(name: str) -> type[Scheme]:
    """The class of a scheme by its name.

    Raises ValueError if there is no such scheme, or its class is not a valid scheme.
    """
    if name in SCHEMES:
        own: type[Scheme] = plugins.load(plugins.SCHEMES, f"dedup.schemes.{SCHEMES[name]}")
        return own
    try:
        found = plugins.load(plugins.SCHEMES, name)
    except LookupError:
        raise ValueError(f"there is no scheme {name!r}{_hint(name, scheme_names())}") from None
    if not isinstance(found, type) or not issubclass(found, Scheme) or inspect.isabstract(found):
        raise ValueError(
            f"{name} is no scheme: it must be a class derived from dedup.schemes.Scheme, with all "
            f"its methods ({plugins.MANUAL})"
        )
    if not isinstance(getattr(found, "name", None), str):
        raise ValueError(  # noqa: TRY004
            f"{name} has no name: give it an attribute name ({plugins.MANUAL})"
        )
    plugins.version_of(found, name)
    return found


def scheme_names() -> list[str]:
    """The names of all schemes: of this package, and of other installed packages."""
    return [*SCHEMES, *plugins.installed(plugins.SCHEMES)]


def make_scheme(specification: str, **options: Value | None) -> Scheme:
    """Make a scheme from a specification, and further options; None for the default of one.

    Raises ValueError if the scheme or an option is unknown, an option is given twice with different
    values, or a value is out of its range.
    """
    name, _, rest = specification.strip().partition(":")
    scheme = find_scheme(name)
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
    """The specification of a scheme: its name and the options that differ from the default."""
    kind = type(scheme)
    plain = kind()
    name = f"{kind.__module__}.{kind.__qualname__}" if kind.version else kind.name
    changed = [
        f"{option}={getattr(scheme, option)}"
        for option in rules(scheme)
        if getattr(scheme, option) != getattr(plain, option)
    ]
    return ":".join([name, ",".join(changed)] if changed else [name])


def has_option(specification: str, option: str, *, given: bool | None = None) -> bool:
    """Whether the scheme of a specification has an option.

    If ``given`` is a bool, the specification must also give the option (True) or omit it (False).
    """
    name, _, rest = specification.strip().partition(":")
    try:
        scheme = find_scheme(name)
    except ValueError:
        return False
    if option not in rules(scheme):
        return False
    return given is None or (option in _read_options(name, rest)) == given


def show_specification(specification: str) -> str:
    """A specification for display, with its seed hidden; it may be invalid."""
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
