"""The work of ``import``: the steps of each source with progress bars, the list, the sums."""

from __future__ import annotations

import json
from collections import Counter
from itertools import compress
from typing import IO, Any

from dedup.assembly import make_index
from dedup.config import Config
from dedup.exchange.merging import add_tallies, find_duplicates, mark_exempt, put_pages
from dedup.exchange.opening import Source
from dedup.index import Match, words_reader
from dedup.review.summary import Frequent
from dedup.scope import host_of
from dedup.scrapy.commands.context import Context
from dedup.scrapy.commands.printing import make_table
from dedup.store import Record, Store, show_store

SHOWN = 20  # Rows of the table.


class Merge:
    """One run of ``import``: adds the sources one after the other, and counts them together."""

    def __init__(self, context: Context, config: Config, store: Store, out: IO[str] | None) -> None:
        """Prepare the run; settings and store are those of the target, which is open.

        The list of duplicates goes to ``out``, unless it is None.
        """
        self._context = context
        self._config = config
        self._store = store
        self._index = make_index(config, store, read_only=True)
        self._words_of = words_reader(config.make_scheme(), config.scope)
        self._out = out
        self._leaves_out = context.options.skip_duplicates
        self._looks = out is not None or self._leaves_out  # Whether to look for duplicates.
        self._merged: Counter[str] = Counter()
        self._read = self._exempt = self._tallied = self._left_out = 0
        self._relations: Counter[str] = Counter()
        self._hosts = Frequent()

    @property
    def standing(self) -> str:
        """A sentence on the progress so far, for the user who interrupts the run."""
        return f"{self._put} pages are imported and stay; run it again for the rest"

    @property
    def _put(self) -> int:
        return self._merged["added"] + self._merged["replaced"]

    def add(self, name: str, source: Source) -> None:
        """Import a source; raises ExchangeError if it was changed during the import."""
        put_before = self._put
        self._exempt += mark_exempt(self._store, source.exempt())
        kept = self._find(source) if self._looks else b""
        pages = self._context.each("import", source.pages(), len(source))
        if self._leaves_out:
            pages = compress(pages, kept)
            self._left_out += kept.count(0)
        put_pages(self._store, pages, self._merged, texts=self._config.keeps_text)
        tallied = add_tallies(self._store, source.tallies())
        if tallied and len(source) and self._put == put_before:
            self._context.warn(
                f"{name}: no page was imported. What it knows of {tallied} URL patterns was added; "
                "if it was imported before, their downloads count twice now"
            )
        self._tallied += tallied
        self._read += len(source)

    def tell(self) -> None:
        """Print the sums."""
        facts: dict[str, Any] = {
            "store": show_store(self._config.store),
            "pages_read": self._read,
            **{name: self._merged[name] for name in ("added", "replaced", "unchanged")},
        }
        if self._looks:
            facts |= {
                "left_out": self._left_out,
                "duplicates": self._relations.total(),
                **{name.value: self._relations[name] for name in sorted(self._config.drop)},
            }
        facts |= {"exempt_requests": self._exempt, "url_patterns": self._tallied}
        self._context.print_facts(facts)
        if self._hosts and not self._context.json:
            rows = ((count, hosts) for hosts, count in self._hosts.most_common(SHOWN))
            self._context.print_table(make_table(("duplicates", "of hosts"), rows))

    def _find(self, source: Source) -> bytearray:
        """List the duplicates of a source; returns for each page 1 to import it, else 0."""
        kept = bytearray()
        pages = self._context.each("compare", source.pages(), len(source))
        for page, match in find_duplicates(self._index, self._words_of, pages):
            if match is not None:
                self._note(page.record, match)
            # A page of the same request as one of the target is a revisit.
            request = page.record.request
            kept.append(match is None or self._store.find_request(request) is not None)
        return kept

    def _note(self, record: Record, match: Match) -> None:
        self._relations[match.relation.value] += 1
        one, other = host_of(record.url), host_of(match.record.url)
        self._hosts.note(f"{one} repeats {'itself' if one == other else other}")
        if self._out is not None:
            entry = {"url": record.url, "repeats": match.record.url, **match.measures}
            self._out.write(json.dumps(entry, ensure_ascii=False) + "\n")
