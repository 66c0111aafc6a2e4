"""What a benchmark found: figures, bars and lists, for people (tables) or programs (JSON)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

Value = int | float | str

WIDEST = 1000  # columns of a table in a file


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

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "name": self.name,
            "value": self.value,
            "limit": self.limit,
            "at_least": self.at_least,
            "met": self.met,
        }


@dataclass(frozen=True, slots=True)
class Listing:
    """Cases worth a look, one a row."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[Value, ...]]


@dataclass(slots=True)
class Report:
    """All that a benchmark prints."""

    name: str
    figures: dict[str, Value] = field(default_factory=dict)
    bars: list[Bar] = field(default_factory=list)
    listings: list[Listing] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether all bars are met."""
        return all(bar.met for bar in self.bars)

    def as_json(self) -> str:
        """The whole report as one JSON object."""
        content = {
            "benchmark": self.name,
            "good": self.good,
            "figures": self.figures,
            "bars": [bar.as_dict() for bar in self.bars],
            "listings": {
                listing.title: [
                    dict(zip(listing.columns, row, strict=True)) for row in listing.rows
                ]
                for listing in self.listings
            },
        }
        return json.dumps(content, ensure_ascii=False, indent=2)

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
    for column in ("figure", "value", "bar", ""):
        table.add_column(column)
    for bar in bars:
        verdict = Text("met", "green") if bar.met else Text("MISSED", "bold red")
        sign = ">=" if bar.at_least else "<="
        limit = f"{sign} {_shown(bar.limit)}"
        table.add_row(Text(bar.name), Text(_shown(bar.value)), Text(limit), verdict)
    return table


def _print_table(console: Console, table: Table) -> None:
    """Print a table; where the output is a file, as wide as its content is."""
    if not console.is_terminal:
        options = console.options.update(width=WIDEST)
        console.width = max(console.width, console.measure(table, options=options).maximum)
    console.print(table)


def _shown(value: Value) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)
