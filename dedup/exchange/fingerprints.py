"""Whether some bytes can be a fingerprint of a scheme: those of an export come from anywhere.

The store and the index trust fingerprints; one that cannot be read would stop every later page that
is compared with it. So each is read here once, as the index will read it: for its words, and
compared, with itself. One that can be read may still be forged.
"""

from __future__ import annotations

import math

from dedup.fingerprint import Fingerprinter
from dedup.schemes import UNREADABLE, Scheme

SAMPLES = (
    "word",
    "\n".join(" ".join(f"word{25 * line + at}" for at in range(40)) + "." for line in range(25)),
)


class FingerprintCheck:
    """Checks fingerprints of one scheme."""

    def __init__(self, scheme: Scheme) -> None:
        """Find how long its fingerprints are."""
        fingerprinter = Fingerprinter(scheme, min_tokens=1)
        lengths = {len(fingerprinter.of_text(text).value) for text in SAMPLES}
        self._scheme = scheme
        # A scheme that makes as much of one word as of a thousand has only that length.
        self._length = lengths.pop() if len(lengths) == 1 else None

    def __call__(self, fingerprint: bytes) -> None:
        """Check a fingerprint; an empty one is that of a short text.

        Raises:
            ValueError: the scheme makes no such fingerprint.
        """
        if not fingerprint:
            return
        if self._length is not None and len(fingerprint) != self._length:
            raise ValueError(
                f"fingerprint must be {self._length} bytes for scheme {self._scheme.name}; "
                f"got {len(fingerprint)}"
            )
        try:
            self._scheme.words(fingerprint)
            similarity = self._scheme.compare(fingerprint, fingerprint).similarity
        except UNREADABLE:
            similarity = math.nan
        if not 0 < similarity <= 1:  # as every page has with itself
            raise ValueError(
                f"fingerprint of {len(fingerprint)} bytes is none of scheme {self._scheme.name}"
            )
