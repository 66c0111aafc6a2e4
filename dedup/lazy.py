"""Imports at the first use: the public names of a package, or a library.

Whenever a command of Scrapy runs, Scrapy loads the commands of all installed packages. So a command
that has nothing to do with near-duplicates would wait for NumPy. And a crawl without a server would
wait for the import of a client.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def importer(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package (PEP 562).

    ``modules`` has the public names in each module, separated by spaces.
    """
    places = {name: module for module, names in modules.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(places[name]), name)

    return get


class Library:
    """Stands for a library that few crawls need; the first use raises if it is not installed."""

    def __init__(self, name: str) -> None:
        """Import nothing yet."""
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._name), name)
