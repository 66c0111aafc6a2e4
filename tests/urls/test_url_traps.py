"""Which patterns are traps of a crawl, and which requests count as postponed."""

from __future__ import annotations

from dedup.urls import Learner, Tally
from dedup.urls.traps import LEAST_DOWNLOADS, Trap, find_traps, postponed

PAGE = "<p>{} has a text of its own: {}.</p>"


def taught(*urls: str, in_vain: int, times: int) -> Learner:
    """A learner of so many downloads of each URL, the first of which were in vain."""
    learner = Learner()
    for url in urls:
        learner.found(url.partition("?")[0])  # So none of the parameters is new.
        for number in range(times):
            address = f"{url}{number}"
            if number < in_vain:
                learner.note_nothing(address, 100)
            else:
                words = " ".join(f"w{number}x{i}{url[7:9]}" for i in range(40))
                assert not learner.note_page(address, PAGE.format(address, words).encode())
    return learner


def test_a_pattern_is_a_trap_from_half_of_its_downloads_on() -> None:
    least = LEAST_DOWNLOADS
    learner = taught("http://a.example/old?id=", in_vain=least // 2, times=least)
    trap = Trap("a.example /old?id=#", least, least // 2, 7)
    assert find_traps(learner, {"a.example /old?id=#": 7}) == [trap]
    learner = taught("http://a.example/old?id=", in_vain=least // 2 - 1, times=least)
    assert find_traps(learner, {}) == []
    learner = taught("http://a.example/old?id=", in_vain=least - 1, times=least - 1)
    assert find_traps(learner, {}) == []


def test_what_costs_or_would_cost_most_comes_first() -> None:
    learner = taught("http://a.example/x?id=", "http://b.example/x?id=", in_vain=20, times=20)
    waiting = {"b.example /x?id=#": 1}
    assert [trap.pattern[0] for trap in find_traps(learner, waiting)] == ["b", "a"]
    assert [trap.pattern[0] for trap in find_traps(learner, {})] == ["a", "b"]


def test_a_trap_of_earlier_crawls_is_one_only_if_its_urls_wait() -> None:
    learner = Learner()
    learner.load([("a.example /old?id=#", Tally(90, 84))])
    assert find_traps(learner, {}) == []
    assert find_traps(learner, {"a.example /old?id=#": 3}) == [
        Trap("a.example /old?id=#", 90, 84, 3)
    ]


def test_requests_are_postponed_if_half_of_their_downloads_are_expected_to_repeat() -> None:
    learner = taught("http://a.example/old?id=", in_vain=30, times=30)
    old = learner.found("http://a.example/old?id=77")
    new = learner.found("http://b.example/new?id=77")
    assert learner.rate(old) > 0.5 > learner.rate(new)
    assert postponed(learner, [(old, 5), (new, 9), (old, 2)]) == {old[-1]: 7}


def test_all_downloads_of_a_crawl_are_counted_and_none_is_halved() -> None:
    learner = taught("http://a.example/old?id=", in_vain=1_100, times=1_101)
    assert learner.of_crawl[:2] == (1_101, 1_100)
    assert learner.of_crawl.wasted == 110_000
    assert learner.of_crawl.octets > 110_000
