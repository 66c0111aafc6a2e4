"""Tests that stores, schemes and extractors of other packages inherit (docs/extending.md).

Subclass a contract in a test module, write its one fixture, and run pytest.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dedup.extras import missing

if TYPE_CHECKING:
    from dedup.testing.extractors import ExtractorContract
    from dedup.testing.schemes import SchemeContract
    from dedup.testing.stores import PagesContract, StoreContract

_PLACES = {
    "ExtractorContract": "dedup.testing.extractors",
    "PagesContract": "dedup.testing.stores",
    "SchemeContract": "dedup.testing.schemes",
    "StoreContract": "dedup.testing.stores",
}

__all__ = ["ExtractorContract", "PagesContract", "SchemeContract", "StoreContract"]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if lacking := missing("testing"):
        raise ImportError(f"dedup.testing needs {lacking}")
    import pytest  # noqa: PLC0415  (part of an extra)

    pytest.register_assert_rewrite(_PLACES[name])  # So that a failure shows both sides.
    return getattr(import_module(_PLACES[name]), name)
