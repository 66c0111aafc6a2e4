"""Actions on groups of near-duplicates: clusters, keep."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from rich.text import Text

from dedup.files import check_target, whole_bytes
from dedup.items import only_value
from dedup.review.clusters import (
    NEVER,
    PREFERENCES,
    Cluster,
    Entry,
    ItemState,
    Rank,
    find_clusters,
    plainest,
    read_date,
    read_preference,
    survivors,
)
from dedup.review.feeds import FORMATS, read_feed, tag_of
from dedup.review.repeats import repeated_items
from dedup.scope import SCOPES
from dedup.scrapy.commands.context import CommandError, Context, UsageError, add_limit, count
from dedup.scrapy.commands.logs import add_logs, all_drops
from dedup.scrapy.commands.printing import number_of, plain, url_column
from dedup.verdict import Relation

SHOWN = 20
MEMBERS = 5  # Dropped pages of a cluster in the table.
PLAIN = "plain"  # A preference of feeds; stored collections have no such tags.
DATE_FIELDS = ("date", "published", "fetched")


def clusters(context: Context) -> None:
    """Show the groups of pages that repeat each other."""
    found = find_clusters((drop.name, drop.original_name) for drop in all_drops(context))
    found = [cluster for cluster in found if cluster.size >= context.options.min_size]
    pages = sum(cluster.size for cluster in found)
    others = "kept, too" if context.options.kept else "dropped"
    context.print_list(
        found,
        lambda one: {"size": one.size, "survivor": one.survivor, "dropped": one.dropped},
        ("pages", url_column("survivor"), url_column(others)),
        lambda one: (one.size, one.survivor, _members(one)),
        lambda: f"{number_of(len(found), 'cluster')} of {pages} pages",
    )


def _members(cluster: Cluster) -> Text:
    left = len(cluster.dropped) - MEMBERS
    members = Text("\n").join(plain(url) for url in cluster.dropped[:MEMBERS])
    return members + Text(f" and {left} more" if left > 0 else "")


def keep(context: Context) -> None:
    """Write a copy of a tagged feed with one page of each cluster, and one of equal items."""
    options = context.options
    source = Path(options.feed)
    target = Path(options.output) if options.output else None
    if target is not None:
        check_target(target, [source])
        kind, other = (FORMATS.get(path.suffix) for path in (source, target))
        if kind and other and kind != other:
            raise CommandError(f"{target}: a feed keeps its format; name it {source.suffix}, too")
    rank = _read_rank(options.prefer)
    try:
        feed = read_feed(source)
        _check(context, feed.items)
        entries = [_entry(context, item) for item in feed.items]
    except ValueError as error:
        raise CommandError(str(error)) from None
    if options.prefer == "earliest" and entries and all(entry.date is NEVER for entry in entries):
        raise CommandError(
            f"no item has a date in {', '.join(_date_fields(context))}; "
            "name its field in --date-field"
        )
    scope_of = SCOPES[context.config.scope]
    repeated = repeated_items(entries, feed.items, rank, context.config.naming, scope_of)
    places = [place for place in survivors(entries, rank) if place not in repeated]
    octets = feed.only(places).encode()
    if target is None:
        sys.stdout.buffer.write(octets)
        sys.stdout.flush()
        return
    with whole_bytes(target) as out:
        out.write(octets)
    context.print_facts({"output": target, "items": len(entries), "kept": len(places)})


def _read_rank(preference: str) -> Rank:
    try:
        return plainest if preference == PLAIN else read_preference(preference, PLAIN)
    except ValueError as error:
        raise UsageError(f"a preference {error}") from None


def _check(context: Context, items: list[dict[str, Any]]) -> None:
    """Refuse a feed in which no item has a URL, or no item has the field of the tag."""
    url, tag = context.config.url_field, context.config.field
    if items and not any(url in item for item in items):
        raise CommandError(
            f"no item has the field {url!r}: name the one with the URL of the page in "
            "NEARDUP_URL_FIELD"
        )
    if items and not any(tag in item for item in items):
        raise CommandError(
            f"no item has the field {tag!r} (NEARDUP_FIELD): the feed must be of a crawl with "
            "NEARDUP_ACTION=tag whose item classes declare the field"
        )


def _entry(context: Context, item: dict[str, Any]) -> Entry:
    config = context.config
    tag = tag_of(item, config.field) or {}
    joins = bool(tag) and _joins(context, tag)
    url = only_value(item.get(config.url_field))
    if not isinstance(url, str) or not url:  # Its page stands for it, if it was judged with it.
        url = "" if tag.get("item") else str(tag.get("page", ""))
    dates = (read_date(item.get(name)) for name in _date_fields(context))
    return Entry(
        url=url,
        of=str(tag.get("of_first", tag["of"])) if joins else "",
        date=next((date for date in dates if date is not None), NEVER),
        length=sum(len(str(item.get(name) or "")) for name in config.text_fields),
        plain=str(tag.get("plain", "")),
        page=str(tag.get("page", "")),
        state=_state_of(tag, joins=joins),
    )


def _state_of(tag: dict[str, Any], *, joins: bool) -> ItemState:
    """How an item was judged: its relation decides whether it counts as repeated."""
    if tag.get("item"):
        return ItemState.REPEATED if joins and tag["item"] == ItemState.REPEATED else ItemState.NEW
    return ItemState.UNKNOWN if joins and "item" not in tag else ItemState.WITH_PAGE


def _joins(context: Context, tag: dict[str, Any]) -> bool:
    """Whether only one of the two pages, the tagged page and the page in its tag, is to stay.

    If the longest page is preferred, a page that grew replaces the shorter one.
    """
    relation = str(tag.get("relation", Relation.EDITED.value))  # Tags of version 0.1 have none.
    if relation == Relation.GROWN.value and context.options.prefer == "longest":
        return True
    return relation in context.config.drop


def _date_fields(context: Context) -> tuple[str, ...]:
    named = context.options.date_field
    return (named,) if named else DATE_FIELDS


def clusters_options(parser: argparse.ArgumentParser) -> None:
    add_logs(parser)
    parser.add_argument("--min-size", type=count, default=2, help="least size of a cluster (2)")
    add_limit(parser, f"largest number of clusters, 0 for all ({SHOWN})", SHOWN)


def keep_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("feed", metavar="FEED", help="a .json, .jsonl or .csv feed with tags")
    about = f"the page to keep: {', '.join((PLAIN, *PREFERENCES))} ({PLAIN})"
    parser.add_argument("--prefer", default=PLAIN, metavar="WHAT", help=about)
    parser.add_argument(
        "--date-field", metavar="NAME", help=f"date field, for earliest ({', '.join(DATE_FIELDS)})"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write (the screen)")
