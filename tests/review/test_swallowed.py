"""Hosts whose pages nearly all repeat one page are noticed, soon and only they."""

import random

import pytest

from dedup.review.swallowed import ACROSS, PARTLY, VOTES, WATCHED, SwallowWatch

HOST = "http://a.example"
BLOCKED = f"{HOST}/blocked"


def watched(watch: SwallowWatch, *verdicts: str | None, host: str = HOST) -> list[str]:
    """What is told of pages of a host that repeat these, or nothing."""
    notes = [watch.note(f"{host}/{number}", of) for number, of in enumerate(verdicts)]
    return [note for note in notes if note]


def watched_across(watch: SwallowWatch, count: int, similarity: float) -> list[str]:
    """What is told where so many pages, each of a host of its own, repeat one in part."""
    urls = [f"http://h{number}.example/" for number in range(count)]
    notes = [watch.note(url, BLOCKED, similarity) for url in urls]
    return [note for note in notes if note]


def test_a_host_whose_pages_repeat_one_page_is_told_of_once() -> None:
    watch = SwallowWatch()
    (told,) = watched(watch, *[BLOCKED] * 3 * VOTES)
    for part in (
        f"Of the last {VOTES} pages of a.example, {VOTES} repeat one page, {BLOCKED}: ",
        f"for example {HOST}/0 and {HOST}/1. ",
        f"scrapy neardup diff {HOST}/0`",
        "a lower NEARDUP_MAX_NEW",
    ):
        assert part in told
    assert watch.hosts == 1


def test_items_without_a_url_are_not() -> None:
    watch = SwallowWatch()
    assert not [note for _ in range(3 * VOTES) if (note := watch.note("", ""))]
    assert watch.hosts == 0


def test_fewer_repeats_are_not() -> None:
    watch = SwallowWatch()
    assert watched(watch, *[BLOCKED] * (VOTES - 1)) == []
    assert watch.hosts == 0


def test_good_pages_that_came_before_hide_nothing() -> None:
    (told,) = watched(SwallowWatch(), *[None] * 10_000, *[BLOCKED] * VOTES)
    assert told.startswith(f"Of the last {VOTES} pages of a.example, {VOTES} repeat")


@pytest.mark.parametrize(("share", "count"), [(0.4, 0), (0.7, 1)])
def test_half_of_the_pages_is_the_line(share: float, count: int) -> None:
    chance = random.Random(1)
    verdicts = [BLOCKED if chance.random() < share else None for _ in range(2_000)]
    assert len(watched(SwallowWatch(), *verdicts)) == count


def test_a_mirror_whose_pages_each_repeat_their_own_is_no_swallowed_host() -> None:
    watch = SwallowWatch()
    assert watched(watch, *(f"http://b.example/{n}" for n in range(10 * VOTES))) == []


def test_the_next_page_repeated_is_told_of_too() -> None:
    told = watched(SwallowWatch(), *[BLOCKED] * VOTES, *[None] * VOTES, *[f"{HOST}/404"] * VOTES)
    assert len(told) == 2
    assert f" repeat one page, {BLOCKED}: " in told[0]
    assert f" repeat one page, {HOST}/404: " in told[1]


def test_one_page_that_swallows_many_hosts_is_told_once_and_counted_by_host() -> None:
    watch = SwallowWatch()
    told = [watched(watch, *[BLOCKED] * VOTES, host=f"http://h{n}.example") for n in range(3)]
    assert [len(notes) for notes in told] == [1, 0, 0]
    assert watch.hosts == 3


def test_a_page_that_pages_of_many_hosts_have_a_part_of_is_told_of_once() -> None:
    watch = SwallowWatch()
    (told,) = watched_across(watch, 3 * ACROSS, PARTLY / 2)
    for part in (
        f"{ACROSS} pages of other hosts repeat {BLOCKED}",
        "no more than a part",
        f"scrapy neardup diff http://h{ACROSS - 1}.example/`",
        "a lower NEARDUP_MAX_NEW or by NEARDUP_DROP without 'contained'",
    ):
        assert part in told
    assert watch.hosts == 0  # no host is swallowed


def test_pages_of_many_hosts_that_are_like_one_as_a_whole_are_copies() -> None:
    assert watched_across(SwallowWatch(), 3 * ACROSS, PARTLY) == []


def test_fewer_pages_of_other_hosts_are_not() -> None:
    assert watched_across(SwallowWatch(), ACROSS - 1, PARTLY / 2) == []


def test_pages_of_its_own_host_do_not_count_across_hosts() -> None:
    watch = SwallowWatch()
    notes = [watch.note(f"{HOST}/{number}", BLOCKED, PARTLY / 2) for number in range(ACROSS)]
    assert not any(notes)
    assert watched_across(watch, ACROSS - 1, PARTLY / 2) == []


def test_hosts_are_watched_apart() -> None:
    watch = SwallowWatch()
    for _ in range(VOTES - 1):
        for host in ("http://b.example", "http://c.example"):
            assert watched(watch, BLOCKED, host=host) == []
    assert len(watched(watch, BLOCKED, host="http://b.example")) == 1


def test_memory_is_bounded_and_the_hosts_met_last_stay_watched() -> None:
    watch = SwallowWatch()
    for number in range(3 * WATCHED):
        watched(watch, BLOCKED, host=f"http://h{number}.example")
        watch.note("http://other.example/", f"{HOST}/{number}", PARTLY / 2)
    last = f"http://h{3 * WATCHED - 1}.example"
    assert len(watch._suspects) == len(watch._across) == WATCHED
    assert len(watched(watch, *[BLOCKED] * (VOTES - 1), host=last)) == 1
