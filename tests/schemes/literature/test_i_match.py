"""I-Match, plain and with randomised lexicons."""

from pathlib import Path

import pytest
from xxhash import xxh3_128_digest

from dedup.schemes.literature.i_match import IMatch
from tests.schemes.reading import document
from tests.schemes.small_model import write_small_model

RARE = [f"rare{n}" for n in range(1000)]  # unknown to any model


@pytest.fixture
def idf(tmp_path: Path) -> str:
    return write_small_model(tmp_path)


def test_the_signature_is_a_hash_of_the_sorted_words_inside_the_band(idf: str) -> None:
    scheme = IMatch(idf=idf, low=0.3, high=0.7, least=1)
    value = scheme.fingerprint(document("Tea, the quay! Skarne: tea, heron, unheard."))
    assert value == xxh3_128_digest(b"heron quay tea", 0)


def test_both_ends_of_the_band_are_options(idf: str) -> None:
    text = document("the tea quay skarne")
    for low, high, words in (
        (0.0, 0.4, b"tea the"),
        (0.6, 1.0, b"quay skarne"),
        (0.0, 0.0, b"the"),
    ):
        scheme = IMatch(idf=idf, low=low, high=high, least=1)
        assert scheme.fingerprint(text) == xxh3_128_digest(words, 0)


def test_words_unknown_to_the_model_are_outside_a_band_that_ends_below_1(idf: str) -> None:
    scheme = IMatch(idf=idf, high=0.99, least=1)
    one, other = (scheme.fingerprint(document(f"tea quay {word}")) for word in ("xyzzy", "plugh"))
    assert one == other


def test_order_and_counts_do_not_matter(idf: str) -> None:
    scheme = IMatch(idf=idf, high=0.9, least=1)
    one, other = (
        scheme.fingerprint(document(t)) for t in ("tea quay heron", "heron quay quay tea")
    )
    assert one == other


def test_a_text_of_too_few_lexicon_words_goes_by_all_its_words(idf: str) -> None:
    scheme = IMatch(idf=idf, high=0.9, least=4)
    one, same, other = (
        scheme.fingerprint(document(t))
        for t in ("tea quay heron", "Tea: quay, heron", "quay heron tea")
    )
    assert one == document("tea quay heron").digest
    assert scheme.accepts(scheme.compare(one, same), same_host=False)
    assert not scheme.accepts(scheme.compare(one, other), same_host=False)


def lexicons(count: int, left_out: float = 0.33) -> IMatch:
    """A scheme whose lexicon are all rare words."""
    return IMatch(low=0.99, high=1.0, lexicons=count, left_out=left_out)


def test_each_lexicon_gives_one_signature_and_one_key_more() -> None:
    scheme = lexicons(10)
    value = scheme.fingerprint(document(" ".join(RARE[:50])))
    assert len(value) == 11 * 16
    assert len(scheme.words(value)) == 11
    assert value[:16] == lexicons(0).fingerprint(document(" ".join(RARE[:50])))


def test_more_lexicons_keep_the_signatures_of_the_first() -> None:
    text = document(" ".join(RARE[:50]))
    assert lexicons(10).fingerprint(text).startswith(lexicons(3).fingerprint(text))


def test_an_edited_word_leaves_the_signatures_of_the_lexicons_without_it() -> None:
    scheme = lexicons(64)
    one, other = (document(" ".join([*RARE[:50], word])) for word in RARE[50:52])
    plain = lexicons(0)
    assert plain.compare(plain.fingerprint(one), plain.fingerprint(other)).similarity == 0.0
    a, b = scheme.fingerprint(one), scheme.fingerprint(other)
    comparison = scheme.compare(a, b)
    assert comparison.similarity == len({*scheme.words(a)} & {*scheme.words(b)}) / 65
    assert 0.0 < comparison.similarity < 0.5
    assert scheme.accepts(comparison, same_host=True)


@pytest.mark.parametrize("left_out", [0.1, 0.33, 0.8])
def test_a_lexicon_leaves_out_the_share_asked_for(left_out: float) -> None:
    """An edited word leaves a signature alone just where the lexicon lacks it."""
    scheme = lexicons(64, left_out)
    one = scheme.fingerprint(document(" ".join(RARE[:50])))
    alone = 0
    for word in RARE[50:90]:
        other = scheme.fingerprint(document(" ".join([*RARE[:50], word])))
        alone += round(scheme.compare(one, other).similarity * 65)
    assert alone / (40 * 64) == pytest.approx(left_out, abs=0.03)


def test_a_lexicon_that_leaves_too_little_gives_no_signature() -> None:
    scheme = IMatch(low=0.99, high=1.0, lexicons=64, left_out=0.5, least=10)
    value = scheme.fingerprint(document(" ".join(RARE[:12])))
    assert 16 <= len(value) < 65 * 16
    assert len(value) % 16 == 0
