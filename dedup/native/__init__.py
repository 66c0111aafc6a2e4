"""The steps that cost Python the most time, compiled: page to sketch, and look-ups in the store.

This module is the only place that chooses: the functions are those of ``core``, written in C, or
where that could not be compiled those of ``portable``, in Python and NumPy. The signatures and
results are the same, to the last bit; tests compare both. ``portable`` loads NumPy, which slows
the start of a process, so a process with compiled code leaves it out.

``core`` is the compiled module, or None; ``is_compiled`` is whether there is one.
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
    from dedup.native.core import (
        compare_sketches,
        count_octet,
        hash_tokens,
        is_utf8,
        join_tokens,
        match_sentences,
        near_words,
        read_dictionary,
        read_marks,
        simhash,
        sketch,
        space_tokens,
        spell,
        tell_item,
    )
except ImportError:
    core = None
    from dedup.native.portable import (
        compare_sketches,
        count_octet,
        hash_tokens,
        is_utf8,
        join_tokens,
        match_sentences,
        near_words,
        read_dictionary,
        read_marks,
        simhash,
        sketch,
        space_tokens,
        spell,
        tell_item,
    )

is_compiled = core is not None

__all__ = (
    "MISSING",
    "compare_sketches",
    "core",
    "count_octet",
    "hash_tokens",
    "is_compiled",
    "is_utf8",
    "join_tokens",
    "match_sentences",
    "near_words",
    "read_dictionary",
    "read_marks",
    "simhash",
    "sketch",
    "space_tokens",
    "spell",
    "tell_item",
)
