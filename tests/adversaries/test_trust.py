"""What is trusted: no object is made of stored bytes, and no dependency is taken unverified."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
MODULES = sorted(path for name in ("dedup", "crawler") for path in (ROOT / name).rglob("*.py"))
# These run what their input says. multiprocessing and Spark use pickles of their own, between a
# crawl and its workers or a driver and its executors: no page, store or file has a way in.
RUNNING = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "jsonpickle"}
RUNNING |= {"eval", "exec", "__import__", "system", "popen", "allow_pickle", "shell"}


def names(tree: ast.AST) -> Iterator[str]:
    """Modules that are imported, functions that are called, and their keywords."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=aliases):
                yield from (alias.name.split(".")[0] for alias in aliases)
            case ast.ImportFrom(module=str(module)):
                yield module.split(".")[0]
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), keywords=keywords):
                yield name
                yield from (keyword.arg for keyword in keywords if keyword.arg)


def test_no_module_runs_text_or_makes_objects_of_bytes() -> None:
    found = {path: RUNNING & set(names(ast.parse(path.read_text()))) for path in MODULES}
    assert {path: running for path, running in found.items() if running} == {}
    assert len(found) > 100


def pinned(name: str) -> list[str]:
    """The requirements of a lock, each with its hashes in one line."""
    text = (ROOT / name).read_text().replace("\\\n", " ")
    return [line for line in text.split("\n") if line.strip() and not line.strip().startswith("#")]


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-spark.lock"])
def test_every_dependency_is_pinned_by_version_and_hash(name: str) -> None:
    pin = re.compile(r"[\w.-]+(\[[\w,-]+\])?==[\w.]+ .*--hash=sha256:[0-9a-f]{64}")
    loose = [line for line in pinned(name) if not pin.match(line)]
    assert (loose, len(pinned(name)) > 10) == ([], True)


def test_what_needs_a_package_with_extras_finds_them_pinned() -> None:
    """Without them pip 23, which Debian 12 brings, asks for the newest release, and refuses it."""
    pins = [Requirement(line.split(" ")[0]) for line in pinned("requirements.lock")]
    extras = {canonicalize_name(pin.name): pin.extras for pin in pins}
    needed = [
        (pin.name, need)
        for pin in pins
        for need in map(Requirement, distribution(pin.name).requires or [])
        if need.extras and (need.marker is None or need.marker.evaluate({"extra": ""}))
    ]
    missing = [
        f"{name} needs {need}"
        for name, need in needed
        if not need.extras <= extras[canonicalize_name(need.name)]
    ]
    assert (missing, len(needed) > 1) == ([], True)
