"""Mutants: a module with one thing in it made wrong, by the operators of cosmic-ray.

A site is a place that can be made wrong, in one way or in many: ``a < b`` becomes ``a <= b`` or
``a == b``. A lot is drawn among the sites, then among the ways of a site, or arithmetic, which has
eleven, would make up most of a sample.

Left out is what cannot be told by a test: annotations, texts of errors and of the log, caches of
functions, equality in place of identity, and constants that only decide how fast something is.
"""

from __future__ import annotations

import ast
import difflib
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

try:
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator, operator_names
except ImportError:
    raise SystemExit("needs cosmic-ray: make mutants installs it") from None

Position = tuple[int, int]  # line from 1, column from 0
Way = tuple[str, int]  # an operator, and which of the places in a module that it can change

OPERATORS = tuple(
    name
    for name in operator_names()
    if not name.endswith(("VariableReplacer", "VariableInserter"))  # need a choice of variables
    and not name.endswith(("_Eq_Is", "_Is_Eq", "_NotEq_IsNot", "_IsNot_NotEq"))
)
SEPARATOR = re.compile(r"[*/]\s*,")  # of parameters: taken for an operator
LOGGERS = frozenset({"logger"})
DECORATORS = frozenset({"abstractmethod", "cache", "cached_property", "dataclass", "lru_cache"})
# How many at once, how many are remembered, how often: other numbers give the same answers.
SPEED_ONLY = frozenset(
    {"BEATS", "BLOCK_CACHE_SHARE", "BUCKET_WORDS", "BULK", "CHUNK", "ENTRIES", "ENTRY_BYTES"}
    | {"MARKS_SHARE", "PAGES", "POLL_SECONDS", "PROGRESS_STEP", "REMEMBERED", "ROOM", "SCAN_STEP"}
    | {"SEVERAL", "SPARE", "SYNC_SECONDS", "Sizes", "TEXT_BYTES", "TIMEOUT", "WORDS_A_PAGE"}
)


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a module that can be made wrong, the lines of its statement, and the ways."""

    module: Path
    line: int
    statement: range
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module made wrong: its whole source, and the changed lines before and after."""

    site: Site
    source: str
    before: str
    after: str


def find_sites(root: Path, module: Path) -> list[Site]:
    """The sites of a module, a path below the root of the project, in the order of their lines."""
    source = (root / module).read_text(encoding="utf-8")
    tree, nodes = ast.parse(source), list(ast_nodes(get_ast(source)))
    ways: dict[tuple[Position, Position], list[Way]] = defaultdict(list)
    for name in OPERATORS:
        operator = get_operator(name)()
        places = (place for node in nodes for place in operator.mutation_positions(node))
        for number, place in enumerate(places):
            ways[place].append((name, number))
    untold = [_span(source, node) for node in _untold(tree)]
    lines = source.splitlines()
    return [
        Site(module, line, _statement(tree, line), tuple(found))
        for ((line, column), _), found in sorted(ways.items())
        if not any(first <= (line, column) < last for first, last in untold)
        and not SEPARATOR.match(lines[line - 1], column)
    ]


def make_mutant(root: Path, site: Site, chance: random.Random) -> Mutant | None:
    """A site made wrong in a random one of its ways; None if no way leaves Python that differs."""
    source = (root / site.module).read_text(encoding="utf-8")
    for name, number in chance.sample(site.ways, len(site.ways)):
        try:
            made = mutate_code(source, get_operator(name)(), number)
        except AttributeError:  # An exception with a dot in its name, among others in brackets.
            continue
        if made is not None and _differs(source, made):
            changed = list(difflib.ndiff(source.splitlines(), made.splitlines()))
            before, after = (
                " ".join(line[2:].strip() for line in changed if line.startswith(sign))
                for sign in "-+"
            )
            return Mutant(site, made, before, after)
    return None


def _differs(source: str, made: str) -> bool:
    try:
        return ast.dump(ast.parse(source)) != ast.dump(ast.parse(made))
    except SyntaxError:
        return False


def _untold(tree: ast.Module) -> Iterator[ast.AST]:
    """What a module does no differently, as far as its tests go, when it is made wrong."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.ClassDef():
                yield from (each for each in node.decorator_list if _name(each) in DECORATORS)
        match node:
            case ast.arg(annotation=ast.expr() as part):
                yield part
            case ast.AnnAssign(annotation=part) | ast.FunctionDef(returns=ast.expr() as part):
                yield part
            case ast.Raise(exc=ast.Call(args=args)):
                yield from args
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name))) if name in LOGGERS:
                yield node
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield node
            case ast.Assign(targets=[ast.Name(id=name)]) if name in SPEED_ONLY:
                yield node
            case ast.ClassDef(name=name) if name in SPEED_ONLY:
                yield node


def _name(decorator: ast.expr) -> str:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return ast.unparse(called).rpartition(".")[2]


def _span(source: str, node: ast.AST) -> tuple[Position, Position]:
    """From where to where a part of a module stands; a decorator has its whole lines."""
    lines = source.splitlines()

    def place(line: int, octets: int) -> Position:
        return line, len(lines[line - 1].encode()[:octets].decode())

    first = place(node.lineno, node.col_offset)
    if lines[node.lineno - 1][: first[1]].strip() == "@":
        first = (node.lineno, 0)
    return first, place(node.end_lineno, node.end_col_offset)


def _statement(tree: ast.Module, line: int) -> range:
    """The lines of the innermost statement around a line, without the statements inside of it."""
    heads = (
        range(node.lineno, _end(node) + 1)
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt | ast.excepthandler)
    )
    around = (head for head in heads if line in head)
    return max(around, key=lambda head: head.start, default=range(line, line + 1))


def _end(node: ast.stmt | ast.excepthandler) -> int:
    """The last line of a statement without those inside of it."""
    match node:
        case ast.Match(cases=[first, *_]):
            return first.pattern.lineno - 1
        case object(body=[first, *_]):
            return max(node.lineno, first.lineno - 1)
    return node.end_lineno
