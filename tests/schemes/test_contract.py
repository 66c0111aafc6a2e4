"""What holds for every scheme: the contract that outsiders can run, and what ours keep to too."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context

import pytest
from hypothesis import given, note

from crawler.demo.texts import load_texts
from dedup.schemes import PUBLISHED, SCHEMES, Scheme, find_scheme, make_scheme, specify
from dedup.schemes.options import rules
from dedup.testing import SchemeContract
from dedup.testing.schemes import LAW, WORDS, document

NAMES = sorted(SCHEMES)
OTHERS = ("exact:hash=md5", "i-match:lexicons=4", *(f"minhash:bits={bits}" for bits in (1, 4, 32)))
TEXTS = {name: text.plain for name, text in load_texts().items()}
THRESHOLDS = r"min_|(agree|common|difference|distance|radius|shared|short)$"
ARTICLES = "ferry clock queue night-train stew tide birds solar tea bridge".split()
EACH = pytest.mark.parametrize("name", [*PUBLISHED, *OTHERS])


@pytest.fixture(scope="module")
def other_process() -> Iterator[Executor]:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        yield pool


class TestSchemes(SchemeContract):
    # Below, for all schemes at once: drawing texts takes longer than to compare them.
    test_any_text_has_a_fingerprint_and_is_accepted_against_itself = None
    test_how_alike_texts_are_is_the_same_both_ways_and_between_0_and_1 = None
    test_what_is_accepted_is_worth_a_look_at_the_texts = None

    @pytest.fixture(params=[name for name in (*PUBLISHED, *OTHERS) if "exact" not in name])
    def specification(self, request: pytest.FixtureRequest) -> str:
        return request.param

    def texts(self) -> list[str]:
        return [TEXTS[name] for name in ARTICLES]

    def edited(self, text: str) -> str:
        head, _, tail = text.rpartition(" the ")
        return f"{head} a {tail}"

    def test_another_process_makes_the_same_fingerprints(
        self, scheme: Scheme, other_process: Executor
    ) -> None:
        """As in the contract, but for one process for all schemes."""
        assert pickle.loads(pickle.dumps(scheme)) == scheme
        read = document(self.texts()[0])
        other = other_process.submit(scheme.fingerprint, read).result()
        assert other == scheme.fingerprint(read)


class TestExact(TestSchemes):
    finds_edits = False

    @pytest.fixture(params=["exact", "exact:hash=md5"])
    def specification(self, request: pytest.FixtureRequest) -> str:
        return request.param


@LAW
@given(one=WORDS, other=WORDS)
def test_every_scheme_keeps_the_laws_of_any_texts(one: list[str], other: list[str]) -> None:
    contract = SchemeContract()
    any_text = contract.test_any_text_has_a_fingerprint_and_is_accepted_against_itself
    both_ways = contract.test_how_alike_texts_are_is_the_same_both_ways_and_between_0_and_1
    worth_a_look = contract.test_what_is_accepted_is_worth_a_look_at_the_texts
    for name in (*PUBLISHED, *OTHERS):
        note(name)
        scheme = made(name)
        any_text.hypothesis.inner_test(contract, scheme, one)
        both_ways.hypothesis.inner_test(contract, scheme, one, other)
        worth_a_look.hypothesis.inner_test(contract, scheme, one, other)


@cache
def made(name: str) -> Scheme:
    return make_scheme(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_store_can_be_used_with_other_thresholds_and_with_nothing_else(name: str) -> None:
    options = rules(find_scheme(name))
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
    scheme = find_scheme(name)
    module = __import__(scheme.__module__, fromlist=["x"])
    told = f"{module.__doc__}\n{scheme.__doc__}"
    assert "nown weakness" in told
    for option in rules(scheme):
        assert f"{option}: " in (scheme.__doc__ or ""), option


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_a_specification(name: str) -> None:
    assert specify(make_scheme(name)) == name
