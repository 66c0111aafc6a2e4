"""How a page relates to one that was exported before: what would be lost if it were dropped.

a scheme's sketches -> findings, estimated --+
the texts of both pages -> findings, exact --+-> relate -> a relation

equal      the same text
edited     the same text with edits all over, little of it new
contained  its text stands in the other page, nearly all of it
grown      it holds the other page's text and adds more than a little
variant    the same wording with other facts: numbers, dates, names, another heading; or the same
           frame of a site around another short text
overlap    a passage in common, most of it its own
none       nothing to speak of
"""

from __future__ import annotations

from enum import StrEnum
from math import inf
from typing import NamedTuple

from dedup.verdict.headings import Headings

MOST_NEW = 0.25  # the default of NEARDUP_MAX_NEW
MOST_GONE = 0.25  # share of the earlier text that an edited one lacks at most
HELD = 0.95  # share of a text from which on a page that has it as it is holds it,
ADDED = 0.55  # and part of the most new text that such a page may add in one passage
LEAST_LETTERS = 100  # of such a passage,
LEAST_LETTERS_ELSEWHERE = 240  # of such a passage on another site, whose pages may have one notice
LEAST_PARAGRAPH_ELSEWHERE = (
    150  # of such a passage in one block, on another site; comments are many
)
MOST_CHANGED = 0.05  # share of a text that is worded anew under another heading on one site
MOST_UNLIKE = 0.55  # share of a text that is new or in other words, of one that repeats another
LEAST_EXCHANGED = 75  # letters of a passage of its own in a frame of the site: 25 ideographs
LEAST_SHARED = 0.1  # share of either text in common from which on pages overlap
MOST_NEW_UNSURE = 0.05  # of a page that may not have been read right


class Relation(StrEnum):
    """What a page is to one that was exported before."""

    EQUAL = "equal"
    EDITED = "edited"
    CONTAINED = "contained"
    GROWN = "grown"
    VARIANT = "variant"
    OVERLAP = "overlap"
    NONE = "none"


DROPPED = frozenset((Relation.EQUAL, Relation.EDITED, Relation.CONTAINED))  # by default


class Findings(NamedTuple):
    """What a comparison of a later page with an earlier one found.

    Attributes:
        new: share of the later text that is in no passage of the earlier one, 0 to 1.
        gone: share of the earlier text that the later one lacks, 0 to 1.
        changed: share of the later text that stands in the earlier one in other words, 0 to 1.
        held: share of the earlier text that the later one has as it is, 0 to 1.
        passage: share of the later text in its longest passage that is new, 0 to 1.
        letters: how long that passage is; infinite where only its share is known.
        paragraph: how long the longest is that lies in one block; the same.
        facts: whether they say the same with other facts.
        headings: how their headings differ.
        told: of how many of the two headings a word that the other lacks stands in the text under
            it, too, and not in the other text.
        likely: what ``new`` may be at least, where it is an estimate.
        exchanged: letters of the passage that both texts have in one frame, each its own; see
            ``dedup.verdict.frames``.
    """

    new: float
    gone: float
    changed: float = 0.0
    held: float = 0.0
    passage: float = 0.0
    letters: float = inf
    paragraph: float = inf
    facts: bool = False
    headings: Headings = Headings.SAME
    told: int = 0
    likely: float = 0.0
    exchanged: float = 0.0


def relate(findings: Findings, most_new: float, *, same_site: bool, sure: bool = True) -> Relation:
    """Name the relation of a later page to an earlier one.

    Args:
        findings: of their comparison.
        most_new: share of the later text up to which new text is little.
        same_site: whether both are of one site.
        sure: whether the main text of both is known and not guessed.
    """
    new, gone, changed = findings.new, findings.gone, findings.changed
    if not sure:
        most_new = min(most_new, MOST_NEW_UNSURE)
    is_long = _is_long(findings, same_site=same_site)
    adds = findings.held >= HELD and findings.passage > ADDED * most_new and is_long
    if new > most_new or adds:
        if gone <= MOST_GONE:
            return Relation.GROWN
        shared = max(1 - new, 1 - gone)
        return Relation.OVERLAP if shared >= LEAST_SHARED else Relation.NONE
    if new + changed > MOST_UNLIKE:
        return Relation.OVERLAP
    is_other_in_frame = same_site and findings.exchanged >= LEAST_EXCHANGED
    if findings.facts or is_other_in_frame or _headed_apart(findings, same_site):
        return Relation.VARIANT
    if new == gone == changed == 0:
        return Relation.EQUAL
    return Relation.EDITED if gone <= MOST_GONE else Relation.CONTAINED


def _is_long(findings: Findings, *, same_site: bool) -> bool:
    """Whether the longest passage that is new says more than a notice or some comments do."""
    if same_site:
        return findings.letters >= LEAST_LETTERS
    is_paragraph = findings.paragraph >= LEAST_PARAGRAPH_ELSEWHERE
    return is_paragraph or findings.letters >= LEAST_LETTERS_ELSEWHERE


def _headed_apart(findings: Findings, same_site: bool) -> bool:
    headings = findings.headings
    if not same_site:
        return findings.told == 2 and headings in (Headings.FACTS, Headings.SISTERS)
    if headings is Headings.OTHER:
        return findings.new + findings.changed > MOST_CHANGED
    return findings.told > 0 or headings in (Headings.FACTS, Headings.SISTERS)
