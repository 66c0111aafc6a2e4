"""What a benchmark says, as tests read it."""

import json
from typing import Any

import pytest

from benchmarks.report import Bar


def result(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """What a benchmark printed under --json."""
    content: dict[str, Any] = json.loads(capsys.readouterr().out)
    return content


def verdicts(bars: list[Bar]) -> list[bool]:
    """Whether each bar is met."""
    return [bar.met for bar in bars]
