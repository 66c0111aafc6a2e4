"""Digests that decide whether two texts or items are equal, without a further comparison.

Nobody can make a text with the digest of another one. For XXH3 anybody can.
"""

from __future__ import annotations

import hashlib


def digest_of(data: bytes, size: int) -> bytes:
    """The first ``size`` bytes of SHA-256."""
    return hashlib.sha256(data).digest()[:size]
