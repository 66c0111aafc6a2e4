"""What takes Python longest, in C: page to main text to tokens to sketch, and buckets searched.

Nothing is here that is not in Python, too (``page``, ``schemes``, ``store``), which is the
reference, holds the rules, which the C is told, and does all of it where there was no compiler.
Tests run both and hold them to the same results, to the last bit. NumPy, which does much of that,
is imported only then: a process would start later for it.

``core`` is the compiled module, or None.
"""

from __future__ import annotations

from typing import Any

NOT_BUILT = "compiled code could not be built when this package was installed"
REMEDY = (
    "Install a C compiler and Python's headers (on Debian gcc, python3-dev), "
    "then this package once more"
)
MISSING = (
    f"Pages are read by readability-lxml and jieba, since {NOT_BUILT}: "
    f"that takes more than ten times as long and finds less of the main text. {REMEDY}"
)

core: Any
try:
    from dedup.native import core
except ImportError:
    core = None
