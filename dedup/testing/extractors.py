"""The contract of extractors.

class TestMine(ExtractorContract):
    @pytest.fixture
    def extractor(self):
        return "mypackage.readers.read"
"""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dedup.config import Config
from dedup.page import Kind, extract, versions
from dedup.testing.texts import article, text

SECONDS = 10.0  # Limit for a hostile page; far more than it should take.
SCRAPS = (
    "<p> </p> <div> </div> <table> <td> <h2> </h2> <script> </script> <!-- --> <br> <a href=x> "
    '<![CDATA[ ]]> <title> <li> <svg> </html> <body> &amp; &#0; &#xD800; &lt; < > " tea 茶。 \x00'
).split(" ")
HOSTILE = {
    "deep": "<div>" * 20_000 + "tea" + "</div>" * 20_000,
    "one line": "<p>" + "tea and the sea " * 60_000,
    "tiny tags": "<b>a</b>" * 20_000,
    "attributes": "<p " + " ".join(f"a{n}=x" for n in range(5_000)) + ">tea",
    "open": "<" * 50_000,
}


class ExtractorContract:
    """The tests of an extractor. A subclass defines the fixture ``extractor``."""

    @pytest.fixture
    def extractor(self) -> str:
        """A value of NEARDUP_EXTRACTOR."""
        raise NotImplementedError

    def test_the_text_of_an_article_is_found_with_its_title(self, extractor: str) -> None:
        main = extract(article("tides", title="On tides"), extractor)
        assert main.text.split() == text("tides").split()
        assert main.title == "On tides"
        assert main.refused == ""

    def test_a_page_reads_the_same_again_and_as_bytes(self, extractor: str) -> None:
        page = article("茶", "/link", more="江上有一条船。")
        assert extract(page, extractor) == extract(page, extractor)
        assert extract(page.encode(), extractor) == extract(page, extractor)

    @pytest.mark.parametrize("page", ["", " ", "<p>", "<html></html>", "<script>tea</script>"])
    def test_a_page_without_text_has_no_paragraphs(self, extractor: str, page: str) -> None:
        assert extract(page, extractor).paragraphs == ()

    @settings(
        derandomize=True,
        deadline=None,
        suppress_health_check=[
            HealthCheck.function_scoped_fixture,
            HealthCheck.differing_executors,
        ],
    )
    @given(scraps=st.lists(st.sampled_from(SCRAPS) | st.text(max_size=5), max_size=40))
    def test_any_page_is_read_as_paragraphs_in_their_order(
        self, extractor: str, scraps: list[str]
    ) -> None:
        main = extract(" ".join(scraps), extractor)
        assert [one.position for one in main.paragraphs] == [*range(len(main.paragraphs))]
        for paragraph in main.paragraphs:
            assert paragraph.text.strip()
            assert paragraph.kind in Kind
            assert 0 <= paragraph.section <= 6

    @pytest.mark.parametrize("page", HOSTILE.values(), ids=[*HOSTILE])
    def test_a_hostile_page_takes_little_time(self, extractor: str, page: str) -> None:
        began = time.perf_counter()
        extract(page, extractor)
        assert time.perf_counter() - began < SECONDS

    def test_a_store_records_its_name_and_version(self, extractor: str) -> None:
        assert Config(extractor=extractor).extractor == extractor
        name, _, version = versions(extractor, "jieba")["extractor"].rpartition("/")
        assert name == extractor
        assert version

    def test_another_process_reads_the_same(self, extractor: str) -> None:
        page = article("tides")
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            assert pool.submit(extract, page, extractor).result() == extract(page, extractor)
