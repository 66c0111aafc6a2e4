"""The steps over a page's octets and tags that take Python longest, in C.

Each has a counterpart in Python (`markup.find_tags`, `nesting.nest`, `reading.read`, `Outline`) that
holds its rules, does the same where these could not be built, and stands beside them in tests.
``core`` is the compiled module, or None.
"""

from __future__ import annotations

from typing import Any

core: Any
try:
    from dedup.native import core
except ImportError:
    core = None
