"""Mutation testing: is it noticed by the tests when a verdict, a store or a scheme is wrong?

Mutants are drawn in equal shares from the packages, with a fixed seed; all of them would take days.
Each is run on a copy of the project, by the package's own tests that ran its line before, the
quickest first, up to the first that fails. It is killed where one fails; it survives where all pass
or none runs its line. Tests that kill processes are left out: they run lines in other processes.
The score is the share of those noticed, with Wilson's interval of 95 %.
"""

from __future__ import annotations

import random
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from rich.console import Console

from benchmarks.command import as_command, make_parser, whole_number
from benchmarks.mutants_made import Mutant, Site, find_sites, make_mutant
from benchmarks.mutants_run import AT_LEAST, Baseline, Copy
from benchmarks.report import Listing, Report
from dedup.review.precision import wilson

ROOT = Path(__file__).parent.parent
TESTS = ROOT / "tests"
SAMPLE = 60
KILLED, TIMED_OUT, SURVIVED, NOT_RUN = "killed", "timed out", "survived", "not run"
NOTICED = (KILLED, TIMED_OUT)
COLUMNS = ("package", "sites", "mutants", "killed", "timed out", "survived", "score", "low", "high")


@dataclass(frozen=True, slots=True)
class Suite:
    """A package, those below it that have tests of their own, and its tests, as pytest has them."""

    package: str
    tests: tuple[str, ...]
    but: str = "/"

    def modules(self) -> list[Path]:
        """The modules of the package, as paths below the root."""
        found = (path.relative_to(ROOT) for path in sorted((ROOT / self.package).rglob("*.py")))
        return [path for path in found if not path.is_relative_to(self.but)]


SUITES = (
    Suite(
        "dedup/index",
        (
            *(f"tests/{path.name}" for path in sorted(TESTS.glob("test_in[_d]*.py"))),
            "-k",
            "not cluster",
        ),
    ),
    Suite(
        "dedup/store",
        (
            "tests/store",
            "tests/faults/test_damaged_files.py",
            "tests/faults/test_every_write.py",
            "tests/faults/test_older_stores.py",
            "tests/faults/test_rebuilds.py",
            "tests/faults/test_verify_and_repair.py",
            "-k",
            "not redis and not cluster and not killed and not (how_far and without)",
        ),
        but="dedup/store/redis",
    ),
    Suite(
        "dedup/store/redis",
        ("tests/store", "tests/test_index_shared.py", "-k", "(redis or cluster) and not killed"),
    ),
    Suite("dedup/schemes", ("tests/schemes",)),
    Suite("dedup/verdict", ("tests/verdict",)),
    Suite("dedup/urls", ("tests/urls",)),
    Suite("dedup/items", ("tests/items",)),
)


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of a mutant, and how many tests run its line."""

    mutant: Mutant
    outcome: str
    tests: int


def make_arguments() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = make_parser("mutants", __doc__, needs_data=False)
    parser.add_argument(
        "--sample", type=whole_number, default=SAMPLE, help=f"mutants a package ({SAMPLE})"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument(
        "--package",
        dest="packages",
        action="append",
        choices=[suite.package for suite in SUITES],
        help="only this one; can be given several times",
    )
    return parser


def run(options: Namespace, console: Console) -> Report:
    """Try a sample of the mutants of each package."""
    report = Report("mutants", {"seed": options.seed})
    scores = Listing("score", COLUMNS, rows := [])
    survivors = Listing("survivors", ("where", "before", "after", "tests"), survived := [])
    for suite in SUITES:
        if options.packages and suite.package not in options.packages:
            continue
        sites = [site for module in suite.modules() for site in find_sites(ROOT, module)]
        chance = random.Random(f"{options.seed} {suite.package}")
        tried = []
        for each in try_mutants(suite, draw(ROOT, sites, options.sample, chance)):
            tried.append(each)
            if each.outcome not in NOTICED:
                survived.append(row := survivor(each))
                console.print(len(tried), *row, sep="\n    ", markup=False, soft_wrap=True)
        rows.append(score(suite.package, len(sites), tried))
        console.print(*rows[-1], soft_wrap=True)
    report.listings += [scores, survivors]
    return report


def draw(root: Path, sites: Sequence[Site], wanted: int, chance: random.Random) -> list[Mutant]:
    """Mutants of as many sites of a project, no site twice."""
    made = (make_mutant(root, site, chance) for site in chance.sample(sites, len(sites)))
    found = (mutant for mutant in made if mutant is not None)
    return list(islice(found, wanted))


def try_mutants(suite: Suite, mutants: Sequence[Mutant]) -> Iterator[Tried]:
    """Run a package's tests on its mutants, one after the other."""
    with tempfile.TemporaryDirectory() as name:
        copy = Copy.make(ROOT, Path(name))
        baseline = copy.measure(suite.tests)
        for mutant in mutants:
            yield try_mutant(mutant, copy, baseline)


def try_mutant(mutant: Mutant, copy: Copy, baseline: Baseline, at_least: float = AT_LEAST) -> Tried:
    """Put a mutant into a copy of the project, run the tests of its line, and take it out."""
    module = mutant.site.module
    tests = baseline.tests_of(module, mutant.site.statement)
    if not tests:
        return Tried(mutant, NOT_RUN, 0)
    with copy.changed(module, mutant.source):
        code = copy.try_tests(tests, at_least)
    outcome = {None: TIMED_OUT, 0: SURVIVED}.get(code, KILLED)
    return Tried(mutant, outcome, len(tests))


def score(package: str, sites: int, tried: Sequence[Tried]) -> tuple[int | float | str, ...]:
    """A row of ``COLUMNS``."""
    count = Counter(each.outcome for each in tried)
    noticed = sum(count[outcome] for outcome in NOTICED)
    low, high = wilson(noticed, len(tried))
    shares = (noticed / len(tried), low, high) if tried else (0.0, low, high)
    missed = len(tried) - noticed
    return (package, sites, len(tried), count[KILLED], count[TIMED_OUT], missed, *shares)


def survivor(tried: Tried) -> tuple[int | str, ...]:
    """Where a mutant is, its line before and after, and how many tests run it."""
    mutant = tried.mutant
    place = f"{mutant.site.module}:{mutant.site.line}"
    return place, mutant.before, mutant.after, tried.tests


main = as_command(make_arguments, run)

if __name__ == "__main__":
    sys.exit(main())
