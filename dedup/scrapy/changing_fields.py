"""Names the fields that have known entries exported again at every visit.

    samples of a page, now and at the earlier visit -> the changed fields of each known entry
    entries of a site -> nearly all changed in the same few fields -> a warning and a stat

A price that changed in a few entries is news. A counter that changed in nearly all of them has the
whole listing exported again, and the user may want to ignore it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from dedup.items import Naming, changed_fields
from dedup.scope import host_of
from dedup.scrapy.pages import Page
from dedup.scrapy.reporter import Reporter

LEAST = 5  # Compared entries of a site without which nothing is concluded.
SHARE = 0.8  # Share of the compared entries that changed in these fields only.
MOST_NAMED = 3  # Fields that are named together.
# Share of the compared entries in which the second and the third of these fields changed.
OTHER_SHARE = 0.25
MOST_SITES, MOST_CAUSES = 1_000, 100  # Sites, and sets of changed fields of a site, in memory.
SHOWN = 5  # Sites that get a warning.
LONGEST_NAME = 40  # Letters of a name in a message or a stat: it may come from a page.

_Cause = frozenset[str]  # The fields of an entry that changed.
_OTHER: _Cause = frozenset()  # A fact changed, or too many fields.


@dataclass(slots=True)
class Site:
    """The compared entries of a site, on pages where any changed."""

    compared: int = 0
    causes: Counter[_Cause] = field(default_factory=Counter)

    def note(self, cause: _Cause) -> None:
        """Count an entry that changed in some fields; of long names the beginning is kept."""
        cause = frozenset([name[: LONGEST_NAME + 1] for name in cause])
        if cause in self.causes or len(self.causes) < MOST_CAUSES:
            self.causes[cause] += 1

    def find(self) -> tuple[list[str], int]:
        """The fields in which nearly all entries changed, and the number of these entries."""
        changes: Counter[str] = Counter()
        for cause, number in self.causes.items():
            changes.update(dict.fromkeys(cause, number))
        least = OTHER_SHARE * self.compared
        names = [name for name, number in changes.most_common(MOST_NAMED) if number >= least]
        told = sum(n for cause, n in self.causes.items() if cause and cause.issubset(names))
        is_enough = self.compared >= LEAST and told >= SHARE * self.compared
        return (names, told) if is_enough else ([], 0)


@dataclass(eq=False)
class ChangingFields:
    """The fields of the entries of one crawl."""

    naming: Naming
    reporter: Reporter

    def __post_init__(self) -> None:
        self._sites: dict[str, Site] = {}

    def note(self, page: Page) -> None:
        """Compare the entries of a settled page with those of the earlier visit.

        Nothing is counted if none of them changed.
        """
        changes = list(changed_fields(page.samples.values(), page.claim.earlier))
        if not any(changes):
            return
        host = host_of(page.url)
        if host not in self._sites and len(self._sites) >= MOST_SITES:
            return
        site = self._sites.setdefault(host, Site())
        site.compared += len(changes)
        for names in changes:
            if names:
                is_other = len(names) > MOST_NAMED or any(map(self.naming.is_fact, names))
                site.note(_OTHER if is_other else frozenset(names))

    def sum_up(self) -> None:
        """Warn of the fields of the sites with the most such entries, and count these."""
        found = [(host, site, *site.find()) for host, site in self._sites.items()]
        told = sorted((one for one in found if one[2]), key=lambda one: -one[3])
        for host, site, fields, number in told[:SHOWN]:
            names = [_shown(name) for name in fields]
            for name in names:
                self.reporter.count(f"changed_fields/{name}", number)
            self.reporter.warn_once(
                f"changed_fields/{host}",
                "%s: %d of %d known entries changed since the last visit in %s alone, so they are "
                "exported again (about every second entry is compared). If such a change does not "
                "matter, add the field to NEARDUP_CHANGING_FIELDS. If it matters, add the field to "
                "NEARDUP_FACT_FIELDS; that ends this warning",
                host,
                number,
                site.compared,
                " and ".join(map(repr, names)),
            )


def _shown(name: str) -> str:
    """A name as it may stand in a log: one line, and not long."""
    printable = "".join(sign if sign.isprintable() else "?" for sign in name[:LONGEST_NAME])
    return printable if len(name) <= LONGEST_NAME else f"{printable}..."
