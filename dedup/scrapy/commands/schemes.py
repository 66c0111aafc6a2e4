"""The action that lists and explains schemes: schemes."""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Iterable, Iterator
from typing import Any

from rich.padding import Padding
from rich.table import Column
from rich.text import Text

from dedup.schemes import Scheme, find_scheme, scheme_names, specify
from dedup.schemes.options import rules
from dedup.scrapy.commands.context import Context, UsageError
from dedup.scrapy.commands.printing import make_table

_OPTION = re.compile(r" {4}\w+: ")


def list_schemes(context: Context) -> None:
    """List the schemes, or explain one with its options."""
    name = context.options.scheme
    if name is None:
        _print_all(context)
    else:
        try:
            scheme = find_scheme(name)
        except ValueError as error:
            raise UsageError(str(error)) from None
        _print_one(context, scheme)


def _print_all(context: Context) -> None:
    schemes = {name: _describe(scheme) for name, scheme in _find_all(context).items()}
    if context.json:
        context.print_json(list(schemes.values()))
        return
    columns = (_name_column("scheme", schemes), "what it does", Column("options", overflow="fold"))
    rows = []
    for name, scheme in schemes.items():
        options = (f"{option}={value['default']}" for option, value in scheme["options"].items())
        rows.append((name, scheme["about"].partition("\n")[0], ", ".join(options)))
    context.print_table(make_table(columns, rows))


def _find_all(context: Context) -> dict[str, type[Scheme]]:
    """All schemes by name, also of other packages; warns of a broken scheme and leaves it out."""
    schemes = {}
    for name in scheme_names():
        try:
            schemes[name] = find_scheme(name)
        except ValueError as error:
            context.warn(str(error))
    return schemes


def _print_one(context: Context, scheme: type[Scheme]) -> None:
    described = _describe(scheme)
    if context.json:
        context.print_json(described)
        return
    for paragraph in _paragraphs(described["about"]):
        context.out.print(paragraph)
    context.out.print()
    options = described["options"]
    columns = (_name_column("option", options), Column("default", overflow="fold"), "allowed")
    rows = ((option, *facts.values()) for option, facts in options.items())
    context.print_table(make_table((*columns, "acts on"), rows))


def _name_column(title: str, names: Iterable[str]) -> Column:
    """A column of names, which are never cut, even on a narrow terminal."""
    return Column(title, no_wrap=True, min_width=max(map(len, names)))


def _describe(scheme: type[Scheme]) -> dict[str, Any]:
    made = scheme()
    return {
        "scheme": specify(made),
        "about": inspect.cleandoc(scheme.__doc__ or "").replace("``", ""),
        "options": {
            option: {
                "default": getattr(made, option),
                "allowed": rule.allowed,
                "acts_on": "verdicts" if rule.judges else "fingerprints",
            }
            for option, rule in rules(scheme).items()
        },
    }


def _paragraphs(about: str) -> Iterator[Padding]:
    """The paragraphs of a docstring, and each of its options, so that a console can wrap them."""
    lines: list[str] = []
    for line in about.split("\n"):
        if line and lines and lines[-1] and not _OPTION.match(line):
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line)
    for line in lines:
        text = line.lstrip()
        yield Padding(Text(text), (0, 0, 0, len(line) - len(text)))


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scheme", nargs="?", help="explain this scheme and its options")
