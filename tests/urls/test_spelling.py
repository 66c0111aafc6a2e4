"""URLs that differ from an earlier one by their spelling alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dedup.urls import Learner
from dedup.urls.patterns import mark_of, site_of
from dedup.urls.spelling import Spellings

TEA = "http://a.example/shop/tea"
SAME = """
    https://a.example/shop/tea http://A.example/Shop/TEA http://a.example/shop/tea/
    http://a.example/shop/tea//index.html http://a.example/shop/tea/Default.aspx
    http://a.example/shop/tea? http://a.example/shop/tea/?#pot
""".split()
OTHER = """
    http://a.example/shop/teas http://a.example/shop/tea?p=1 http://b.example/shop/tea
    http://a.example/shop http://a.example/shop/index.html?p=2 http://a.example/tea mailto:tea tea
""".split()


def words(name: str) -> bytes:
    return b"<p>" + b" ".join(f"{name}{n}".encode() for n in range(90))


def mark(learner: Learner, url: str) -> str:
    return mark_of(learner.found(url)[0])


@pytest.mark.parametrize("url", SAME)
def test_spellings_of_one_url_are_known(url: str) -> None:
    spellings = Spellings()
    assert not spellings.note(TEA)
    assert spellings.note(url)


def test_other_urls_are_no_spellings_of_it() -> None:
    spellings = Spellings()
    assert not any(map(spellings.note, [TEA, *OTHER]))


def test_the_first_spelling_is_none_however_often_it_comes() -> None:
    spellings = Spellings()
    noted = [spellings.note(url) for url in (TEA, SAME[0], TEA, SAME[0], SAME[1])]
    assert noted == [False, True, False, True, True]


def test_the_folders_of_a_site_are_no_index_files() -> None:
    spellings = Spellings()
    assert not spellings.note("http://a.example/index.php?id=1")
    assert not spellings.note("http://a.example/index.php?id=2")
    assert not spellings.note("http://a.example/index.php/tea")
    assert not spellings.note("http://a.example/index.php/pot")
    assert spellings.note("http://a.example/?id=1")


def test_a_host_is_no_index_file() -> None:
    spellings = Spellings()
    assert not spellings.note("http://index.example/")
    assert not spellings.note("http://index.example.org")


def test_old_urls_are_forgotten() -> None:
    spellings = Spellings(most=10)
    for number in range(30):
        spellings.note(f"{TEA}{number}")
    assert [spellings.note(f"{TEA}{number}/") for number in (15, 29, 5)] == [True, True, False]


def test_what_is_forgotten_is_another_spelling_no_longer() -> None:
    spellings = Spellings()
    spellings.note(TEA)
    spellings.forget(SAME[0])
    assert spellings.note(SAME[1])
    spellings.forget(TEA)
    assert not spellings.note(SAME[1])
    assert spellings.note(TEA)


def test_an_older_url_is_forgotten_as_well() -> None:
    spellings = Spellings(most=2)
    for url in (TEA, f"{TEA}1", f"{TEA}2"):
        spellings.note(url)
    spellings.forget(TEA)
    assert not spellings.note(f"{TEA}/")


def test_other_spellings_have_patterns_of_their_own_until_the_first_shows_no_page() -> None:
    learner = Learner()
    assert mark(learner, TEA) == ""
    assert mark(learner, f"{TEA}/") == "twin:"
    assert site_of(learner.found(f"{TEA}/")[-1]) == "a.example"
    learner.note_nothing(TEA, 0)
    assert mark(learner, f"{TEA}//") == ""


def test_nofollow_and_versions_have_their_own_patterns_in_any_spelling() -> None:
    learner = Learner()
    learner.found(TEA)
    assert mark_of(learner.found(f"{TEA}/", nofollow=True)[0]) == "nofollow:"
    learner.hints.note(TEA, "", [f"{TEA}//"])
    assert mark(learner, f"{TEA}//") == "version:"


@pytest.mark.parametrize(
    ("text", "is_low"), [(lambda number: number, True), (lambda number: -number - 1, False)]
)
def test_other_spellings_are_worth_what_they_bring(
    text: Callable[[int], int], *, is_low: bool
) -> None:
    learner = Learner()
    for number in range(20):
        for url, name in ((f"{TEA}{number}", number), (f"{TEA}{number}/", text(number))):
            learner.taken(url, learner.found(url))
            learner.note_page(url, words(f"w{name}x"))
    learner.found(f"{TEA}77")
    assert learner.worth(learner.found(f"{TEA}78")) > 0.9
    assert (learner.worth(learner.found(f"{TEA}77/")) < 0.2) is is_low
