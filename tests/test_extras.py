"""What extras hold: what the project declares is what commands look for."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from dedup.extras import PACKAGES, missing

ROOT = Path(__file__).parents[1]
COLLECT = """
import sys, pytest
for name in sys.argv[1:]:
    sys.modules[name] = None
class Modules:
    pytest_pycollect_makeitem = staticmethod(lambda collector, name, obj: [])
options = ["--collect-only", "-qq", "-p", "no:cacheprovider"]
sys.exit(pytest.main(options, [Modules()]))
"""
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


@pytest.mark.parametrize("extra", PACKAGES)
def test_the_packages_of_an_extra_are_those_that_it_declares(extra: str) -> None:
    declared = DECLARED["optional-dependencies"][extra]
    assert sorted(PACKAGES[extra]) == [re.split("[<>=]", one)[0] for one in declared]


def test_what_is_missing_is_named_with_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PACKAGES, "report", ("json", "not_there", "nor_this"))
    assert missing("report").startswith("not_there and nor_this: pip install '.[report]'")
    monkeypatch.setitem(PACKAGES, "report", ("json",))
    assert missing("report") == ""


def test_tests_are_collected_where_the_extra_that_is_not_in_the_lock_is_missing() -> None:
    """Those that need its packages are skipped then, with a line that says how to get them.

    All modules of tests are imported, and no tests are made of them: that would take twice as long.
    """
    command = [sys.executable, "-c", COLLECT, *PACKAGES["spark"]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED, done.stdout[-2000:]
