"""What is wrong with a line of ``scrapy neardup`` is said in one sentence; it ends with 2."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Neardup
from made_logs import entry, write_log


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("schemes md5", "there is no scheme 'md5'; there are combined, "),
        ("keep feed.jsonl --prefer newest", "a preference must be one of plain, first, "),
        ("restore drops.jsonl", "name the feed in --output FILE"),
        ("restore drops.jsonl -o out.jsonl --format nope", "a format must be one of csv, "),
        ("batch in.jsonl -o out --keep newest", "keep must be one of inline, first, "),
        ("evaluate corpus --scheme md5", "there is no scheme 'md5'"),
    ],
)
def test_a_wrong_value_is_wrong_usage(neardup: Neardup, folder: Path, line: str, says: str) -> None:
    write_log(folder / "drops.jsonl", [entry()])

    code, _, errors = neardup(*line.split())

    assert code == 2
    assert says in errors.splitlines()[-1]


def test_an_action_must_be_named(neardup: Neardup) -> None:
    code, out, errors = neardup()
    assert (code, out) == (2, "")
    assert "error: name an action: stats, verify, " in errors
    assert errors.endswith(" (`scrapy neardup --help` explains them)\n")


def test_the_logs_may_be_left_out(neardup: Neardup) -> None:
    code, _, errors = neardup("diff")
    assert code == 2
    assert errors.splitlines()[-1].endswith("arguments are required: URL")


@pytest.mark.parametrize("closed", [">&-", "<&-", "2>&-"])
def test_a_closed_stream_is_no_error(folder: Path, closed: str) -> None:
    command = f"{shlex.quote(sys.executable)} -m scrapy neardup schemes --json {closed}"
    done = subprocess.run(
        ["sh", "-c", command], check=False, cwd=folder, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
