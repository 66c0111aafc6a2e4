"""What the sdist holds: the whole repository, so that its own tests can be run."""

from __future__ import annotations

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
    listed = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    files = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    command = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", tmp_path]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)

    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    there = {name for name in files.split("\0") if name and (ROOT / name).exists()}
    assert len(there) > 500
    assert there - names == set()
