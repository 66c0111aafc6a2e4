"""What a benchmark found: figures, bars and lists, as tables, as Markdown or as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

Value = int | float | str

WIDEST = 1000  # columns of a table in a file
BAR_COLUMNS = ("figure", "value", "bar", "")


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure that must not be worse than a limit."""

    name: str
    value: float
    limit: float
    at_least: bool = True

    @property
    def met(self) -> bool:
        """Whether the figure is good enough."""
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    @property
    def bound(self) -> str:
        """The limit, with its direction."""
        return f"{'>=' if self.at_least else '<='} {_shown(self.limit)}"

    @property
    def verdict(self) -> str:
        """One word for people."""
        return "met" if self.met else "MISSED"


def at_most(name: str, value: float, limit: float) -> Bar:
    """A bar for a figure that must not be above its limit."""
    return Bar(name, value, limit, at_least=False)


@dataclass(frozen=True, slots=True)
class Listing:
    """Cases worth a look, one a row."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[Value, ...]]


@dataclass(slots=True)
class Report:
    """All that a benchmark prints; ``notes`` say what was left out and why."""

    name: str
    figures: dict[str, Value] = field(default_factory=dict)
    bars: list[Bar] = field(default_factory=list)
    listings: list[Listing] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether all bars are met."""
        return all(bar.met for bar in self.bars)

    def as_json(self) -> str:
        """The whole report as one JSON object."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=2)

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "benchmark": self.name,
            "good": self.good,
            "figures": self.figures,
            "bars": [{**asdict(bar), "met": bar.met} for bar in self.bars],
            "listings": {
                listing.title: [
                    dict(zip(listing.columns, row, strict=True)) for row in listing.rows
                ]
                for listing in self.listings
            },
            "notes": self.notes,
        }

    def as_markdown(self) -> str:
        """The report as Markdown, to be pasted into a page."""
        parts = [_markdown(("figure", "value"), self.figures.items())] if self.figures else []
        parts += [
            f"**{listing.title}**\n\n{_markdown(listing.columns, listing.rows)}"
            for listing in self.listings
            if listing.rows
        ]
        if self.bars:
            rows = [(bar.name, bar.value, bar.bound, bar.verdict) for bar in self.bars]
            parts.append(_markdown(BAR_COLUMNS, rows))
        return "\n\n".join([*parts, *self.notes])

    def print(self, console: Console) -> None:
        """Show the report as tables."""
        console.rule(Text(self.name))
        figures = Table.grid(padding=(0, 2))
        for name, value in self.figures.items():
            figures.add_row(Text(name), Text(_shown(value)))
        _print_table(console, figures)
        for listing in self.listings:
            if listing.rows:
                _print_table(console, _listing_table(listing))
        if self.bars:
            _print_table(console, _bar_table(self.bars))
        for note in self.notes:
            console.print(Text(note), soft_wrap=True)


def _listing_table(listing: Listing) -> Table:
    title = f"{listing.title} ({len(listing.rows)})"
    table = Table(title=Text(title), title_justify="left", min_width=len(title))
    for column in listing.columns:
        table.add_column(column, overflow="fold")
    for row in listing.rows:
        table.add_row(*(Text(_shown(value)) for value in row))
    return table


def _bar_table(bars: list[Bar]) -> Table:
    table = Table(title="bars", title_justify="left")
    for column in BAR_COLUMNS:
        table.add_column(column)
    for bar in bars:
        verdict = Text(bar.verdict, "green" if bar.met else "bold red")
        table.add_row(Text(bar.name), Text(_shown(bar.value)), Text(bar.bound), verdict)
    return table


def _print_table(console: Console, table: Table) -> None:
    """Print a table; where the output is a file, as wide as its content is."""
    if not console.is_terminal:
        options = console.options.update(width=WIDEST)
        console.width = max(console.width, console.measure(table, options=options).maximum)
    console.print(table)


def _shown(value: Value) -> str:
    """Shares to four places, larger figures to one."""
    if not isinstance(value, float):
        return str(value)
    return f"{value:.4f}" if abs(value) < 10 else f"{value:.1f}"


def _markdown(columns: Iterable[str], rows: Iterable[Iterable[Value]]) -> str:
    head = [_cells(columns), "|" + "---|" * len(tuple(columns))]
    return "\n".join([*head, *(_cells(map(_shown, row)) for row in rows)])


def _cells(texts: Iterable[str]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|") for text in texts) + " |"
