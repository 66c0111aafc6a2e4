"""Which repeated pages are placeholders, such as "not found", by the URLs that repeat them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.urls import Placeholders
from dedup.urls.patterns import DIFFERENT, Patterns
from dedup.urls.placeholders import LEAST, WINDOW

LAW = settings(derandomize=True, deadline=None, max_examples=100)
SITE = "http://a.example"
GONE = b"not found"
NAMES = ["tea", "coffee", "water", "milk", "juice", "wine", "beer", "rum", "gin"]


class Site:
    """A site with many pages, and the placeholders that a crawl of it has met."""

    def __init__(self, **bounds: int) -> None:
        self.patterns = Patterns()
        self.placeholders = Placeholders(self.patterns, **bounds)
        for name in [f"{one}{letter}" for one in NAMES for letter in "abcdef"]:
            self.patterns.learn(f"{SITE}/page?id={name}")
            self.patterns.learn(f"{SITE}/article/{name}")
            for path in (f"/page?id={name}&sid=0", f"/article/{name}?sid=0", f"/article/{name}/0"):
                self.placeholders.see(SITE + path)

    def note(self, path: str, of: str, digest: bytes = GONE) -> bool:
        self.patterns.learn(SITE + path)
        self.placeholders.see(SITE + path)
        return self.placeholders.note(SITE + path, SITE + of, digest)

    def note_all(self, paths: list[str], digest: bytes = GONE) -> list[bool]:
        """Note URLs of which the first gave the page that the others repeat."""
        self.patterns.learn(SITE + paths[0])
        return [self.note(path, paths[0], digest) for path in paths[1:]]


@pytest.mark.parametrize(
    "kind",
    [
        "/page?id={name}{n}",
        "/page?id={n}",
        "/page?id={name}-{n}&do=edit",  # The login wall of a wiki.
        "/article/{name}-{n}",
        "/article/{n}.html",
        "/calendar/{year}/{n}",
        "/login?next=%2Farticle%2F{name}{n}",
        "/page?id={name}&sid={n}",
    ],
)
def test_a_page_that_many_urls_of_one_kind_give_is_a_placeholder_from_the_ninth_on(
    kind: str,
) -> None:
    paths = [kind.format(name=NAMES[n % 9], n=n, year=2000 + n % 5) for n in range(20)]
    found = Site().note_all(paths)
    assert found == [False] * (LEAST - 1) + [True] * (20 - LEAST)


def test_a_handler_among_many_is_no_value_of_its_urls() -> None:
    site = Site()
    for n in range(2 * DIFFERENT):
        site.placeholders.see(f"{SITE}/{NAMES[n % 9] * (1 + n // 9)}/1")
    found = site.note_all([f"/product/{n}" for n in range(12)])
    assert found == [False] * (LEAST - 1) + [True] * (12 - LEAST)


@pytest.mark.parametrize(
    "copies",
    [
        [f"/page?id=teaa&sid={n:08x}" for n in range(99)],
        [f"/page?id=5&sid={n:08x}" for n in range(99)],
        [f"/article/teaa?sid={n}" for n in range(99)],
        [f"/article/teaa/{n}" for n in range(99)],
        [f"/calendar/2031/{n % 12}/{n}" for n in range(99)],
        # The sorted copies of a list: few orders.
        [f"/list?sort={'nsmd'[n % 4]}&order={'ad'[n // 4 % 2]}" for n in range(99)],
        [f"/page?id=teaa&sid={n:08x}" for n in range(3)] * 33,
    ],
)
def test_copies_of_one_page_are_no_placeholder(copies: list[str]) -> None:
    assert not any(Site().note_all(copies))


def test_some_other_names_of_an_article_do_not_make_its_copies_a_placeholder() -> None:
    copies = [f"/page?id={'winea' if n % 5 == 4 else 'teaa'}&sid={n}" for n in range(99)]
    assert not any(Site().note_all(copies))


def test_one_url_that_comes_again_and_again_is_one_vote() -> None:
    site = Site()
    assert not any(site.note("/page?id=x1", "/page?id=x0") for _ in range(99))
    assert not any(site.note_all([f"/page?id=x{n % 3}" for n in range(99)]))


def test_urls_that_come_again_do_not_outvote_repeats_of_other_pages() -> None:
    site = Site()
    for n in range(LEAST):
        for _ in range(2):
            assert not site.note(f"/page?id=missing{n}", "/page?id=missing99")
        if n % 2:
            assert not site.note(f"/page?id=copy{n}", f"/page?id=tea{n}", b"%d" % n)


def test_a_page_that_another_kind_of_url_gave_first_is_no_placeholder_of_this_kind() -> None:
    """A tag with one article shows this article, and so do many tags."""
    site = Site()
    assert not any(site.note(f"/tag/{n}", "/article/teaa") for n in range(99))
    assert not any(site.note(f"/?sid={n}", "/") for n in range(99))


def test_a_placeholder_of_one_kind_is_found_sooner_under_another() -> None:
    site = Site()
    wall = [f"/page?id={n}&do=edit" for n in range(20)]
    assert site.note_all(wall)[-1]
    found = [site.note(f"/page?id={n}&do=move&to=x", wall[0]) for n in range(20)]
    assert found == [False] * (LEAST - 1) + [True] * (21 - LEAST)
    elsewhere = "http://b.example/page?id={}&do=edit"
    noted = [site.placeholders.note(elsewhere.format(n), SITE + wall[0], GONE) for n in range(20)]
    assert not any(noted)


def test_on_a_young_site_copies_are_no_placeholder_if_most_repeats_are_of_other_pages() -> None:
    """No word is known to vary yet: at most 16 names were seen. The vote decides."""
    patterns = Patterns()
    placeholders = Placeholders(patterns)
    names = NAMES[: DIFFERENT // 2]
    for n in range(99):
        for name in names:
            url, of = (f"{SITE}/page?id={name}&sid={n + m:08x}" for m in (1, 0))
            patterns.learn(url)
            assert not placeholders.note(url, of, name.encode())


@LAW
@given(st.data())
def test_the_copies_of_articles_are_never_a_placeholder_in_any_order(data: Any) -> None:
    site = Site()
    names = st.sampled_from(NAMES).map(lambda name: f"{name}a")
    steps = st.lists(st.tuples(names, st.integers(0, 1 << 40)), max_size=80)
    for name, sid in data.draw(steps):
        copy = f"/page?id={name}&sid={sid}", f"/page?id={name}&sid=0", name.encode()
        assert not site.note(*copy)


@LAW
@given(st.lists(st.booleans(), max_size=60), st.integers(0, 7))
def test_a_placeholder_is_found_if_it_leads_by_enough(others: list[bool], first: int) -> None:
    """Other repeats are in between. From the lead on every repeat of it is named, no other is."""
    site, lead, missing, copies = Site(), 0, first, 0
    is_named = False
    for is_other in others:
        if is_other:
            copies += 1
            of = f"/page?id={NAMES[copies % 9]}b"
            assert not site.note(f"/page?id={NAMES[copies % 9]}a{copies}", of, b"%d" % copies)
            lead = max(0, lead - 1)
        else:
            missing += 1
            lead += 1
            named = site.note(f"/page?id=missing{missing}", "/page?id=missing0")
            is_named = is_named or lead >= LEAST
            assert named == is_named


def test_a_proven_page_is_a_placeholder_at_its_first_repeat() -> None:
    site = Site()
    site.placeholders.prove(f"{SITE}/page?id=made-up", GONE)
    assert site.note("/page?id=missing1", "/article/any")
    assert not site.note("/article/missing1", "/page?id=missing0")
    assert not site.note("/page?id=missing1", "/page?id=missing0", b"another text")


def test_only_what_repeats_a_proven_page_is_proven_and_stays_so() -> None:
    known, url = Site().placeholders, f"{SITE}/page?id=1"
    known.prove(url, b"made up")
    known.pass_on(url, b"made up", b"its repeat")
    known.pass_on(url, b"found", b"another")
    known.pass_on(url, b"another", b"its repeat")
    proven = [known.has_proven(url, one) for one in (b"made up", b"its repeat", b"another")]
    assert proven == [True, True, False]
    assert known.has_named(url, b"another")


def test_two_placeholders_of_one_kind_are_both_found() -> None:
    site = Site()
    assert site.note_all([f"/page?id=missing{n}" for n in range(20)])[-1]
    assert site.note_all([f"/page?id=locked{n}" for n in range(20)], b"locked")[-1]
    assert site.note("/page?id=missing99", "/page?id=missing0")


def test_the_room_is_bounded_and_the_oldest_goes_first() -> None:
    site = Site(most_cases=2, most_named=4)
    for kind in "abcdef":
        site.note_all([f"/{kind}?id={n}" for n in range(LEAST)])  # One vote is missing.
    assert len(site.placeholders._cases) == 2
    assert not site.note("/a?id=99", "/a?id=0")
    assert site.note("/f?id=99", "/f?id=0")
    for n in range(9):
        site.placeholders.prove(f"{SITE}/page?id={n}", b"%d" % n)
    assert len(site.placeholders._named) == 4
    assert not site.note("/f?id=100", "/f?id=0")


def test_the_values_of_the_latest_urls_decide() -> None:
    """A calendar is read year by year: the urls of the first year have it in common."""
    site = Site()
    found = site.note_all([f"/days/{2000 + n // 12}/{n % 12}" for n in range(3 * WINDOW)])
    assert not any(found[:11])
    assert found[WINDOW]
    assert found[-1]


@given(st.text(max_size=60))
@LAW
def test_any_text_is_taken_as_a_url(url: str) -> None:
    Placeholders(Patterns()).note(url, "http://[", b"")
    for value in Patterns().values(url):
        assert value.place
