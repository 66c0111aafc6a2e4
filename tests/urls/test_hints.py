"""URLs that pages declare: versions have patterns of their own, canonical URLs have not."""

from __future__ import annotations

from dedup.urls import Learner
from dedup.urls.hints import Hints

TEA, PRINTED, CANONICAL = (
    "http://a.example/x?t=tea",
    "http://a.example/p/tea",
    "http://a.example/tea",
)
PAGE = b"<p>" + b" ".join(b"tea%d" % n for n in range(90))


def test_a_page_is_no_version_of_itself() -> None:
    hints = Hints()
    hints.note(TEA, TEA)
    assert not hints.is_version(TEA)
    assert not hints.is_canonical(TEA)


def test_the_canonical_url_and_the_versions_of_a_page_are_remembered() -> None:
    hints = Hints()
    hints.note(TEA, CANONICAL, [PRINTED])
    assert [hints.is_version(url) for url in (TEA, PRINTED, CANONICAL)] == [False, True, False]
    assert [hints.is_canonical(url) for url in (TEA, PRINTED, CANONICAL)] == [False, False, True]


def test_the_oldest_hints_are_forgotten() -> None:
    hints = Hints(most=10)
    for number in range(20):
        hints.note(TEA, f"{CANONICAL}/{number}", [f"{PRINTED}/{number}"])
    assert [hints.is_canonical(f"{CANONICAL}/{n}") for n in (9, 10, 19)] == [False, True, True]
    assert [hints.is_version(f"{PRINTED}/{n}") for n in (9, 10, 19)] == [False, True, True]


def test_a_version_is_worth_less_than_a_url_like_it_and_a_canonical_url_is_not() -> None:
    learner = Learner()
    learner.hints.note(TEA, CANONICAL, [PRINTED])
    assert learner.worth(learner.found(PRINTED)) < learner.worth(learner.found(f"{PRINTED}s"))
    assert learner.worth(learner.found(CANONICAL)) == learner.worth(learner.found(f"{CANONICAL}s"))


def test_where_hints_lie_the_versions_are_worth_as_much_as_other_urls() -> None:
    learner = Learner()
    for number in range(40):
        url, page = f"{PRINTED}/{number}", PAGE.replace(b"tea", b"tea%d " % number)
        learner.hints.note(TEA, "", [url])
        learner.taken(url, learner.found(url))
        assert not learner.note_page(url, page)
    learner.hints.note(TEA, "", [PRINTED])
    assert learner.worth(learner.found(PRINTED)) > 0.9
