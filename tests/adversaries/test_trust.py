"""What is trusted: no object is made of stored bytes, and no dependency is taken unverified."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
TESTING = ROOT / "dedup" / "testing"  # Contracts that are run by pytest alone.
MODULES = sorted(
    path
    for name in ("dedup", "crawler")
    for path in (ROOT / name).rglob("*.py")
    if TESTING not in path.parents
)
# These run what their input says. multiprocessing and Spark use pickles of their own, between a
# crawl and its workers or a driver and its executors: no page, store or file has a way in.
RUNNING = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "jsonpickle"}
# Scrapy's JOBDIR holds requests with the objects in them. Scrapy makes objects of its files, too:
# the folder must be as trusted as the project's code.
ALLOWED = {ROOT / "dedup" / "scrapy" / "requests.py": {"pickle"}}
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
    assert {path: running for path, running in found.items() if running} == ALLOWED
    assert len(found) > 100


def pinned(lock: Path) -> list[str]:
    """The requirements of a lock, each with its hashes in one line."""
    text = lock.read_text().replace("\\\n", " ")
    return [line for line in text.split("\n") if line.strip() and not line.strip().startswith("#")]


LOCKS = [
    ROOT / "requirements" / f"{name}.lock"
    for name in ("build", "crawl", "lowest", "scrapyd", "spark", "test")
]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_dependency_is_pinned_by_version_and_hash(lock: Path) -> None:
    pin = re.compile(r"[\w.-]+==[\w.]+ (; [^\\]+ )? *--hash=sha256:[0-9a-f]{64}")
    loose = [line for line in pinned(lock) if not pin.match(line)]
    assert (loose, len(pinned(lock)) > 1) == ([], True)
    assert "://" not in lock.read_text()  # no name of a host


@pytest.mark.parametrize("version", ["3.11.2", "3.12.0", "3.13.5", "3.14.0"])
@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_a_lock_has_one_version_of_each_package_for_every_python(
    version: str, machine: str
) -> None:
    python = {
        "python_full_version": version,
        "python_version": version.rpartition(".")[0],
        "platform_machine": machine,
        "sys_platform": "linux",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    for lock in LOCKS:
        pins = [Requirement(line.split(" --hash")[0]) for line in pinned(lock)]
        taken = [pin.name for pin in pins if not pin.marker or pin.marker.evaluate(python)]
        assert len(taken) == len(set(taken)), lock.name
        if lock.name == "crawl.lock":
            assert len({"plyvel", "plyvel-next"} & set(taken)) == 1
