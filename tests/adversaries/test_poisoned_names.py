"""Who may publish on the site of a victim cannot have the victim's pages taken for placeholders."""

from __future__ import annotations

import pytest
from conftest import Crawler
from crawling import OneAfterAnother, Web, article, lexicon

from dedup.scrapy.templates import FEW

PRODUCTS = 12
WORDS = iter(lexicon())
TITLES = [f"{next(WORDS)} {next(WORDS)} {next(WORDS)}" for _ in range(PRODUCTS)]


@pytest.mark.parametrize("first", [True, False], ids=["the victim first", "the attacker first"])
def test_products_of_one_description_are_exported_whoever_repeats_it(
    crawl: Crawler, web: Web, first: bool
) -> None:
    """The attacker sells there, too, and gives the victim's description to products of one name."""
    for number, title in enumerate(TITLES):
        web.pages[f"/p/{number}"] = article("care", title=title, words=120)
    mine = [f"/p/{1000 + number}" for number in range(30)]
    web.pages |= dict.fromkeys(
        mine, article("care", title=TITLES[0] if first else "spam", words=120)
    )
    victims = [f"/p/{number}" for number in range(PRODUCTS)]
    done = crawl(
        OneAfterAnother,
        urls=web.urls(*(victims[:1] if first else ()), *mine, *victims[first:]),
    )
    exported = [url for url in done.urls if int(url.rpartition("/")[2]) < 1000]
    assert len(exported) >= PRODUCTS - FEW
