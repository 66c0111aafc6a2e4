"""The sketch of all text that a page shows: the same in C and in Python, and in linear time."""

from __future__ import annotations

import os
from itertools import permutations
from time import process_time
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.demo.pages import render_all
from dedup import native
from dedup.native import portable

if native.core is None:
    assert "NEARDUP_REQUIRE_SERVERS" not in os.environ, native.MISSING
    pytest.skip(native.MISSING, allow_module_level=True)

LAW = settings(derandomize=True, deadline=None, max_examples=1_500)
STEPS = pytest.mark.parametrize("steps", [native.core, portable], ids=["compiled", "python"])
PIECES = st.sampled_from(
    """< > / ! ? - = " ' & ; a A Z 0 9 tea Tea TEA x1 <p> </p> <p <!-- --> --!> -- <! <? </ <>
    <script> </script> <SCRIPT </Script > <script/> <script1> <scripts> </scripts> <style> </style>
    <title> </title> </title/> <template> </template> <titl <![CDATA[ ]]>""".split()
).map(str.encode)
_OCTETS = (
    b" |\n|\0|\x7f|\x80|\xbf|\xc0|\xc3\xa9|\xdf|\xe0|\xe8\x8c\xb6|\xe8\x8c|\xf0\x9f\x8d\xb5|\xff"
)
OCTETS = st.sampled_from(_OCTETS.split(b"|"))
PAGES = st.lists(PIECES | OCTETS | st.binary(max_size=3), max_size=60).map(b"".join)
SEEDS = st.integers(0, (1 << 64) - 1)
SIZES = st.sampled_from([1, 2, 4, 32, 256])
WORDS = [b"tea", b"is", b"a", b"drink", b"of", b"leaves"]
# What a page shows, and another that shows the same.
SAME = {
    "capitals": (b"Tea and OAK", b"tea and oak"),
    "marks": (b"tea, and oak!", b"tea and oak"),
    "tags": (b"<p class=x>tea</p><br>oak", b"tea oak"),
    "comments": (b"tea<!-- not > this -->oak", b"tea oak"),
    "script": (b"tea<script>var a = '<p>'</script>oak", b"tea oak"),
    "script in capitals": (b"tea<SCRIPT src=x>a</Script>oak", b"tea oak"),
    "style": (b"<style>p {}</style>tea oak", b"tea oak"),
    "title": (b"<title>a page</title>tea oak", b"tea oak"),
    "template": (b"<template><p>a page</p></template>tea oak", b"tea oak"),
    "a script without an end": (b"tea oak<script>var a", b"tea oak"),
    "a tag without an end": (b"tea oak<p class=x", b"tea oak"),
    "a comment without an end": (b"tea oak<!-- b > a --", b"tea oak"),
    "signs that begin no tag": (b"tea < oak <1", b"tea oak 1"),
    "Han without spaces": ("茶酒".encode(), "茶 酒".encode()),
    "no words": (b"<p>.</p>", b""),
}
OTHER = {
    "another word": (b"tea oak", b"tea elm"),
    "a word twice": (b"tea oak", b"tea oak oak"),
    "words in one": (b"tea oak", b"teaoak"),
    "a tag of a longer name": (b"<scripts>tea</scripts>oak", b"oak"),
    "another letter of two octets": ("é".encode(), "è".encode()),
}
# What a page may consist of that is read over and over again by a careless reader.
REPEATED = """< <! <!-- <!-- - -- --> <a <a> </ <script <script> </script <title><title> <? > a - &
    <script></script> <style><script> <!----> <template></templat ' \xe0""".split()
LARGE = {native.core: 1 << 22, portable: 1 << 18}


def bag(steps: ModuleType, body: bytes) -> tuple[int, int]:
    bag, words, _ = steps.sketch_visible(body, 0, 32)
    return bag, words


@LAW
@given(PAGES, SEEDS, SIZES)
def test_any_octets_have_the_same_sketch(body: bytes, seed: int, most: int) -> None:
    made = native.core.sketch_visible(body, seed, most)
    assert made == portable.sketch_visible(body, seed, most)
    _, words, sample = made
    assert list(sample) == sorted(set(sample))
    assert min(words, 1) <= len(sample) <= min(most, max(1, words - 3))


def test_the_demo_pages_have_the_same_sketch() -> None:
    served = render_all(dict.fromkeys(("news", "mirror"), "http://127.0.0.1:1"))
    for page in served.values():
        made = native.core.sketch_visible(page.body, 1, 32)
        assert made == portable.sketch_visible(page.body, 1, 32)


@STEPS
def test_words_in_another_order_have_the_same_bag(steps: ModuleType) -> None:
    pages = [b" ".join(order) for order in permutations(WORDS)]
    assert len({bag(steps, page) for page in pages}) == 1
    assert len({steps.sketch_visible(page, 0, 32)[2] for page in pages}) > 300


@STEPS
@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_what_is_not_shown_is_left_out(steps: ModuleType, one: bytes, other: bytes) -> None:
    assert steps.sketch_visible(one, 1, 32) == steps.sketch_visible(other, 1, 32)


@STEPS
@pytest.mark.parametrize(("one", "other"), OTHER.values(), ids=OTHER)
def test_other_words_have_another_bag(steps: ModuleType, one: bytes, other: bytes) -> None:
    assert bag(steps, one) != bag(steps, other)


@STEPS
def test_another_seed_gives_another_sample_and_the_same_bag(steps: ModuleType) -> None:
    body = b" ".join(WORDS)
    samples = [steps.sketch_visible(body, seed, 32)[2] for seed in (0, 1, 1 << 63)]
    assert len(set(sum(samples, ()))) == sum(map(len, samples)) == 9


@STEPS
def test_a_smaller_sample_is_the_beginning_of_a_larger_one(steps: ModuleType) -> None:
    body = b" ".join(b"%d" % number for number in range(2_000))
    whole = steps.sketch_visible(body, 5, 256)[2]
    assert len(whole) == 256
    assert all(steps.sketch_visible(body, 5, most)[2] == whole[:most] for most in (1, 7, 255))


@STEPS
@pytest.mark.parametrize("most", [0, -1, 257, 1 << 30])
def test_a_size_out_of_range_is_refused(steps: ModuleType, most: int) -> None:
    with pytest.raises(ValueError, match=rf"1 to 256 values; got {most}$"):
        steps.sketch_visible(b"tea", 0, most)


@pytest.mark.parametrize("body", ["tea", None, 7])
def test_what_has_no_octets_is_refused(body: object) -> None:
    with pytest.raises(TypeError):
        native.core.sketch_visible(body, 0, 32)


def seconds(steps: ModuleType, body: bytes) -> float:
    """The least time of three, as others use this machine, too."""
    found = []
    for _ in range(3):
        began = process_time()
        steps.sketch_visible(body, 0, 32)
        found.append(process_time() - began)
    return min(found)


@STEPS
@pytest.mark.parametrize("piece", REPEATED)
def test_eight_times_the_page_takes_about_eight_times_as_long(
    steps: ModuleType, piece: str
) -> None:
    body = piece.encode("latin-1") * (LARGE[steps] // len(piece))
    small, large = seconds(steps, body[: LARGE[steps] // 8]), seconds(steps, body)
    assert large < 24 * small + 0.05, "64 times as long is quadratic"
