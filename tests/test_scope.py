"""Hosts, and the part of the web within which pages are compared."""

from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup import scope
from dedup.scope import SCOPES, are_of_one_site, bare_host, domain_of, host_of, scope_mask

LAW = settings(derandomize=True, deadline=None, max_examples=200)
WORDS = st.integers(0, 2**64 - 1)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://News.Example.COM/a?b", "news.example.com"),
        ("http://www.example.com:8080/", "example.com"),
        ("http://www.example.com./a", "example.com"),
        ("http://user:secret@example.com/", "example.com"),
        ("http://[::1]/", "::1"),
        ("http://[broken/", ""),
        ("mailto:tea@example.com", ""),
        ("", ""),
    ],
)
def test_the_host_of_a_url(url: str, host: str) -> None:
    assert host_of(url) == host


@LAW
@given(
    st.text("ab.W-:/?#@[]\\%\n\t é", max_size=15), st.sampled_from(["http:", "https:", "ftp:", ""])
)
def test_a_host_is_what_the_standard_library_reads(rest: str, scheme: str) -> None:
    url = f"{scheme}//{rest}"
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        host = ""
    assert host_of(url) == host.removesuffix(".").removeprefix("www.")


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("b.example", "b.example"),
        (" WWW.B.example ", "b.example"),
        ("b.example:8080", "b.example"),
        ("https://www.b.example:8080/a?b", "b.example"),
        ("//b.example/a", "b.example"),
        ("b.example/a//b?c=http://d.example", "b.example"),
        ("user:secret@b.example", "b.example"),
        ("127.0.0.1:80", "127.0.0.1"),
        ("[::1]:80", "::1"),
        ("::1", "::1"),
    ],
)
def test_a_host_is_taken_out_of_what_people_type(text: str, host: str) -> None:
    assert bare_host(text) == host
    assert bare_host(host) == host


@pytest.mark.parametrize("text", ["", " ", "http://", ":80", "[broken", "/a", "."])
def test_a_text_without_a_host_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"a host must be like b\.example; got"):
        bare_host(text)


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://a.b.example.co.uk/x", "example.co.uk"),
        ("https://news.example.com/", "example.com"),
        ("https://a.tea.github.io/x", "tea.github.io"),  # a suffix that is somebody's own
        ("https://github.io/", "github.io"),
        ("http://a.b.shop.example/", "shop.example"),  # the list names no such suffix
        ("http://127.0.0.1:8000/", "127.0.0.1"),
        ("http://[::ffff:127.0.0.1]/", "::ffff:127.0.0.1"),
        ("http://localhost/", "localhost"),
        ("", ""),
    ],
)
def test_the_domain_of_a_url(url: str, domain: str) -> None:
    assert domain_of(url) == domain


def test_urls_of_one_site_have_one_domain() -> None:
    url = "https://a.example.co.uk/"
    assert are_of_one_site(url, "http://b.example.co.uk/x")
    assert not are_of_one_site(url, "https://a.other.co.uk/")


@LAW
@given(*[st.lists(st.sampled_from(("a", "co", "uk", "github", "io")), max_size=4)] * 2)
def test_urls_are_of_one_site_exactly_if_they_have_one_domain(
    one: list[str], other: list[str]
) -> None:
    here, there = (f"http://{'.'.join(parts)}/" for parts in (one, other))
    assert are_of_one_site(here, there) == (domain_of(here) == domain_of(there))


def test_urls_of_one_host_or_of_two_far_apart_load_no_suffix_list() -> None:
    scope._extractor.cache_clear()
    scope._domain_of_host.cache_clear()
    assert are_of_one_site("https://one.example.com/1", "http://www.one.example.com:80/2")
    assert not are_of_one_site("https://one.example.com/1", "https://one.other.com/1")
    assert not scope._extractor.cache_info().currsize


def test_the_domain_of_a_host_of_two_parts_needs_no_suffix_list() -> None:
    scope._extractor.cache_clear()
    scope._domain_of_host.cache_clear()
    hosts = ("news.example", "www.b.example", "github.io", "co.uk", "localhost", "[::1]")
    domains = [scope.domain_of(f"https://{host}/a") for host in hosts]
    assert domains == ["news.example", "b.example", "github.io", "co.uk", "localhost", "::1"]
    assert scope._extractor.cache_info().misses == 0


def test_the_scopes_are_everywhere_the_domain_and_the_host() -> None:
    url = "https://news.example.com/"
    assert {name: of(url) for name, of in SCOPES.items()} == {
        "global": "",
        "domain": "example.com",
        "host": "news.example.com",
    }


@LAW
@given(st.text())
def test_any_string_has_a_host_and_a_domain(url: str) -> None:
    assert isinstance(host_of(url), str)
    assert isinstance(domain_of(f"http://{url}"), str)


def test_the_scope_of_all_pages_changes_no_word() -> None:
    assert scope_mask("", 64) == 0


@pytest.mark.parametrize("bits", [64, 128])
def test_scopes_have_masks_of_their_own_as_wide_as_the_words(bits: int) -> None:
    masks = {scope_mask(f"host{n}.example", bits) for n in range(100)}
    assert len(masks) == 100
    assert max(masks).bit_length() == bits


@LAW
@given(WORDS, WORDS, st.text())
def test_within_a_scope_all_distances_stay(one: int, other: int, scope: str) -> None:
    mask = scope_mask(scope, 64)
    assert ((one ^ mask) ^ (other ^ mask)).bit_count() == (one ^ other).bit_count()
