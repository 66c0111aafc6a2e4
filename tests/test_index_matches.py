"""Which of the pages that a page may repeat an index finds, and which one it names."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from indexing import (
    DUPLICATE,
    FINGERPRINTER,
    KINDS,
    NEW,
    SCHEME,
    CountedTexts,
    check,
    commit,
    matched,
    open_store,
    short,
    text,
)

from dedup.fingerprint import Fingerprinter, PageFingerprint
from dedup.index import Index, Kinship, Match, Verdict
from dedup.index.rules import MOST_CONFIRMED
from dedup.schemes import Combined, Comparison
from dedup.verdict import Relation

WORDS = [f"tea{n}" for n in range(200)]
KEEPER = replace(FINGERPRINTER, keep_text=True)


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
    near, far = (
        Match(record, Kinship(Comparison(0.9, distance), Relation.EDITED)) for distance in (1, 2)
    )
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
    assert index.judge.compare(brief, long) is None
    assert index.judge.compare(long, brief) is None


def test_common_words_are_counted(index: Index) -> None:
    assert (index.common_words, index.crowded) == (0, 0)
    for n in range(25):
        insist(index, f"host{n}.com/", text("tea"))
    check(index, "last.com/", text("tea"))
    assert index.common_words > 0
    assert index.crowded == 0


def edited(every: int, end: int = 200) -> str:
    """The words of tea, up to some, with one in so many changed: all in one sentence."""
    return " ".join(word if n % every else f"{word}a" for n, word in enumerate(WORDS[:end]))


def test_every_page_that_a_record_has_to_do_with_can_be_listed(index: Index) -> None:
    insist(index, "a.com/", text("tea"))
    insist(index, "b.com/", text("tea"), exported=False)
    index.insist(check(index, "c.com/", text("tea", changed=9)))
    insist(index, "d.com/", text("tea", changed=90))
    insist(index, "e.com/", text("other"))
    record = check(index, "f.com/", text("tea")).record
    found = {match.record.url[8]: match.relation.value for match in index.matches(record)}
    assert found == {"a": "equal", "b": "equal", "c": "edited", "d": "overlap"}


def test_every_page_found_can_be_listed_with_whether_it_is_repeated(index: Index) -> None:
    insist(index, "a.com/", text("tea"))
    insist(index, "b.com/", text("tea", changed=60))
    insist(index, "c.com/", text("tea", changed=60), exported=False)
    record = check(index, "a.com/new", text("tea", changed=60)).record
    found = {match.record.url[8]: repeats for match, repeats in index.comparisons(record)}
    assert found == {"a": False, "b": True, "c": True}  # of a, 60 words in 200 are new


@pytest.mark.parametrize(
    ("stored_text", "own_text", "verdict"),
    [(True, True, DUPLICATE), (True, False, NEW), (False, True, NEW), (False, False, NEW)],
)
@pytest.mark.parametrize("in_flight", [True, False])
def test_where_both_texts_are_kept_they_decide(
    index: Index, stored_text: bool, own_text: bool, verdict: Verdict, in_flight: bool
) -> None:
    """By fingerprints alone a page with every sixth word changed is another one."""
    first = check(index, "a.com/", replace(KEEPER, keep_text=stored_text).of_text(edited(999)))
    if not in_flight:
        index.commit(first)
    claim = check(index, "b.com/", replace(KEEPER, keep_text=own_text).of_text(edited(6)))
    assert claim.verdict is verdict
    assert claim.match is not None
    assert claim.match.relation is (Relation.EDITED if verdict is DUPLICATE else Relation.OVERLAP)
    assert (claim.match.kinship.text is not None) == (stored_text and own_text)


def test_texts_tell_what_is_new_to_the_sentence(index: Index) -> None:
    commit(index, "a.com/", KEEPER.of_text(f"{edited(999)}.\nThe last ferry leaves at nine."))
    own = "Nobody had asked the gulls."
    claim = check(index, "b.com/", KEEPER.of_text(f"{edited(999)}.\n{own}"))
    assert claim.verdict is DUPLICATE
    assert claim.match is not None
    assert claim.match.kinship.text is not None
    assert claim.match.kinship.text.passages == (own,)


def test_the_texts_of_matches_that_are_listed_are_compared_where_they_are_at_hand(
    index: Index,
) -> None:
    commit(index, "a.com/", KEEPER.of_text(edited(999)))
    page = KEEPER.of_text(edited(6))
    record = index.check("https://b.com/", b"b", page).record
    without, with_text = (next(iter(index.matches(record, text))) for text in (b"", page.text))
    assert (without.relation, with_text.relation) == (Relation.OVERLAP, Relation.EDITED)


def test_a_new_page_names_the_page_of_which_least_is_new_to_it(index: Index) -> None:
    for host, end in (("a", 100), ("b", 140), ("c", 120)):
        insist(index, f"{host}.com/", KEEPER.of_text(edited(999, end)))
    claim = check(index, "d.com/", KEEPER.of_text(edited(999)))
    assert (claim.verdict, matched(claim)) == (NEW, None)
    assert claim.match is not None
    assert (claim.match.record.url, claim.match.relation) == ("https://b.com/", Relation.GROWN)


@pytest.mark.parametrize("exported", [True, False])
def test_a_new_page_names_no_page_that_gave_no_item(index: Index, exported: bool) -> None:
    insist(index, "a.com/", KEEPER.of_text(edited(999, 130)), exported=exported)
    claim = check(index, "b.com/", KEEPER.of_text(edited(999)))
    assert claim.verdict is NEW
    assert (claim.match is not None) == exported


def test_a_notice_that_stands_in_many_dropped_pages_becomes_common(index: Index) -> None:
    """One of them is then kept; else all would be lost with a page that the notice stands in."""
    notice = edited(999, 60)
    insist(index, "a.com/", KEEPER.of_text(f"{notice}.\n{' '.join(WORDS[100:])}"))
    verdicts = [
        commit(index, f"host{n}.com/", KEEPER.of_text(notice)).verdict
        for n in range(SCHEME.common + 3)
    ]
    assert verdicts == [*[DUPLICATE] * (SCHEME.common + 1), NEW, DUPLICATE]


def test_only_so_many_texts_are_compared_with_that_of_a_page() -> None:
    store = CountedTexts()
    index = Index(store, SCHEME)
    for n in range(MOST_CONFIRMED + 3):
        insist(index, f"host{n}.com/", KEEPER.of_text(edited(999, 130 + n)))
    before = store.read
    assert check(index, "last.com/", KEEPER.of_text(edited(999))).verdict is NEW
    assert store.read - before == MOST_CONFIRMED


def test_a_page_is_not_dropped_for_one_whose_text_is_not_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By their fingerprints it repeats all of them, and by their texts none."""
    store = CountedTexts()
    index = Index(store, SCHEME)
    for n in range(MOST_CONFIRMED + 1):
        insist(index, f"host{n}.com/", KEEPER.of_text(edited(999, 190 + n)))
    monkeypatch.setattr(store, "text", lambda _: "Quite another text.")
    assert check(index, "last.com/", KEEPER.of_text(edited(999))).verdict is NEW


def test_a_stored_fingerprint_of_another_page_gone_is_no_match(index: Index) -> None:
    record = commit(index, "a.com/", text("tea")).record
    index.store.remove(record.page_id)
    assert check(index, "b.com/", text("tea")).verdict is NEW
