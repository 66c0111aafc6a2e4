"""A page made to match a victim's SimHash, and put where a crawl comes first.

By SimHash alone the victim's page is taken for a copy of it and dropped. The default scheme
verifies what SimHash finds, and where texts are kept they are compared, so that a forged page has
no hold over another's.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Crawler
from crawling import Web
from forging import forge, pool_of_words

from crawler.demo.texts import load_texts
from dedup import Config, Verdict, make_fingerprinter, make_index, open_store
from dedup.index import Claim, Index, words_reader
from dedup.schemes.simhash import simhash

VICTIM = load_texts()["ferry"].plain
BAIT = " ".join(pool_of_words(seed=2)[:200])


@pytest.fixture(scope="module")
def forged() -> str:
    """A text that shares no word with the victim's, and has its SimHash."""
    page = make_fingerprinter(Config(scheme="simhash")).of_text(VICTIM)
    return f"{BAIT}\n{' '.join(forge(BAIT, int.from_bytes(page.value, 'little')))}"


def check_victim_after(text: str, **options: Any) -> tuple[Index, Claim]:
    """Crawl a page, then the victim's."""
    config = Config(store="memory:", **options)
    fingerprinter = make_fingerprinter(config)
    index = make_index(config, open_store(config, Path()))
    index.commit(index.check("http://evil.example/", b"1" * 20, fingerprinter.of_text(text)))
    return index, index.check("http://a.example/", b"2" * 20, fingerprinter.of_text(VICTIM))


def test_a_simhash_can_be_forged_with_words_of_ones_own(forged: str) -> None:
    assert simhash(forged.split()) != simhash(BAIT.split())
    assert not set(forged.split()) & set(VICTIM.lower().split())


def test_simhash_alone_drops_the_victims_page(forged: str) -> None:
    _, claim = check_victim_after(forged, scheme="simhash", keep_text=False)
    assert claim.verdict is Verdict.DUPLICATE
    assert claim.match is not None
    assert claim.match.record.url == "http://evil.example/"
    assert claim.match.comparison.distance == 0


def test_the_texts_of_both_pages_keep_the_victims(forged: str) -> None:
    index, claim = check_victim_after(forged, scheme="simhash", keep_text=True)
    [(match, repeats)] = index.comparisons(claim.record)
    assert match.comparison.distance == 0
    assert repeats  # by fingerprints
    assert list(index.matches(claim.record, claim.text)) == []
    assert (claim.verdict, claim.match) == (Verdict.NEW, None)


@pytest.mark.parametrize("keep_text", [True, False])
def test_the_default_scheme_finds_the_forged_page_and_keeps_the_victims(
    forged: str, keep_text: bool
) -> None:
    index, claim = check_victim_after(forged, keep_text=keep_text)
    words = words_reader(index.scheme)(claim.record)
    assert len(index.store.near(words).page_ids) == 1
    assert list(index.comparisons(claim.record)) == []
    assert (claim.verdict, claim.match) == (Verdict.NEW, None)


def test_a_seed_keeps_simhash_from_being_forged(forged: str) -> None:
    _, claim = check_victim_after(forged, scheme="simhash", keep_text=False, hash_seed=20_260_101)
    assert claim.verdict is Verdict.NEW


@pytest.mark.parametrize(
    ("scheme", "keep_text", "exported"),
    [("simhash", False, 1), ("simhash", True, 2), ("combined", False, 2), ("combined", True, 2)],
)
def test_in_a_crawl_the_forged_page_comes_first(
    forged: str, scheme: str, keep_text: bool, exported: int, crawl: Crawler, web: Web
) -> None:
    for path, text in (("/forged", forged), ("/victim", VICTIM)):
        paragraphs = "".join(f"<p>{part}</p>" for part in text.split("\n"))
        web.pages[path] = f"<html><body><article>{paragraphs}</article></body></html>"
    urls = [web.url("/forged", "localhost"), web.url("/victim")]
    done = crawl(
        urls=urls,
        CONCURRENT_REQUESTS=1,
        NEARDUP_SCHEME=scheme,
        NEARDUP_STORE="memory:",
        NEARDUP_KEEP_TEXT=keep_text,
    )
    assert [item["url"] for item in done.exported] == urls[:exported]
