"""Read pages by compiled code: the call of that code, and its callbacks to Python.

``dedup.native`` contains that code where it could be built; native/main_text.c describes how it
finds the main text. It calls Python for rare work: most character references, and the choice of the
page's own article among several.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from html import unescape

from dedup import native
from dedup.page.articles import choose
from dedup.page.limits import check_tags
from dedup.page.paragraphs import HeadingLink, Kind, MainText, Paragraph, fold
from dedup.page.patience import spend

_RESOLVING = 1e-6  # Seconds that Python takes for one character reference.
_LONG_NUMBER = re.compile("&#[0-9]{20,};?")  # Beyond all characters; Python fails to read it.
# An ideograph is a word here.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_LONGEST_VAGUE = 40  # In characters.
_SIGN = re.compile(r"[^\w\s.'’&]|[\d_]")
_PIECE = 1 << 13  # In characters.
_Paragraphs = tuple[Paragraph, ...]
_SURROGATES = re.compile("[\ud800-\udfff]")


def read_page(html: str | bytes, *, plain: bool = False) -> MainText:
    """Read a page, decoded or in UTF-8; with ``plain``, take all its visible text.

    Raises:
        RefusedError: the page has too many tags or character references.
        RuntimeError: there is no compiled code.
    """
    page = encode(html)
    check_tags(page)
    title, h1, head, paragraphs, sure, target, several, likely = _reader()(page, plain=plain)
    link = HeadingLink(target, several)
    heading = f"{h1} {head}".strip() if _is_vague(title, head) else h1
    return MainText(title, paragraphs, sure, heading, heading_link=link, likely=likely)


def _is_vague(title: str, head: str) -> bool:
    """Whether a title may be the same on all pages, such as "API documentation".

    It has a few words and none of the heading of the text, no number, and no sign as between the
    name of a page and that of its site.
    """
    if len(title) > _LONGEST_VAGUE or _SIGN.search(title):
        return False
    one, other = (set(_WORD.findall(text.casefold())) for text in (head, title))
    return one.isdisjoint(other)


def read_visible(html: str | bytes) -> MainText:
    """Read a page with all its visible text; raises as ``read_page`` does."""
    return read_page(html, plain=True)


@cache
def _reader() -> Callable[..., tuple[str, str, str, _Paragraphs, bool, str, bool, _Paragraphs]]:
    if native.core is None:
        raise RuntimeError(native.MISSING)
    return partial(
        native.core.read_page,
        kinds=tuple(map(Kind, native.core.KINDS)),
        paragraph=Paragraph,
        show=_show,
        choose=choose,
    )


def _show(written: bytes) -> str:
    """Source text of a page as a browser shows it; white space folds to one space."""
    spend(_RESOLVING * written.count(b"&"))
    return fold(unescape(_LONG_NUMBER.sub("\ufffd", written.decode("utf-8", "replace"))))


def encode(html: str | bytes) -> bytes:
    """A page as UTF-8 without NUL, encoded in pieces: pieces in pure ASCII are fast."""
    encoded = html if isinstance(html, bytes) else _encode_text(html)
    return encoded.replace(b"\0", b"")  # On bytes: slow in a str of wide characters.


def _encode_text(html: str) -> bytes:
    pieces = range(0, len(html), _PIECE)
    try:
        return b"".join([html[at : at + _PIECE].encode() for at in pieces])
    except UnicodeEncodeError:
        return _SURROGATES.sub(" ", html).encode()
