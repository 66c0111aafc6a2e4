"""Workers and the programs that crawl: neither runs the other."""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from crawling import ASYNCIO, SELECT, SETTINGS, Web, article

from dedup.scrapy.workers import DEATHS, apart
from tests.crawler.sites import run_apart

# A script without a main guard, as most that crawl.
SCRIPT = """
import json, multiprocessing, pathlib, sys
open("runs", "a").write("x")
multiprocessing.set_executable(sys.argv[1])
from crawling import main
main(json.loads(pathlib.Path("job.json").read_text()))
"""

# A Python that is none for workers, as where memory or a module is missing.
NO_WORKERS = f"""#!/bin/sh
case "$*" in *spawn_main*) exit 1 ;; esac
exec {sys.executable} "$@"
"""


def run_script(folder: Path, web: Web, python: str, **settings: Any) -> tuple[dict[str, Any], str]:
    """The stats of a script's crawl whose workers run a Python, and what it wrote to stderr."""
    web.pages = {"/a": article("tides", "/b"), "/b": article("tides")}
    (folder / "script.py").write_text(SCRIPT)
    job = {"urls": web.urls("/a"), "settings": SETTINGS | {"NEARDUP_WORKERS": 1} | settings}
    (folder / "job.json").write_text(json.dumps(job))

    done = run_apart(folder, [sys.executable, "script.py", python])

    assert done.returncode == 0, done.stderr
    return json.loads((folder / "stats.json").read_text()), done.stderr


def test_workers_do_not_run_the_script_of_the_crawl_again(folder: Path, web: Web) -> None:
    stats, _ = run_script(folder, web, sys.executable)

    assert (stats["neardup/new"], stats["neardup/duplicates"]) == (1, 1)
    assert stats["neardup/worker_deaths"] == 0
    assert (folder / "runs").read_text() == "x"


def spawn_apart(function: Callable[..., Any], *arguments: Any) -> int | None:
    """Call a function in a process as workers are; returns the exit code."""
    process = multiprocessing.get_context("spawn").Process(target=function, args=arguments)
    with apart():
        process.start()
    process.join()
    return process.exitcode


class Witness:
    """Notes what a module holds when a process that it is given to starts."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.seen: dict[str, Any] = {}

    def __reduce__(self) -> tuple[type[str], tuple[()]]:
        self.seen = dict(vars(self.module))
        return str, ()


def test_a_program_that_runs_while_a_worker_starts_is_as_ever() -> None:
    main = sys.modules["__main__"]
    before = dict(vars(main))
    witness = Witness(main)

    spawn_apart(str, witness)

    assert witness.seen == before == vars(main)
    assert sys.modules["__main__"] is main


def test_workers_start_in_a_debugger_whose_program_has_no_spec(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(sys.modules["__main__"], "__spec__")

    assert spawn_apart(str) == 0
    assert not hasattr(sys.modules["__main__"], "__spec__")


@pytest.mark.parametrize(("set_to", "told"), [(None, "1"), ("3", "3")])
def test_workers_start_no_threads_of_numpys_unless_the_user_says(
    folder: Path, monkeypatch: pytest.MonkeyPatch, set_to: str | None, told: str
) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    if set_to is not None:
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", set_to)
    file = folder / "told"

    spawn_apart(os.system, f"echo $OPENBLAS_NUM_THREADS > '{file}'")

    assert file.read_text().strip() == told
    assert os.environ.get("OPENBLAS_NUM_THREADS") == set_to


@pytest.mark.parametrize("runs", [ASYNCIO, SELECT], ids=["asyncio", "select"])
def test_where_no_worker_can_live_a_crawl_goes_on_without(
    folder: Path, web: Web, runs: str
) -> None:
    python = folder / "python"
    python.write_text(NO_WORKERS)
    python.chmod(0o700)

    stats, told = run_script(folder, web, str(python), TWISTED_REACTOR=runs)

    assert (stats["neardup/new"], stats["neardup/duplicates"]) == (1, 1)
    assert stats["neardup/worker_deaths"] == DEATHS
    assert "NEARDUP_WORKERS=0" in told
