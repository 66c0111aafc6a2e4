"""What the sdist holds: the whole repository, so that its own tests can be run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_the_sdist_has_every_file_of_the_repository(tmp_path: Path) -> None:
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("no checkout to compare with: clone the repository with git")
    trusting = tmp_path / "gitconfig"  # a checkout may belong to somebody else
    trusting.write_text("[safe]\n\tdirectory = *\n")
    environ = os.environ | {"GIT_CONFIG_GLOBAL": str(trusting)}
    clone = tmp_path / "clone"  # an old list of files beside the checkout would count, too
    for command in (
        ["git", "clone", "--quiet", str(ROOT), str(clone)],
        [sys.executable, "-m", "build", "--sdist", "--no-isolation", str(clone)],
    ):
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    (sdist,) = (clone / "dist").glob("*.tar.gz")
    with tarfile.open(sdist) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    listed = ["git", "-C", str(clone), "ls-files", "-z"]
    ran = subprocess.run(listed, env=environ, capture_output=True, text=True, check=True)
    files = ran.stdout
    assert len(files.split("\0")) > 500
    assert {*files.split("\0")} - {""} - names == set()
