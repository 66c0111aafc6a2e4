"""Tests run on a copy of the project, each time in a fresh process.

The process is forked off one that has loaded what the tests need of other projects, for that takes
longer than most tests. The copy is the first on its path.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from coverage import CoverageData

OURS = ("benchmarks", "crawler", "dedup", "settings", "tests")
QUIET = ("-q", "-x", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist")
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(
    ["numpy", "redis", "scrapy.cmdline", "plyvel", "jieba", "lxml.html"]
)


@dataclass(slots=True)
class Times:
    """A plugin of pytest that notes the seconds of each test."""

    seconds: Counter[str] = field(default_factory=Counter)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A part of a test has ended."""
        self.seconds[report.nodeid] += report.duration


@dataclass(frozen=True, slots=True)
class Baseline:
    """The tests of a package that is not made wrong: their seconds, and which of them run a line.

    A line that is run by an import has all tests.
    """

    seconds: dict[str, float]
    running: dict[Path, dict[int, frozenset[str]]]

    def tests_of(self, module: Path, lines: Iterable[int]) -> list[str]:
        """The tests that run any of some lines of a module, the quickest first."""
        of_module = self.running.get(module, {})
        found = frozenset[str]().union(*(of_module.get(line, ()) for line in lines))
        return sorted(self.seconds if "" in found else found, key=lambda test: self.seconds[test])


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of a project, in a folder that has room for temporary files beside it."""

    source: Path
    folder: Path

    @property
    def root(self) -> Path:
        """Where the copy is."""
        return self.folder / "project"

    @classmethod
    def make(cls, source: Path, folder: Path) -> Copy:
        """Copy what tests need of a project, given by its root."""
        copy = cls(source, folder)
        copy.root.mkdir()
        (folder / "tmp").mkdir()
        for name in OURS:
            shutil.copytree(source / name, copy.root / name)
        shutil.copy2(source / "pyproject.toml", copy.root)
        return copy

    @contextmanager
    def changed(self, module: Path, text: str) -> Iterator[None]:
        """Give a module, a path below the root, another text for a while."""
        (self.root / module).write_text(text, encoding="utf-8")
        try:
            yield
        finally:  # with the old time, so that its byte code is good again
            shutil.copy2(self.source / module, self.root / module)

    def measure(self, tests: Sequence[str]) -> Baseline:
        """Run tests, which may be files and options of pytest.

        Raises:
            RuntimeError: they do not pass.
        """
        times, data = self.folder / "times.json", self.folder / "coverage"
        code = self.run(
            [*tests, f"--cov={self.root / 'dedup'}", "--cov-context=test", "--cov-report="],
            times=times,
        )
        if code:
            raise RuntimeError(
                f"the tests {' '.join(tests)} fail without a mutant: mend them first"
            )
        seconds = json.loads(times.read_text())
        coverage = CoverageData(str(data))
        coverage.read()
        running: dict[Path, dict[int, frozenset[str]]] = defaultdict(dict)
        for name in coverage.measured_files():
            for line, contexts in coverage.contexts_by_lineno(name).items():
                running[Path(name).relative_to(self.root)][line] = frozenset(
                    context.rpartition("|")[0] for context in contexts
                )
        return Baseline(seconds, running)

    def run(
        self, arguments: Sequence[str], *, limit: float | None = None, times: Path | None = None
    ) -> int | None:
        """Run pytest; returns its exit code, or None if it has not ended after some seconds."""
        process = PROCESSES.Process(target=_run, args=(self.folder, self.root, arguments, times))
        process.start()
        process.join(limit)
        code = process.exitcode
        with suppress(ProcessLookupError):  # servers and crawls of tests that were cut short
            os.killpg(process.pid, signal.SIGKILL)
        process.join()
        return code


def _run(folder: Path, root: Path, arguments: Sequence[str], times: Path | None) -> None:
    os.setsid()
    os.chdir(root)
    output = os.open(folder / "output.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:  # not the copy's
        del sys.modules[name]
    sys.path.insert(0, str(root))
    sys.dont_write_bytecode = times is None
    os.environ |= {
        "CI": "1",  # the profile of Hypothesis that draws the same examples every time
        "COVERAGE_FILE": str(folder / "coverage"),
        "PYTHONPATH": str(root),
        "TMPDIR": str(folder / "tmp"),
    }
    plugin = Times()
    code = pytest.main([*QUIET, *arguments], plugins=[plugin])
    if times is not None:
        times.write_text(json.dumps(plugin.seconds))
    sys.exit(code)
