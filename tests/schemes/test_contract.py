"""What holds for every scheme: the contract of ``Scheme``, through both stores."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.demo.texts import load_texts
from dedup.assembly import make_index, opened_store
from dedup.config import Config
from dedup.fingerprint import Fingerprinter
from dedup.index import Index
from dedup.schemes import PUBLISHED, SCHEMES, Scheme, make_scheme, specify
from dedup.schemes.options import rules
from dedup.verdict import MOST_NEW
from tests.indexing import DUPLICATE, NEW, commit, matched
from tests.schemes.reading import document

LAW = settings(derandomize=True, deadline=None, max_examples=60)
NAMES = sorted(SCHEMES)
OTHERS = ("exact:hash=md5", "i-match:lexicons=4", *(f"minhash:bits={bits}" for bits in (1, 4, 32)))
TEXTS = {name: text.plain for name, text in load_texts().items()}
EXACT = "exact"
THRESHOLDS = r"min_|(agree|common|difference|distance|radius|shared|short)$"
ARTICLES = ("ferry", "clock", "queue", "night-train", "stew")
UNLIKE = ("ferry", "tide", "birds", "solar", "tea", "stew", "queue")
EACH = pytest.mark.parametrize("name", [*PUBLISHED, *OTHERS])
WORDS = st.lists(
    st.sampled_from("tea house moon river 茶 月 江 。 .".split())
    | st.text("abcdefgh茶的树 .", min_size=1, max_size=5),
    min_size=1,
    max_size=200,
)


def edited(text: str) -> str:
    """The text with one small word of its end changed: an edit that every scheme forgives."""
    head, _, tail = text.rpartition(" the ")
    return f"{head} a {tail}"


@pytest.fixture(params=PUBLISHED)
def scheme(request: pytest.FixtureRequest) -> Scheme:
    return make_scheme(request.param)


@pytest.fixture(params=["memory:", "leveldb:store"])
def index(scheme: Scheme, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Index]:
    config = Config(scheme=specify(scheme), store=request.param, cache_mb=8)
    with opened_store(config, tmp_path) as store:
        yield make_index(config, store)


def add(index: Index, name: str, text: str) -> str | None:
    """Check a text as the page of a host of its own, and store it; returns what it repeats."""
    claim = commit(index, name, Fingerprinter(index.scheme).of_text(text))
    assert claim.verdict is (DUPLICATE if matched(claim) else NEW)
    return matched(claim)


def test_an_edited_text_is_found_through_the_store_and_different_ones_are_not(
    index: Index, scheme: Scheme
) -> None:
    assert {add(index, name, TEXTS[name]) for name in ARTICLES} == {None}
    repeated = [add(index, f"copy-{name}", edited(TEXTS[name])) for name in ARTICLES]
    assert repeated == ([None] * len(ARTICLES) if scheme.name == EXACT else [*ARTICLES])


def test_an_equal_text_in_other_type_is_found(index: Index) -> None:
    assert add(index, "one", TEXTS["bridge"]) is None
    assert add(index, "other", TEXTS["bridge"].replace("，", " , ")) == "one"


@EACH
def test_fingerprints_of_different_articles_are_not_accepted(name: str) -> None:
    scheme = make_scheme(name)
    values = [scheme.fingerprint(document(TEXTS[article])) for article in UNLIKE]
    for one, other in combinations(values, 2):
        assert not scheme.accepts(scheme.compare(one, other), same_host=False)


@EACH
@LAW
@given(words=WORDS)
def test_any_text_has_a_fingerprint_and_is_accepted_against_itself(
    name: str, words: list[str]
) -> None:
    scheme = make_scheme(name)
    value = scheme.fingerprint(document("tea", *words))
    assert value == scheme.fingerprint(document("tea", *words))
    spaces = {space.name: space for space in scheme.spaces}
    for word in scheme.words(value):
        assert 0 <= word.value < 1 << spaces[word.space].bits
    comparison = scheme.compare(value, value)
    assert comparison.similarity == 1.0
    assert scheme.accepts(comparison, same_host=True)
    assert scheme.accepts(comparison, same_host=False)


@EACH
@LAW
@given(one=WORDS, other=WORDS)
def test_how_alike_texts_are_is_the_same_both_ways_and_between_0_and_1(
    name: str, one: list[str], other: list[str]
) -> None:
    scheme = make_scheme(name)
    a, b = (scheme.fingerprint(document("tea", *words)) for words in (one, other))
    comparison = scheme.compare(a, b)
    back = scheme.compare(b, a)
    assert comparison._replace(findings=None) == back._replace(findings=None)
    assert 0.0 <= comparison.similarity <= 1.0
    assert comparison.containment is None or 0.0 <= comparison.containment <= 1.0


@EACH
@LAW
@given(one=WORDS, other=WORDS)
def test_what_is_accepted_is_worth_a_look_at_the_texts(
    name: str, one: list[str], other: list[str]
) -> None:
    scheme = make_scheme(name)
    a, b = (scheme.fingerprint(document("tea", *words)) for words in (one, other))
    comparison = scheme.compare(a, b)
    for same_host in (True, False):
        if scheme.accepts(comparison, same_host=same_host):
            assert scheme.nominates(comparison, MOST_NEW, same_host=same_host)
            assert scheme.compare_if_alike(a, b) == comparison


@pytest.mark.parametrize("name", NAMES)
def test_a_store_can_be_used_with_other_thresholds_and_with_nothing_else(name: str) -> None:
    options = rules(SCHEMES[name])
    judging = {option for option, rule in options.items() if rule.judges}
    assert judging == {option for option in options if re.match(THRESHOLDS, option)}


@EACH
def test_a_store_is_told_every_option_that_shapes_fingerprints_and_no_other(name: str) -> None:
    scheme = make_scheme(name)
    told = scheme.options()
    for option, rule in rules(scheme).items():
        if rule.judges or option == "seed" or (name, option) == ("simhash", "idf"):
            assert option not in told  # a seed and that model count only where they are set
        elif option == "idf":
            assert str(told[option]).startswith("builtin/")  # the model by its content
        else:
            assert told[option] == getattr(scheme, option)


@pytest.mark.parametrize("name", NAMES)
def test_a_scheme_says_what_it_is_where_it_is_from_and_what_it_is_weak_at(name: str) -> None:
    scheme = SCHEMES[name]
    module = __import__(scheme.__module__, fromlist=["x"])
    told = f"{module.__doc__}\n{scheme.__doc__}"
    assert "nown weakness" in told
    for option in rules(scheme):
        assert f"{option}: " in (scheme.__doc__ or ""), option


@pytest.mark.parametrize("name", NAMES)
def test_a_scheme_is_made_again_from_its_specification(name: str) -> None:
    scheme = make_scheme(name)
    assert specify(scheme) == name
    assert make_scheme(specify(scheme)) == scheme
