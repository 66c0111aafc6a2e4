"""Fingerprint schemes, one module a family, one interface."""

from dedup.schemes.combined import Combined
from dedup.schemes.interface import UNREADABLE, Comparison, Scheme, Space, Word
from dedup.schemes.options import show_option
from dedup.schemes.simhash import SimHash, simhash
from dedup.schemes.specification import (
    PUBLISHED,
    SCHEMES,
    make_scheme,
    show_specification,
    specify,
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
    "make_scheme",
    "show_option",
    "show_specification",
    "simhash",
    "specify",
]
