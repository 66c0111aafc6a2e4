"""Find the relation of a later page to an earlier one.

    records -> compare -> nominated?  -- no -> relation by fingerprints
                               |
                              yes -> texts of both available? -- no -> relation by fingerprints
                                          |
                                         yes -> relation by texts

A scheme compares fingerprints, and ``dedup.verdict`` finds the relation. This module gives them the
facts about the pages: their sites, their scopes, whether their texts are equal, and whether one of
them is a list page that shows the other one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dedup.index.lists import stand_apart
from dedup.index.words import have_equal_texts
from dedup.schemes import Comparison, Scheme
from dedup.scope import SCOPES, are_of_one_site
from dedup.store import Record
from dedup.verdict import (
    BRIEF,
    Findings,
    Headings,
    Relation,
    Rules,
    TextComparison,
    compare_headings,
    compare_texts,
    relate,
)

# The comparison of two equal texts, for every scheme.
_EQUAL = Comparison(1.0, 0, 1.0, Findings(0.0, 0.0, held=1.0))


@dataclass(frozen=True, slots=True)
class Kinship:
    """How a later page relates to an earlier one."""

    comparison: Comparison  # The comparison of their fingerprints.
    relation: Relation  # The relation of the later page to the earlier one.
    new: float = 0.0  # Share of the later page that is new, 0 to 1, as far as is known.
    text: TextComparison | None = None  # The comparison of their texts, if both were available.
    # Whether only one item of each is compared; then all values are of these items.
    of_item: bool = False


# Of a page to an earlier page with the same item.
SAME_ITEM = Kinship(_EQUAL, Relation.EQUAL, of_item=True)


class Judge:
    """Compares two pages by the rules."""

    def __init__(self, scheme: Scheme, scope: str = "global", rules: Rules | None = None) -> None:
        """Set the rules; arguments as for ``Index``."""
        self.scheme = scheme
        self.rules = rules or Rules()
        self._scope_of = SCOPES[scope]

    def compare(self, later: Record, earlier: Record) -> Comparison | None:
        """Compare two pages by their fingerprints; None if they cannot repeat each other."""
        if later.request == earlier.request or self._scope_of(later.url) != self._scope_of(
            earlier.url
        ):
            return None
        equal = have_equal_texts(later, earlier)
        if not later.fingerprint or not earlier.fingerprint:
            if not equal:
                return None
            same = later.digest == earlier.digest
            headings = Headings.SAME if same else Headings.SISTERS
            return _EQUAL._replace(findings=Findings(0.0, 0.0, held=1.0, headings=headings))
        if not equal:
            return self.scheme.compare_if_alike(later.fingerprint, earlier.fingerprint)
        comparison = self.scheme.compare(later.fingerprint, earlier.fingerprint)
        found = comparison.findings or Findings(0.0, 0.0, headings=Headings.UNKNOWN)
        found = found._replace(new=0.0, gone=0.0, changed=0.0, held=1.0, facts=False, likely=0.0)
        return _EQUAL._replace(findings=found, sure=comparison.sure)

    def is_nominated(self, later: Record, earlier: Record, comparison: Comparison) -> bool:
        """Whether the texts of two pages should be compared."""
        if stand_apart(later, earlier, comparison.findings):
            return False  # Equal texts would not change the relation.
        if have_equal_texts(later, earlier):
            return True
        return self.scheme.nominates(
            comparison, self.rules.most_new, same_host=are_of_one_site(later.url, earlier.url)
        )

    def relate(self, later: Record, earlier: Record, comparison: Comparison) -> Kinship:
        """The relation of two pages by their fingerprints alone."""
        found = comparison.findings
        if found is None:
            same_site = are_of_one_site(later.url, earlier.url)
            accepted = self.scheme.accepts(comparison, same_host=same_site)
            listed = stand_apart(later, earlier, found)
            repeats = Relation.VARIANT if listed else Relation.EDITED
            return Kinship(comparison, repeats if accepted else Relation.NONE)
        return Kinship(comparison, self._name(later, earlier, found, comparison.sure), found.new)

    def confirm(
        self, later: Record, earlier: Record, comparison: Comparison, texts: tuple[str, str]
    ) -> Kinship:
        """The relation of two pages by their texts; ``texts`` has the later page's first."""
        rules = self.rules
        same_site = are_of_one_site(later.url, earlier.url)
        if have_equal_texts(later, earlier):
            text = compare_headings(*texts, rules.segmenter)
        else:
            urls = (later.url, earlier.url) if same_site else None
            text = compare_texts(*texts, rules.segmenter, rules.most_new, urls)
        found = text.findings
        sketch = comparison.findings
        if not text.whole and sketch is not None:  # Fingerprints cover the whole text.
            new, changed = max(found.new, sketch.new), max(found.changed, sketch.changed)
            found = found._replace(new=new, changed=changed)
        relation = self._name(later, earlier, found, comparison.sure)
        if relation is Relation.EQUAL and not (text.whole or have_equal_texts(later, earlier)):
            relation = Relation.EDITED
        return Kinship(comparison, relation, found.new, replace(text, findings=found))

    def _name(self, later: Record, earlier: Record, found: Findings, sure: bool) -> Relation:
        """The relation of two pages by the result of their comparison."""
        is_without_fingerprint = not later.fingerprint or not earlier.fingerprint
        return relate(
            found,
            self.rules.most_new,
            same_site=are_of_one_site(later.url, earlier.url),
            sure=sure,
            listed=stand_apart(later, earlier, found),
            brief=later.tokens < BRIEF or is_without_fingerprint,
        )
