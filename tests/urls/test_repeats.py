"""Which pages repeat others of their site."""

from __future__ import annotations

from random import Random

import pytest

from dedup.urls.repeats import Repeats, Seen, sketch

SITE, OTHER_SITE = 7, 1 << 63
MENU = " ".join(f"menu{number}" for number in range(300))


def words(name: object, count: int) -> list[str]:
    """Words that no other name has."""
    chance = Random(str(name))
    return ["".join(chance.choices("abcdefghijklmnop", k=7)) for _ in range(count)]


def page(*parts: object) -> bytes:
    shown = "".join(
        f"<p>{' '.join(part) if isinstance(part, list) else part}</p>" for part in parts
    )
    return f"<title>A page</title><body>{shown}".encode()


def note(repeats: Repeats, url: str, body: bytes, site: int = SITE) -> Seen:
    return repeats.note(url, site, sketch(body, site))


ARTICLE = words("article", 200)
REPEATS = {
    "the same": page(MENU, ARTICLE),
    "another title": page(MENU, ARTICLE).replace(b"A page", b"Another page"),
    "other addresses of links": page(MENU, "<a href='?sid=7'>", ARTICLE),
    "in another order": page(ARTICLE[100:], MENU, ARTICLE[:100]),
    "one name": page(MENU, "Logged in: Agda", ARTICLE),
    "a little more": page(MENU, ARTICLE, words("remark", 5)),
    "a little less": page(MENU, ARTICLE[:-5]),
}
OTHERS = {
    "another article": page(MENU, words("other", 200)),
    "a short article": page(MENU, words("short", 60)),
    "half of it": page(MENU, ARTICLE[:100]),
    "the menu alone": page(MENU),
    "nothing": b"",
}


@pytest.fixture
def site() -> Repeats:
    """A site whose pages have a menu of 300 words."""
    repeats = Repeats()
    for number in range(30):
        note(repeats, f"/{number}", page(MENU, words(number, 200)))
    assert note(repeats, "/article", page(MENU, ARTICLE)).of == ""
    return repeats


@pytest.mark.parametrize("body", REPEATS.values(), ids=REPEATS)
def test_a_page_of_the_same_text_repeats_it(site: Repeats, body: bytes) -> None:
    assert note(site, "/again", body).of == "/article"


@pytest.mark.parametrize("body", OTHERS.values(), ids=OTHERS)
def test_a_page_of_another_text_repeats_none(site: Repeats, body: bytes) -> None:
    assert note(site, "/other", body).of == ""


def test_an_article_under_another_menu_of_the_site_repeats_it(site: Repeats) -> None:
    menu = words("mobile menu", 300)
    for number in range(30):
        assert note(site, f"/m/{number}", page(menu, words(f"m{number}", 200))).of == ""
    assert note(site, "/m/article", page(menu, ARTICLE)).of == "/article"


@pytest.mark.parametrize("own", [80, 160, 320])
def test_short_articles_under_a_large_menu_repeat_none(own: int) -> None:
    repeats = Repeats()
    found = [note(repeats, f"/{n}", page(MENU, words(n, own))).of for n in range(60)]
    assert sum(map(bool, found)) <= 6


@pytest.mark.parametrize(("menu", "own"), [(300, 40), (600, 80), (1000, 160)])
def test_once_a_menu_is_known_short_articles_under_it_repeat_none(menu: int, own: int) -> None:
    repeats, shown = Repeats(), words("menu", menu)
    found = [note(repeats, f"/{n}", page(shown, words(n, own))).of for n in range(100)]
    assert sum(map(bool, found[50:])) <= 5


def test_two_sites_share_nothing() -> None:
    repeats = Repeats()
    for site in (SITE, OTHER_SITE):
        for body in (page(ARTICLE), page("tea"), b""):
            assert note(repeats, f"/{site}", body, site).of == ""
    own = set(sketch(page(ARTICLE), SITE).sample)
    assert not own & set(sketch(page(ARTICLE), OTHER_SITE).sample)


@pytest.mark.parametrize("body", [page(ARTICLE), page("tea"), page("tea", "pot"), b"", b"<p>"])
def test_a_page_that_comes_again_repeats_not_itself_but_others_repeat_it(body: bytes) -> None:
    repeats = Repeats()
    assert [note(repeats, "/tea", body).of for _ in range(3)] == ["", "", ""]
    assert note(repeats, "/other", body).of == "/tea"
    assert note(repeats, "/tea", body).of == ""


@pytest.mark.parametrize(
    ("one", "other"), [("tea", "oak"), ("tea", ""), ("tea", "tea tea"), ("no tea", "no oak")]
)
def test_very_small_pages_are_told_apart(one: str, other: str) -> None:
    repeats = Repeats()
    assert note(repeats, "/one", page(one)).of == ""
    assert note(repeats, "/other", page(other)).of == ""
    assert note(repeats, "/again", page(other)).of == "/other"


def test_a_copy_of_an_article_is_found_after_a_page_that_adds_comments_to_it(site: Repeats) -> None:
    repeats = []
    for number in range(20):
        article, comments = words(f"article {number}", 200), words(f"comments {number}", 150)
        assert note(site, f"/{number}", page(MENU, article)).of == ""
        assert note(site, f"/{number}/comments", page(MENU, article, comments)).of == ""
        repeats.append(note(site, f"/{number}?reply", page(MENU, "Reply to Agda", article)).of)
    assert repeats == [f"/{number}" for number in range(20)]


def test_a_page_whose_shingles_are_all_common_is_found_among_its_many_copies() -> None:
    repeats = Repeats()
    copies = [page(ARTICLE, words(f"counter {number}", 1)) for number in range(40)]
    found = [note(repeats, f"/{number}", copy).of for number, copy in enumerate(copies)]
    assert found == ["", *["/0"] * 39]


def test_no_more_pages_are_remembered_than_allowed_and_those_that_are_repeated_stay() -> None:
    repeats = Repeats(most=20)
    for number in range(500):
        assert note(repeats, f"/{number}", page(words(number, 60))).of == ""
        note(repeats, "/again", page(words(0, 60)))
        assert len(repeats._pages) <= 20
    assert note(repeats, "/again", page(words(0, 60))).of == "/0"
    assert note(repeats, "/again", page(words(490, 60))).of == "/490"
    assert note(repeats, "/new", page(words(400, 60))).of == ""


def test_the_words_of_its_own_are_those_that_no_page_had() -> None:
    repeats = Repeats()
    first = note(repeats, "/1", page(ARTICLE))
    half = note(repeats, "/2", page(ARTICLE[:100], words("other", 100)))
    again = note(repeats, "/3", page(ARTICLE))
    empty = note(repeats, "/4", b"")
    assert first.own == 200
    assert 50 < half.own < 150
    assert again.own == empty.own == 0
