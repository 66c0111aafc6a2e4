"""Fingerprint schemes: one interface, and one module per family."""

from typing import TYPE_CHECKING

from dedup.lazy import importer
from dedup.schemes.interface import UNREADABLE, Comparison, Scheme, Space, Word
from dedup.schemes.options import show_option
from dedup.schemes.specification import (
    PUBLISHED,
    SCHEMES,
    find_scheme,
    has_option,
    make_scheme,
    scheme_names,
    show_specification,
    specify,
)

if TYPE_CHECKING:
    from dedup.schemes.combined import Combined
    from dedup.schemes.simhash import SimHash
else:
    __getattr__ = importer(
        __name__, {"dedup.schemes.combined": "Combined", "dedup.schemes.simhash": "SimHash"}
    )

__all__ = [
    "PUBLISHED",
    "SCHEMES",
    "UNREADABLE",
    "Combined",
    "Comparison",
    "Scheme",
    "SimHash",
    "Space",
    "Word",
    "find_scheme",
    "has_option",
    "make_scheme",
    "scheme_names",
    "show_option",
    "show_specification",
    "specify",
]
