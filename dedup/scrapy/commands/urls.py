"""Actions on URL patterns: urls list, show, skipped, forget, export, import."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rich.filesize import decimal
from rich.table import Column

from dedup.exchange.entries import ExchangeError
from dedup.exchange.files import read_tallies, write_tallies
from dedup.exchange.merging import add_tallies
from dedup.review.skips import Skip, group_skips, latest_skips, read_skips
from dedup.scope import host_of
from dedup.scrapy.commands.context import (
    STREAM,
    CommandError,
    Context,
    UsageError,
    add_limit,
    count,
    name_some,
    nonempty,
)
from dedup.scrapy.commands.exchange import exported, spooled
from dedup.scrapy.commands.logs import checked_log, host, skip_logs, sound
from dedup.scrapy.commands.pages import is_url, request_of
from dedup.scrapy.commands.printing import make_table, number_of, url_column
from dedup.urls import Learner, Tally
from dedup.urls.patterns import FINEST, TWIN, level_of, lineage, seen_elsewhere, site_of
from dedup.urls.traps import most_wasteful

LEAST = 5  # Downloads of a pattern that is listed.
SHOWN = 50
_PORT = re.compile(r"(?:[^:]+|\[.*\]):[0-9]+")


@dataclass(frozen=True, slots=True)
class Site:
    typed: str  # As the user wrote it.
    place: str  # Its host and port, as in a pattern; without a port if none was given.
    host: str

    @classmethod
    def read(cls, text: str) -> Site:
        """Read the option: a host or a URL, with or without a port."""
        bare = host(text)
        typed = text.strip()
        url = typed if "//" in typed else f"//{typed}"
        return cls(text, urlsplit(url).netloc.rpartition("@")[2].lower(), bare)

    def choose(self, sites: Collection[str]) -> set[str]:
        """The sites of this name; if there is none, those of the host, if no port was given."""
        if self.place in sites:
            return {self.place}
        if _PORT.fullmatch(self.place):
            return set()
        return {site for site in sites if host_of(f"//{site}") == self.host}


def list_patterns(context: Context) -> None:
    """Show the patterns of a store; patterns that waste most come first."""
    options = context.options
    least = options.least
    if least is None:
        least = 0 if options.all else LEAST
    with context.store(other_tables=True) as store:  # The index is not used.
        found = most_wasteful(
            [
                (pattern, tally)
                for pattern, tally in _of_site(store.tallies(), options.site)
                if tally.downloads >= least and (options.all or level_of(pattern) == FINEST)
            ]
        )
    context.print_list(
        found,
        lambda one: describe(*one),
        _columns(),
        _row,
        lambda: number_of(len(found), "pattern"),
        SHOWN,
    )


def _of_site(
    tallies: Iterable[tuple[str, Tally]], named: Site | None
) -> Iterable[tuple[str, Tally]]:
    """The patterns of the site in --site, which may be several hosts; all without that option."""
    if named is None:
        return tallies
    known = list(tallies)
    sites = Counter(site_of(pattern) for pattern, _ in known)
    chosen = named.choose(sites)
    if not chosen:
        shown = name_some([site for site, _ in sites.most_common()])
        told = f"patterns of {shown}" if shown else "no patterns"
        raise CommandError(f"--site {named.typed}: no pattern of this site; the store has {told}")
    return [(pattern, tally) for pattern, tally in known if site_of(pattern) in chosen]


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


def _columns() -> list[Column]:
    names = ("downloads", "repeats", "share", "bytes", "wasted")
    return [url_column("pattern"), *(Column(name, justify="right") for name in names)]


def _row(found: tuple[str, Tally]) -> tuple[object, ...]:
    """The cells under ``_columns``."""
    pattern, tally = found
    sizes = decimal(tally.octets), decimal(tally.wasted)
    return pattern, tally.downloads, tally.repeats, f"{tally.share:.0%}", *sizes


def show(context: Context) -> None:
    """Show the tally of a pattern, or of the patterns of a URL, with an example."""
    named = context.options.pattern
    if not named:
        raise UsageError("name a pattern or a URL")
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
        return
    rows = (_row((pattern, tallies[pattern])) for pattern in known)
    context.print_table(make_table(_columns(), rows))
    facts = {"expected_to_repeat": f"{expected:.0%} of the next downloads"}
    if evidence.url:
        facts |= {"latest_that_repeats": evidence.url, "the_page_it_repeats": evidence.of}
    context.print_facts(facts)


def _patterns(learner: Learner, named: str, known: Mapping[str, Tally]) -> Iterable[str]:
    """The patterns of a URL, or a known pattern after its coarser ones; empty for another one.

    A URL has other patterns if its parameters are new, if its links have rel=nofollow, if it is a
    version of a page, if it is another spelling, or if its last segment stands in another path;
    those of which most are known count, and of several those with most downloads.
    """
    if is_url(named):
        url = request_of(named).url
        new = learner.found(url)  # Found again, its parameters are no longer new.
        ways = [learner.found(url), new, learner.found(url, nofollow=True)]
        ways.append(learner.all_patterns(url, (TWIN,)))
        learner.hints.note("", "", [url])
        ways.append(learner.found(url))
        ways += [lineage(seen_elsewhere(patterns[-1])) for patterns in ways]
        stored = ([one for one in dict.fromkeys(patterns) if one in known] for patterns in ways)
        return max(
            stored, key=lambda found: (len(found), [known[one].downloads for one in found[-1:]])
        )
    return lineage(named) if named in known else ()


def list_skipped(context: Context) -> None:
    """Show the skipped requests: their patterns with the evidence, or their URLs."""
    logs = skip_logs(context)
    wanted = context.options.pattern
    records = (checked_log(read_skips(log), "skipped request") for log in logs)
    latest = latest_skips(sound(context, chain.from_iterable(records)))
    skips = [skip for skip in latest if wanted in (None, skip.pattern)]
    if wanted and not skips:
        names = ", ".join(map(str, logs))
        raise CommandError(f"{wanted}: nothing of this pattern was skipped, by {names}")
    if context.options.urls:
        for skip in skips:
            if context.json:
                context.print_json(asdict(skip))
            else:
                print(skip.url)
    else:
        _print_skips(context, skips)


def _print_skips(context: Context, skips: list[Skip]) -> None:
    found = group_skips(skips)
    figures = (Column(name, justify="right") for name in ("skipped", "downloads", "hits"))
    size = sum(group.size for group in found)
    told = f", about {decimal(size)}" if size else ""
    context.print_list(
        found,
        asdict,
        (url_column("pattern"), *figures, url_column("example"), url_column("repeats")),
        attrgetter("pattern", "skipped", "downloads", "hits", "example", "example_of"),
        lambda: f"{number_of(len(skips), 'URL')} of {number_of(len(found), 'pattern')}{told}",
    )


def forget(context: Context) -> int:
    """Remove the tallies of patterns."""
    options = context.options
    chosen_by = (options.patterns, options.site is not None, options.all_patterns)
    if sum(map(bool, chosen_by)) != 1 or not all(options.patterns):
        raise UsageError("name patterns, or give one of --site and --all-patterns")
    with context.store(other_tables=True) as store:
        known = [pattern for pattern, _ in _of_site(store.tallies(), options.site)]
        chosen = set(options.patterns) or set(known)
        forgotten = store.forget_tallies(chosen.intersection(known))
    unknown = sorted(chosen.difference(known))
    for pattern in unknown:
        context.warn(f"{pattern}: the store has no such pattern")
    context.print_facts({"store": context.place(), "forgotten": forgotten})
    return 1 if unknown else 0


def export(context: Context) -> None:
    """Write the tallies of a store to a file."""
    name = context.options.file
    with exported(context) as (store, out):
        written = write_tallies(out, store.tallies())
    if name != STREAM:
        context.print_facts({"output": name, "url_patterns": written})


def import_(context: Context) -> None:
    """Add the tallies in a file to those of a store."""
    tallies = _read(context.options.file)
    with context.store(other_tables=True, create=True) as store:
        added = add_tallies(store, tallies.items())
    context.print_facts({"store": context.place(), "url_patterns": added})


def _read(name: str) -> dict[str, Tally]:
    is_stream = name == STREAM
    try:
        with spooled() if is_stream else Path(name).open("rb") as file:
            return read_tallies(file, "standard input" if is_stream else name)
    except ExchangeError as error:
        raise CommandError(f"{error}; nothing was imported") from None


def list_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    _add_site(
        parser, "only the patterns of this site: a host or a URL, with the port if URLs have one"
    )
    about = f"least number of downloads ({LEAST}; with --all 0)"
    add("--least", type=partial(count, least=0), metavar="N", help=about)
    add("--all", action="store_true", help="also list the coarser patterns")
    add_limit(parser, f"largest number of patterns, 0 for all ({SHOWN}; all with --json)")


def _add_site(parser: argparse.ArgumentParser, about: str) -> None:
    parser.add_argument("--site", type=Site.read, metavar="HOST", help=about)


def show_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "pattern", metavar="PATTERN", help="a listed pattern, in quotes; or a URL, for its patterns"
    )


def skipped_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    about = "logs of skipped requests (default: the newest beside NEARDUP_LOG)"
    add("logs", nargs="*", default=[], metavar="LOG", help=about)
    add("--pattern", type=nonempty, metavar="PATTERN", help="only requests of this pattern")
    add("--urls", action="store_true", help="print only the URLs, one per line, for a later crawl")


def forget_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("patterns", nargs="*", metavar="PATTERN", help="a pattern as listed, in quotes")
    _add_site(parser, "all patterns of this site")
    add("--all-patterns", action="store_true", help="all patterns of the store")


def import_options(parser: argparse.ArgumentParser) -> None:
    about = f"a file of `urls export`; {STREAM} for standard input"
    parser.add_argument("file", metavar="FILE", help=about)
