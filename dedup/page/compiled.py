"""Pages read by compiled code: the boundary to it, and what it asks of Python.

``dedup.native`` has that code where it could be built (native/main_text.c tells how main text is
found). Of Python it asks what classes say (see names), and what is rare: most references of
characters, and which of several articles is the page's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache, partial
from html import unescape

from dedup import native
from dedup.page import class_names
from dedup.page.articles import choose
from dedup.page.limits import check_tags
from dedup.page.paragraphs import Kind, MainText, Paragraph, fold
from dedup.page.patience import need, timed

_REMEMBERED = 1 << 14  # hints, beside those that compiled code remembers
_RESOLVING = 1e-6  # seconds that a reference of a character takes Python
_LONG_NUMBER = re.compile("&#[0-9]{20,};?")  # no character; Python does not even read it
_PIECE = 1 << 13  # characters
_SURROGATES = re.compile("[\ud800-\udfff]")


def read_page(html: str | bytes, *, plain: bool = False) -> MainText:
    """Read a page.

    Args:
        html: the page, decoded, or in UTF-8.
        plain: take all that is visible, as the extractor ``plain``.

    Raises:
        RefusedError: it has more tags or references of characters than are read.
        RuntimeError: there is no compiled code.
    """
    page = encode(html)
    check_tags(page)
    title, heading, paragraphs, sure = _reader()(page, plain=plain)
    return MainText(title, paragraphs, sure, heading)


@cache
def _reader() -> Callable[..., tuple[str, str, tuple[Paragraph, ...], bool]]:
    if native.core is None:
        raise RuntimeError(native.MISSING)
    core = native.core
    finders = [getattr(class_names, f"says_{saying}") for saying in core.SAYINGS]

    @lru_cache(_REMEMBERED)
    @timed
    def say(hint: bytes) -> int:
        """What class, id and role say, a bit each; ``hint`` has a 0 for each of its digits."""
        name = hint.decode("utf-8", "replace")
        return sum(finds(name) << bit for bit, finds in enumerate(finders))

    return partial(
        core.read_page,
        kinds=tuple(map(Kind, core.KINDS)),
        paragraph=Paragraph,
        show=_show,
        say=say,
        choose=choose,
    )


@timed
def _show(written: bytes) -> str:
    """Text as it is shown, of what is written in a page; white space folds to one space."""
    need(_RESOLVING * written.count(b"&"))
    return fold(unescape(_LONG_NUMBER.sub("\ufffd", written.decode("utf-8", "replace"))))


def encode(html: str | bytes) -> bytes:
    """A page as UTF-8 without NUL, made piece by piece: those of nothing but ASCII are quick."""
    encoded = html if isinstance(html, bytes) else _encode_text(html)
    return encoded.replace(b"\0", b"")  # which takes long in a text of wide characters


def _encode_text(html: str) -> bytes:
    pieces = range(0, len(html), _PIECE)
    try:
        return b"".join([html[at : at + _PIECE].encode() for at in pieces])
    except UnicodeEncodeError:
        return _SURROGATES.sub(" ", html).encode()
