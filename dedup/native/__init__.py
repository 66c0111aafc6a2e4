"""The slowest steps, compiled: from page to sketch, and look-ups in the store.

Only this module chooses the code: ``core``, written in C, or ``portable``, in Python and NumPy,
where ``core`` could not be compiled. Signatures and results are the same, to the last bit; tests
compare both. ``portable`` loads NumPy, which slows the start of a process. So it is imported only
where compiled code is missing.

``core`` is the compiled module, or None; ``is_compiled`` is True if there is one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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

is_compiled = core is not None
if TYPE_CHECKING or not is_compiled:
    from dedup.native import portable as _steps
else:
    _steps = core

compare_sketches = _steps.compare_sketches
count_octet = _steps.count_octet
find_links = _steps.find_links
find_numbers = _steps.find_numbers
hash_tokens = _steps.hash_tokens
is_utf8 = _steps.is_utf8
join_tokens = _steps.join_tokens
match_sentences = _steps.match_sentences
near_words = _steps.near_words
read_dictionary = _steps.read_dictionary
read_marks = _steps.read_marks
simhash = _steps.simhash
sketch = _steps.sketch
sketch_visible = _steps.sketch_visible
space_tokens = _steps.space_tokens
spell = _steps.spell
tell_item = _steps.tell_item
