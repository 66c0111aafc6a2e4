"""Loads stores, schemes and extractors of other packages, by entry point or by dotted path.

A name without a dot is the name of an entry point of an installed package. A name with a dot is
the path of a class or function in a module that Python can import.
"""

from __future__ import annotations

from functools import cache, reduce
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

STORES, SCHEMES, EXTRACTORS = "neardup.stores", "neardup.schemes", "neardup.extractors"
MANUAL = "docs/extending.md"


def installed(group: str) -> list[str]:
    """The names of all entry points in a group, sorted."""
    return sorted({point.name for point in entry_points(group=group)})


@cache
def load(group: str, name: str) -> Any:
    """Import the object with a dotted path, or the name of an entry point of a group.

    Raises:
        LookupError: no installed package has an entry point of this name.
        ValueError: the object cannot be imported; the message is one line.
    """
    if "." in name:
        module, _, attribute = name.rpartition(".")
        return _load(name, module, attribute)
    for point in entry_points(group=group, name=name):
        return _load(point.value, point.module, point.attr)
    raise LookupError(name)


def version_of(found: Any, name: str) -> str:
    """The version of a scheme or an extractor of another package; a store records it.

    Raises ValueError if there is no version; the message is one line.
    """
    version = getattr(found, "version", None)
    if not isinstance(version, str | int) or not str(version).strip():
        raise ValueError(
            f"{name} has no version: give it an attribute such as version = '1', and raise that "
            f"whenever its results change, since a store is used with one version only ({MANUAL})"
        )
    return str(version)


def _load(shown: str, module: str, attribute: str) -> Any:
    try:
        if not all(part.isidentifier() for part in f"{module}.{attribute}".split(".")):
            raise ImportError("this is no dotted path")  # noqa: TRY301
        return reduce(getattr, attribute.split("."), import_module(module))
    except Exception as error:  # An import may raise any exception.
        said = (str(error).splitlines() or [""])[0]
        kind = "" if isinstance(error, ImportError | AttributeError) else type(error).__name__
        reason = ": ".join(filter(None, (kind, said)))
        raise ValueError(
            f"{shown} cannot be imported: {reason}; correct the path, or install its package into "
            f"this Python ({MANUAL})"
        ) from error
