"""What takes Python longest, in C: page to text to tokens to sketch, items, buckets searched.

Nothing is here that is not in Python, too (``page``, ``schemes``, ``items``, ``store``), which is
the reference, holds the rules, which the C is told, and does all of it where there was no compiler.
Tests run both and hold them to the same results, to the last bit. NumPy, which does much of that,
is imported only then: a process would start later for it.

``core`` is the compiled module, or None.
"""

from __future__ import annotations

from typing import Any

MISSING = (
    "Pages are read by Python alone, which takes more than twice as long: when this package was "
    "installed there was no C compiler, or no headers of Python (on Debian gcc, python3-dev). "
    "Install both, then this package once more"
)

core: Any
try:
    from dedup.native import core
except ImportError:
    core = None
