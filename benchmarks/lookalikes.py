"""Pages that look alike and are not: how many each scheme joins wrongly.

The pages are made by code (``benchmarks.lookalike_pages``): short texts, template pages that differ
in a number, product sheets, pages of one forum. Each set goes through an index in order, as a crawl
would bring it; every page reported to repeat another is a false join.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.progress import track

from benchmarks.command import as_command, make_parser
from benchmarks.indexing import Engine
from benchmarks.lookalike_pages import PAGES, SETS, Lookalike, make_lookalikes
from benchmarks.report import Listing, Report, at_most
from dedup import Config, Verdict
from dedup.schemes import PUBLISHED

# Posts of the same sentences with other words under one title: what an edited text looks like, too
MOST_FORUM = PAGES // 2


def run(_: Namespace, console: Console, schemes: Sequence[str] = PUBLISHED) -> Report:
    """Take the pages through an index of each scheme."""
    pages = list(make_lookalikes())
    made = Counter(page.kind for page in pages)
    joined = {
        name: false_joins(pages, Config(scheme=name))
        for name in track(schemes, "schemes", console=console)
    }
    rows = [
        (name, *(counts[kind] for kind in SETS), sum(counts.values()))
        for name, counts in joined.items()
    ]
    return Report(
        "lookalikes",
        {f"pages, {kind}": made[kind] for kind in SETS},
        [
            at_most(
                "false joins of combined, but in the forum",
                sum(joined["combined"].values()) - joined["combined"]["forum"],
                0,
            ),
            at_most(
                "false joins of combined in the forum", joined["combined"]["forum"], MOST_FORUM
            ),
        ],
        [Listing("false joins", ("scheme", *SETS, "all"), rows)],
    )


def false_joins(pages: Iterable[Lookalike], config: Config) -> Counter[str]:
    """How many pages of each set are reported to repeat another."""
    joined: Counter[str] = Counter()
    with Engine.open(config) as engine:
        for page in pages:
            claim = engine.add(page.url, text=page.text, html=page.html)
            joined[page.kind] += claim.verdict is Verdict.DUPLICATE
    return joined


main = as_command(lambda: make_parser("lookalikes", __doc__, needs_data=False), run)

if __name__ == "__main__":
    sys.exit(main())
