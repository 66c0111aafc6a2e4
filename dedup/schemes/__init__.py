"""Fingerprint schemes, one module a family, one interface."""

from dedup.schemes.combined import Combined
from dedup.schemes.interface import Comparison, Scheme, Space, Word
from dedup.schemes.simhash import SimHash, simhash

SCHEMES = {scheme.name: scheme for scheme in (Combined, SimHash)}

__all__ = [
    "SCHEMES",
    "Combined",
    "Comparison",
    "Scheme",
    "SimHash",
    "Space",
    "Word",
    "simhash",
]
