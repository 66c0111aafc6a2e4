"""What is learned of patterns: rates, worth, and what is handed to a store."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.urls import Learner, Tally
from dedup.urls.learner import FIRST_RATE, LEAST_BUDGET, WEIGHT
from dedup.urls.tally import MOST_DOWNLOADS

LAW = settings(derandomize=True, deadline=None, max_examples=100)
COUNTS = st.tuples(st.integers(0, MOST_DOWNLOADS), st.floats(0, 1))
LEVELS = ("a.example", "a.example 2", "a.example tea?", "a.example tea?q", "a.example /tea?q")


def url(path: str) -> str:
    return f"http://a.example{path}"


def article(name: object, length: int = 100) -> bytes:
    chance = Random(str(name))
    words = ("".join(chance.choices("abcdefghijklmnop", k=7)) for _ in range(length))
    return f"<p>{' '.join(words)}".encode()


def known(**tallies: tuple[int, int]) -> Learner:
    learner = Learner()
    learner.load((name, Tally(*numbers)) for name, numbers in tallies.items())
    return learner


@LAW
@given(st.lists(COUNTS, max_size=5))
def test_rates_are_shares_whatever_a_store_has(counts: list[tuple[int, float]]) -> None:
    learner = Learner()
    learner.load(
        (name, Tally(downloads, int(share * downloads)))
        for name, (downloads, share) in zip(LEVELS, counts, strict=False)
    )
    for level in range(1, 6):
        assert 0 <= learner.rate(LEVELS[:level]) <= 1
        assert 0 <= learner.worth(LEVELS[:level]) <= 1


def test_of_an_unknown_site_the_first_rate_is_expected() -> None:
    assert Learner().rate(LEVELS) == FIRST_RATE
    assert Learner().worth(LEVELS) == 1 - FIRST_RATE


def test_the_mean_size_is_that_of_the_finest_pattern_with_downloads() -> None:
    learner = known()
    assert learner.mean_size(LEVELS) == 0
    learner.load([(LEVELS[0], Tally(4, 0, 12_000)), (LEVELS[2], Tally(2, 0, 4_000))])
    assert learner.mean_size(LEVELS) == 2_000
    assert learner.mean_size(LEVELS[:2]) == 3_000
    assert learner.mean_size(("b.example",)) == 0


def test_the_sum_of_two_tallies_is_halved_beyond_the_limit_and_has_the_latest_example() -> None:
    one, other = Tally(MOST_DOWNLOADS, 40, 600, 80, "/b", "/a"), Tally(2, 2, 20, 20)
    half = (MOST_DOWNLOADS + 2) // 2
    assert one.plus(other) == Tally(half, 21, 310, 50, "/b", "/a")
    assert other.plus(one) == Tally(half, 21, 310, 50, "/b", "/a")
    assert other.plus(Tally(2, 1, 20, 10, "/d", "/c")) == Tally(4, 3, 40, 30, "/d", "/c")


def test_each_level_corrects_the_one_above_which_counts_without_it() -> None:
    learner = known(site=(12, 9), part=(10, 9))
    site = (0 + WEIGHT * FIRST_RATE) / (2 + WEIGHT)
    assert learner.rate(("site",)) == (9 + WEIGHT * FIRST_RATE) / (12 + WEIGHT)
    assert learner.rate(("site", "part")) == (9 + WEIGHT * site) / (10 + WEIGHT)
    assert learner.rate(("site", "new")) == learner.rate(("site",))


def test_a_level_that_was_halved_has_no_more_repeats_than_downloads() -> None:
    learner = known(site=(600, 500), part=(590, 100), finest=(1, 0))
    assert learner.rate(("site", "part")) < 0.2
    assert learner.rate(("site", "part", "finest")) < 0.5


@pytest.mark.parametrize("downloads", [290, 500])
def test_a_level_without_downloads_of_its_own_does_not_count(downloads: int) -> None:
    learner = known(site=(290, 290), part=(downloads, 29))  # The site was halved.
    expected = (29 + WEIGHT * FIRST_RATE) / (downloads + WEIGHT)
    assert learner.rate(("site", "part")) == expected


def test_a_pattern_that_repeats_is_worth_less_than_one_that_does_not() -> None:
    learner = Learner()
    for number in range(30):
        learner.note_page(learned(learner, f"/article/{number}"), article(number))
        learner.note_page(learned(learner, f"/print/{number}"), article(number))
        learner.note_nothing(learned(learner, f"/member/{number}"), 10)
    good, bad, gone = (
        learner.found(url(path)) for path in ("/article/31", "/print/31", "/member/31")
    )
    assert learner.rate(good) < 0.1
    assert learner.rate(bad) > 0.9
    assert learner.rate(gone) > 0.9
    assert learner.worth(good) > 0.5
    assert learner.worth(bad) < 0.1


def learned(learner: Learner, path: str) -> str:
    learner.taken(url(path), learner.found(url(path)))
    return url(path)


def test_many_pages_of_few_new_words_are_worth_less_and_less() -> None:
    learner = Learner()
    worths = []
    for number in range(300):
        patterns = learner.found(url(f"/search?q={number}"))
        worths.append(learner.worth(patterns))
        learner.note_page(url(f"/search?q={number}"), f"<p>{number} results of {number}x".encode())
    assert worths[LEAST_BUDGET] > 0.95
    assert 0.5 < worths[30] < 0.9
    assert worths[299] < 0.5 * worths[30]


def test_short_notes_are_worth_as_much_as_articles_for_twice_as_many_pages_as_words() -> None:
    learner = Learner()
    worths = []
    for number in range(300):
        patterns = learner.found(url(f"/note?id={number}"))
        worths.append(learner.worth(patterns))
        learner.note_page(url(f"/note?id={number}"), article(number, length=50))
    assert worths[90] > 0.98
    assert worths[299] < 0.75 * worths[90]


def test_the_page_that_is_repeated_is_an_example() -> None:
    learner = Learner()
    assert learner.note_page(url("/tea"), article(1)) == ""
    assert learner.note_page(url("/tea?sid=1"), article(1)) == url("/tea")
    tallies = dict(learner.tallies())
    assert tallies["a.example"][:2] == (2, 1)
    assert tallies["a.example"][4:] == (url("/tea?sid=1"), url("/tea"))
    assert tallies["a.example"].octets == 2 * tallies["a.example"].wasted == 2 * len(article(1))


def test_without_a_queue_that_asks_first_words_are_learned_from_downloads() -> None:
    learner = Learner()
    for number in range(200):
        word = f"{number:b}".translate({48: "t", 49: "e"})
        learner.note_page(url(f"/wiki/{word}"), article(number))
    assert len(dict(learner.tallies())) < 60
    assert dict(learner.tallies())["a.example /wiki/*?"].downloads > 100


ACTIONS = st.lists(st.sampled_from("pprnn!s"), max_size=80)  # pages, repeats, nothing, a store


@LAW
@given(ACTIONS)
def test_what_is_handed_out_is_what_was_learned_however_often_the_store_fails(
    actions: list[str],
) -> None:
    learner, stored = Learner(), dict[str, Tally]()
    for number, action in enumerate([*actions, "s"]):
        if action == "p":
            learner.note_page(url(f"/{number % 3}/tea{number}"), article(number))
        elif action == "r":
            learner.note_page(url(f"/{number % 3}/oak?n={number}"), article("oak"))
        elif action == "n":
            learner.note_nothing(url(f"/gone/{number}"), 7)
        else:
            fresh = learner.fresh()
            if action != "!":
                learner.note_stored()
                for pattern, tally in fresh.items():
                    stored[pattern] = stored.get(pattern, Tally()).plus(tally)
    known = dict(learner.tallies())
    assert stored == {one: tally for one, tally in known.items() if tally.downloads > 1}
    assert learner.fresh() == {}


@LAW
@given(ACTIONS)
def test_with_the_tallies_of_a_store_a_later_crawl_has_the_same_rates(actions: list[str]) -> None:
    learner, later = Learner(), Learner()
    urls = [url(f"/{action}/{n % 5}?{action}={n % 3}") for n, action in enumerate(actions)]
    for number, (action, one) in enumerate(zip(actions, urls, strict=True)):
        learner.taken(one, learner.found(one))
        if action == "n":
            learner.note_nothing(one, 7)
        else:
            learner.note_page(one, article(number if action == "p" else action))
    later.load(learner.tallies())
    assert later.fresh() == {}
    for one in urls:
        patterns = learner.found(one)
        assert later.rate(patterns) == learner.rate(patterns)
        later.found(one)  # So its parameters are not new, as in the first crawl.
        assert later.found(one) == patterns


def test_a_new_parameter_beside_an_old_one_is_worth_more_than_the_old_one_with_new_values() -> None:
    learner = Learner()
    for session in range(5):
        for thread in range(4):
            one = url(f"/forum/{thread}?sid={session}")
            learner.taken(one, learner.found(one))
            learner.note_page(one, article(thread))
    met, unmet = learner.found(url("/forum/3?sid=5")), learner.found(url("/forum/4?sid=5"))
    assert learner.rate(met) > 0.8
    assert learner.rate(unmet) < 0.5


def test_beyond_most_downloads_all_numbers_are_halved() -> None:
    learner = Learner()
    for number in range(MOST_DOWNLOADS + 1):
        learner.note_nothing(url("/tea"), 10)
        if number < MOST_DOWNLOADS:
            assert dict(learner.tallies())["a.example"].downloads == number + 1
    tally = dict(learner.tallies())["a.example"]
    half = (MOST_DOWNLOADS + 1) // 2
    assert tally[:4] == (half, half, 10 * (MOST_DOWNLOADS + 1) // 2, 10 * (MOST_DOWNLOADS + 1) // 2)
    assert learner.fresh()["a.example"].downloads == MOST_DOWNLOADS + 1


def test_where_there_are_too_many_patterns_those_of_few_downloads_are_forgotten() -> None:
    learner = Learner(most_patterns=100)
    learner.load((f"p{number}", Tally(1 + number // 10)) for number in range(100))
    learner.note_nothing(url("/tea"), 10)
    tallies = dict(learner.tallies())
    gone = {f"p{number}" for number in range(20)}
    assert tallies.keys().isdisjoint(gone)
    assert len(tallies) < 100
    assert tallies["a.example"].downloads == 1
    assert tallies["p99"].downloads == 10
    assert learner.forgotten() == gone
    learner.note_stored()
    assert learner.forgotten() == set()


def test_the_number_of_patterns_is_bounded() -> None:
    learner = Learner(most_patterns=100)
    for number in range(500):
        learner.note_nothing(f"http://s{number % 50}.example/{number}/tea", 10)
        assert len(dict(learner.tallies())) <= 105
    assert learner.forgotten().isdisjoint(dict(learner.tallies()))


def test_a_download_counts_once_in_each_pattern() -> None:
    learner = Learner()
    for path in ("/tea", "/tea?q=a", "/a/b/c/d"):
        learner.note_page(learned(learner, path), article(path))
    counts = {pattern: tally.downloads for pattern, tally in learner.tallies()}
    assert counts.pop("a.example") == 3
    assert set(counts.values()) == {1}


@pytest.mark.parametrize("odd", ["", "tea", "http://[", "http://a.example/\ud800", "data:,tea"])
def test_odd_urls_are_learned_like_others(odd: str) -> None:
    learner = Learner()
    learner.taken(odd, learner.found(odd))
    learner.note_page(odd, b"<p>tea")
    learner.note_nothing(odd, 3)
    assert max(tally.downloads for _, tally in learner.tallies()) == 2
