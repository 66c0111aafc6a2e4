"""Which duplicates count as pages of a template."""

from __future__ import annotations

import pytest

from dedup.index import Claim, Kinship, Match, Verdict
from dedup.page.kept_text import pack_text
from dedup.schemes import Comparison
from dedup.scrapy.probing import _repeats
from dedup.scrapy.templates import FEW, Templates
from dedup.store import Record
from dedup.verdict import Findings, Headings, Relation, TextComparison

EQUAL, OTHER = Relation.EQUAL, Headings.OTHER
SITE = "https://a.example/"


def match(relation: Relation, headings: Headings | None, by_text: Headings | None = None) -> Match:
    found = None if headings is None else Findings(0.0, 0.0, headings=headings)
    text = None
    if by_text is not None:
        text = TextComparison(Findings(0.0, 0.0, headings=by_text), (), 0, whole=True)
    kinship = Kinship(Comparison(1.0, 0, 1.0, found), relation, text=text)
    return Match(record(SITE), kinship)


def record(url: str) -> Record:
    return Record(url, url.encode(), 0.0, True, 99, b"the text", b"its fingerprint")


def asks(
    templates: Templates, number: int, of: Match, site: str = SITE, heading: str = "{}\n"
) -> bool:
    text = pack_text([heading.format(number), "The text."])
    claim = Claim(record(f"{site}{number}"), Verdict.DUPLICATE, match=of, text=text)
    return templates.is_of_template(claim, of)


@pytest.mark.parametrize("heading", ["{}\n", "Our shop\n{}"])
@pytest.mark.parametrize(
    ("relation", "headings", "by_text"),
    [
        (EQUAL, OTHER, None),
        (EQUAL, Headings.SAME, OTHER),
        (Relation.EDITED, OTHER, OTHER),
        (Relation.CONTAINED, None, OTHER),
    ],
)
def test_the_page_under_one_heading_more_is_of_a_template(
    relation: Relation, headings: Headings | None, by_text: Headings | None, heading: str
) -> None:
    templates, of = Templates(), match(relation, headings, by_text)
    found = [asks(templates, number, of, heading=heading) for number in (*range(FEW), 0, 8, 9)]
    assert found == [*[False] * FEW, False, True, True]


@pytest.mark.parametrize(
    ("relation", "headings", "by_text"),
    [
        (EQUAL, Headings.SAME, None),
        (EQUAL, Headings.SISTERS, None),
        (EQUAL, None, None),
        (EQUAL, OTHER, Headings.SAME),
        (Relation.GROWN, OTHER, None),  # NEARDUP_DROP may name it.
    ],
)
def test_no_number_of_other_duplicates_makes_one(
    relation: Relation, headings: Headings | None, by_text: Headings | None
) -> None:
    templates, of = Templates(), match(relation, headings, by_text)
    assert not any(asks(templates, number, of) for number in range(FEW + 3))


def test_each_site_has_headings_of_its_own() -> None:
    templates, of = Templates(), match(EQUAL, OTHER)
    for number in range(FEW):
        assert not asks(templates, number, of)
    assert not asks(templates, 8, of, "https://b.example/")
    assert asks(templates, 8, of, "https://www.a.example/")


def test_texts_of_long_ago_are_forgotten() -> None:
    templates, of = Templates(most=1), match(EQUAL, OTHER)
    for number in range(FEW):
        asks(templates, number, of)
    asks(templates, 0, of, "https://b.example/")
    assert not asks(templates, 8, of)


@pytest.mark.parametrize(
    ("relation", "headings", "repeats"),
    [
        (Relation.VARIANT, OTHER, True),
        (Relation.VARIANT, Headings.SISTERS, False),
        (Relation.PLACEHOLDER, Headings.SAME, True),
        (Relation.GROWN, OTHER, False),
    ],
)
def test_no_url_is_made_up_from_that_of_a_page_that_may_be_a_placeholder(
    relation: Relation, headings: Headings, repeats: bool
) -> None:
    assert _repeats(match(relation, headings)) is repeats
