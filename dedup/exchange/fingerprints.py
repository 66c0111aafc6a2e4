"""Check that bytes are a readable fingerprint of a scheme, since exports may be untrusted.

The store and the index trust fingerprints. An unreadable one would cause an error for every later
page that is compared with it. So each fingerprint is read here once in the ways of the index: for
its words, and for a comparison (with itself). A readable fingerprint may still be forged.
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
        """Find the length of the scheme's fingerprints, if it is fixed."""
        fingerprinter = Fingerprinter(scheme, min_tokens=1)
        lengths = {len(fingerprinter.of_text(text).value) for text in SAMPLES}
        self._scheme = scheme
        # If one word and a thousand words give the same length, the length is fixed.
        self._length = lengths.pop() if len(lengths) == 1 else None

    def __call__(self, fingerprint: bytes) -> None:
        """Check a fingerprint. Short texts have an empty one, which is valid.

        Raises ValueError if the scheme makes no such fingerprint.
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
        if not 0 < similarity <= 1:  # Every page has such a similarity with itself.
            raise ValueError(
                f"fingerprint of {len(fingerprint)} bytes is none of scheme {self._scheme.name}"
            )
