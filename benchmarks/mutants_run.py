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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from coverage import CoverageData

AT_LEAST, LONGER = 10.0, 4.0  # seconds and times that a test may take more than usually
WAITING = 60.0  # seconds more for all of them, of which they may wait
OURS = ("benchmarks", "crawler", "dedup", "settings", "tests")
QUIET = ("-q", "-x", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist")
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(
    ["numpy", "redis", "scrapy.cmdline", "plyvel", "jieba", "lxml.html"]
)


@dataclass(slots=True)
class Watch:
    """A plugin of pytest: notes the seconds of each test, and ends one that takes too many.

    A loop without end has the process killed, by a signal that nothing handles, once the test has
    taken more CPU time than it may; other work on the machine does not count.
    """

    allowed: Mapping[str, float]
    seconds: Counter[str] = field(default_factory=Counter)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test begins."""
        signal.setitimer(signal.ITIMER_PROF, self.allowed.get(nodeid, 0.0))

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

    def tests_of(self, module: Path, lines: Iterable[int]) -> dict[str, float]:
        """The tests that run any of some lines of a module and their seconds, quickest first."""
        of_module = self.running.get(module, {})
        found = frozenset[str]().union(*(of_module.get(line, ()) for line in lines))
        tests = sorted(self.seconds if "" in found else found, key=lambda test: self.seconds[test])
        return {test: self.seconds[test] for test in tests}


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
        covered = [f"--cov={self.root / 'dedup'}", "--cov-context=test", "--cov-report="]
        if self._run([*tests, *covered], {}, times=times):
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

    def try_tests(self, tests: Mapping[str, float], at_least: float = AT_LEAST) -> int | None:
        """Run tests, by the seconds that they usually take, each for some seconds at least.

        Returns:
            The exit code of pytest, None if it took too long.
        """
        listed = self.folder / "tests.txt"
        listed.write_text("\n".join(tests), encoding="utf-8")
        allowed = {test: at_least + LONGER * seconds for test, seconds in tests.items()}
        code = self._run([f"@{listed}"], allowed, WAITING + LONGER * sum(tests.values()))
        return None if code == -signal.SIGPROF else code

    def _run(
        self,
        arguments: Sequence[str],
        allowed: Mapping[str, float],
        limit: float | None = None,
        times: Path | None = None,
    ) -> int | None:
        process = PROCESSES.Process(
            target=_run_pytest, args=(self.folder, self.root, arguments, allowed, times)
        )
        process.start()
        process.join(limit)
        code = process.exitcode
        with suppress(ProcessLookupError):  # servers and crawls of tests that were cut short
            os.killpg(process.pid, signal.SIGKILL)
        process.join()
        return code


def _run_pytest(
    folder: Path,
    root: Path,
    arguments: Sequence[str],
    allowed: Mapping[str, float],
    times: Path | None,
) -> None:
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
    watch = Watch(allowed)
    code = pytest.main([*QUIET, *arguments], plugins=[watch])
    if times is not None:
        times.write_text(json.dumps(watch.seconds))
    sys.exit(code)
