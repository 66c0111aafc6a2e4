"""A list page that shows an article in full, and the article's own page, keep each other."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path

import pytest
from blogs import POST, TITLE, linked, list_page, own_page
from indexing import DUPLICATE, NEW, REVISIT, SCHEME, open_store

from dedup.fingerprint import Fingerprinter
from dedup.index import Claim, Index, listing_of
from dedup.index.lists import stand_apart
from dedup.page import HeadingLink
from dedup.page.declared import Declared, read_declared
from dedup.schemes import Combined, Scheme, SimHash
from dedup.schemes.exact import Exact
from dedup.store import Listing, Record
from dedup.verdict import Findings, Headings, Relation
from tests.page.bodies import SOLAR, TEA, paragraphs

pytestmark = pytest.mark.usefixtures("compiled")

SITE = "https://blog.example"
OWN = f"{SITE}{POST}"
LISTS = {
    f"{SITE}/tag/tea/": list_page("Tag: tea"),
    f"{SITE}/author/ann/": list_page("Ann", f"http://www.blog.example{POST}"),
    f"{SITE}/2024/05/": list_page("May 2024", "tea-on-the-hills/?utm_source=month#more"),
    f"{SITE}/": list_page(""),
}


def is_list(link: str, url: str, declared: Declared) -> bool:
    return listing_of(HeadingLink(link), url, declared) is Listing.ONE


class Blog:
    """An index of pages, with or without their texts."""

    def __init__(self, folder: Path, *, keep_text: bool, scheme: Scheme = SCHEME) -> None:
        self.fingerprinter = Fingerprinter(scheme, keep_text=keep_text)
        self.index = Index(open_store("memory", folder, scheme=scheme), scheme)

    def visit(self, url: str, html: str) -> Claim:
        """Check a page as a crawl does, and commit it."""
        made = self.fingerprinter.of_html(html)
        listing = listing_of(made.heading_link, url, read_declared(html.encode(), url))
        claim = self.index.check(url, url.encode(), made, listing=listing)
        self.index.commit(claim)
        return claim


@pytest.fixture(params=[True, False], ids=["texts", "fingerprints"])
def blog(request: pytest.FixtureRequest, tmp_path: Path) -> Blog:
    return Blog(tmp_path, keep_text=request.param)


def relation_of(claim: Claim) -> Relation:
    assert claim.match is not None
    return claim.match.relation


@pytest.mark.parametrize("heading", [f"<h1>{TITLE}</h1>", linked(POST)])
@pytest.mark.parametrize("pair", [*permutations((OWN, *LISTS), 2)])
def test_an_article_and_the_lists_that_show_it_are_all_kept(
    blog: Blog, pair: tuple[str, str], heading: str
) -> None:
    pages = {OWN: own_page(heading)} | LISTS
    claims = [blog.visit(url, pages[url]) for url in pair]
    assert [claim.verdict for claim in claims] == [NEW, NEW]
    assert relation_of(claims[1]) is Relation.VARIANT


@pytest.mark.parametrize("order", [*permutations((OWN, *LISTS))][::7])
def test_in_any_order_all_are_kept_and_copies_of_each_are_dropped(
    blog: Blog, order: tuple[str, ...]
) -> None:
    pages = {OWN: own_page()} | LISTS
    assert {blog.visit(url, pages[url]).verdict for url in order} == {NEW}
    for url in order:
        copy = blog.visit(f"{url}?utm_source=mail&order=date", pages[url])
        assert (copy.verdict, relation_of(copy)) == (DUPLICATE, Relation.EQUAL)
        assert copy.match is not None
        assert copy.match.of == url


def test_a_front_page_under_many_urls_is_one_page(blog: Blog) -> None:
    """A site may answer with it whatever was asked for."""
    blog.visit(OWN, own_page())
    assert blog.visit(f"{SITE}/", list_page("")).verdict is NEW
    for path in ("/page/1/", "/gone/1", "/gone/2"):
        claim = blog.visit(f"{SITE}{path}", list_page(""))
        assert (claim.verdict, relation_of(claim)) == (DUPLICATE, Relation.EQUAL)


@pytest.mark.parametrize("scheme", [Combined(), Exact(), SimHash()])
@pytest.mark.parametrize("keep_text", [True, False])
def test_the_scheme_does_not_matter(tmp_path: Path, scheme: Scheme, keep_text: bool) -> None:
    blog = Blog(tmp_path, keep_text=keep_text, scheme=scheme)
    blog.visit(OWN, own_page())
    for url, html in LISTS.items():
        claim = blog.visit(url, html)
        assert (claim.verdict, relation_of(claim)) == (NEW, Relation.VARIANT)


SAME_PAGE = [
    "",
    "#content",
    POST,
    f"{SITE}{POST}",
    f"http://www.blog.example{POST}",
    f"//blog.example{POST.rstrip('/')}",
    f"{POST}#more",
    f"{POST}?utm_source=heading",
    f"{POST}index.html",
    POST.upper(),
    POST.replace("-", "%2D"),
]


@pytest.mark.parametrize("target", SAME_PAGE)
@pytest.mark.parametrize("url", [OWN, f"{OWN}?page=2", f"{OWN}amp/", f"{OWN}comment-page-2/"])
def test_a_heading_that_leads_to_its_own_page_makes_no_list(url: str, target: str) -> None:
    assert not is_list(target.replace("#content", f"{url}#content"), url, Declared())


@pytest.mark.parametrize(
    "target",
    [
        "",
        "/",
        "https://blog.example",
        "/2024/05/",
        "https://other.example/2024/05/tea/",
        "https://video.blog.example/2024/05/tea/",
        "mailto:ann@blog.example",
        "javascript:void(0)",
        "http://[::1",
    ],
)
def test_what_is_no_other_page_of_the_site_is_no_article(target: str) -> None:
    assert not is_list(target, OWN, Declared())


@pytest.mark.parametrize(
    ("target", "url"),
    [
        ("/tea/", "/tag/teapots/"),
        ("/tea", "/tea-club/page/2"),
        ("/tag/python3.10/", "/tag/python3.11/"),
        ("/user/ann.lee", "/user/ann.kim"),
        ("/2024/tea.html", "/2024/rain.html"),
    ],
)
def test_pages_whose_paths_are_alike_are_other_pages(target: str, url: str) -> None:
    expected = not url.startswith("/tea-club")  # A part of a page may follow behind a sign.
    assert is_list(target, SITE + url, Declared()) is expected


def test_a_path_may_be_whole_at_its_second_place_only() -> None:
    assert not is_list("/tea", f"{SITE}/teapots/tea", Declared())
    assert is_list("/tea", f"{SITE}/teapots/teas", Declared())


def test_the_thread_of_a_forum_makes_no_list() -> None:
    url = "https://forum.example/viewtopic.php?f=3&t=5&start=20"
    for target in ("viewtopic.php?t=5", "./viewtopic.php?f=3&t=5#p77", "/viewtopic.php?p=77"):
        assert not is_list(target, url, Declared())
    url = "https://forum.example/questions/77/why-tea?page=2"
    assert not is_list("/questions/77/why-tea", url, Declared())


def test_a_version_that_declares_its_canonical_url_makes_no_list() -> None:
    declared = Declared(canonical=f"https://www.blog.example{POST}")
    url = "https://blog.example/print.php?id=77"
    assert not is_list(POST, url, declared)
    assert is_list(POST, url, Declared())


def test_a_link_is_relative_to_the_base_of_the_page() -> None:
    url, base = f"{SITE}/tag/tea/", f"{SITE}/2024/"
    assert is_list("05/tea", url, Declared(base=base))
    assert not is_list("05/tea", f"{base}05/tea", Declared(base=base))


VERSIONS = {
    "https://blog.example/print.php?id=77": own_page(linked(POST)),
    f"https://blog.example/amp{POST}": own_page(linked(OWN)),
    "https://m.blog.example/77": own_page(
        linked(POST), f'<link rel="canonical" href="{OWN}">'
    ).replace(f"{TITLE} –", "Reading:"),
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("turned", [False, True])
def test_a_version_whose_heading_leads_to_the_normal_page_still_repeats_it(
    blog: Blog, version: str, turned: bool
) -> None:
    pages = [(OWN, own_page()), (version, VERSIONS[version])]
    first, second = pages[::-1] if turned else pages
    blog.visit(*first)
    assert blog.visit(*second).verdict is DUPLICATE


@pytest.mark.parametrize("turned", [False, True])
def test_a_repost_on_another_site_whose_heading_leads_to_the_original_is_dropped(
    blog: Blog, turned: bool
) -> None:
    repost = own_page(linked(OWN)).replace(f"{TITLE} –", "Reading:")
    pages = [(OWN, own_page()), ("https://planet.example/", repost)]
    first, second = pages[::-1] if turned else pages
    blog.visit(*first)
    assert blog.visit(*second).verdict is DUPLICATE


def test_a_list_page_of_another_site_keeps_nothing_out_or_in(blog: Blog) -> None:
    """Its author could else have the pages of others exported again."""
    blog.visit(OWN, own_page())
    assert blog.visit("https://other.example/tag/tea/", list_page("Tag: tea")).verdict is DUPLICATE


def test_another_address_of_the_article_repeats_the_article_and_not_the_list(blog: Blog) -> None:
    short = f"{SITE}/?p=77"
    blog.visit(f"{SITE}/tag/tea/", list_page("Tag: tea"))
    assert blog.visit(short, own_page()).verdict is NEW
    claim = blog.visit(OWN, own_page())
    assert claim.match is not None
    assert (claim.verdict, claim.match.record.url) == (DUPLICATE, short)


LONG = "Whatever Ann sent in so far"
SECOND = f'<article class="post hentry">{linked("/solar/")}{paragraphs(SOLAR)}</article>'


def list_of_two(name: str) -> str:
    return list_page(name).replace("</main>", f"{SECOND}</main>")


@pytest.mark.parametrize("turned", [False, True])
def test_an_article_and_a_list_of_several_are_both_kept(blog: Blog, turned: bool) -> None:
    """The list has the whole text of the article, but not its row: title, date and author."""
    pages = [(f"{SITE}/page/2/", list_of_two("")), (OWN, own_page())]
    first, second = pages[::-1] if turned else pages
    assert blog.visit(*first).record.listing is [Listing.SEVERAL, Listing.NONE][turned]
    claim = blog.visit(*second)
    assert (claim.verdict, relation_of(claim)) == (
        NEW,
        Relation.GROWN if turned else Relation.VARIANT,
    )


def test_lists_of_several_articles_repeat_each_other_as_any_pages_do(blog: Blog) -> None:
    blog.visit(f"{SITE}/author/ann/", list_of_two(LONG))
    for path, name in (("/posts/", "All that we ever wrote"), ("/author/ann/page/1/", LONG)):
        claim = blog.visit(SITE + path, list_of_two(name))
        assert (claim.verdict, relation_of(claim)) == (DUPLICATE, Relation.EQUAL)


def test_a_list_of_one_article_and_one_of_several_are_both_kept(blog: Blog) -> None:
    blog.visit(f"{SITE}/2024/", list_of_two("2024"))
    claim = blog.visit(f"{SITE}/tag/tea/", list_page("Tag: tea"))
    assert (claim.verdict, relation_of(claim)) == (NEW, Relation.VARIANT)


def test_a_list_that_adds_nothing_to_a_page_is_dropped_as_any_page(blog: Blog) -> None:
    """The page of a product may show all reviews that the page of its reviews lists."""
    reviews = f"{paragraphs(SOLAR)}{linked('/review/2/')}{paragraphs(SOLAR)}"
    product = f"{paragraphs(TEA)}{linked('/review/1/')}{reviews}"
    blog.visit(OWN, own_page().replace(paragraphs(TEA), product))
    of_reviews = list_page("", "/review/1/").replace(paragraphs(TEA), reviews)
    claim = blog.visit(f"{OWN}reviews/", of_reviews)
    assert claim.record.listing is Listing.SEVERAL
    assert claim.verdict is DUPLICATE


HANDBOOK = list_page("Handbook").replace("</main>", f"{SECOND}</main>")


@pytest.mark.parametrize("scheme", [Combined(), SimHash()])
@pytest.mark.parametrize("keep_text", [True, False])
@pytest.mark.parametrize(
    ("url", "copy"),
    [
        (f"{SITE}/handbook/print/", re.sub(r'<a href="[^"]*" rel="bookmark">', "", HANDBOOK)),
        (f"{SITE}{POST}all/", HANDBOOK),
        ("https://m.blog.example/handbook/", HANDBOOK),
    ],
    ids=["without links", "below its first part", "mobile"],
)
def test_a_version_of_a_page_that_links_its_headings_still_repeats_it(
    tmp_path: Path, url: str, copy: str, scheme: Scheme, keep_text: bool
) -> None:
    blog = Blog(tmp_path, keep_text=keep_text, scheme=scheme)
    assert blog.visit(f"{SITE}/handbook/", HANDBOOK).record.listing is Listing.SEVERAL
    assert blog.visit(url, copy).verdict is DUPLICATE


@pytest.mark.parametrize(
    ("gone", "headings", "apart"),
    [
        (0.0, Headings.OTHER, False),
        (0.2, Headings.SAME, False),
        (0.2, Headings.OTHER, True),
        (0.3, Headings.SAME, True),
    ],
)
def test_an_article_and_a_version_of_a_list_differ_in_what_they_lack_and_in_their_headings(
    gone: float, headings: Headings, apart: bool
) -> None:
    page = Record(OWN, b"", 0.0, True, 9, bytes(16), b"")
    several = page._replace(url=f"{SITE}/2024/05/", listing=Listing.SEVERAL)
    assert stand_apart(page, several, Findings(0.0, gone, headings=headings)) is apart


def test_a_list_of_one_article_sorted_otherwise_is_the_same_list_whatever_its_heading() -> None:
    page = Record(f"{SITE}/tag/tea/", b"", 0.0, True, 9, bytes(16), b"", listing=Listing.ONE)
    found = Findings(0.0, 0.0, headings=Headings.OTHER)
    assert not stand_apart(page._replace(url=f"{page.url}?order=date"), page, found)
    assert stand_apart(page._replace(url=f"{SITE}/author/ann/"), page, found)


def test_a_list_of_one_article_repeats_a_list_of_several_with_its_heading(blog: Blog) -> None:
    blog.visit(f"{SITE}/page/1/", list_of_two(""))
    claim = blog.visit(f"{SITE}/page/2/", list_page(""))
    assert (claim.verdict, relation_of(claim)) == (DUPLICATE, Relation.CONTAINED)


def test_a_copy_of_an_article_repeats_the_article_and_not_the_list(blog: Blog) -> None:
    blog.visit(f"{SITE}/", list_of_two(""))
    blog.visit(OWN, own_page())
    claim = blog.visit(f"{OWN}?replytocom=3", own_page())
    assert claim.match is not None
    assert (claim.verdict, claim.match.of) == (DUPLICATE, OWN)


def test_a_store_from_before_learns_at_the_next_visit_which_pages_are_lists(blog: Blog) -> None:
    url, html = next(iter(LISTS.items()))
    claim = blog.visit(url, html)
    assert claim.record.listing
    blog.index.store.put(claim.record._replace(listing=Listing.NONE))

    assert blog.visit(url, html).verdict is REVISIT
    (record,) = blog.index.store.records()
    assert record.listing
