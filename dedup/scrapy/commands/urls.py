"""Actions on the URL patterns of a store: urls list, show, forget, export, import."""

from __future__ import annotations

import argparse
from collections.abc import Container, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from rich.filesize import decimal
from rich.table import Column, Table

from dedup.exchange.entries import ExchangeError
from dedup.exchange.tally_files import read_tallies, write_tallies
from dedup.scrapy.commands.context import (
    CommandError,
    Context,
    UsageError,
    add_limit,
    count,
    nonempty,
)
from dedup.scrapy.commands.exchange import STREAM, exported, spooled
from dedup.scrapy.commands.fetching import WEB, request_of
from dedup.scrapy.commands.printing import make_table, url_column
from dedup.urls import Learner, Tally
from dedup.urls.patterns import FINEST, level_of, lineage, site_of
from dedup.urls.traps import most_wasteful

LEAST = 5  # Downloads of a pattern that is listed.
SHOWN = 50
BATCH = 2_000  # Patterns added to a store at a time.


def list_patterns(context: Context) -> int:
    """Show the patterns of a store; patterns that waste most come first."""
    found = most_wasteful(_found(context))
    limit = context.options.limit
    if limit is None:
        limit = 0 if context.json else SHOWN
    shown = found[: limit or len(found)]
    if context.json:
        for pattern, tally in shown:
            context.print_json(describe(pattern, tally))
        return 0
    if shown:
        context.print_table(_table(shown))
    left = len(found) - len(shown)
    print(f"{len(found)} patterns" + (f", {left} not shown (--limit 0)" if left else ""))
    return 0


def _found(context: Context) -> list[tuple[str, Tally]]:
    """The patterns to list, in any order."""
    options = context.options
    least = options.least
    if least is None:
        least = 0 if options.all else LEAST
    with context.store(other_tables=True) as store:  # The index is not used.
        return [
            (pattern, tally)
            for pattern, tally in store.tallies()
            if tally.downloads >= least
            and (options.all or level_of(pattern) == FINEST)
            and options.site in (None, site_of(pattern))
        ]


def describe(pattern: str, tally: Tally) -> dict[str, Any]:
    """A pattern and its tally as JSON values."""
    return {
        "pattern": pattern,
        "level": level_of(pattern),
        "downloads": tally.downloads,
        "repeats": tally.repeats,
        "share": round(tally.share, 4),
        "bytes": tally.octets,
        "wasted_bytes": tally.wasted,
        "url": tally.url,
        "of": tally.of,
    }


def _table(found: Iterable[tuple[str, Tally]]) -> Table:
    names = ("downloads", "repeats", "share", "bytes", "wasted")
    figures = (Column(name, justify="right") for name in names)
    rows = (
        (
            pattern,
            tally.downloads,
            tally.repeats,
            f"{tally.share:.0%}",
            decimal(tally.octets),
            decimal(tally.wasted),
        )
        for pattern, tally in found
    )
    return make_table((url_column("pattern"), *figures), rows)


def show(context: Context) -> int:
    """Show the tally of a pattern, or of the patterns of a URL, with an example."""
    named = context.options.pattern
    with context.store(other_tables=True) as store:
        tallies = dict(store.tallies())
    learner = Learner()
    learner.load(tallies.items())
    known = [pattern for pattern in _patterns(learner, named, tallies) if pattern in tallies]
    if not known:
        raise CommandError(
            f"{named}: the store has no such pattern; `scrapy neardup urls list --all` shows all"
        )
    expected = learner.rate(known)
    evidence = tallies[known[-1]]
    if context.json:
        levels = [describe(pattern, tallies[pattern]) for pattern in known]
        context.print_json({"expected_share": round(expected, 4), "patterns": levels})
        return 0
    context.print_table(_table((pattern, tallies[pattern]) for pattern in known))
    facts = {"expected_to_repeat": f"{expected:.0%} of the next downloads"}
    if evidence.url:
        facts |= {"latest_that_repeats": evidence.url, "the_page_it_repeats": evidence.of}
    context.print_facts(facts)
    return 0


def _patterns(learner: Learner, named: str, known: Container[str]) -> Iterable[str]:
    """The patterns of a URL, or a known pattern after its coarser ones; empty for another one.

    A URL has other patterns if its links have rel=nofollow, or if it is a version of a page; those
    of which more are known count.
    """
    if named.lower().startswith(WEB):
        url = request_of(named).url
        ways = [learner.found(url), learner.found(url, nofollow=True)]
        learner.hints.note("", "", [url])
        found = (dict.fromkeys(patterns) for patterns in (*ways, learner.found(url)))
        return max(found, key=lambda patterns: sum(pattern in known for pattern in patterns))
    return lineage(named) if named in known else ()


def forget(context: Context) -> int:
    """Remove the tallies of patterns."""
    options = context.options
    if bool(options.patterns) + bool(options.site) + options.all_patterns != 1:
        raise UsageError("name patterns, or give one of --site and --all-patterns")
    with context.store(other_tables=True) as store:
        known = [pattern for pattern, _ in store.tallies()]
        chosen = set(options.patterns) or {
            pattern for pattern in known if options.site in (None, site_of(pattern))
        }
        forgotten = store.forget_tallies(chosen.intersection(known))
    unknown = sorted(chosen.difference(known))
    for pattern in unknown:
        context.warn(f"{pattern}: the store has no such pattern")
    context.print_facts({"store": context.place(), "forgotten": forgotten})
    return 1 if unknown else 0


def export(context: Context) -> int:
    """Write the tallies of a store to a file."""
    name = context.options.file
    with exported(context) as (store, out):
        written = write_tallies(out, store.tallies())
    if name != STREAM:
        context.print_facts({"output": name, "url_patterns": written})
    return 0


def import_(context: Context) -> int:
    """Add the tallies in a file to those of a store."""
    tallies = list(_read(context.options.file).items())
    with context.store(other_tables=True, create=True) as store:
        for start in range(0, len(tallies), BATCH):
            store.tally(dict(tallies[start : start + BATCH]))
    context.print_facts({"store": context.place(), "url_patterns": len(tallies)})
    return 0


def _read(name: str) -> dict[str, Tally]:
    try:
        if name == STREAM:
            with spooled() as file:
                return read_tallies(file, "standard input")
        with Path(name).open("rb") as file:
            return read_tallies(file, name)
    except ExchangeError as error:
        raise CommandError(f"{error}; nothing was imported") from None


def list_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    _add_site(parser, "only the patterns of this site: its host, with the port if URLs have one")
    add(
        "--least",
        type=partial(count, least=0),
        metavar="N",
        help=f"least number of downloads ({LEAST}; with --all 0)",
    )
    add("--all", action="store_true", help="also list the coarser patterns")
    add_limit(parser, f"largest number of patterns, 0 for all ({SHOWN}; all with --json)")


def _add_site(parser: argparse.ArgumentParser, about: str) -> None:
    parser.add_argument("--site", type=_site, metavar="HOST", help=about)


def _site(text: str) -> str:
    return nonempty(text).lower()


def show_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "pattern", metavar="PATTERN", help="a listed pattern, in quotes; or a URL, for its patterns"
    )


def forget_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("patterns", nargs="*", metavar="PATTERN", help="a pattern as listed, in quotes")
    _add_site(parser, "all patterns of this site")
    add("--all-patterns", action="store_true", help="all patterns of the store")


def import_options(parser: argparse.ArgumentParser) -> None:
    about = f"a file of `urls export`; {STREAM} for standard input"
    parser.add_argument("file", metavar="FILE", help=about)
