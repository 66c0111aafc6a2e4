"""A page to its main text in one compiled step, which does what the modules here do in Python.

``dedup.native`` has it where it could be built. Its rules are those of ``judgement``; of Python it
asks what names of parts say, and what is rare: most references of characters, very long tags, which
of several articles is the page's own.
"""

from __future__ import annotations

from dedup import native
from dedup.page.judgement import RULES
from dedup.page.limits import RefusedError
from dedup.page.paragraphs import MainText


def read_page(page: bytes, *, plain: bool = False) -> tuple[MainText, int]:
    """Read a page.

    Args:
        page: in UTF-8, without NUL.
        plain: take all that is visible, as the extractor ``plain``.

    Returns:
        The main text and the octets in the longest <noscript>.

    Raises:
        RefusedError: it has more tags or references of characters than are read.
    """
    if native.core is None:
        from dedup.page import main_text  # noqa: PLC0415  (NumPy is slow to import)

        return main_text.read_page(page, plain=plain)
    found = native.core.read_page(page, RULES, plain)
    if not found:
        raise RefusedError("too_many_tags")
    title, heading, paragraphs, sure, unscripted = found
    return MainText(title, paragraphs, sure, heading), unscripted
