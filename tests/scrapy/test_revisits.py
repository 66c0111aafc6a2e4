"""A page fetched again is a revisit: exported as before, and no near-duplicate of itself."""

from __future__ import annotations

from conftest import Crawler
from crawling import Web, article


def test_a_second_crawl_exports_exactly_the_same_pages(crawl: Crawler, web: Web) -> None:
    web.pages = {
        "/a": article("tides", "/b", "/c", "/d"),
        "/b": article("tides", edits=1),
        "/c": article("bread"),
        "/d": article("bread", edits=1),
    }

    first = crawl(urls=web.urls("/a"), CONCURRENT_REQUESTS=1)
    second = crawl(urls=web.urls("/a"))

    assert second.urls == first.urls
    assert (second["new"], second["revisits"], second["duplicates"]) == (0, 2, 2)


def test_the_new_text_of_a_changed_page_replaces_the_old(crawl: Crawler, web: Web) -> None:
    web.pages = {"/a": article("tides"), "/old": article("tides"), "/new": article("bread")}
    crawl(urls=web.urls("/a"))
    web.pages["/a"] = article("bread")
    changed = crawl(urls=web.urls("/a"))

    later = crawl(urls=web.urls("/old", "/new"))

    assert (changed["revisits"], changed.urls) == (1, web.urls("/a"))
    assert later.urls == web.urls("/old")
    assert later["store_pages"] == 2


def test_a_url_asked_for_twice_in_a_crawl_is_no_near_duplicate_of_itself(
    crawl: Crawler, web: Web
) -> None:
    web.pages = {"/a": article("tides")}

    done = crawl(urls=web.urls("/a", "/a"))

    assert done.urls == web.urls("/a", "/a")
    assert (done["new"], done["revisits"], done["store_pages"]) == (1, 1, 1)
