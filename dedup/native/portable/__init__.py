"""The compiled steps in Python and NumPy, for machines without a C compiler.

Each function has the same name, signature and results, to the last bit, as its counterpart in
``dedup.native.core``. ``dedup.native`` imports this package where the compiled module is missing.
Some functions return None. Callers then do the step by their own code, as they do for the few texts
that the compiled function refuses.
"""

from dedup.native.portable.hashes import hash_tokens
from dedup.native.portable.matching import match_sentences
from dedup.native.portable.packed import near_words, read_marks
from dedup.native.portable.sketches import compare_sketches, sketch
from dedup.native.portable.texts import (
    count_octet,
    find_links,
    find_numbers,
    is_utf8,
    join_tokens,
    read_dictionary,
    space_tokens,
    spell,
    tell_item,
)
from dedup.native.portable.visible import sketch_visible
from dedup.native.portable.votes import simhash

__all__ = (
    "compare_sketches",
    "count_octet",
    "find_links",
    "find_numbers",
    "hash_tokens",
    "is_utf8",
    "join_tokens",
    "match_sentences",
    "near_words",
    "read_dictionary",
    "read_marks",
    "simhash",
    "sketch",
    "sketch_visible",
    "space_tokens",
    "spell",
    "tell_item",
)
