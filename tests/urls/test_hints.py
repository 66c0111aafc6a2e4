"""URLs that pages name as other URLs of themselves have patterns of their own."""

from __future__ import annotations

from dedup.urls import Learner
from dedup.urls.hints import Hints

TEA, PRINTED, CANONICAL = (
    "http://a.example/x?t=tea",
    "http://a.example/p/tea",
    "http://a.example/tea",
)
PAGE = b"<p>" + b" ".join(b"tea%d" % n for n in range(90))


def test_a_page_does_not_name_itself() -> None:
    hints = Hints()
    hints.note(TEA, TEA)
    assert not hints.is_named(TEA)
    assert not hints.is_canonical(TEA)


def test_the_canonical_url_and_the_versions_of_a_page_are_named() -> None:
    hints = Hints()
    hints.note(TEA, CANONICAL, [PRINTED])
    assert [hints.is_named(url) for url in (TEA, PRINTED, CANONICAL)] == [False, True, True]
    assert [hints.is_canonical(url) for url in (TEA, PRINTED, CANONICAL)] == [False, False, True]


def test_the_oldest_hints_are_forgotten() -> None:
    hints = Hints(most=10)
    for number in range(20):
        hints.note(TEA, f"{CANONICAL}/{number}")
    assert [hints.is_named(f"{CANONICAL}/{number}") for number in (9, 10, 19)] == [
        False,
        True,
        True,
    ]


def test_a_url_that_was_named_is_worth_less_than_one_like_it() -> None:
    learner = Learner()
    learner.hints.note(TEA, CANONICAL)
    assert learner.worth(learner.found(CANONICAL)) < learner.worth(learner.found(f"{CANONICAL}s"))


def test_where_hints_lie_the_urls_they_name_are_worth_as_much_as_others() -> None:
    learner = Learner()
    for number in range(40):
        url, page = f"{CANONICAL}/{number}", PAGE.replace(b"tea", b"tea%d " % number)
        learner.hints.note(TEA, url)
        learner.taken(url, learner.found(url))
        assert not learner.note_page(url, page)
    learner.hints.note(TEA, CANONICAL)
    assert learner.worth(learner.found(CANONICAL)) > 0.9
