"""Mutants are made of what tests can tell, the same for the same seed, and are told apart."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

pytest.importorskip("cosmic_ray", reason="make mutants installs it")

from benchmarks.mutants import KILLED, NOT_RUN, SURVIVED, TIMED_OUT, Tried, draw, score, try_mutant
from benchmarks.mutants_made import Mutant, Site, find_sites
from benchmarks.mutants_run import OURS, Copy

MODULE = Path("dedup/sign.py")
SOURCE = '''"""A module."""

from __future__ import annotations

from functools import cache

CHUNK = 100
UNIT = 1


def sign(number: int | float, *, zero: int | None = None) -> int | None:
    """The sign of a number."""
    if number == 0:
        return zero
    if number > 1e9:
        raise ValueError("at most %s" % (1 << 30))
    return UNIT if number > 0 else -UNIT


@cache
def unused(number):
    return number + 1
'''
TEST = """
from dedup.sign import sign

def test_of_two(): assert (sign(7), sign(0)) == (1, None)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in OURS:
        (tmp_path / name).mkdir()
    (tmp_path / "dedup" / "__init__.py").touch()
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / MODULE).write_text(SOURCE)
    (tmp_path / "tests" / "test_sign.py").write_text(TEST)
    return tmp_path


def test_sites_are_what_tests_can_tell(project: Path) -> None:
    lines = SOURCE.splitlines()
    sites = {lines[site.line - 1].strip() for site in find_sites(project, MODULE)}
    assert sites == {
        "UNIT = 1",
        "if number == 0:",
        "if number > 1e9:",
        "return UNIT if number > 0 else -UNIT",
        "return number + 1",
    }


def test_the_same_seed_draws_the_same_mutants_of_different_sites(project: Path) -> None:
    sites = find_sites(project, MODULE)
    first, second = (draw(project, sites, 6, random.Random(3)) for _ in range(2))
    assert first == second
    assert len({mutant.site for mutant in first}) == 6
    assert all(mutant.source != SOURCE for mutant in first)


def test_a_place_that_cannot_be_changed_is_left_out(project: Path) -> None:
    """Exceptions with a dot in their names: cosmic-ray fails on some of them."""
    caught = "try:\n    f()\nexcept (OSError, struct.error):\n    a = 1\n"
    (project / MODULE).write_text(caught)
    drawn = draw(project, find_sites(project, MODULE), 9, random.Random(1))
    assert {mutant.site.line for mutant in drawn} == {3, 4}


def test_a_statement_over_several_lines_is_one(project: Path) -> None:
    (project / MODULE).write_text("def f(a):\n    return [\n        a,\n        a + 1,\n    ]\n")
    assert {site.statement for site in find_sites(project, MODULE)} == {range(2, 6)}


def test_mutants_are_killed_survive_time_out_or_are_not_run(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    copy = Copy.make(project, tmp_path_factory.mktemp("copy"))
    baseline = copy.measure(["tests"])

    def outcome(before: str, after: str) -> str:
        assert before in SOURCE
        line = SOURCE[: SOURCE.index(before)].count("\n") + 1
        site = Site(MODULE, line, range(line, line + 1), ())
        mutant = Mutant(site, SOURCE.replace(before, after), before, after)
        return try_mutant(mutant, copy, baseline, at_least=2.0).outcome

    assert outcome("UNIT = 1", "UNIT = 2") == KILLED
    assert outcome("UNIT if number > 0", "UNIT if number > 6") == SURVIVED
    assert outcome("return zero", "return all(iter(object, 1))") == TIMED_OUT
    assert outcome("number + 1", "number - 1") == NOT_RUN
    assert (copy.root / MODULE).read_text() == SOURCE


def test_tests_that_fail_without_a_mutant_are_refused(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (project / MODULE).write_text(SOURCE.replace("UNIT = 1", "UNIT = 2"))
    copy = Copy.make(project, tmp_path_factory.mktemp("copy"))
    with pytest.raises(RuntimeError, match="tests fail without a mutant"):
        copy.measure(["tests"])


def test_a_score_counts_those_not_run_as_missed() -> None:
    mutant = Mutant(Site(MODULE, 1, range(1, 2), ()), "", "", "")
    outcomes = [KILLED, KILLED, TIMED_OUT, SURVIVED, NOT_RUN]
    row = score("dedup", 9, [Tried(mutant, outcome, 1) for outcome in outcomes])
    assert row[:6] == ("dedup", 9, 5, 2, 1, 2)
    assert row[6:] == pytest.approx((0.6, 0.2307, 0.8824), abs=5e-5)
