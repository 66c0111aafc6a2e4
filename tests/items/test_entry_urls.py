"""Whether the URL of an item is the URL of its page."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.items import Facts, digest_url, entries, names_page
from dedup.items.entries import MOST_HITS, _find

PAGE = "https://www.a.example/tea/pot?id=7&utm_source=feed"


@pytest.mark.parametrize(
    "url",
    [
        PAGE,
        "http://A.example/tea/pot/?id=7",
        "https://a.example/tea/pot#top",
        "https://a.example/tea%2Fpot?utm_source=feed&id=7",
    ],
)
def test_a_form_of_the_url_of_a_page_names_it(url: str) -> None:
    assert names_page(url, ["", PAGE])


@pytest.mark.parametrize(
    "page",
    [
        "http://proxy.example/?key=1&url=https%3A%2F%2Fa.example%2Ftea%3Fid%3D7",
        "https://archive.example/web/2026/http://www.a.example/tea?id=7",
        "https://cache.example/c/s/a.example/tea/?id=7",
        "https://cache.example/a.example/tea?id=7",
        "https://cache.example/a.example/tea-old/http://a.example/tea?id=7",
    ],
)
def test_the_url_of_a_proxy_names_the_page_in_it(page: str) -> None:
    assert names_page("https://a.example/tea?id=7", [page])
    assert not names_page("https://a.example/tea?id=8", [page])
    assert not names_page("https://b.example/tea?id=7", [page])


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/tea",
        "https://a.example/tea/pot/2",
        "https://a.example/tea/pot?id=8",
        "https://a.example/tea/pot?id=7&page=2",
        "https://b.example/tea/pot?id=7",
    ],
)
def test_another_url_does_not_name_a_page(url: str) -> None:
    assert not names_page(url, ["", PAGE])


@given(st.text(), st.lists(st.text(), max_size=3))
def test_any_text_has_an_answer(url: str, pages: list[str]) -> None:
    assert names_page(url, [*pages, url])
    assert len(digest_url(url)) == 8


def test_forms_of_a_url_have_one_digest() -> None:
    assert digest_url("http://www.a.example/tea/?b=2&a=1#top") == digest_url(
        "https://A.example/tea?a=1&b=2"
    )
    assert digest_url("https://a.example/tea?a=1") != digest_url("https://a.example/tea")


DIGESTS = st.sampled_from([b"", b"a" * 8, b"b" * 8])


@given(DIGESTS, DIGESTS, DIGESTS, DIGESTS)
def test_facts_agree_if_all_agree_and_an_item_about_its_page_repeats_any_entry(
    told: bytes, entry: bytes, earlier_told: bytes, earlier_entry: bytes
) -> None:
    earlier = Facts(earlier_told, earlier_entry).pack()

    agree = Facts(told, entry).agree(earlier)

    assert agree == (told == earlier_told and entry in (b"", earlier_entry))


@pytest.mark.parametrize(
    "page",
    [
        "https://proxy.example/view?url=http://b.example/p/10",
        "https://proxy.example/view?url=http://bb.example/p/1",
        "https://proxy.example/view?url=http://b.example/p/1/more",
        "https://proxy.example/bb.example/p/1",
    ],
)
def test_a_url_inside_another_is_found_whole_only(page: str) -> None:
    assert not names_page("http://b.example/p/1", [page])


def test_letters_before_a_url_inside_another_do_not_move_its_parameters() -> None:
    """The lower case of the first one is two characters."""
    page = f"https://proxy.example/{'İ' * 30}/b.example/p?x=1"
    assert names_page("http://b.example/p?x=1", [page])
    assert not names_page("http://b.example/p?x=2", [page])


def test_a_url_as_long_as_a_page_makes_no_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    """The URL of an item may be a link of its page, whose author may be hostile."""
    url = f"http://b.example/{'a' * 1_000_000}"
    with monkeypatch.context() as patched:
        patched.setattr("re._compile", None)  # All functions of the module call it.
        found = [names_page(url, [page]) for page in (PAGE, f"https://proxy.example/?url={url}")]
    assert found == [False, True]


def test_signs_are_not_read_in_a_url_as_long_as_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """This would take half a second."""
    read: list[int] = []

    def count(text: str) -> str:
        read.append(len(text))
        return unquote(text)

    monkeypatch.setattr(entries, "unquote", count)
    url = f"http://b.example/{'%' * 1_000_000}"
    assert names_page(url, [url])
    assert not names_page(url, [PAGE, f"https://proxy.example/{url}x"])
    assert digest_url(url) != digest_url(f"{url}%")
    assert sum(read) < 10_000


class Counted(str):
    """A text that counts how often it is searched."""

    __slots__ = ("searches",)

    def find(self, *arguments: Any) -> int:
        self.searches = getattr(self, "searches", 0) + 1
        return super().find(*arguments)


def test_a_url_that_repeats_itself_is_searched_a_few_times() -> None:
    """It begins at each segment of the other one, and none of these is a whole one."""
    inside = Counted("b/" * 1_000 + "z")
    assert _find("b/" * 500, inside) == -1
    assert inside.searches == MOST_HITS
