"""What an index keeps of the pages near a new one, and what it does where texts fail it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from indexing import DUPLICATE, FINGERPRINTER, NEW, SCHEME, CountedTexts, check, commit, open_store

from dedup.fingerprint import Fingerprinter, PageFingerprint
from dedup.index import Index
from dedup.index.rules import MOST_CONFIRMED, MOST_LINES
from dedup.store import MemoryStore
from dedup.verdict import Relation

KEEPER = Fingerprinter(SCHEME, "plain", min_tokens=40, keep_text=True)
BODY = [f"tea{n}" for n in range(300)]


def page(words: list[str], title: str = "", maker: Fingerprinter = KEEPER) -> PageFingerprint:
    lines = (" ".join(words[at : at + 15]) + "." for at in range(0, len(words), 15))
    return maker.of_text("\n".join(lines), title)


@pytest.fixture
def store(tmp_path: Path) -> MemoryStore:
    made = open_store("memory", tmp_path)
    assert isinstance(made, MemoryStore)
    return made


def test_a_new_page_does_not_keep_the_pages_in_flight_near_it_in_memory(store: MemoryStore) -> None:
    """Else each page of a series would keep the one before, and that its own."""
    index = Index(store, SCHEME)
    for number in range(4):
        claim = check(index, f"a.com/{number}", page(BODY, f"Part {number}"))
        assert claim.verdict is NEW
        if number:
            assert claim.match is not None
            assert (claim.match.relation, claim.match.claim) == (Relation.VARIANT, None)


def test_a_kept_text_that_is_damaged_leaves_the_verdict_to_the_fingerprints(
    store: MemoryStore,
) -> None:
    index = Index(store, SCHEME)
    stored = commit(index, "a.com/", page(BODY)).record
    store._texts[stored.page_id] = b"no packed text"
    claim = check(index, "b.com/", page(BODY))
    assert claim.verdict is DUPLICATE
    assert claim.match is not None
    assert claim.match.kinship.text is None


@pytest.mark.parametrize("title", ["", "Codes of all parts"])
def test_the_kept_part_of_one_very_long_paragraph_is_compared(
    store: MemoryStore, title: str
) -> None:
    """A listing of code has one: without it, the texts of two listings would be equal."""
    index = Index(store, SCHEME)
    words = [f"part{n} holds{n * 7}" for n in range(9_000)]
    other = [word if n % 3 else f"unit{n} takes{n}" for n, word in enumerate(words)]
    commit(index, "a.com/1", KEEPER.of_text(" ".join(words), title))
    claim = check(index, "a.com/2", KEEPER.of_text(" ".join(other), title))
    assert claim.verdict is NEW


def test_texts_that_differ_behind_their_kept_part_are_not_equal(store: MemoryStore) -> None:
    index = Index(store, SCHEME)
    words = [f"tea{n}" for n in range(15_000)]
    commit(index, "a.com/1", page(words))
    assert matched_relation(index, "a.com/2", page(words)) is Relation.EQUAL
    assert matched_relation(index, "a.com/3", page([*words[:-1], "salt"])) is Relation.EDITED


def test_a_text_that_is_new_behind_its_kept_part_is_new(store: MemoryStore) -> None:
    index = Index(store, SCHEME)
    words = [f"tea{n}" for n in range(15_000)]
    commit(index, "a.com/1", page(words))
    other = [*words[:10_000], *(f"salt{n}" for n in range(5_000))]
    assert check(index, "a.com/2", page(other)).verdict is NEW


def matched_relation(index: Index, url: str, fingerprinted: PageFingerprint) -> Relation:
    match = check(index, url, fingerprinted).match
    assert match is not None
    return match.relation


def test_few_texts_are_looked_at_however_many_pages_read_the_same() -> None:
    store = CountedTexts()
    index = Index(store, SCHEME)
    for number in range(3 * MOST_CONFIRMED):
        commit(index, f"a.com/{number}", page(BODY, f"Part {number}"))
    before = store.read
    assert check(index, "a.com/last", page(BODY, "Part 99")).verdict is NEW
    assert store.read - before == MOST_CONFIRMED


def test_fewer_texts_are_compared_if_they_differ_in_very_many_sentences() -> None:
    """The author of such pages, with the same few numbers, would hold a crawl up with each."""
    store = CountedTexts()
    index = Index(store, SCHEME)

    def flood(seed: int) -> PageFingerprint:
        chance = Random(seed)
        lines = (" ".join(chance.choices("0123456789", k=15)) for _ in range(MOST_LINES // 3))
        return KEEPER.of_text("\n".join(lines))

    for number in range(MOST_CONFIRMED):
        assert commit(index, f"evil.com/{number}", flood(number)).verdict is NEW
    before = store.read
    assert check(index, "evil.com/last", flood(99)).verdict is NEW
    assert store.read - before == 2


def test_a_copy_in_flight_is_found_behind_any_number_of_stored_pages_that_read_the_same(
    store: MemoryStore,
) -> None:
    index = Index(store, SCHEME)
    for number in range(MOST_CONFIRMED + 1):
        commit(index, f"a.com/{number}", page(BODY, f"Part {number}"))
    first, second = (check(index, f"a.com/{name}", page(BODY, "Part 99")) for name in ("b", "c"))
    assert (first.verdict, second.verdict) == (NEW, DUPLICATE)
    assert second.match is not None
    assert second.match.record.url == "https://a.com/b"


def test_a_stored_copy_is_found_by_its_heading_among_pages_that_read_the_same(
    store: MemoryStore,
) -> None:
    index = Index(store, SCHEME)
    for number in range(2 * MOST_CONFIRMED):
        assert commit(index, f"a.com/{number}", page(BODY, f"Part {number}")).verdict is NEW
    for number in range(2 * MOST_CONFIRMED):
        copy = check(index, f"a.com/copy/{number}", page(BODY, f"Part {number}"))
        assert copy.verdict is DUPLICATE
        assert copy.match is not None
        assert copy.match.record.url == f"https://a.com/{number}"


def test_without_texts_all_pages_found_are_judged(store: MemoryStore) -> None:
    """An excerpt is found in the whole text behind any number of its own variants."""
    index = Index(store, SCHEME)
    commit(index, "whole.com/", page(BODY, maker=FINGERPRINTER))
    half = BODY[:150]
    for number in range(2 * MOST_CONFIRMED):
        titled = page(half, f"Part {number} of many", FINGERPRINTER)
        claim = check(index, f"a.com/{number}", titled)
        index.insist(claim)
        index.commit(claim)
    claim = check(index, "a.com/last", page(half, "Part 99 of many", FINGERPRINTER))
    assert claim.verdict is DUPLICATE
    assert claim.match is not None
    assert claim.match.relation is Relation.CONTAINED
