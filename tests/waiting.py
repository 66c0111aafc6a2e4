"""Waits of tests for other processes, which set no event here."""

from __future__ import annotations

import time
from collections.abc import Callable

POLL = 0.02  # seconds between two looks
PATIENCE = 60.0  # seconds


def wait_until(holds: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    """Look every moment whether something holds; fail with its name if it takes too long."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"not within {seconds:g} seconds: {what}"
        time.sleep(POLL)
