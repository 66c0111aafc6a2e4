"""The relation of a page to an exported page: it shows the loss if the page is dropped.

a scheme's sketches -> findings, estimated --+
the texts of both pages -> findings, exact --+-> relate -> a relation

equal      the same text
edited     the same text with edits in many places and little new text
contained  nearly all of its text is in the other page, most of it in the same words
grown      it contains the other page's text and adds more than a little
variant    the same wording with different facts (numbers, dates, names, heading); another short
           text in the same template of a site; or an article and a list page that shows it
overlap    a common passage, but most of the text is its own
none       nearly nothing in common

``relate`` never returns ``placeholder``. A page that is equal, edited or contained gets this name
if many URLs of one kind give the same page; see ``dedup.urls.placeholders``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import NamedTuple

from dedup.verdict.headings import Headings

MOST_NEW = 0.25  # The default of NEARDUP_MAX_NEW.
MOST_GONE = 0.25  # Maximum share of the earlier text that an edited text may lack.
HELD = 0.95  # Minimum unchanged share of the earlier text, for a later text that contains it.
ADDED = 0.55  # Such a text grew if one new passage exceeds this part of NEARDUP_MAX_NEW.
# On another site, minimum letters of new text within one block: each page may have a short notice,
# or comments, which are many blocks.
LEAST_PARAGRAPH_ELSEWHERE = 100
# Maximum share of new or changed text on one site, under another heading or in a brief text.
MOST_CHANGED = 0.05
MOST_UNLIKE = 0.4  # Maximum share of new or changed text in a text that repeats another.
LEAST_OWN = 75  # Minimum letters of a page's own passage in an uncertain text: 25 ideographs.
LEAST_EXCHANGED = LEAST_OWN  # The same in a template, exchanged for a passage of the other page.
BRIEF = 75  # A text of fewer words is brief: it may be what all pages of the site have.
LEAST_SHARED = 0.1  # Minimum common share of either text for an overlap.
MOST_NEW_UNSURE = 0.05  # Maximum new share if the main text is uncertain.


class Relation(StrEnum):
    """The relation of a page to an exported page."""

    EQUAL = "equal"
    EDITED = "edited"
    CONTAINED = "contained"
    GROWN = "grown"
    VARIANT = "variant"
    OVERLAP = "overlap"
    PLACEHOLDER = "placeholder"
    NONE = "none"


# Nearly all of the later page stands in the earlier one.
REPEATS = frozenset((Relation.EQUAL, Relation.EDITED, Relation.CONTAINED))
DROPPED = REPEATS | {Relation.PLACEHOLDER}  # The default of NEARDUP_DROP.


@dataclass(frozen=True, slots=True)
class Rules:
    """The user's rules of a verdict."""

    dropped: frozenset[Relation] = DROPPED  # Pages with such a relation to an exported page.
    most_new: float = MOST_NEW  # Maximum share of new text in a dropped page, 0 to 1.
    segmenter: str = "jieba"  # For the compared texts: ``jieba`` or ``chars``.


class Findings(NamedTuple):
    """The result of comparing a later page with an earlier one; shares are from 0 to 1."""

    new: float  # Share of the later text that is in no passage of the earlier text.
    gone: float  # Share of the earlier text that the later text lacks.
    changed: float = 0.0  # Share of the later text that the earlier text has in other words.
    held: float = 0.0  # Share of the earlier text that the later text has unchanged.
    passage: float = 0.0  # Share of the longest new passage in the later text.
    letters: float = inf  # Length of that passage in letters; infinite if only its share is known.
    paragraph: float = inf  # Length of the longest new passage within one block, likewise.
    facts: bool = False  # Whether the texts have the same wording with different facts.
    form: bool = False  # Whether they are one form, filled in with different words (forms.py).
    records: bool = False  # Whether they are two records beside one text (records.py).
    echo: bool = False  # Whether they are short and differ only in words of their URLs.
    headings: Headings = Headings.SAME  # How the headings differ.
    # 0 to 2, the number of headings with a name of their text: the other heading lacks it, and it
    # also occurs in the text under this heading, and hardly in the other text.
    told: int = 0
    likely: float = 0.0  # The lowest likely value of ``new``, if that is an estimate.
    # Letters of the different passages at the same place in one template of a site (frames.py).
    exchanged: float = 0.0
    # Whether the headings, on two sites, or the URLs, on one, name two subjects (subjects.py).
    renamed: bool = False


def relate(
    findings: Findings,
    most_new: float,
    *,
    same_site: bool,
    sure: bool = True,
    listed: bool = False,
    brief: bool = False,
) -> Relation:
    """The relation of a later page to an earlier one.

    Args:
        findings: the result of their comparison.
        most_new: maximum share of new text in a later page that repeats the earlier one, 0 to 1.
        same_site: whether both pages are of one site.
        sure: whether the main text of both is certain, not guessed.
        listed: whether one is a list page that shows the other, or both are lists of one article.
        brief: whether the later text has fewer words than ``BRIEF``, or no fingerprint.
    """
    new, gone, changed = findings.new, findings.gone, findings.changed
    if not sure:
        most_new = min(most_new, MOST_NEW_UNSURE)
    is_own = same_site or findings.paragraph >= LEAST_PARAGRAPH_ELSEWHERE
    adds = findings.held >= HELD and findings.passage > ADDED * most_new and is_own
    if new > most_new or adds:
        if gone <= MOST_GONE:
            return Relation.GROWN
        shared = max(1 - new, 1 - gone)
        return Relation.OVERLAP if shared >= LEAST_SHARED else Relation.NONE
    is_part = gone > MOST_GONE  # Then it has to stand in the other text as it is.
    if new + changed > (min(most_new, MOST_UNLIKE) if is_part else MOST_UNLIKE):
        return Relation.OVERLAP
    differ = _differ_in_subject(findings, same_site=same_site, sure=sure, brief=brief)
    if listed or findings.facts or differ:
        return Relation.VARIANT
    if new == gone == changed == 0:
        return Relation.EQUAL
    return Relation.CONTAINED if is_part else Relation.EDITED


def _differ_in_subject(findings: Findings, *, same_site: bool, sure: bool, brief: bool) -> bool:
    """Whether two pages of nearly the same text have two subjects."""
    headings, told = findings.headings, findings.told
    is_sister = headings in (Headings.FACTS, Headings.SISTERS)
    lost = findings.new + findings.changed
    is_other = findings.records or findings.renamed
    if headings is Headings.CODES or (is_other and not findings.echo):
        return True
    if not same_site:
        return told == 2 and (is_sister or lost > MOST_NEW)
    is_changed = lost > MOST_CHANGED
    if findings.form or findings.exchanged >= LEAST_EXCHANGED:
        return True
    # Much of a brief text, or of one that is not certain, may be what all pages of the site have.
    is_little = brief or not sure
    if is_little and is_changed and not findings.echo and findings.held < HELD:
        return True
    if headings is Headings.OTHER:
        has_own = not sure and LEAST_OWN <= findings.letters < inf
        return brief or is_changed or told == 2 or has_own
    return is_sister or told > 0
