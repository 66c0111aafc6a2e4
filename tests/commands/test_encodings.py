"""What commands print where the output cannot say every character."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from crawling import environment

from tests.made_logs import entry, write_log

URL = "https://茶.example/é"


def run(folder: Path, encoding: str, *line: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "neardup", *line],
        cwd=folder,
        env=environment() | {"PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.decode(encoding)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "gbk", "utf-8"])
def test_drops_are_listed_in_any_encoding(folder: Path, encoding: str) -> None:
    write_log(folder / "drops.jsonl", [entry(url=URL)])
    line = ("list", "-s", "NEARDUP_LOG=drops.jsonl")
    assert "example" in run(folder, encoding, *line)
    (drop,) = map(json.loads, run(folder, encoding, *line, "--json").splitlines())
    assert drop["url"] == URL
