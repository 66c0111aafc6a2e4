"""The contract of schemes, alone and over a store.

class TestMine(SchemeContract):
    @pytest.fixture
    def specification(self):
        return "mypackage.schemes.Mine"
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dedup.assembly import make_header, make_index, opened_store
from dedup.config import Config
from dedup.fingerprint import Fingerprinter
from dedup.index import Index, Verdict
from dedup.page import Document, from_text, read_document
from dedup.schemes import Scheme, make_scheme, specify
from dedup.schemes.options import rules
from dedup.testing.texts import text
from dedup.verdict import MOST_NEW

LAW = settings(
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,  # Schemes are immutable.
        HealthCheck.differing_executors,  # Each subclass runs the same test.
    ],
)
WORDS = st.lists(
    st.sampled_from("tea house moon river 茶 月 江 。 .".split())
    | st.text("abcdefgh茶的树 .", min_size=1, max_size=5),
    min_size=1,
    max_size=200,
)
EDITED = 5  # How many of the texts are edited: the first ones.
SUBJECTS = ("ferry", "clock", "queue", "train", "stew")


def document(*texts: str) -> Document:
    """A document of some texts, joined by blanks."""
    return read_document(from_text(" ".join(texts)))


class SchemeContract:
    """The tests of a scheme. A subclass defines the fixture ``specification``."""

    finds_edits = True  # Whether a text with one small word changed is accepted.

    @pytest.fixture
    def specification(self) -> str:
        """A value of NEARDUP_SCHEME."""
        raise NotImplementedError

    @pytest.fixture
    def scheme(self, specification: str) -> Scheme:
        return make_scheme(specification)

    @pytest.fixture(params=["memory:", "leveldb:store"])
    def index(
        self, specification: str, request: pytest.FixtureRequest, tmp_path: Path
    ) -> Iterator[Index]:
        config = Config(scheme=specification, store=request.param, cache_mb=8)
        with opened_store(config, tmp_path) as store:
            yield make_index(config, store)

    def texts(self) -> list[str]:
        """Some different articles."""
        return [text(subject) for subject in SUBJECTS]

    def edited(self, text: str) -> str:
        """The text with one small word changed near its end, which most schemes tolerate."""
        words = text.split(" ")
        return " ".join([*words[:-5], "a", *words[-4:]])

    def add(self, index: Index, page: str, text: str) -> str | None:
        """Commit a text as the page of a separate host; returns the page that it repeats."""
        fingerprint = Fingerprinter(index.scheme).of_text(text)
        claim = index.check(f"https://{page}", page.encode(), fingerprint)
        index.commit(claim)
        if claim.verdict is Verdict.NEW:
            return None
        assert claim.verdict is Verdict.DUPLICATE
        assert claim.match is not None
        return claim.match.record.url.removeprefix("https://")

    def test_an_edited_text_is_found_through_the_store_and_different_ones_are_not(
        self, index: Index
    ) -> None:
        pages = {f"page{number}": text for number, text in enumerate(self.texts()[:EDITED])}
        assert {self.add(index, page, text) for page, text in pages.items()} == {None}
        copies = [
            self.add(index, f"copy-{page}", self.edited(text)) for page, text in pages.items()
        ]
        assert copies == ([*pages] if self.finds_edits else [None] * len(pages))

    def test_an_equal_text_in_other_type_is_found(self, index: Index) -> None:
        text = self.texts()[-1]
        assert self.add(index, "one", text) is None
        other = text.replace("，", " , ").replace(", ", " ,  ")
        assert other != text
        assert self.add(index, "other", other) == "one"

    def test_fingerprints_of_different_articles_are_not_accepted(self, scheme: Scheme) -> None:
        values = [scheme.fingerprint(document(text)) for text in self.texts()]
        for one, other in combinations(values, 2):
            assert not scheme.accepts(scheme.compare(one, other), same_host=False)

    @LAW
    @given(words=WORDS)
    def test_any_text_has_a_fingerprint_and_is_accepted_against_itself(
        self, scheme: Scheme, words: list[str]
    ) -> None:
        value = scheme.fingerprint(document("tea", *words))
        assert value == scheme.fingerprint(document("tea", *words))
        spaces = {space.name: space for space in scheme.spaces}
        for word in scheme.words(value):
            assert 0 <= word.value < 1 << spaces[word.space].bits
        comparison = scheme.compare(value, value)
        assert comparison.similarity == 1.0
        assert scheme.accepts(comparison, same_host=True)
        assert scheme.accepts(comparison, same_host=False)

    @LAW
    @given(one=WORDS, other=WORDS)
    def test_how_alike_texts_are_is_the_same_both_ways_and_between_0_and_1(
        self, scheme: Scheme, one: list[str], other: list[str]
    ) -> None:
        a, b = (scheme.fingerprint(document("tea", *words)) for words in (one, other))
        comparison = scheme.compare(a, b)
        back = scheme.compare(b, a)
        assert comparison._replace(findings=None) == back._replace(findings=None)
        assert 0.0 <= comparison.similarity <= 1.0
        assert comparison.containment is None or 0.0 <= comparison.containment <= 1.0

    @LAW
    @given(one=WORDS, other=WORDS)
    def test_what_is_accepted_is_worth_a_look_at_the_texts(
        self, scheme: Scheme, one: list[str], other: list[str]
    ) -> None:
        a, b = (scheme.fingerprint(document("tea", *words)) for words in (one, other))
        comparison = scheme.compare(a, b)
        for same_host in (True, False):
            if scheme.accepts(comparison, same_host=same_host):
                assert scheme.nominates(comparison, MOST_NEW, same_host=same_host)
                assert scheme.compare_if_alike(a, b) == comparison

    def test_a_scheme_is_made_again_from_its_specification(self, scheme: Scheme) -> None:
        assert make_scheme(specify(scheme)) == scheme

    def test_a_store_records_what_shapes_fingerprints_and_no_threshold(
        self, scheme: Scheme, specification: str
    ) -> None:
        header = make_header(Config(scheme=specification)).fingerprint
        assert header["scheme"] == scheme.name_and_version
        assert header.items() >= {name: str(it) for name, it in scheme.options().items()}.items()
        judging = {option for option, rule in rules(scheme).items() if rule.judges}
        assert judging.isdisjoint(scheme.options())

    def test_every_option_is_explained(self, scheme: Scheme) -> None:
        for option in rules(scheme):
            assert f"{option}: " in (type(scheme).__doc__ or ""), option

    def test_another_process_makes_the_same_fingerprints(self, scheme: Scheme) -> None:
        assert pickle.loads(pickle.dumps(scheme)) == scheme  # noqa: S301  (its own)
        read = document(self.texts()[0])
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            assert pool.submit(scheme.fingerprint, read).result() == scheme.fingerprint(read)
