"""Formats of arguments in the compiled code."""

from __future__ import annotations

import re
from pathlib import Path

import dedup.native

FORMAT = re.compile(r'Py\w+\((?:[^;"]*,)?\s*"([^"\s]*)"')
SOURCES = sorted(Path(dedup.native.__file__).parent.glob("*.c"))


def test_no_format_takes_a_length_beside_the_octets() -> None:
    """Such a format is an error in Python 3.11 and 3.12 if Python 3.13 or later compiled it."""
    formats = [one for path in SOURCES for one in FORMAT.findall(path.read_text())]
    assert len(formats) > 20
    assert [one for one in formats if "#" in one] == []
