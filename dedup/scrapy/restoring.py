"""Dropped items put back: a feed of them, as Scrapy would have written it.

drops -> their whole records -> items -> an item exporter of the settings -> a feed
      -> their requests -> marked in the store, so that the next crawl keeps the pages
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import IO, Any

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.settings import Settings
from scrapy.utils.conf import feed_complete_default_values_from_settings
from scrapy.utils.misc import build_from_crawler

from dedup.files import whole_bytes
from dedup.review.records import Drop, read_entries
from dedup.review.records import items_of as entry_items
from dedup.scrapy.environment import load_named, request_fingerprinter
from dedup.scrapy.values import decode, find_item_class, make_item


class RestoreError(ValueError):
    """Items cannot be put back; the message says which, why, and the way out."""


def latest_only(drops: Iterable[Drop]) -> list[Drop]:
    """Drops without those of a page that a later crawl of the same spider dropped too.

    Crawl after crawl drops it again; another spider makes other items of it.
    """
    groups: dict[tuple[str, str], dict[tuple[Path, str], list[Drop]]] = {}
    for drop in drops:
        crawls = groups.setdefault((drop.page, drop.spider), {})
        crawls.setdefault((drop.log, drop.crawl), []).append(drop)
    latest = (max(crawls.values(), key=lambda group: group[-1].time) for crawls in groups.values())
    return sorted(chain.from_iterable(latest), key=lambda drop: (str(drop.log), drop.offset))


def items_of(drops: Sequence[Drop], warn: Callable[[str], None]) -> Iterator[tuple[Drop, Any]]:
    """Drops with their items, each of the class it had; a dictionary where that is not loaded.

    Args:
        drops: the drops.
        warn: is told, once a class, why its items are written as dictionaries.

    Raises:
        RestoreError: a record that holds no item.
    """
    told: set[str] = set()
    for drop, entry in zip(drops, read_entries(drops), strict=True):
        try:
            items = [(name, decode(fields)) for name, fields in entry_items(entry)]
        except (ValueError, RecursionError) as error:
            raise RestoreError(f"the record of {drop.url} holds no item: {error!r}") from error
        for name, fields in items:
            item, problem = _make(name, fields)
            if problem and name not in told:
                told.add(name)
                warn(f"items of {name} are written as dictionaries: {problem}")
            yield drop, item


def _make(name: str, fields: Any) -> tuple[Any, str]:
    """An item of the class of a name; its fields where that cannot be, and why."""
    if not find_item_class(name):
        return fields, "no such class is loaded (--item-module)"
    try:
        return make_item(name, fields), ""
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        return fields, f"the class has other fields now: {error}"


def feed_format(path: Path, named: str | None, settings: Settings) -> str:
    """The format of a feed: the one named, else by the name of its file.

    Raises:
        RestoreError: the settings have no such format.
    """
    exporters = _exporters(settings)
    name = named or path.suffix.removeprefix(".")
    if name not in exporters:
        raise RestoreError(
            f"a format must be one of {', '.join(sorted(exporters))}; got {name!r}: "
            "use one as the file's suffix, or give it in --format"
        )
    return name


def write_feed(
    items: Iterable[tuple[Drop, Any]],
    path: Path,
    kind: str,
    settings: Settings,
    warn: Callable[[str], None],
) -> list[Drop]:
    """Write the items of drops with the exporter that the settings have for a format.

    FEED_EXPORT_FIELDS, FEED_EXPORT_ENCODING and FEED_EXPORT_INDENT hold as in a crawl. An item that
    the exporter cannot write is left out, as a crawl leaves it out.

    Args:
        items: drops with their items.
        path: the feed.
        kind: its format.
        settings: of the project.
        warn: is told of each item left out, and why.

    Returns:
        The drops whose items are written.

    Raises:
        OSError: the file cannot be written; there is then none, or the old one.
        RestoreError: the exporter can write none of them.
    """
    scratch = BytesIO()
    written, problem = [], "there is no item"
    with whole_bytes(path) as out:
        exporter, trial = (_make_exporter(kind, place, settings) for place in (out, scratch))
        for each in (exporter, trial):
            each.start_exporting()
        for drop, item in items:
            try:  # an exporter that fails may have written a part
                trial.export_item(item)
            except Exception as error:  # serializers are the project's
                problem = f"an item of {drop.name} cannot be written as {kind}: {error!r}"
                warn(f"{problem}; left out")
            else:
                exporter.export_item(item)
                written.append(drop)
            scratch.seek(0)
            scratch.truncate()
        exporter.finish_exporting()
        if not written:
            raise RestoreError(f"nothing is restored: {problem}")
    return written


def _make_exporter(kind: str, place: IO[bytes], settings: Settings) -> Any:
    options = feed_complete_default_values_from_settings({"format": kind}, settings)
    return build_from_crawler(
        load_named(_exporters(settings)[kind], f"FEED_EXPORTERS[{kind!r}]"),
        Crawler(Spider, settings),
        place,
        fields_to_export=options["fields"],
        encoding=options["encoding"],
        indent=options["indent"],
        **options["item_export_kwargs"],
    )


def requests_of(drops: Iterable[Drop], settings: Settings) -> set[bytes]:
    """The digests of the requests that fetched the pages of drops.

    An item without a URL has none that a later crawl knows it by.

    Raises:
        RestoreError: a record whose digest is none.
    """
    fingerprint, found = request_fingerprinter(settings), set()
    for drop in drops:
        if not drop.url:
            continue
        try:  # records of version 1 have no digest
            digest = bytes.fromhex(drop.request) or fingerprint(Request(drop.url))
        except ValueError as error:
            raise RestoreError(f"{drop.url!r} has no usable request: {error}") from None
        found.add(digest)
    return found


def _exporters(settings: Settings) -> dict[str, Any]:
    exporters = dict(settings.getwithbase("FEED_EXPORTERS"))
    return {name: exporter for name, exporter in exporters.items() if exporter is not None}
