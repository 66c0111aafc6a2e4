"""Patterns of URLs: what they make of the URLs of well-known applications, and of hostile ones."""

from __future__ import annotations

import string
import tracemalloc
from collections import Counter
from hashlib import sha1
from itertools import product
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.urls.combinations import Combinations
from dedup.urls.patterns import (
    _USUAL,
    DIFFERENT,
    FEW,
    HANDLER,
    MOST_SEGMENTS,
    NEW,
    NOFOLLOW,
    SEEN,
    Patterns,
)

LAW = settings(derandomize=True, deadline=None, max_examples=150)
WORDS = ["".join(letters) for letters in product("aeio", "lmn", "ou", "st")][:40]
HASHES = [sha1(word.encode(), usedforsecurity=False).hexdigest() for word in WORDS]
# What many URLs of an application become: a URL with WORD, NUMBER or HASH in it, and its pattern.
APPLICATIONS = {
    "mediawiki, history": (
        "/index.php?title=WORD&action=history",
        "/index.php?action=history&title=*",
    ),
    "mediawiki, revision": ("/index.php?title=WORD&oldid=NUMBER", "/index.php?oldid=#&title=*"),
    "mediawiki, special": ("/wiki/Special:Log/WORD", "/wiki/Special:Log/*?"),
    "mediawiki, talk": ("/wiki/Talk:WORD", "/wiki/Talk:*?"),
    "dokuwiki": ("/doku.php?id=wiki:WORD&do=revisions", "/doku.php?do=revisions&id=wiki:*"),
    "cgit": ("/tea.git/commit/?id=HASH", "/tea.git/commit/?id=<hash>"),
    "gitweb": ("/?p=tea.git;a=blob;h=HASH", "/?a=blob&h=<hash>&p=tea.git"),
    "trac": ("/changeset/NUMBER/trunk", "/changeset/#/trunk?"),
    "wordpress": ("/2024/02/WORD-tea/", "/#/#/*/?"),
    "wordpress, reply": ("/tea/?replytocom=NUMBER", "/tea/?replytocom=#"),
    "datasette": ("/tea/leaves?_facet=kind&kind=WORD", "/tea/leaves?_facet=kind&kind=*"),
    "datasette, sizes": ("/tea/leaves?_size=NUMBER&_sort=kind", "/tea/leaves?_size=#&_sort=kind"),
    "shop": ("/p/WORD-pot?color=red&size=NUMBER", "/p/*?color=red&size=#"),
    "calendar": ("/events/2031-05-DAY", "/events/<date>?"),
    "session": ("/forum/?sid=HASH", "/forum/?sid=<hash>"),
    "session in the path": ("/forum/WORD;jsessionid=HASH", "/forum/*?jsessionid=<hash>"),
    "session in the path, asked": ("/tea;sid=HASH?p=NUMBER", "/tea?p=#&sid=<hash>"),
    "login": ("/login?next=%2Fwiki%2FWORD", "/login?next=%2Fwiki%2F*"),
}
# A segment, and the sign that stands for it.
SIGNS = {
    "7": "#",
    "123456": "#",
    "1234567": "#",
    "20991234567": "#",
    "2024-05-01": "<date>",
    "2024-05": "<date>",
    "20240501": "<date>",
    "2024-05-01T10:00": "<date>",
    "120012": "#",
    "da39a3e": "<hash>",
    "0d1f2a3b-0000-4000-8000-0123456789ab": "<hash>",
    "deadbeef": "deadbeef",
    "page12": "page#",
}
# URLs that nobody means well with.
HOSTILE = {
    "parameters in the path": "http://a.example/" + ";a=" * 50_000 + "/",
    "letters": "http://a.example/" + "x" * 100_000,
    "a long word of two octets": "http://a.example/?q=" + "é" * 100_000,
    "segments": "http://a.example/" + "a/" * 50_000,
    "parameters": "http://a.example/?" + "&".join(f"p{n}=v{n}" for n in range(5_000)),
    "parameters without a name": "http://a.example/?" + "&;=" * 50_000,
    "separators": "http://a.example/?q=" + ":/.,|!~ " * 20_000,
    "digits": "http://a.example/" + "1" * 100_000,
    "almost a hash": "http://a.example/" + "a" * 100_000 + "z",
    "almost a date": "http://a.example/2024-01-01" + "0" * 100_000,
    "percent": "http://a.example/?q=" + "%2F%" * 50_000,
    "brackets": "http://[" + "a" * 1_000,
    "no address": "http://[::1",
    "surrogate": "http://a.example/\ud800?\udfff=\ud800",
    "control": "http://a.example/\0\t\r\n?\0=\n",
    "no URL": "tea",
    "empty": "",
    "data": "data:text/html," + "x" * 100_000,
    "signs": "http://a.example/*/#/<again>/<hash>?*=*",
    "host": "http://" + "a." * 50_000 + "/",
}

PIECES = st.sampled_from(
    [*"/?#&;=:@%[]. -+_a1AéK\0\t\n\r\ud800", "//", "http:", "https://", "a.example", "?q=tea", "#"]
)


def url(path: str) -> str:
    return f"http://a.example{path}"


def filled(path: str, number: int) -> str:
    day = f"{1 + number % 28:02}"
    words = {"WORD": WORDS[number], "NUMBER": str(number), "HASH": HASHES[number], "DAY": day}
    for name, word in words.items():
        path = path.replace(name, word)
    return url(path)


@pytest.mark.parametrize(("path", "pattern"), APPLICATIONS.values(), ids=APPLICATIONS)
def test_urls_of_an_application_have_its_pattern(path: str, pattern: str) -> None:
    patterns = Patterns()
    for number in range(40):
        patterns.learn(filled(path, number))

    made = {patterns.of(filled(path, number)) for number in range(40)}
    assert {finest for *_, finest in made} == {f"a.example {pattern}"}
    assert len(made) == 1


def test_only_parameters_at_the_end_of_the_path_are_parameters() -> None:
    patterns = Patterns()
    finest = [
        patterns.of(url(path))[-1].removeprefix("a.example ")
        for path in (
            "/a;b/tea",
            "/a;b=c/tea",
            "/tea;pot",
            "/tea;pot=a;lid=b?q=c",
            "/;pot=a",
            "/tea;=",
        )
    ]
    assert finest == [
        "/a;b/tea?",
        "/a;b=c/tea?",
        "/tea;pot?",
        "/tea?lid=b&pot=a&q=c",
        "/?pot=a",
        "/tea?=",
    ]


def test_a_session_in_the_path_with_a_known_page_is_not_new() -> None:
    patterns = Patterns()
    patterns.learn(url("/tea;jsessionid=a?page=2"))
    known = patterns.learn(url("/tea;jsessionid=b?page=2"))
    other = patterns.learn(url("/tea;jsessionid=c?page=3"))
    assert known[-1] == "a.example /tea?jsessionid=b&page<new>=#"
    assert other[-1] == "a.example /tea?jsessionid<new>=c&page<new>=#"


def test_the_values_of_a_url_are_without_parameters_of_its_path() -> None:
    places = [value.place for value in Patterns().values(url("/a/tea;sid=7?q=x"))]
    assert places == ["/0", "/1", "?q"]
    assert Patterns().values(url("/a/tea;sid=7")) == Patterns().values(url("/a/tea"))


def test_patterns_go_from_the_site_to_the_whole_path() -> None:
    assert Patterns().of("http://A.example:80/b/c/d?y=2&x=tea") == (
        "a.example:80",
        "a.example:80 ?x&y",
        "a.example:80 b/c/...?x&y",
        "a.example:80 b/c/...?x=tea&y=#",
        "a.example:80 /b/c/d?x=tea&y=#",
    )
    assert Patterns().of("http://a.example")[1:3] == ("a.example 1", "a.example ?")


@pytest.mark.parametrize(("segment", "sign"), SIGNS.items())
def test_a_sign_stands_for_a_number_a_date_and_a_hash(segment: str, sign: str) -> None:
    assert Patterns().of(url(f"/x/{segment}"))[-1] == f"a.example /x/{sign}?"


def test_a_path_that_grows_in_a_circle_has_one_pattern_for_each_length() -> None:
    patterns = Patterns()
    paths = ["/docs/" + "/".join(circle[:length])
             for circle in (["tea", "pot"] * 40, ["pot", "tea"] * 40)
             for length in range(1, 80)]  # fmt: skip
    for path in paths:
        patterns.learn(url(path))
    finest = {patterns.of(url(path))[-1] for path in paths}
    assert len(finest) <= 2 * MOST_SEGMENTS
    assert "a.example /docs/tea/pot/<again>/<again>?" in finest


def test_a_segment_that_is_repeated_is_told_however_rare_it_is() -> None:
    patterns = Patterns()
    for word in WORDS:
        patterns.learn(url(f"/{word}/{word}"))
    assert patterns.of(url("/new/new"))[-1] == "a.example /*/<again>?"


@LAW
@given(st.sampled_from(["http://", "https://a.example:8/", " http://"]), st.lists(PIECES))
def test_urls_that_are_split_as_usual_are_split_as_by_the_library(
    start: str, pieces: list[str]
) -> None:
    odd = start + "".join(pieces)
    if usual := _USUAL.fullmatch(odd):
        parts = urlsplit(odd)
        assert usual.groups() == (parts.netloc, parts.path[1:], parts.query)


@pytest.mark.parametrize("one", ["http://a.example/", "https://a.example:8/tea?a=b&c#d?e"])
def test_most_urls_are_split_as_usual(one: str) -> None:
    assert _USUAL.fullmatch(one)
    assert not _USUAL.fullmatch(one + "\n") or "#" in one


def test_names_and_passwords_of_users_are_in_no_pattern() -> None:
    assert "secret" not in str(Patterns().of("http://me:secret@a.example/tea"))
    assert Patterns().of("http://me:secret@a.example/tea")[0] == "a.example"


def test_a_word_is_literal_until_many_differ_and_from_then_on_if_it_is_frequent() -> None:
    patterns = Patterns()
    found = [patterns.learn(url(f"/{word}"))[-1] for word in WORDS]
    assert found[0] == f"a.example /{WORDS[0]}?"
    assert found[-1] == "a.example /*?"
    for _ in range(9):
        patterns.learn(url("/tea"))
    assert patterns.of(url("/tea"))[-1] == "a.example /tea?"


def test_sites_share_no_words() -> None:
    patterns = Patterns()
    for word in WORDS:
        patterns.learn(url(f"/{word}"))
    assert patterns.of(f"http://b.example/{WORDS[-1]}")[-1] == f"b.example /{WORDS[-1]}?"


SEGMENTS = st.sampled_from(
    ["tea", "pot", "2024", "page7", "a:b", "a%2Fb", "da39a3e", "2024-05", ""]
)
PLACES = st.builds(
    "{}?{}".format,
    st.lists(SEGMENTS | st.sampled_from(WORDS), max_size=5).map("/".join),
    st.lists(
        st.builds("{}={}".format, st.sampled_from("abc"), SEGMENTS | st.sampled_from(WORDS)),
        max_size=3,
    ).map("&".join),
)
ANY = st.text(st.sampled_from(string.printable + "é\ud800") | st.characters(), max_size=30)


@LAW
@given(st.lists(PLACES | ANY, max_size=20), st.integers(1, 9))
def test_the_patterns_of_an_earlier_crawl_are_found_again(paths: list[str], times: int) -> None:
    earlier = Patterns()
    urls = [url(f"/{path}") for path in paths] + [url(f"/{word}/{word}x") for word in WORDS]
    for one in urls * times:
        earlier.learn(one)

    later = Patterns()
    for pattern, count in Counter(earlier.of(one)[-1] for one in urls * times).items():
        later.recall(pattern, count)
    assert [later.of(one) for one in urls] == [earlier.of(one) for one in urls]


def test_what_is_no_finest_pattern_teaches_nothing() -> None:
    patterns = Patterns()
    for pattern in ("a.example", "a.example 3", "a.example ?q", "a.example tea?q=a /b", "", " "):
        patterns.recall(pattern, 1_000)
    assert patterns._frequencies.counts == {}


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_url_has_short_patterns(hostile: str) -> None:
    patterns = Patterns()
    for _ in range(30):
        found = patterns.learn(hostile)
    assert len(found) == 5
    assert sum(map(len, found[1:])) - 4 * len(found[0]) < 20_000
    patterns.recall(found[-1], 5)
    assert patterns.of(hostile)[-1] == found[-1]


@LAW
@given(ANY, ANY)
def test_any_text_has_patterns(start: str, rest: str) -> None:
    patterns = Patterns()
    assert len(patterns.learn(start + rest)) == 5
    assert len(patterns.learn(f"http://{start}/{rest}")) == 5
    patterns.recall(start + rest, 1)


def test_room_for_words_is_bounded() -> None:
    letters = str.maketrans("0123456789", "ghijklmnop")
    patterns = Patterns()
    for number in range(60_000):
        patterns.learn(url(f"/{number:x}z{number % 7}?q={number:b}x".translate(letters)))
    assert len(patterns._frequencies.counts) <= 50_000


def test_long_urls_need_no_more_room_than_what_is_read_of_them() -> None:
    patterns = Patterns()
    tracemalloc.start()
    for number in range(200):
        patterns.learn(url(f"/{number}{'x' * 100_000}?q={number}{'y' * 100_000}"))
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 20 * 200_000


def test_where_many_words_are_frequent_only_those_of_a_large_share_are_literal() -> None:
    patterns = Patterns()
    names = [first + last for first in "abcdefgh" for last in "klmnopqr"]
    assert len(names) > FEW
    views = ("diff", "edit", "history", "media", "recent", "source")
    for name in names:
        for view in views:
            patterns.learn(f"http://wiki.example/?do={view}&id={name}")
    for _ in range(40):
        patterns.learn("http://wiki.example/?do=edit&id=start")
    shown = [patterns.of(f"http://wiki.example/?do=edit&id={name}")[-1] for name in ("ak", "start")]
    assert shown == ["wiki.example /?do=edit&id=*", "wiki.example /?do=edit&id=start"]


def test_a_parameter_is_new_unless_an_earlier_url_differs_by_it_alone() -> None:
    patterns = Patterns()
    found = [
        patterns.learn(f"http://a.example/forum?{query}")[HANDLER].partition("?")[2]
        for query in ("page=2&sid=a", "sid=b&page=2", "page=3&sid=b", "page=4&sid=c", "page=4", "")
    ]
    assert found == [
        "page<new>&sid<new>",
        "page<new>&sid",
        "page&sid<new>",
        "page<new>&sid<new>",
        "page<new>",
        "",
    ]


def test_new_parameters_are_those_of_one_place() -> None:
    patterns = Patterns()
    for url in ("http://a.example/a", "http://a.example/b?id=1", "http://b.example/a?id=2"):
        patterns.learn(url)
    assert patterns.learn("http://a.example/a?id=1")[-1] == "a.example /a?id=#"
    assert patterns.learn("http://a.example/c?id=1")[-1] == "a.example /c?id<new>=#"
    assert patterns.learn("http://b.example/b?id=1")[-1] == "b.example /b?id<new>=#"


def test_the_names_alone_say_nothing_of_what_is_new() -> None:
    assert Patterns().learn("http://a.example/a?id=1")[1] == "a.example ?id"


def test_the_words_of_a_pattern_with_new_parameters_are_recalled() -> None:
    patterns, later = Patterns(), Patterns()
    for letter in "abcdefghijklmnopqrs":
        later.recall(patterns.learn(f"http://a.example/{letter}?word={letter * 3}")[-1], 1)
    assert later.of("http://a.example/a?word=zzz") == patterns.of("http://a.example/a?word=zzz")


def test_the_last_segment_is_seen_if_an_earlier_path_has_it_behind_other_segments() -> None:
    patterns = Patterns()
    paths = ("tea/1", "tea/1", "tea/2", "milk/1", "milk/1/", "milk/3/1?id=2", "1", "9")
    found = [patterns.learn(f"http://a.example/{path}")[-1] for path in paths]
    assert [pattern.removeprefix("a.example /") for pattern in found] == [
        "tea/#?",
        "tea/#?",
        "tea/#?",
        "milk/#<seen>?",
        "milk/#<seen>/?",
        "milk/#/#<seen>?id<new>=#",
        "#<seen>?",
        "#?",
    ]
    assert patterns.learn("http://b.example/milk/1")[-1] == "b.example /milk/#?"


def test_a_literal_last_segment_is_not_seen() -> None:
    patterns = Patterns()
    for folder in ("tea", "milk"):
        found = patterns.learn(f"http://a.example/{folder}/index.html")
    assert found[-1] == "a.example /milk/index.html?"


def test_the_words_of_a_pattern_with_a_seen_segment_are_recalled() -> None:
    patterns, later = Patterns(), Patterns()
    for number in range(DIFFERENT + 1):
        for folder in ("tea", "milk"):
            found = patterns.learn(f"http://a.example/{folder}/{chr(97 + number) * 3}")
    assert found[-1] == "a.example /milk/*<seen>?"
    later.recall(found[-1], 1)
    assert later.of("http://a.example/milk/zzz")[-1] == "a.example /milk/*?"


def test_room_for_combinations_is_bounded_and_the_latest_stay() -> None:
    combinations = Combinations(100)
    for number in range(1000):
        assert combinations.note(f"a.example/{number}", ["id=1", "sid=2"]) == {"id", "sid"}
        assert combinations.note(f"a.example/{number}", ["id=1", "sid=3"]) == {"id"}
        assert len(combinations._latest) + len(combinations._former) <= 200


def test_renewed_patterns_keep_their_marks_and_signs() -> None:
    patterns = Patterns()
    patterns.learn("http://a.example/old/7?by=1&sid=4")
    patterns.learn("http://a.example/new/7?by=1&sid=5")
    url = "http://a.example/new/7?by=1&sid=6"
    found = patterns.learn(url, NOFOLLOW)
    assert found[-1] == f"{NOFOLLOW}a.example /new/#{SEEN}?by{NEW}=#&sid=#"
    assert patterns.renew(url, found) == found


def test_renewed_patterns_have_signs_for_words_of_a_place_with_many() -> None:
    patterns = Patterns()
    words = string.ascii_lowercase[: DIFFERENT + 1]
    found = [patterns.learn(f"http://a.example/print/{word}") for word in words]
    assert found[0][-1] == "a.example /print/a?"
    assert patterns.renew("http://a.example/print/a", found[0]) == found[-1]
    assert found[-1][-1] == "a.example /print/*?"
