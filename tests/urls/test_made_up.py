"""URLs that are made up: like a known one, with a random value."""

from __future__ import annotations

import re
from random import Random
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.urls import made_up
from dedup.urls.made_up import random_value
from dedup.urls.patterns import Patterns

LAW = settings(derandomize=True, deadline=None, max_examples=200)
SITE = "http://a.example"


def make(url: str, seed: int = 0) -> str:
    """A URL made up on a site with many names and numbers."""
    patterns = Patterns()
    for n in range(99):
        name = f"{'abcdefghi'[n % 9]}{'abcdefghijk'[n % 11]}"
        for path in (f"/article/{name}", f"/wiki?title={name}&do=edit", f"/list?sort=n&page={n}"):
            patterns.learn(SITE + path)
    return made_up(url, patterns.values(url), Random(seed))


@pytest.mark.parametrize(
    ("path", "like"),
    [
        ("/article/tea", "/article/[a-z]{12}"),
        ("/article/12", "/article/[1-9][0-9]{8}"),
        ("/article/12.html", "/article/[1-9][0-9]{8}[.]html"),
        ("/article/tea.html?print=yes", "/article/[a-z]{12}[.]html[?]print=yes"),
        ("/wiki?title=tea&do=edit", "/wiki[?]title=[a-z]{12}&do=edit"),
        ("/wiki?title=en:tea&do=edit", "/wiki[?]title=en:[a-z]{12}&do=edit"),
        ("/wiki?title=en%3Atea", "/wiki[?]title=en%3A[a-z]{12}"),
        ("/wiki?title=%E8%8C%B6", "/wiki[?]title=[a-z]{12}"),
        ("/list?sort=n;page=7#top", "/list[?]sort=n;page=[1-9][0-9]{8}"),
        ("//list?page=7&sid=0a1b2c3d", "//list[?]page=7&sid=[0-9a-f]{8}"),
        ("/list/2031-05-07", "/list/[6-9][0-9]{3}-05-07"),
        ("/list/1.2", "/list/[1-9][0-9]{8}[.]2"),
        ("/article/tea/", "/article/[a-z]{12}/"),
        ("/", ""),
        ("/list?sort=n", ""),
    ],
)
def test_the_last_value_that_varies_is_replaced_by_one_of_its_shape(path: str, like: str) -> None:
    made = make(SITE + path)
    assert re.fullmatch(f"{SITE}{like}" if like else "", made), made
    assert made != SITE + path


def test_other_chances_make_other_urls() -> None:
    assert len({make(f"{SITE}/article/tea", seed) for seed in range(99)}) == 99


@LAW
@given(st.text(max_size=80), st.integers(0, 9))
def test_any_value_is_replaced_by_another_one(text: str, seed: int) -> None:
    made = random_value(text, Random(seed))
    assert made != text
    assert made


@LAW
@given(
    st.lists(st.text("abc019.-%:~", max_size=9), max_size=14),
    st.lists(st.text("abc019=.&;", max_size=9), max_size=14),
)
def test_the_rest_of_a_url_stays(segments: list[str], pairs: list[str]) -> None:
    url = f"{SITE}/{'/'.join(segments)}?{'&'.join(pairs)}"
    made = make(url)
    if not made:
        return
    one, other = urlsplit(url), urlsplit(made)
    assert one.netloc == other.netloc
    before, after = (re.split("[/&;]", f"{parts.path}&{parts.query}") for parts in (one, other))
    assert len(before) == len(after)
    assert sum(old != new for old, new in zip(before, after, strict=True)) <= 1
