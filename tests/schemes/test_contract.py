"""What holds for every scheme: the contract that outsiders can run, and what ours keep to too."""

from __future__ import annotations

import re

import pytest

from crawler.demo.texts import load_texts
from dedup.schemes import PUBLISHED, SCHEMES, find_scheme, make_scheme, specify
from dedup.schemes.options import rules
from dedup.testing import SchemeContract

NAMES = sorted(SCHEMES)
OTHERS = ("exact:hash=md5", "i-match:lexicons=4", *(f"minhash:bits={bits}" for bits in (1, 4, 32)))
TEXTS = {name: text.plain for name, text in load_texts().items()}
THRESHOLDS = r"min_|(agree|common|difference|distance|radius|shared|short)$"
ARTICLES = "ferry clock queue night-train stew tide birds solar tea bridge".split()
EACH = pytest.mark.parametrize("name", [*PUBLISHED, *OTHERS])


class TestSchemes(SchemeContract):
    @pytest.fixture(params=[name for name in (*PUBLISHED, *OTHERS) if "exact" not in name])
    def specification(self, request: pytest.FixtureRequest) -> str:
        return request.param

    def texts(self) -> list[str]:
        return [TEXTS[name] for name in ARTICLES]

    def edited(self, text: str) -> str:
        head, _, tail = text.rpartition(" the ")
        return f"{head} a {tail}"


class TestExact(TestSchemes):
    finds_edits = False

    @pytest.fixture(params=["exact", "exact:hash=md5"])
    def specification(self, request: pytest.FixtureRequest) -> str:
        return request.param


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
