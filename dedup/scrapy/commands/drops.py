"""Actions on drops: list, diff."""

from __future__ import annotations

import argparse
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from rich.table import Table
from rich.text import Text
from scrapy import Request

from dedup.page.kept_text import KeptText
from dedup.page.plain_text import join_texts
from dedup.review.differences import Row, Texts, compare_texts, fold
from dedup.review.records import KEPT, Drop, items_of, passages_of, read_entry, text_of
from dedup.scrapy.commands.context import CommandError, Context, UsageError, add_limit, count
from dedup.scrapy.commands.logs import add_choice, add_logs, all_drops, chosen
from dedup.scrapy.commands.printing import number_of, plain, url_column
from dedup.scrapy.environment import request_fingerprinter
from dedup.scrapy.values import decode
from dedup.store import Record, Store, StoreError

SHOWN = 50
SIDE_BY_SIDE = 100  # Columns of a terminal that are needed to show two texts side by side.
GAP = Text("...")
REWORDED = "words of reworded sentences, too; they do not count as new"
NEARBY = 2  # Equal paragraphs shown around a difference.


def list_drops(context: Context) -> None:
    """Show the dropped and tagged pages, and the page that each repeats."""
    totals = _Totals(asked_kept=context.options.kept)
    drops = chosen(context)
    urls = url_column("page"), url_column("of")
    columns = ("time (UTC)", "relation", "new", "alike", "items", *urls)
    counted = drops if context.json else map(totals.add, drops)
    context.print_list(counted, asdict, columns, _row, totals.tell, SHOWN)


def _row(drop: Drop) -> Iterator[object]:
    yield f"{drop.time:%m-%d %H:%M}"
    yield drop.relation.value
    yield None if drop.new is None else f"{drop.new:.0%}"
    yield f"{drop.similarity:.2f}"
    if drop.action == KEPT:
        yield ""
    else:
        yield f"{drop.items_dropped}" + (f" of {drop.items_given}" if drop.items_given > 1 else "")
    yield drop.name
    yield drop.of_name


@dataclass(slots=True)
class _Totals:
    """The sums below the list of drops. Of each drop only the names of its pages are kept."""

    asked_kept: bool  # Whether the user wants the kept pages.
    drops: int = 0
    kept: int = 0  # Drops that are kept pages.
    items: int = 0  # Dropped items.
    relations: Counter[str] = field(default_factory=Counter)
    new_words: dict[str, int] = field(default_factory=dict)  # By page.
    originals: set[str] = field(default_factory=set)

    def add(self, drop: Drop) -> Drop:
        """Count a drop, and return it."""
        self.drops += 1
        self.kept += drop.action == KEPT
        self.items += drop.items_dropped
        self.relations[drop.relation.value] += 1
        self.new_words[drop.name] = drop.new_words or 0
        self.originals.add(drop.original_name)
        return drop

    def tell(self) -> str:
        """The sums in one line."""
        only_kept = self.kept or (self.asked_kept and not self.drops)
        told = number_of(self.drops, "kept page" if only_kept else "near-duplicate")
        if 0 < self.kept < self.drops:
            told = f"{self.drops} records, {self.kept} of them of kept pages"
        if self.drops:
            parts = ", ".join(f"{number} {name}" for name, number in sorted(self.relations.items()))
            pages = number_of(len(self.originals), "page")
            words = number_of(sum(self.new_words.values()), "new word")
            told += f" ({parts}) of {pages}, {words}"
        return told + (f", {self.items} items" if self.items > self.drops else "")


def diff(context: Context) -> None:
    """Show the differences between a dropped page and the page that it repeats."""
    url = context.options.page
    if not url:
        raise UsageError("name a dropped page by its URL")
    found = [drop for drop in all_drops(context) if url in (drop.url, drop.of, drop.original)]
    drops = [drop for drop in found if drop.url == url]
    if not drops:
        done, option = ("kept", " --kept") if context.options.kept else ("dropped", "")
        way = f"list{option}` shows what was"
        if found:
            way = f"list{option} --of {shlex.quote(url)}` shows the {len(found)} that repeat it"
        raise CommandError(f"{url} was not {done}; `scrapy neardup {way}")
    drop = max(drops, key=lambda drop: drop.time)
    left, right = _texts(context, drop)
    rows = compare_texts(left, right)
    if context.json:
        passages = passages_of(read_entry(drop))
        told = [
            {side: [piece._asdict() for piece in getattr(row, side)] for side in ("left", "right")}
            for row in rows
        ]
        more = {"drops": len(drops), "passages": passages, "rows": told}
        context.print_json({**asdict(drop), **more})
        return
    _print_header(context, drop, len(drops), rows)
    if all(row.same for row in rows):
        print("The two texts are the same, as far as they are kept.")
    else:
        _print_rows(context, rows, _name_action(drop))


def _texts(context: Context, drop: Drop) -> tuple[str, str]:
    """The texts of the repeated page and of the dropped page."""
    try:
        dropped = dropped_text(drop, context.config.text_fields)
    except ValueError as error:
        raise CommandError(f"no text of {drop.url} can be read: {error}") from None
    dropped = dropped or _exported_text(context, drop)
    if not dropped:
        raise CommandError(
            f"the log has no text of {drop.url}; set NEARDUP_KEEP_TEXT=True for later crawls, or "
            "name the fields of its text in NEARDUP_TEXT_FIELDS"
        )
    with context.store(drop.spider, other_tables=True) as store:  # The index is not used.
        original = find_original(context, store, drop)
        if original is None:
            raise CommandError(
                f"the store in {context.place(drop.spider)} does not have {drop.original}; "
                "NEARDUP_STORE names the crawl's own, in the settings or with -s"
            )
        kept = _stored_text(store, original)
    if kept is None:
        raise CommandError(
            f"the store has no text of {drop.original}; a crawl with NEARDUP_KEEP_TEXT=True keeps "
            "it when it stores the page (the default up to 1,000,000 NEARDUP_EXPECTED_PAGES)"
        )
    return kept, dropped


def texts_of(context: Context, drop: Drop) -> Texts:
    """The texts of a dropped page and of the page it repeats, as far as they are kept.

    It raises the same errors as ``dropped_text``.
    """
    dropped = dropped_text(drop, context.config.text_fields)
    try:
        dropped = dropped or _exported_text(context, drop)
        with context.store(drop.spider, other_tables=True) as store:
            original = find_original(context, store, drop)
            return Texts(dropped, _stored_text(store, original) or "")
    except (OSError, StoreError, CommandError) as error:
        return Texts(dropped, "", f"The repeated page cannot be read: {error}")


def _exported_text(context: Context, drop: Drop) -> str:
    """The text, from the store, of a page in the log of kept pages; empty for a dropped page."""
    if drop.action != KEPT:
        return ""
    try:
        request = bytes.fromhex(drop.request)
    except ValueError as error:
        raise CommandError(f"{drop.url!r} has no usable request: {error}") from None
    with context.store(drop.spider, other_tables=True) as store:
        return _stored_text(store, store.find_request(request)) or ""


def _stored_text(store: Store, record: Record | None) -> str | None:
    """The stored text of a page; None if the store lacks the page or its text."""
    text = store.text(record.page_id) if record is not None else None
    return None if text is None else KeptText.read(text).shown


def find_original(context: Context, store: Store, drop: Drop) -> Record | None:
    """The stored page that a drop repeats; None if the store does not have it.

    A page that was in flight when the record was written had no number yet. Its URL finds it.
    """
    record = None
    if drop.of_page_id:
        record = store.get(drop.of_page_id)
    else:
        with suppress(ValueError):  # It has no URL.
            request = Request(drop.original)
            record = store.find_request(request_fingerprinter(context.settings)(request))
    return record if record is not None and record.url == drop.original else None


def dropped_text(drop: Drop, fields: tuple[str, ...]) -> str:
    """The text of a dropped page: from the log, else from the text fields of its items.

    Raises:
        OSError: the log cannot be read.
        ValueError: the log was changed since, or an item is nested too deep.
    """
    entry = read_entry(drop)
    try:
        return KeptText.read(text_of(entry) or "").shown or _text_of_item(entry, fields)
    except RecursionError as error:
        raise ValueError(f"its item is nested too deep: {error}") from None


def _text_of_item(entry: dict[str, Any], names: tuple[str, ...]) -> str:
    items = (decode(fields) for _, fields in items_of(entry))
    found = (map(item.get, names) for item in items if isinstance(item, dict))
    return "\n".join(join_texts(texts) for texts in found)


def _name_action(drop: Drop) -> str:
    return "kept" if drop.action == KEPT else "dropped"


def _print_header(context: Context, drop: Drop, drops: int, rows: list[Row]) -> None:
    again = f"; {_name_action(drop)} {drops} times, this is the latest" if drops > 1 else ""
    apart = "" if drop.distance is None else f", distance {drop.distance}"
    items = f"{drop.items_dropped} of {drop.items_given} items"
    part = f", {items}; below are the texts of the pages" if drop.by_items else ""
    reworded = any(row.left and row.right and not row.same for row in rows)
    context.print_facts(
        {
            "page": drop.url,
            "repeats": drop.of,
            **({"exported_as": drop.of_first} if drop.of_first else {}),
            "relation": f"{drop.relation}{part}{again}",
            "alike": f"similarity {drop.similarity:.2f}{apart}",
            "new": _told_new(drop),
            **({"marked": REWORDED} if reworded else {}),
        }
    )


def _told_new(drop: Drop) -> str:
    if drop.by_items:
        return "nothing in these items"
    if drop.new is None:
        return "unknown: the log is of an earlier version"
    how = "by the texts" if drop.confirmed else "by the fingerprints"
    if drop.new and drop.confirmed and not drop.new_words:
        return f"{drop.new:.0%} of the page, as it is longer; no sentence of it is new, {how}"
    return f"{drop.new:.0%} of the page, {drop.new_words} words, {how}"


def _print_rows(context: Context, rows: list[Row], action: str) -> None:
    """Print the rows that differ and some rows around them, in two columns or in one."""
    shown = fold(rows, context.options.context)
    unified = context.options.unified
    if unified is None:
        unified = context.out.width < SIDE_BY_SIDE
    if unified and not context.out.is_terminal:  # Each paragraph is printed on one line.
        for sign, text in _unified(shown):
            context.out.print(Text(" ").join((sign, text)), soft_wrap=True)
        return
    table = Table(box=None, padding=(0, 1), expand=not unified, show_header=not unified)
    for title in ("", "") if unified else ("repeated", action):
        table.add_column(title, overflow="fold", ratio=None if unified else 1)
    for cells in _unified(shown) if unified else _side_by_side(shown):
        table.add_row(*cells)
    context.out.print(table)


def _side_by_side(rows: Iterable[Row | int]) -> Iterator[tuple[Text, Text]]:
    for row in rows:
        if isinstance(row, int):
            yield GAP, GAP
        else:
            yield _marked(row.left, "-", "red"), _marked(row.right, "+", "green")


def _unified(rows: Iterable[Row | int]) -> Iterator[tuple[Text, Text]]:
    for row in rows:
        if isinstance(row, int):
            yield Text(" "), GAP
        elif row.same:
            yield Text(" "), _marked(row.left, "-", "red")
        else:
            for sign, pieces, colour in (("-", row.left, "red"), ("+", row.right, "green")):
                if pieces:
                    yield Text(sign, colour), _marked(pieces, sign, colour)


def _marked(pieces: tuple[Any, ...], sign: str, colour: str) -> Text:
    """A paragraph with its differences in colour and in wdiff's signs: [-old-] {+new+}."""
    opening, closing = ("[-", "-]") if sign == "-" else ("{+", "+}")
    text = Text()
    whole = len(pieces) == 1
    for piece in pieces:
        shown = plain(piece.text)
        if piece.same:
            text.append_text(shown)
        elif whole:
            text.append(shown.plain, colour)
        else:
            text.append(f"{opening}{shown.plain}{closing}", f"bold {colour}")
    return text


def list_options(parser: argparse.ArgumentParser) -> None:
    add_logs(parser)
    add_choice(parser)
    add_limit(parser, f"largest number of rows, 0 for all ({SHOWN}; all with --json)")


def diff_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("page", metavar="URL", help="a page that was dropped or tagged")
    add_logs(parser)
    side = parser.add_mutually_exclusive_group()
    side.add_argument("--unified", action="store_true", default=None, help="show one column")
    side.add_argument("--side-by-side", dest="unified", action="store_false", default=None)
    about = f"equal paragraphs shown around a difference ({NEARBY})"
    parser.add_argument("--context", type=partial(count, least=0), default=NEARBY, help=about)
