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


def list_schemes(context: Context) -> int:
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
    return 0


def _print_all(context: Context) -> None:
    schemes = _find_all(context)
    if context.json:
        context.print_json([_describe(scheme) for scheme in schemes.values()])
        return
    columns = (_name_column("scheme", schemes), "what it does", Column("options", overflow="fold"))
    rows = []
    for name, scheme in schemes.items():
        options = ", ".join(f"{option}={value}" for option, value in _defaults(scheme).items())
        rows.append((name, _about(scheme).partition("\n")[0], options))
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
    if context.json:
        context.print_json(_describe(scheme))
        return
    for paragraph in _paragraphs(_about(scheme)):
        context.out.print(paragraph)
    context.out.print()
    names, defaults = _name_column("option", rules(scheme)), _defaults(scheme)
    columns = (names, Column("default", overflow="fold"), "allowed", "acts on")
    rows = (
        (option, defaults[option], rule.allowed, "verdicts" if rule.judges else "fingerprints")
        for option, rule in rules(scheme).items()
    )
    context.print_table(make_table(columns, rows))


def _name_column(title: str, names: Iterable[str]) -> Column:
    """A column of names, which are never cut, even on a narrow terminal."""
    return Column(title, no_wrap=True, min_width=max(map(len, names)))


def _describe(scheme: type[Scheme]) -> dict[str, Any]:
    defaults = _defaults(scheme)
    return {
        "scheme": specify(scheme()),
        "about": _about(scheme),
        "options": {
            option: {
                "default": defaults[option],
                "allowed": rule.allowed,
                "acts_on": "verdicts" if rule.judges else "fingerprints",
            }
            for option, rule in rules(scheme).items()
        },
    }


def _defaults(scheme: type[Scheme]) -> dict[str, Any]:
    made = scheme()
    return {option: getattr(made, option) for option in rules(scheme)}


def _about(scheme: type[Scheme]) -> str:
    return inspect.cleandoc(scheme.__doc__ or "").replace("``", "")


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
