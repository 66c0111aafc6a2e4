"""What is written in a page, read: the attributes of a tag, text with references of characters."""

from __future__ import annotations

import re
from html import unescape

HINT_LIMIT = 200  # letters of a hint that are looked at
ATTRIBUTES_WITHIN = 8_000  # octets of a tag that its attributes begin in

HIDDEN, DISPLAY = b"hidden", b"display"
_FIRST = len("<a ")  # where its first attribute begins
_TARGET, _PLACE_NAMES = b"href", frozenset((b"name", b"id"))
SHORTEST = len("<i hidden>")  # tag with a telling attribute
_ATTRIBUTE = re.compile(
    rb"""([^\s/>=]+)(?:[ \t\r\n\f]*+=[ \t\r\n\f]*+("[^"]*+"|'[^']*+'|[^\s>]*+))?"""
)
_ONLY_CLASS = re.compile(rb"""<[a-zA-Z0-9]++ class="([^"]++)">""")
_LONG_NUMBER = re.compile("&#[0-9]{20,};?")  # no character; Python does not even read it
_PIECE = 1 << 13  # characters
_SURROGATES = re.compile("[\ud800-\udfff]")
_HIDDEN_STYLE = re.compile(rb"(?<![\w-])display\s*:\s*none")
_STREAMED = re.compile(rb"""["']?s:[0-9a-f]+["']?""")  # id of what React sends late, for a script
_AROUND = b"\"' \t\r\n\f"  # the words of a value


def hides(tag: bytes) -> bool:
    """Whether the attributes of a tag, as it is written, hide what it begins."""
    written = tag.lower()
    if HIDDEN not in written and DISPLAY not in written:
        return False
    attributes = read_attributes(written)
    get = attributes.get
    return (HIDDEN in attributes and not _STREAMED.fullmatch(get(b"id", b""))) or bool(
        _HIDDEN_STYLE.search(get(b"style", b""))
    )


def leads(link: bytes) -> bool:
    """Whether an <a>, as it is written, leads to a place."""
    if link.startswith(_TARGET, _FIRST):  # as in most
        return True
    return _TARGET in link.lower() or _PLACE_NAMES.isdisjoint(read_attributes(link))


def read_hint(tag: bytes) -> str:
    """Class, id and role in a tag as it is written, lower case."""
    if len(tag) < SHORTEST:
        return ""
    if only := _ONLY_CLASS.fullmatch(tag):
        name = only[1].lower().strip(_AROUND).decode("utf-8", "replace")
        return _unescape(name)[:HINT_LIMIT]
    get = read_attributes(tag).get
    names = [get(b"class", b""), get(b"id", b""), get(b"role", b"")]
    if not any(names):
        return ""
    text = b" ".join([name.strip(_AROUND) for name in names]).decode("utf-8", "replace")
    return _unescape(text)[:HINT_LIMIT]


def read_attributes(tag: bytes) -> dict[bytes, bytes]:
    """The attributes of a tag, lower case, values with their quotes; of equals the first."""
    written = tag[1:].lower()
    if len(written) > ATTRIBUTES_WITHIN:  # then to the end of the value that reaches so far
        ends = (found.end() for found in _ATTRIBUTE.finditer(written))
        written = written[: next((end for end in ends if end >= ATTRIBUTES_WITHIN), None)]
    return dict(reversed(_ATTRIBUTE.findall(written)))


def encode(html: str | bytes) -> bytes:
    """A page as UTF-8 without NUL, made piece by piece: those of nothing but ASCII are quick."""
    encoded = html if isinstance(html, bytes) else _encode(html)
    return encoded.replace(b"\0", b"")  # which takes long in a text of wide characters


def _encode(html: str) -> bytes:
    pieces = range(0, len(html), _PIECE)
    try:
        return b"".join([html[at : at + _PIECE].encode() for at in pieces])
    except UnicodeEncodeError:
        return _SURROGATES.sub(" ", html).encode()


def read_text(raw: bytes) -> str:
    """Text as it is shown, of what is written in a page; white space folds to one space."""
    return fold(_unescape(raw.decode("utf-8", "replace")))


def _unescape(text: str) -> str:
    return unescape(_LONG_NUMBER.sub("\ufffd", text)) if "&" in text else text


def fold(text: str) -> str:
    """Fold every run of white space to one space and strip the ends."""
    return " ".join(text.split())
