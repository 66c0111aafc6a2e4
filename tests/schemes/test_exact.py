"""One digest of the whole main text."""

import hashlib

import pytest

from dedup.schemes.exact import Exact
from tests.schemes.reading import document

TEXT = "The ferry Tern left the north quay; three passengers missed it."
READ = b"the ferry tern left the north quay three passengers missed it"


@pytest.mark.parametrize(
    ("name", "digest"),
    [
        ("sha256", hashlib.sha256(READ).digest()[:16]),
        ("md5", hashlib.md5(READ).digest()),
    ],
)
def test_the_fingerprint_is_the_digest_of_the_words_with_spaces(name: str, digest: bytes) -> None:
    assert Exact(hash=name).fingerprint(document(TEXT)) == digest


def test_the_digest_is_the_only_word() -> None:
    scheme = Exact()
    value = scheme.fingerprint(document(TEXT))
    [word] = scheme.words(value)
    [space] = scheme.spaces
    assert word.value == int.from_bytes(value, "little")
    assert (space.name, space.bits, space.radius, space.cap) == (word.space, 128, 0, None)


@pytest.mark.parametrize(
    "same",
    [
        "THE FERRY Tern left\nthe north quay. Three passengers missed it!",
        "The\u200b ferry  Tern left the north quay: three passengers missed it",
    ],
)
def test_case_lines_and_punctuation_do_not_matter(same: str) -> None:
    assert Exact().fingerprint(document(same)) == Exact().fingerprint(document(TEXT))


def test_traditional_and_simplified_chinese_are_the_same() -> None:
    one, other = (Exact().fingerprint(document(text)) for text in ("讓茶樹長大", "让茶树长大"))
    assert one == other


def test_one_other_word_makes_another_text() -> None:
    scheme = Exact()
    one, other = (scheme.fingerprint(document(text)) for text in (TEXT, TEXT.replace("it", "her")))
    assert scheme.compare(one, other).similarity == 0.0
    assert not scheme.accepts(scheme.compare(one, other), same_host=False)
