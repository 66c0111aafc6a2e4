"""What is trusted: no object is made of stored bytes, and no dependency is taken unverified."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-spark.lock"])
def test_every_dependency_is_pinned_by_version_and_hash(name: str) -> None:
    text = (ROOT / name).read_text().replace("\\\n", " ")
    pins = [line for line in text.split("\n") if line.strip() and not line.strip().startswith("#")]
    loose = [
        pin for pin in pins if not re.match(r"[\w.-]+==[\w.]+ .*--hash=sha256:[0-9a-f]{64}", pin)
    ]
    assert (loose, len(pins) > 10) == ([], True)
