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


LINES = ("list", "list --json")
PROGRAM = f"""
from contextlib import suppress
from scrapy.cmdline import execute
for line in {LINES}:
    with suppress(SystemExit):
        execute(["scrapy", "neardup", *line.split(), "-s", "NEARDUP_LOG=drops.jsonl"])
"""


def printed(folder: Path, encoding: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
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
    *table, drop = printed(folder, encoding).splitlines()
    assert any("example" in line for line in table)
    assert json.loads(drop)["url"] == URL
