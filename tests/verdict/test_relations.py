"""What the findings of a comparison come to."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.verdict import DROPPED, Findings, Headings, Relation, relate

LAW = settings(derandomize=True, deadline=None, max_examples=300)
MOST = 0.25
SHARES = st.floats(0.0, 1.0)
FINDINGS = st.builds(
    Findings,
    new=SHARES,
    gone=SHARES,
    changed=SHARES,
    held=SHARES,
    passage=SHARES,
    letters=st.floats(0.0, 1000.0),
    facts=st.booleans(),
    headings=st.sampled_from(Headings),
    told=st.integers(0, 2),
)


@pytest.mark.parametrize(
    ("findings", "relation"),
    [
        (Findings(0.0, 0.0, held=1.0), Relation.EQUAL),
        (Findings(0.1, 0.1, changed=0.2), Relation.EDITED),
        (Findings(0.0, 0.7, changed=0.1), Relation.CONTAINED),
        (Findings(0.1, 0.7, changed=0.2), Relation.OVERLAP),  # alike in words, but not a part of it
        (Findings(0.5, 0.0, held=1.0, passage=0.5), Relation.GROWN),
        (Findings(0.2, 0.0, held=1.0, passage=0.2), Relation.GROWN),  # all of it and a passage
        (Findings(0.2, 0.0, held=0.8, passage=0.2), Relation.EDITED),
        (Findings(0.2, 0.0, held=1.0, passage=0.03), Relation.EDITED),  # added here and there
        (Findings(0.0, 0.0, facts=True), Relation.VARIANT),
        (Findings(0.6, 0.6), Relation.OVERLAP),
        (Findings(0.1, 0.1, changed=0.6), Relation.OVERLAP),  # nearly all in other words
        (Findings(0.88, 0.88), Relation.OVERLAP),
        (Findings(0.95, 0.95), Relation.NONE),
    ],
)
def test_a_relation_says_what_would_be_lost(findings: Findings, relation: Relation) -> None:
    assert relate(findings, MOST, same_site=True) is relation
    assert relate(findings, MOST, same_site=False) is relation


@pytest.mark.parametrize("same_site", [True, False])
def test_another_code_in_the_heading_makes_a_variant_of_any_text(*, same_site: bool) -> None:
    same = Findings(0.0, 0.0, held=1.0, headings=Headings.CODES)
    assert relate(same, MOST, same_site=same_site) is Relation.VARIANT


@pytest.mark.parametrize("headings", [Headings.SISTERS, Headings.FACTS])
def test_on_one_site_a_heading_that_differs_a_little_makes_a_variant(headings: Headings) -> None:
    findings = Findings(0.0, 0.0, held=1.0, headings=headings)
    assert relate(findings, MOST, same_site=True) is Relation.VARIANT
    assert relate(findings, MOST, same_site=False) is Relation.EQUAL
    told = findings._replace(told=2)  # the texts differ in these words, too
    assert relate(told, MOST, same_site=False) is Relation.VARIANT


def test_on_one_site_a_heading_written_anew_is_no_matter_if_the_text_is_the_same() -> None:
    same = Findings(0.0, 0.0, held=1.0, headings=Headings.OTHER)
    assert relate(same, MOST, same_site=True) is Relation.EQUAL
    edited = same._replace(changed=0.1)
    assert relate(edited, MOST, same_site=True) is Relation.VARIANT
    assert relate(edited, MOST, same_site=False) is Relation.EDITED


def test_on_one_site_one_more_word_in_a_heading_makes_a_variant_if_its_text_names_it() -> None:
    longer = Findings(0.02, 0.02, held=0.9)
    assert relate(longer, MOST, same_site=True) is Relation.EDITED
    assert relate(longer._replace(told=1), MOST, same_site=True) is Relation.VARIANT
    assert relate(longer._replace(told=1), MOST, same_site=False) is Relation.EDITED


def test_on_one_site_headings_whose_words_are_in_their_own_texts_alone_make_a_variant() -> None:
    apart = Findings(0.02, 0.02, held=0.9, headings=Headings.OTHER, told=2)
    assert relate(apart, MOST, same_site=True) is Relation.VARIANT
    assert relate(apart, MOST, same_site=False) is Relation.EDITED
    assert relate(apart._replace(told=1), MOST, same_site=True) is Relation.EDITED


def test_so_they_do_on_another_site_if_much_of_the_text_is_new_or_reworded() -> None:
    apart = Findings(0.2, 0.2, changed=0.1, held=0.5, headings=Headings.OTHER, told=2)
    assert relate(apart, MOST, same_site=False) is Relation.VARIANT
    assert relate(apart._replace(told=1), MOST, same_site=False) is Relation.EDITED
    assert relate(apart._replace(changed=0.0), MOST, same_site=False) is Relation.EDITED


@pytest.mark.parametrize(
    ("findings", "brief", "long"),
    [
        (Findings(0.0, 0.0, headings=Headings.OTHER), Relation.VARIANT, Relation.EQUAL),
        (Findings(0.0, 0.7, headings=Headings.OTHER), Relation.VARIANT, Relation.CONTAINED),
        (Findings(0.0, 0.1, changed=0.1), Relation.VARIANT, Relation.EDITED),
        (Findings(0.0, 0.0), Relation.EQUAL, Relation.EQUAL),
        (Findings(0.1, 0.0, held=1.0), Relation.EDITED, Relation.EDITED),  # a line was added
        (Findings(0.0, 0.7, changed=0.04), Relation.CONTAINED, Relation.CONTAINED),
    ],
)
def test_a_brief_text_repeats_another_of_its_site_only_if_it_is_nearly_the_same(
    findings: Findings, brief: Relation, long: Relation
) -> None:
    assert relate(findings, MOST, same_site=True, brief=True) is brief
    assert relate(findings, MOST, same_site=True, brief=False) is long
    assert relate(findings, MOST, same_site=False, brief=True) is long


def test_a_page_that_may_be_read_wrongly_may_have_little_that_is_new() -> None:
    findings = Findings(0.1, 0.0)
    assert relate(findings, MOST, same_site=False) is Relation.EDITED
    assert relate(findings, MOST, same_site=False, sure=False) not in DROPPED
    assert relate(Findings(0.0, 0.7), MOST, same_site=False, sure=False) is Relation.CONTAINED


def test_on_one_site_a_page_that_may_be_read_wrongly_may_have_little_that_is_reworded() -> None:
    findings = Findings(0.0, 0.0, changed=0.1, held=0.9)
    assert relate(findings, MOST, same_site=True) is Relation.EDITED
    assert relate(findings, MOST, same_site=True, sure=False) is Relation.VARIANT
    assert relate(findings, MOST, same_site=False, sure=False) is Relation.EDITED
    held = findings._replace(held=0.95)
    assert relate(held, MOST, same_site=True, sure=False) is Relation.EDITED


def test_a_page_that_may_be_read_wrongly_may_add_no_passage_below_another_heading() -> None:
    adds = Findings(0.02, 0.02, letters=75, headings=Headings.OTHER)
    assert relate(adds, MOST, same_site=True, sure=False) is Relation.VARIANT
    assert relate(adds, MOST, same_site=True) is Relation.EDITED
    assert relate(adds, MOST, same_site=False, sure=False) is Relation.EDITED
    for letters in (74, inf):  # Infinite: the letters are not known.
        less = adds._replace(letters=letters)
        assert relate(less, MOST, same_site=True, sure=False) is Relation.EDITED


@LAW
@given(FINDINGS, SHARES, st.booleans())
def test_an_article_and_a_list_page_that_shows_it_repeat_neither_way(
    findings: Findings, most: float, same_site: bool
) -> None:
    plain = relate(findings, most, same_site=same_site)
    listed = relate(findings, most, same_site=same_site, listed=True)
    assert listed is (Relation.VARIANT if plain in DROPPED else plain)


@LAW
@given(FINDINGS, SHARES, st.booleans(), st.booleans())
def test_no_dropped_page_has_more_that_is_new_than_may_be(
    findings: Findings, most: float, same_site: bool, sure: bool
) -> None:
    if relate(findings, most, same_site=same_site, sure=sure) in DROPPED:
        assert findings.new <= most
        assert not findings.facts


@LAW
@given(FINDINGS, SHARES, st.booleans())
def test_whoever_allows_more_drops_no_less(
    findings: Findings, most: float, same_site: bool
) -> None:
    if relate(findings, most, same_site=same_site) in DROPPED:
        assert relate(findings, 1.0, same_site=same_site) in DROPPED
