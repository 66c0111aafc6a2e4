"""What takes Python longest, in C: pages to main text, tokens to hashes, sketches compared.

Nothing is here that is not in Python, too (``page``, ``schemes``): that is the reference, holds the
rules, which the C is told, and does all of it where there was no compiler. Tests run both and hold
them to the same results, to the last bit.

``core`` is the compiled module, or None.
"""

from __future__ import annotations

from typing import Any

MISSING = (
    "Pages are read by Python alone, which takes more than twice as long: when this package was "
    "installed there was no C compiler, or no headers of Python (on Debian gcc, python3-dev)"
)

core: Any
try:
    from dedup.native import core
except ImportError:
    core = None
