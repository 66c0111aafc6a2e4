"""What passes for a fingerprint of a scheme, and what does not."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.exchange.opening import FingerprintCheck
from dedup.fingerprint import Fingerprinter
from dedup.schemes import PUBLISHED, Scheme, make_scheme
from tests.exchange.made_pages import prose

SENTENCES = "\n".join(f"The {line}. of {'many ' * 20}sentences. And a second." for line in "abcde")
TEXTS = ("one", SENTENCES, "茶 和 咖啡 的 故事", prose("short")[:300], prose("long") * 3)


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_fingerprints_of_every_scheme_pass(name: str) -> None:
    scheme = make_scheme(name)
    check = FingerprintCheck(scheme)
    fingerprinter = Fingerprinter(scheme, min_tokens=1)
    for text in TEXTS:
        check(fingerprinter.of_text(text).value)


def test_that_of_a_short_text_is_empty_and_passes() -> None:
    FingerprintCheck(make_scheme("combined"))(b"")


@pytest.mark.parametrize(
    ("name", "fingerprint"),
    [
        ("simhash", bytes(7)),
        ("simhash", bytes(9)),
        ("simhash:bits=128", bytes(8)),
        ("minhash", bytes(100)),
        ("exact", bytes(8)),
        ("combined", b"short"),
        ("combined", struct.pack("<QIHHIIHI", 1, 9, 9, 9, 0, 0, 0, 0)),
        ("combined", struct.pack("<QIHHIIHI", 1, 9, 2, 9, 0, 0, 0, 0) + bytes(80)),
        ("sentences", bytes(7)),
        ("paragraphs", b"\x00" + bytes(5)),
        ("paragraphs", b"\x00" + bytes(20)),  # a passage without weight
        ("tianwang-sorted-weighted", bytes(16) + struct.pack("<f", math.nan)),
    ],
)
def test_bytes_that_no_page_has_are_refused(name: str, fingerprint: bytes) -> None:
    with pytest.raises(ValueError, match="fingerprint"):
        FingerprintCheck(make_scheme(name))(fingerprint)


CHECKS: list[tuple[Scheme, FingerprintCheck]] = [
    (scheme, FingerprintCheck(scheme)) for scheme in map(make_scheme, PUBLISHED)
]


@settings(derandomize=True, deadline=None, max_examples=400)
@given(st.binary(min_size=1, max_size=200), st.sampled_from(CHECKS))
def test_any_bytes_either_pass_and_can_be_compared_or_are_refused(
    fingerprint: bytes, of: tuple[Scheme, FingerprintCheck]
) -> None:
    scheme, check = of
    try:
        check(fingerprint)
    except ValueError:
        return
    genuine = Fingerprinter(scheme, min_tokens=1).of_text(TEXTS[-1]).value
    assert 0 <= scheme.compare(fingerprint, genuine).similarity <= 1
