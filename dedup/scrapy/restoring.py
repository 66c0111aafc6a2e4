"""Restores dropped items: writes them to a feed, as Scrapy would have done.

drops -> their whole records -> items -> an item exporter of the settings -> a feed
      -> their requests -> marked in the store, so that the next crawl keeps the pages
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import IO, Any

from itemadapter import ItemAdapter
from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.exporters import CsvItemExporter
from scrapy.settings import Settings
from scrapy.utils.conf import feed_complete_default_values_from_settings
from scrapy.utils.misc import build_from_crawler
from scrapy.utils.python import without_none_values

from dedup.files import whole_bytes
from dedup.review.records import Drop, read_entries
from dedup.review.records import items_of as entry_items
from dedup.scrapy.environment import load_named, request_fingerprinter
from dedup.scrapy.values import decode, find_item_class, make_item

FEED_SETTINGS = (  # The settings that shape a feed.
    "FEED_EXPORT_ENCODING",
    "FEED_EXPORT_FIELDS",
    "FEED_EXPORT_INDENT",
    "FEED_EXPORT_BATCH_ITEM_COUNT",
    "FEED_STORE_EMPTY",
)
MOST_COLUMNS = 1_000  # Each row of a CSV feed has all columns.


class RestoreError(ValueError):
    """Items cannot be restored; the message contains the items, the reason and the way out."""


def latest_only(drops: Iterable[Drop]) -> list[Drop]:
    """For each page and spider, keep only the drops of the latest crawl.

    Each crawl of a spider drops the same page again. Another spider makes other items of the page.
    """
    groups: dict[tuple[str, str], dict[tuple[Path, str], list[Drop]]] = {}
    for drop in drops:
        crawls = groups.setdefault((drop.page, drop.spider), {})
        crawls.setdefault((drop.log, drop.crawl), []).append(drop)
    latest = (max(crawls.values(), key=lambda group: group[-1].time) for crawls in groups.values())
    return sorted(chain.from_iterable(latest), key=lambda drop: (str(drop.log), drop.offset))


def items_of(drops: Sequence[Drop], warn: Callable[[str], None]) -> Iterator[tuple[Drop, Any]]:
    """Drops with their items, each of its old class; a dictionary if the class is not loaded.

    ``warn`` is called once per class with the reason why its items become dictionaries.

    Raises RestoreError if a record contains no item.
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
    """An item of the named class and an empty text; else the fields and the reason."""
    if not find_item_class(name):
        return fields, "no such class is loaded (--item-module)"
    try:
        return make_item(name, fields), ""
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        return fields, f"the class has other fields now: {error}"


def feed_format(path: Path, named: str | None, settings: Settings) -> str:
    """The format of a feed: the named format, else the suffix of its file.

    Raises RestoreError if the settings have no such format.
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
    drops: Sequence[Drop],
    path: Path,
    kind: str,
    settings: Settings,
    warn: Callable[[str], None],
    watched: Callable[[Iterator[tuple[Drop, Any]]], Iterable[tuple[Drop, Any]]] = iter,
) -> list[Drop]:
    """Write the items of drops with the exporter for a format in the settings.

    FEED_EXPORT_FIELDS, FEED_EXPORT_ENCODING and FEED_EXPORT_INDENT are used as in a crawl. As in a
    crawl, an item that the exporter cannot write is left out. A CSV feed has the fields of all
    items; in a crawl it has those of the first.

    ``warn`` is called for each item that is left out, with the reason. The items pass through
    ``watched``, which may count them. Returns a drop for each item that was written.

    Raises:
        OSError: the file cannot be written; no file is made, and an older one stays as it was.
        RestoreError: the exporter can write none of the items, or they have too many fields.
    """
    scratch = BytesIO()
    written, problem = [], "there is no item"
    with whole_bytes(path) as out:
        exporter, trial = (_start_exporter(kind, place, settings) for place in (out, scratch))
        is_free = isinstance(exporter, CsvItemExporter) and not exporter.fields_to_export
        if is_free:
            exporter.fields_to_export = trial.fields_to_export = _field_names(drops)
        for drop, item in watched(items_of(drops, warn)):
            try:  # A trial, because an exporter may write a part of an item and then fail.
                if is_free:
                    _check_names(item)
                trial.export_item(item)
            except Exception as error:  # Serializers of the project may raise anything.
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


def _field_names(drops: Sequence[Drop]) -> list[str]:
    """The names of the fields of all items, in the order of their first appearance."""
    names: dict[str, None] = {}
    for _, item in items_of(drops, lambda _: None):
        with suppress(TypeError):  # The item is left out.
            names |= dict.fromkeys(_check_names(item))
    if len(names) > MOST_COLUMNS:
        raise RestoreError(
            f"the items have {len(names):,} fields in all, and a CSV feed gets at most "
            f"{MOST_COLUMNS:,} columns: choose fields in FEED_EXPORT_FIELDS, or write JSON lines"
        )
    return list(names)


def _check_names(item: Any) -> list[str]:
    """The names of an item's fields; raises TypeError if one is no string, or it is no item."""
    names = list(ItemAdapter(item).field_names())
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"the name of a field is no string: {name!r}")
    return names


def _start_exporter(kind: str, place: IO[bytes], settings: Settings) -> Any:
    name = f"FEED_EXPORTERS[{kind!r}]"
    exporter_class = load_named(_exporters(settings)[kind], name)
    try:
        options = feed_complete_default_values_from_settings({"format": kind}, settings)
        exporter = build_from_crawler(
            exporter_class,
            Crawler(Spider, settings),
            place,
            fields_to_export=options["fields"],
            encoding=options["encoding"],
            indent=options["indent"],
            **options["item_export_kwargs"],
        )
        exporter.start_exporting()
    except Exception as error:  # An exporter of the project may raise anything.
        used = [f"{name} = {settings[name]!r}" for name in FEED_SETTINGS if settings[name]]
        raise RestoreError(
            f"no {kind} feed can be written with {', '.join([name, *used])}: {error}"
        ) from error
    return exporter


def requests_of(drops: Iterable[Drop], settings: Settings) -> set[bytes]:
    """The digests of the requests that fetched the pages of drops.

    Items without a URL are left out: their digests are random.

    Raises RestoreError if a record has an invalid digest, or a URL of which no request can be made.
    """
    fingerprint, found = request_fingerprinter(settings), set()
    for drop in drops:
        if not drop.url:
            continue
        try:  # Records of version 1 have no digest.
            digest = bytes.fromhex(drop.request) or fingerprint(Request(drop.url))
        except ValueError as error:
            raise RestoreError(f"{drop.url!r} has no usable request: {error}") from None
        found.add(digest)
    return found


def _exporters(settings: Settings) -> dict[str, Any]:
    return without_none_values(settings.getwithbase("FEED_EXPORTERS"))
