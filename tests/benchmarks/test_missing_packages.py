"""A benchmark without its packages says in one line what to install."""

from __future__ import annotations

import subprocess
import sys

from tests.crawling import ROOT

HIDDEN = """
import runpy, sys
sys.modules["cosmic_ray"] = None
sys.argv = ["mutants", "--help"]
runpy.run_module("benchmarks.mutants", run_name="__main__")
"""


def test_mutants_name_what_installs_cosmic_ray() -> None:
    done = subprocess.run(
        [sys.executable, "-c", HIDDEN], check=False, cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr == "needs cosmic-ray: make mutants installs it\n"
