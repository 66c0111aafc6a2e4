"""What a page declares in its head of other URLs."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.page.declared import MOST_HEAD, MOST_LINKS, MOST_URL, Declared, read_declared

URL = "https://a.example/news/tea"


def read(head: str, url: str = URL) -> Declared:
    return read_declared(f"<html><head>{head}</head><body><p>Tea".encode(), url)


@pytest.mark.parametrize(
    ("link", "canonical"),
    [
        ('<link rel="canonical" href="https://a.example/tea">', "https://a.example/tea"),
        ("<LINK HREF=/tea REL=Canonical>", "https://a.example/tea"),
        (
            "<link rel='x canonical' href='tea?a=1&amp;b=2#part' />",
            "https://a.example/news/tea?a=1&b=2",
        ),
        ('<base href="/b/"><link rel=canonical href=tea>', "https://a.example/b/tea"),
        ('<link\nrel="canonical"\nhref=" //b.example/ ">', "https://b.example/"),
        ('<link rel="canonical" href="https://a.example/茶">', "https://a.example/茶"),
        ('<link rel="canonical"><link rel="canonical" href="/2">', ""),
        ('<link rel="canonical" href="javascript:alert(1)">', ""),
        ('<link rel="canonical" href="//[::1">', ""),
        (f'<link rel="canonical" href="/{"x" * MOST_URL}">', ""),
        ('<link rel="stylesheet" href="/canonical.css">', ""),
        ("<script>'<link rel=next href=/canonical>'</script>", ""),
        ("", ""),
    ],
)
def test_the_first_canonical_link_counts(link: str, canonical: str) -> None:
    assert read(link)[:2] == (canonical, ())


@pytest.mark.parametrize(
    ("head", "base"),
    [('<base href="/b/">', "https://a.example/b/"), (f"<base href={URL}>", ""), ("<base>", "")],
)
def test_the_base_of_links_is_returned_if_it_is_not_the_page(head: str, base: str) -> None:
    assert read(head) == Declared(base=base)


@pytest.mark.parametrize(
    ("links", "versions"),
    [
        ('<link rel="amphtml" href="/amp/tea">', ["https://a.example/amp/tea"]),
        ('<link rel="alternate" media="print" href="?print=1">', [f"{URL}?print=1"]),
        (
            '<link rel=alternate media="only screen" href=//m.a.example/tea>',
            ["https://m.a.example/tea"],
        ),
        ('<link rel="alternate" type="application/rss+xml" href="/rss">', []),
        ('<link rel="alternate" type="application/rss+xml" href="/canonical/rss">', []),
        ('<link rel="alternate" hreflang="de" href="/de/tea">', []),
        ("<link rel=alternate media=print hreflang=de href=/de>", []),
        ("<link rel=alternate media=print href=/de><link rel=alternate hreflang=de href=/de>", []),
        ('<link rel="stylesheet" media="print" href="/print.css">', []),
    ],
)
def test_versions_are_those_for_phones_and_print_and_no_other_languages(
    links: str, versions: list[str]
) -> None:
    assert read(links) == Declared("", tuple(versions))


def test_a_link_in_the_text_declares_nothing() -> None:
    """Readers may write there."""
    page = b"<head><title>Tea</title><body><p>See <link rel=canonical href=/other>"
    assert read_declared(page, URL) == Declared()


def test_what_is_read_of_a_page_is_bounded() -> None:
    many = "".join(f"<link rel=amphtml href=/{n}>" for n in range(2 * MOST_LINKS))
    assert len(read(many).versions) == MOST_LINKS
    late = "<meta name=x content=y>" * (MOST_HEAD // 23 + 1) + "<link rel=canonical href=/x>"
    assert read(late) == Declared()


@pytest.mark.parametrize("tag", ["<base ", "<link canonical ", "<link hreflang-"])
def test_long_names_of_attributes_are_read_in_linear_time(tag: str) -> None:
    tags = f"{tag}{'a' * 4_000}>" * 40
    began = time.process_time()
    assert read(tags) == Declared()
    assert time.process_time() - began < 1


@pytest.mark.parametrize("encoding", ["hex", "idna", "punycode", "undefined", "unknown"])
def test_an_encoding_that_is_none_of_text_hides_nothing(encoding: str) -> None:
    page = b"<link rel=canonical href=/tea title='\xe4'>"
    assert read_declared(page, URL, encoding) == Declared("https://a.example/tea")


def test_an_attribute_is_not_a_part_of_another_name() -> None:
    assert read("<link rel=canonical data_href=/x x:href=/y href=/tea>").canonical.endswith("/tea")


@settings(deadline=None, derandomize=True)
@given(st.text("<>= \"'/linkbasecanonicalhrefrel&;#x\n\x00茶", max_size=300))
def test_any_head_can_be_read(head: str) -> None:
    found = read(head)
    for url in (found.canonical, *found.versions):
        assert not url or url.startswith(("http://", "https://"))
