"""Floods of one key, one SimHash, one host or template: what look-ups do then is counted.

A flood is as many pages as an attacker cares to serve. It must not make the look-ups of other
pages any longer, nor hide pages from the filter that have nothing to do with it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from crawler.demo.texts import load_texts
from dedup import Config, Verdict, make_fingerprinter, make_index, open_store
from dedup.fingerprint import PageFingerprint
from dedup.index import Claim, Index, words_reader
from dedup.index.reservations import MOST_COMPARED
from dedup.schemes import Combined
from dedup.store import Record

TEXTS = {name: text.plain for name, text in load_texts().items() if "." not in name}
VICTIM, REPOST = TEXTS["ferry"], f"{TEXTS['ferry']} So much for the ferry."
LETTERS = "abcdefghijklmnopqrstuvwxyz"
COMMON = Combined().common
EVIL = "http://evil.example"


class Site:
    """An index, and pages that come to it one by one."""

    def __init__(self, **options: Any) -> None:
        config = Config(store="memory:", **options)
        self._fingerprinter = make_fingerprinter(config)
        self.index: Index = make_index(config, open_store(config, Path()))
        self._number = 0

    def read(self, text: str) -> PageFingerprint:
        return self._fingerprinter.of_text(text)

    def check(self, url: str, text: str) -> Claim:
        self._number += 1
        return self.index.check(url, self._number.to_bytes(20, "big"), self.read(text))

    def add(self, url: str, text: str) -> Claim:
        claim = self.check(url, text)
        self.index.commit(claim)
        return claim

    def plant(self, url: str, text: str) -> None:
        """Store a page without a look at what is there."""
        self._number += 1
        request, page = self._number.to_bytes(20, "big"), self.read(text)
        record = Record(url, request, time.time(), True, page.tokens, page.digest, page.value)
        self.index.store.put(record)

    def compared(self, text: str) -> int:
        """How many pages a page is compared with, soon known to be unlike or not."""
        claim = self.check("http://looking.example/", text)
        self.index.release(claim)
        judge = self.index.judge
        with patch.object(judge, "compare", wraps=judge.compare) as compare:
            assert len(list(self.index.comparisons(claim.record))) <= compare.call_count
        return compare.call_count


def prose(seed: int, words: int = 120) -> str:
    chance = random.Random(seed)
    return " ".join("".join(chance.choices(LETTERS, k=8)) for _ in range(words))


def shuffles(text: str, count: int) -> Iterator[str]:
    """The words of a text in other orders: every one has its SimHash, none its shingles."""
    words, chance = text.split(), random.Random(1)
    for _ in range(count):
        chance.shuffle(words)
        yield " ".join(words)


def quotations(text: str, count: int) -> Iterator[str]:
    """Texts of their own that quote a paragraph: they share its keys."""
    for number in range(count):
        yield f"{text}\n{prose(number, 400)}"


@pytest.fixture
def site() -> Site:
    """A site of its own with a few pages, the victim's among them."""
    made = Site()
    for name, text in TEXTS.items():
        made.add(f"http://honest.example/{name}", text)
    return made


def test_shuffled_pages_are_new_and_pile_up_under_one_simhash(site: Site) -> None:
    before = site.compared(VICTIM)
    for number, text in enumerate(shuffles(VICTIM, 20)):
        assert site.add(f"{EVIL}/{number}", text).verdict is Verdict.NEW
    assert site.compared(VICTIM) == before + 20


def test_of_a_flood_so_many_pages_are_compared_and_the_page_it_aims_at_is_found(
    site: Site,
) -> None:
    for number, text in enumerate(shuffles(VICTIM, MOST_COMPARED + 50)):
        site.plant(f"{EVIL}/{number}", text)
    assert site.compared(VICTIM) == MOST_COMPARED
    match = site.check("http://repost.example/", VICTIM).match
    assert match is not None
    assert match.record.url == "http://honest.example/ferry"
    assert site.index.crowded > 0


def test_a_flood_of_one_key_makes_it_common(site: Site) -> None:
    quoted = TEXTS["clock"].split("\n")[0]
    site.add("http://quoting.example/", f"{quoted}\n{prose(10**6, 400)}")
    counts = []
    for number, text in enumerate(quotations(quoted, 4 * COMMON)):
        site.add(f"{EVIL}/{number}", text)
        counts.append(site.compared(f"{quoted}\n{prose(10**6, 400)}"))
    assert max(counts) <= 8 * COMMON
    assert counts[-1] <= counts[COMMON // 2]


@pytest.mark.parametrize("flood", [shuffles, quotations])
def test_a_flood_adds_nothing_to_the_look_ups_of_other_pages(site: Site, flood: Any) -> None:
    others = [f"{TEXTS[name]} And so on." for name in ("clock", "noodles", "metro", "tea")]
    before = [site.compared(text) for text in others]
    for number, text in enumerate(flood(VICTIM, 200)):
        site.add(f"{EVIL}/{number}", text)
    assert [site.compared(text) for text in others] == before
    for text in others:
        assert site.check("http://repost.example/", text).verdict is Verdict.DUPLICATE


@pytest.mark.parametrize("flood", [shuffles, quotations])
def test_a_flooded_page_is_still_found_by_an_equal_one(site: Site, flood: Any) -> None:
    for number, text in enumerate(flood(VICTIM, 200)):
        site.add(f"{EVIL}/{number}", text)
    assert site.check("http://repost.example/", VICTIM).verdict is Verdict.DUPLICATE


def test_within_a_scope_of_hosts_a_flood_elsewhere_is_not_even_seen() -> None:
    site = Site(scope="host")
    site.add("http://honest.example/ferry", VICTIM)
    for number, text in enumerate(shuffles(VICTIM, 100)):
        site.add(f"{EVIL}/{number}", text)
    claim = site.check("http://honest.example/again", VICTIM)
    assert claim.verdict is Verdict.DUPLICATE
    words = words_reader(site.index.scheme, "host")(claim.record)
    assert len(site.index.store.near(words).page_ids) == 1


def test_a_host_of_one_template_does_not_slow_itself_down(site: Site) -> None:
    template = prose(-1, 60)
    counts = []
    for number in range(10 * COMMON):
        site.add(f"{EVIL}/{number}", f"{template}\n{prose(number, 300)}")
        counts.append(site.compared(f"{template}\n{prose(10**6 + number, 300)}"))
    assert max(counts[-COMMON:]) <= max(counts[:COMMON])
