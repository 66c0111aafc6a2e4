"""Negations: whether one of two sentences denies the other, in the same words."""

from __future__ import annotations

import re

_NEGATIONS = frozenset(
    "not no never without nicht kein keine keinen nie ohne ne pas jamais sans nunca sin non mai "
    "senza não nem sem niet geen nooit не нет ни без".encode().split()
)
_SIGNS = "不没未无非勿有"  # 有, because 有权 becomes 无权.
_NEGATION_SIGNS = str.maketrans("", "", _SIGNS)
_HAS_SIGN = re.compile("|".join(_SIGNS).encode())
_ARTICLES = frozenset(b"a an any some ein eine einen un une de d des uno una um uma een".split())
_NUMBERED = re.compile(rb"\bno (?=\d)")  # No. 5 is number 5.
# The words of isn't and the like.
_CONTRACTED = re.compile(rb"\b(?:(wo|ca|sha)n t|(\w+)n t|(can)not)\b")
_WHOLE = {b"wo": b"will", b"ca": b"can", b"sha": b"shall"}
_DO_NOT = re.compile(rb"\b(?:do|does|did) not\b")
_LONGEST_NEGATION = 8  # Bytes, with a space.
_MOST_OTHER = 2  # Words that only one of the sentences has: 有权 and 无权.


def deny(here: bytes, there: bytes) -> bool:
    """Whether two sentences are the same words, with and without a negation."""
    if abs(len(here) - len(there)) > _LONGEST_NEGATION:
        return False
    one, other = _write_out(here).split(), _write_out(there).split()
    differing = {*one}.symmetric_difference(other)
    if len(differing) > _MOST_OTHER or (differing and not any(map(_negates, differing))):
        return False
    if b"".join(one) == b"".join(other):
        return False
    if _affirm(one) == _affirm(other):
        return True
    strip = _strip_auxiliaries if _ARTICLES.isdisjoint(differing) else _strip_articles
    return _affirm(strip(one)) == _affirm(strip(other))


def _strip_auxiliaries(words: list[bytes]) -> list[bytes]:
    """The words of a sentence without "do not"."""
    return _DO_NOT.sub(b"", b" ".join(words)).split()


def _strip_articles(words: list[bytes]) -> list[bytes]:
    """The words of a sentence without articles, because "no reason" denies "a reason"."""
    return [word for word in words if word not in _ARTICLES]


def _negates(word: bytes) -> bool:
    return word in _NEGATIONS or _HAS_SIGN.search(word) is not None


def _write_out(words: bytes) -> bytes:
    """A sentence with "is not" for "isn t", and without the "no" of No. 5."""
    has = words.count  # Fast: ``in`` first takes the octets for a number, and fails.
    if has(b"no "):
        words = _NUMBERED.sub(b"", words)
    if not has(b"n t") and not has(b"cannot"):
        return words
    return _CONTRACTED.sub(
        lambda found: (_WHOLE.get(found[1]) or found[2] or found[3]) + b" not", words
    )


def _affirm(words: list[bytes]) -> str:
    """The words of a sentence without negations."""
    told = b"".join([word for word in words if word not in _NEGATIONS])
    return told.decode().translate(_NEGATION_SIGNS)
