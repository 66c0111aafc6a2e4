"""What holds for every scheme of exact keys: laws, options, and pages found through a store."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.demo.texts import load_texts
from dedup.schemes.exact import Exact
from dedup.schemes.interface import Scheme
from dedup.schemes.literature.feature_string import FeatureString
from dedup.schemes.literature.i_match import IMatch
from dedup.schemes.literature.idf_features import IdfFeatures
from dedup.schemes.literature.segments import Segments
from dedup.schemes.literature.text_profile import TextProfile
from dedup.schemes.literature.tianwang import (
    TianwangAbstract,
    TianwangOrdered,
    TianwangOrderedWeighted,
    TianwangSorted,
    TianwangSortedWeighted,
)
from tests.schemes.finding import found
from tests.schemes.reading import document

LAW = settings(derandomize=True, deadline=None, max_examples=40)
SCHEMES: list[Scheme] = [
    Exact(),
    Exact(hash="md5"),
    Segments(),
    TianwangAbstract(),
    TianwangOrdered(),
    TianwangOrderedWeighted(),
    TianwangSorted(),
    TianwangSortedWeighted(),
    FeatureString(),
    IdfFeatures(),
    IMatch(),
    IMatch(lexicons=4),
    TextProfile(),
]
EACH = pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.name)
TOKENS = st.lists(st.text("abc茶的树 ", min_size=1, max_size=5), min_size=1, max_size=80)
TEXTS = load_texts()


def fingerprint(scheme: Scheme, text: str) -> bytes:
    return scheme.fingerprint(document(text))


@EACH
@LAW
@given(TOKENS, TOKENS)
def test_what_is_accepted_shares_a_word(scheme: Scheme, one: list[str], other: list[str]) -> None:
    a, b = (fingerprint(scheme, "x " + " ".join(tokens)) for tokens in (one, other))
    if scheme.accepts(scheme.compare(a, b), same_host=False):
        assert {*scheme.words(a)} & {*scheme.words(b)}


@EACH
@LAW
@given(TOKENS)
def test_words_belong_to_exact_spaces_and_fit_them(scheme: Scheme, tokens: list[str]) -> None:
    spaces = {space.name: space for space in scheme.spaces}
    words = scheme.words(fingerprint(scheme, "x " + " ".join(tokens)))
    assert words
    assert len({*words}) == len(words)
    for word in words:
        assert spaces[word.space].radius == 0
        assert 0 <= word.value < 1 << spaces[word.space].bits


@EACH
def test_a_broken_fingerprint_is_compared_all_the_same(scheme: Scheme) -> None:
    value = fingerprint(scheme, TEXTS["ferry"].plain)
    for broken in (b"", b"\0", value[:-1], value[:9], value + b"\0\0\0"):
        assert 0.0 <= scheme.compare(value, broken).similarity <= 1.0
        assert scheme.compare(value, broken) == scheme.compare(broken, value)


@EACH
def test_a_long_text_has_a_small_fingerprint(scheme: Scheme) -> None:
    assert len(fingerprint(scheme, " ".join(f"w{n % 5000}" for n in range(50_000)))) <= 128


def retyped(text: str) -> str:
    return text.upper().replace(".", " ;").replace(",", "\u200b,")


def other_end(text: str) -> str:
    return text.rsplit("\n", 1)[0] + "\nRead on in the next number of this paper."


# More than a small word, of what each scheme minds least.
EDITS: list[tuple[Scheme, Callable[[str], str]]] = [
    (Exact(), retyped),
    (Segments(), other_end),
    (TianwangAbstract(), other_end),
    (IMatch(lexicons=30, left_out=0.6), lambda text: text.replace("without a sound", "silent")),
    (TextProfile(), lambda text: text.replace("north quay", "northern quay")),
]


@pytest.mark.parametrize("kind", ["memory", "leveldb"])
@pytest.mark.parametrize(("scheme", "edit"), EDITS, ids=lambda value: getattr(value, "name", ""))
def test_an_edited_page_is_found_through_a_store(
    scheme: Scheme, edit: Callable[[str], str], kind: str, tmp_path: Path
) -> None:
    stored = {name: document(TEXTS[name].plain) for name in ("ferry", "tide", "stew")}
    edited = edit(TEXTS["ferry"].plain)
    assert edited != TEXTS["ferry"].plain
    assert found(scheme, kind, tmp_path, stored, document(edited)) == {"ferry"}
