"""Which of the pages that a page may repeat an index finds, and which one it names."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from indexing import DUPLICATE, KINDS, NEW, SCHEME, check, commit, matched, open_store, short, text

from dedup.fingerprint import Fingerprinter, PageFingerprint
from dedup.index import Index, Match
from dedup.schemes import Combined, Comparison


@pytest.fixture(params=KINDS)
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Index]:
    store = open_store(request.param, tmp_path / "store")
    yield Index(store, SCHEME)
    store.close()


def insist(index: Index, page: str, fingerprint: PageFingerprint, *, exported: bool = True) -> None:
    """Store a page whatever it repeats."""
    claim = check(index, page, fingerprint)
    index.insist(claim)
    index.commit(claim, exported=exported)


def test_of_several_matches_an_exported_page_is_the_best(index: Index) -> None:
    insist(index, "a.com/", text("tea"), exported=False)
    insist(index, "b.com/", text("tea", changed=5))
    insist(index, "c.com/", text("tea"), exported=False)
    assert matched(check(index, "d.com/", text("tea"))) == "b.com/"


def test_of_exported_matches_the_most_alike_is_the_best(index: Index) -> None:
    insist(index, "a.com/", text("tea", changed=9))
    insist(index, "b.com/", text("tea", changed=2))
    insist(index, "c.com/", text("tea", changed=5))
    assert matched(check(index, "d.com/", text("tea"))) == "b.com/"


def test_of_matches_as_much_alike_the_one_of_fewer_bits_is_the_best(index: Index) -> None:
    insist(index, "a.com/", text("tea"))
    record = index.store.find_request(b"a.com/")
    assert record is not None
    near, far = (Match(record, Comparison(0.9, distance)) for distance in (1, 2))
    assert near.rank > far.rank


def test_of_equal_matches_the_oldest_is_the_best(index: Index) -> None:
    for n in range(8):  # a set of the numbers 1 and 8 gives 8 first
        insist(index, f"host{n}.com/", text("tea" if n in (0, 7) else f"other{n}"))
    assert matched(check(index, "last.com/", text("tea"))) == "host0.com/"


def test_an_exported_page_is_preferred_to_a_more_similar_one_in_flight(index: Index) -> None:
    insist(index, "a.com/", text("tea", changed=9))
    index.insist(check(index, "b.com/", text("tea")))
    claim = check(index, "c.com/", text("tea"))
    assert matched(claim) == "a.com/"
    assert claim.match is not None
    assert claim.match.certain


def test_a_page_in_flight_is_preferred_to_a_stored_one_without_items(index: Index) -> None:
    insist(index, "a.com/", text("tea"), exported=False)
    index.insist(check(index, "b.com/", text("tea", changed=9)))
    claim = check(index, "c.com/", text("tea"))
    assert matched(claim) == "b.com/"
    assert claim.match is not None
    assert not claim.match.certain


def test_of_equal_pages_in_flight_the_oldest_is_the_best(index: Index) -> None:
    for n in range(8):
        index.insist(check(index, f"host{n}.com/", text("tea" if n in (0, 7) else f"other{n}")))
    assert matched(check(index, "last.com/", text("tea"))) == "host0.com/"


def test_no_word_is_common_among_pages_in_flight(index: Index) -> None:
    scheme = Combined(keys=1)
    index, make = Index(index.store, scheme), Fingerprinter(scheme, min_tokens=40)
    shared = [f"tea{n}" for n in range(150)]
    for n in range(60):
        words = shared + [f"host{n}-{i}" for i in range(50)]
        index.insist(check(index, f"host{n}.com/", make.of_text(" ".join(words))))
    assert check(index, "last.com/", make.of_text(" ".join(shared))).verdict is DUPLICATE


def test_a_text_too_short_for_a_fingerprint_repeats_none_that_has_one(index: Index) -> None:
    brief = check(index, "a.com/", short("tea")).record
    long = check(index, "b.com/", text("tea")).record
    assert index.compare(brief, long) is None
    assert index.compare(long, brief) is None


def test_common_words_are_counted(index: Index) -> None:
    assert (index.common_words, index.crowded) == (0, 0)
    for n in range(25):
        insist(index, f"host{n}.com/", text("tea"))
    check(index, "last.com/", text("tea"))
    assert index.common_words > 0
    assert index.crowded == 0


def test_every_page_that_a_record_repeats_can_be_listed(index: Index) -> None:
    for host in "abc":
        insist(index, f"{host}.com/", text("tea"), exported=host != "b")
    record = check(index, "d.com/", text("tea")).record
    assert sorted(match.record.url[8] for match in index.matches(record)) == ["a", "b", "c"]
    exported = index.matches(record, exported_only=True)
    assert sorted(match.record.url[8] for match in exported) == ["a", "c"]


def test_every_page_found_can_be_listed_with_its_comparison_accepted_or_not(index: Index) -> None:
    insist(index, "a.com/", text("tea"))
    insist(index, "b.com/", text("tea", changed=60))
    insist(index, "c.com/", text("tea", changed=60), exported=False)
    record = check(index, "a.com/new", text("tea", changed=60)).record
    found = {match.record.url[8]: repeats for match, repeats in index.comparisons(record)}
    assert found == {"a": False, "b": True, "c": True}  # one host must be more alike


def test_a_stored_fingerprint_of_another_page_gone_is_no_match(index: Index) -> None:
    record = commit(index, "a.com/", text("tea")).record
    index.store.remove(record.page_id)
    assert check(index, "b.com/", text("tea")).verdict is NEW
