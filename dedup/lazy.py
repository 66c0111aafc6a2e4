"""What is imported when it is first asked for: names that a package gives out, a library.

Scrapy loads the commands of every package installed whenever any of its own runs: one that has
nothing to do with near-duplicates must not wait for NumPy. And a crawl without a server
must not wait for the import of a client.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def importer(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package (PEP 562).

    ``modules`` has the names that each module gives it, separated by spaces.
    """
    places = {name: module for module, names in modules.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(places[name]), name)

    return get


class Library:
    """A library that few need, in place of the module; a missing one is missed at its first use."""

    def __init__(self, name: str) -> None:
        """Import nothing yet."""
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._name), name)
