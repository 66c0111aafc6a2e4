"""Whether some bytes can be a fingerprint of a scheme: those of an export come from anywhere.

The store and the index trust fingerprints; one that cannot be read would stop every later page that
is compared with it. So each is read here once, as the index will: for its words, and in comparisons
with itself and with one that the scheme made. What reads well may still be made up.
"""

from __future__ import annotations

import struct

from dedup.fingerprint import Fingerprinter
from dedup.schemes import Scheme

SAMPLES = ("word", " ".join(f"word{number}" for number in range(1000)))
_UNREADABLE = (ArithmeticError, LookupError, TypeError, ValueError, struct.error)


class FingerprintCheck:
    """Checks fingerprints of one scheme."""

    def __init__(self, scheme: Scheme) -> None:
        """Make samples to compare with."""
        fingerprinter = Fingerprinter(scheme, min_tokens=1)
        samples = [fingerprinter.of_text(text).value for text in SAMPLES]
        lengths = {len(sample) for sample in samples}
        self._scheme = scheme
        # A scheme that makes as much of one word as of a thousand has only that length.
        self._length = lengths.pop() if len(lengths) == 1 else None
        self._sample = samples[-1]
        self._bits = {space.name: space.bits for space in scheme.spaces}

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
            is_readable = self._reads(fingerprint)
        except _UNREADABLE:
            is_readable = False
        if not is_readable:
            raise ValueError(
                f"fingerprint of {len(fingerprint)} bytes is none of scheme {self._scheme.name}"
            )

    def _reads(self, fingerprint: bytes) -> bool:
        words = self._scheme.words(fingerprint)
        similarities = (
            self._scheme.compare(fingerprint, other).similarity
            for other in (fingerprint, self._sample)
        )
        return all(0 <= word.value < 1 << self._bits[word.space] for word in words) and all(
            0 <= similarity <= 1 for similarity in similarities
        )
