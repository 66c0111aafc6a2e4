"""Each test runs twice: by the compiled steps, and by their counterparts in Python."""

from __future__ import annotations

import os

import pytest

from dedup import native


@pytest.fixture(autouse=True, params=["compiled", "python"])
def steps(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Which of the two the test runs by."""
    if request.param == "python":
        monkeypatch.setattr(native, "core", None)
    elif native.core is None:
        assert "NEARDUP_REQUIRE_SERVERS" not in os.environ, native.MISSING
        pytest.skip(native.MISSING)
    return str(request.param)
